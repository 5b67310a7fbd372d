"""Section 5.2: the sinusoidal test of the actuator, dry and viscous friction, and break-away by Coulomb torque."""

from __future__ import annotations

from functools import cache
from math import pi
from typing import NamedTuple

import numpy as np

from ..paper import Finding
from ..scorecard import Claim, number, statement, unchecked
from ._actuator_pictures import plot_figure_16
from ._bench_items import MEANS, mean
from ._paper import PAPER
from .actuator import F_V, TABLE_5, W_V
from .bench import mean_friction, sinusoidal_test

COULOMB = "0.1094"
"""The mean Coulomb torque as printed (N.m)."""


class SpeedSeries(NamedTuple):
    """Amplitudes of the speed (rad/s) below and above 240 rad/s, and the means y of (35) there (N.m)."""

    below: np.ndarray
    low: np.ndarray
    above: np.ndarray
    high: np.ndarray

    @property
    def dry(self) -> float:
        """The mean below."""
        return float(self.low.mean())

    @property
    def line(self) -> tuple[float, float]:
        """f_v and C_r of the line (35) through what is above."""
        slope, start = np.polyfit(2 * self.above / pi, self.high, 1)
        return float(slope), float(start)

    @property
    def right(self) -> float:
        """f_v by the regressor that belongs to (48)."""
        return float(np.polyfit(2 / pi * np.sqrt(self.above**2 - W_V**2), self.high, 1)[0])


@cache
def tested(quick: bool) -> SpeedSeries:
    """The sinusoidal test with the law (48), followed perfectly."""
    below, above = np.linspace(40, 235, 4 if quick else 8), np.linspace(250, 600, 8 if quick else 15)
    low, high = (np.array([mean_friction(sinusoidal_test(float(v))) for v in speeds]) for speeds in (below, above))
    return SpeedSeries(below, low, above, high)


@PAPER.item(
    "Figure 16",
    "Sinusoidal speeds: dry and viscous friction",
    shows=(
        "Mean of u sign(omega) over a period, over the amplitude of a sinusoidal speed: constant below 240 rad/s, a "
        "line above. From it f_v, the mean Coulomb torque and (48) follow: viscous friction acts from 240 rad/s on."
    ),
)
def figure_16(quick: bool) -> Finding:
    """The sinusoidal test with the law (48), followed perfectly."""
    test = tested(quick)
    slope, start = test.line
    crossing = float(COULOMB) * pi / (2 * F_V)
    return Finding(
        text=(
            f"With (48) the mean is constant, {test.dry:.4f} N·m, up to 240 rad/s and then rises as C_r + f_v (2/pi) "
            "sqrt(V² - 240²), steeply at first: viscous friction acts in the fast part of each period only. A line "
            f"through these points, as in (35), gives f_v = {slope:.3g} and C_r = {start:.3g} N·m, not what was "
            f"put in; the right regressor gives {test.right:.4g}. The printed numbers say something else: f_v and C_r "
            f"are those of a line through the origin that meets the constant at {crossing:.1f} rad/s, so that 240 "
            "rad/s is where two lines of the figure cross, an amplitude, and no speed at which a law changes."
        ),
        claims=[
            number(
                "speed below which y is constant",
                "240",
                crossing,
                "rad/s",
                within=1.0,
                note=(
                    "the amplitude at which f_v 2 V/pi through the origin meets the printed mean Coulomb torque; "
                    "rounding of a value read from a figure"
                ),
            ),
            *_below(test),
            *_above(test),
            unchecked(
                "with this friction function simulated and measured tests agree", "the measured data are not printed"
            ),
        ],
        picture=plot_figure_16(test.below, test.low, test.above, test.high, test.dry),
    )


def _below(test: SpeedSeries) -> list[Claim]:
    """Where dry friction acts alone, by the true sign of the speed and by that of the encoder."""
    below, dry = test.below, test.dry
    seen = [mean_friction(sinusoidal_test(float(v)), encoder=True) for v in below[[0, -1]]]
    misfit = _misfit(np.r_[below, test.above], np.r_[test.low, test.high])
    return [
        statement(
            "below 240 rad/s y is constant thanks to dry friction",
            float(np.ptp(test.low)) < 1e-3 * dry,
            f"{dry:.5f} N·m, varying by {np.ptp(test.low):.1g} N·m from {below[0]:.0f} to {below[-1]:.0f} rad/s",
            basis="put in",
            note="(48) was put in, with 240 rad/s",
        ),
        statement(
            "so it is with the sign of the speed from the encoder, (29) in (32)",
            abs(seen[1] - seen[0]) < 0.05 * dry,
            f"{seen[0]:.3f} N·m at {below[0]:.0f} rad/s, {seen[1]:.3f} N·m at {below[-1]:.0f} rad/s",
            basis="reconstruction",
            because=(
                "below a count in 1 ms, 112 rad/s, most differences are 0 and these samples drop out of the mean; "
                "the sign has to be that of the wanted speed"
            ),
        ),
        statement(
            "an affine friction function as in (28) does not describe the test",
            misfit > 0.05 * float(test.high.max()),
            f"one line through all points misses them by up to {misfit:.3f} N·m",
            basis="put in",
            note="(48) was put in",
        ),
    ]


def _above(test: SpeedSeries) -> list[Claim]:
    """What the line of (35) finds where viscous friction acts in a part of each period."""
    slope, start = test.line
    off = float(np.abs(test.high - F_V * 2 * test.above / pi).max())
    return [
        number(
            "viscous friction found by (35) from a rotor that has (48)",
            "7.1746e-4",
            slope,
            "N·m·s/rad",
            because=(
                "(35) is the mean for viscous friction that acts at all speeds; for (48) the regressor is (2/pi) "
                f"sqrt(V² - 240²), which finds {test.right:.4e} here"
            ),
        ),
        number(
            "mean Coulomb torque found by (35) above 240 rad/s",
            COULOMB,
            start,
            "N·m",
            because="as above: (35) does not belong to (48), and what it finds depends on the amplitudes",
        ),
        statement(
            "above 240 rad/s the viscous friction f_v of (48) gives the line of the printed numbers, f_v 2 V/pi",
            off < 0.05 * float(test.high.max()),
            f"(48) is up to {off:.3f} N·m above it; the law jumps by {F_V * W_V:.3f} N·m at 240 rad/s",
            because=(
                "with (48) Coulomb friction stays when viscous friction comes; the printed line passes through the "
                "origin, as if it went. Neither is an affine law, and max(C_r, f_v |omega|), which would meet at "
                f"{float(COULOMB) / F_V:.0f} rad/s, is none that the text mentions"
            ),
        ),
    ]


def _misfit(x: np.ndarray, y: np.ndarray) -> float:
    """The largest distance of points from the line through them."""
    return float(np.abs(np.polyval(np.polyfit(x, y, 1), x) - y).max())


@PAPER.item(
    "Equation 49",
    "Break-away by Coulomb torque",
    shows="C_r is C_s over beta; beta is the mean of C_s by the mean of C_r.",
)
def equation_49(quick: bool) -> Finding:
    """The printed means by each other."""
    implied = [float(MEANS[key]) / beta for key, beta in (("b+", 1.2325), ("b-", 1.3728))]
    reason = (
        "the printed means are not those of the printed ratios: both ratios belong to a Coulomb torque of "
        f"{implied[0]:.4f} N·m"
    )
    return Finding(
        text=(
            f"Both ratios go with a mean Coulomb torque of {implied[0]:.4f} and {implied[1]:.4f} N·m, the text has "
            f"{COULOMB}. We use the ratios. The sliding torque that results is, over the way, "
            f"{mean(TABLE_5.forward):.4f} N·m up and {mean(TABLE_5.backward):.4f} N·m down."
        ),
        claims=[
            number("beta for omega > 0", "1.2325", float(MEANS["b+"]) / float(COULOMB), because=reason),
            number("beta for omega < 0", "1.3728", float(MEANS["b-"]) / float(COULOMB), because=reason),
            number(
                "mean Coulomb torque by both ratios",
                COULOMB,
                float(np.mean(implied)),
                "N·m",
                because=f"0.3 % apart: the ratios were made with {implied[0]:.4f} N·m",
            ),
        ],
    )
