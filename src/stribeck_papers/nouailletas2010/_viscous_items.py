"""Section 5.2: the sinusoidal test of the actuator, dry and viscous friction, and break-away by Coulomb torque."""

from __future__ import annotations

from functools import cache
from math import pi
from typing import NamedTuple

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..rules import DIGITS, SAME, VISIBLE
from ..scorecard import Claim, half_a_digit, judged, number, unchecked
from ._actuator_pictures import plot_figure_16
from ._bench_items import MEANS, mean
from ._paper import PAPER
from .actuator import F_V, TABLE_5, W_V
from .bench import mean_friction, sinusoidal_test
from .swings import C_R, CORNER, arccos_friction, arccos_law, swing_mean

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
    def speeds(self) -> np.ndarray:
        """All amplitudes."""
        return np.concatenate([self.below, self.above])

    @property
    def means(self) -> np.ndarray:
        """All means."""
        return np.concatenate([self.low, self.high])

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


@cache
def inverted(quick: bool) -> tuple[SpeedSeries, np.ndarray]:
    """The sinusoidal test with the law of the two printed lines, and friction over speed from its means."""
    law = arccos_law()
    below, above = np.linspace(20, 235, 6 if quick else 12), np.geomspace(242, 600, 16 if quick else 30)
    low, high = (np.array([swing_mean(law, float(v)) for v in speeds]) for speeds in (below, above))
    series = SpeedSeries(below, low, above, high)
    friction, _ = sb.identify.schloemilch_inversion(series.speeds, series.means)
    return series, friction


@PAPER.item(
    "Figure 16",
    "Sinusoidal speeds: dry and viscous friction",
    shows=(
        "Mean of u sign(omega) over a period, over the amplitude of a sinusoidal speed: constant below 240 rad/s, a "
        "line above. From it f_v, the mean Coulomb torque and (48) follow: viscous friction acts from 240 rad/s on."
    ),
    equations=("(35)", "(37)", "(48)"),
)
def figure_16(quick: bool) -> Finding:
    """The sinusoidal test with (48), and with the law that the two printed lines belong to."""
    test, (lines, found) = tested(quick), inverted(quick)
    slope, start = test.line
    fitted = lines.line
    off = float(np.abs(found - arccos_friction(lines.speeds)).max() / np.ptp(arccos_friction(lines.speeds)))
    shown = [100.0, 240.0, 260.0, 300.0, 400.0, 500.0, 600.0]
    return Finding(
        text=(
            "The mean over a sine is Schloemilch's integral of friction, and can be inverted: f(w) = y(0) + w int_0^(pi"
            "/2) y'(w sin p) dp. The two printed lines, C_r and f_v 2V/pi, meet at "
            f"{CORNER:.1f} rad/s, and belong to one law only: C_r below, C_r + (2/pi) f_v w arccos({CORNER:.0f}/w) "
            f"above. A rotor with it has these lines, and (35) finds f_v = {fitted[0]:.5g} from it. With (48), the law "
            f"that the text takes, y rises as C_r + f_v (2/pi) sqrt(V² - 240²), and (35) finds {slope:.3g} and a "
            f"Coulomb torque of {start:.2g} N·m. The inversion needs no formula: from the means of {lines.speeds.size} "
            f"tests it finds friction over speed within {100 * off:.1f} % of its range (schloemilch_inversion in "
            "stribeck.identify)."
        ),
        claims=[*_lines(test, lines), *_law(test, lines), *_encoder(test)],
        picture=plot_figure_16(test, lines, found),
        headline=(
            f"The two lines of Figure 16 are a Schloemilch integral; inverted, they say that friction is {C_R:g} N·m "
            f"up to {CORNER:.0f} rad/s and then rises by (2/π) f_v ω arccos({CORNER:.0f}/ω), not by the jump of (48). "
            f"From a rotor with that law the paper's own method returns f_v = {fitted[0]:.4e}."
        ),
        alt=(
            f"Left: means over the amplitude of the speed. With the arccos law they lie on the two printed lines, "
            f"which meet at {CORNER:.0f} rad/s; with (48) they rise steeply above. Right: friction over speed. (48) "
            f"jumps by {F_V * W_V:.2f} N·m at 240 rad/s, the arccos law rises continuously, and the points of the "
            "inversion lie on it."
        ),
        tables=[
            titled_table(
                "Friction over speed, N·m",
                ["speed / (rad/s)", "(48)", "of the two printed lines", "found by inversion"],
                [
                    [w, C_R + (F_V * w if w >= W_V else 0.0), float(arccos_friction(w)), float(value)]
                    for w, value in zip(shown, np.interp(shown, lines.speeds, found), strict=True)
                ],
            )
        ],
    )


def _lines(test: SpeedSeries, lines: SpeedSeries) -> list[Claim]:
    """What the text reads off the figure, from a rotor with the law of the two lines."""
    slope, start = lines.line
    misfit = _misfit(lines.speeds, lines.means) / float(np.ptp(lines.means))
    return [
        number(
            "speed below which y is constant",
            "240",
            CORNER,
            "rad/s",
            otherwise="contradicts itself",
            because="the printed lines meet elsewhere",
            basis="arithmetic",
            note="the amplitude at which f_v 2 V/pi through the origin meets the printed mean Coulomb torque",
        ),
        judged(
            "below 240 rad/s y is constant thanks to dry friction",
            SAME,
            float(np.ptp(test.low)) / test.dry,
            f"{test.dry:.5f} N·m, varying by {np.ptp(test.low):.1g} N·m from {test.below[0]:.0f} to "
            f"{test.below[-1]:.0f} rad/s",
            otherwise="refuted",
            basis="put in",
            note="friction of Table 5 and (48) were put in",
        ),
        judged(
            "an affine friction function as in (28) does not describe the test",
            VISIBLE,
            misfit,
            f"one line through all points misses them by up to {100 * misfit:.0f} % of their range",
            otherwise="refuted",
            basis="put in",
        ),
        number(
            "viscous friction found by (35) above 240 rad/s",
            "7.1746e-4",
            slope,
            "N·m·s/rad",
            otherwise="refuted",
            basis="put in",
            note=f"from a rotor with the law of the two lines; the line passes the origin at {start:.1g} N·m",
            where="Section 5.2, (35)",
        ),
        number(
            "mean Coulomb torque found below 240 rad/s",
            COULOMB,
            lines.dry,
            "N·m",
            otherwise="refuted",
            basis="put in",
            note="from a rotor with the law of the two lines",
            where="Section 5.2, (35)",
        ),
    ]


def _law(test: SpeedSeries, lines: SpeedSeries) -> list[Claim]:
    """Whether (48) is the law of the printed numbers."""
    slope, start = test.line
    printed = np.maximum(C_R, F_V * 2 * test.speeds / pi)
    off = float(np.abs(test.means - test.dry + C_R - printed).max())
    usual = np.polyfit(lines.speeds, arccos_friction(lines.speeds), 1)
    unusual = np.abs(np.polyval(usual, lines.speeds) - arccos_friction(lines.speeds)).max()
    return [
        judged(
            "the friction of Figure 16 is (48) with the f_v of (35)",
            SAME,
            off / float(np.ptp(printed)),
            f"a rotor with (48) is up to {off:.3f} N·m above the printed lines, and jumps by {F_V * W_V:.3f} N·m at "
            f"240 rad/s; (35) finds f_v = {slope:.3e} and {start:.4f} N·m from it",
            printed="f_v(omega) = 0 below 240 rad/s, f_v else",
            otherwise="contradicts itself",
            because=(
                "(35) is the mean for viscous friction that acts at all speeds. The regressor of (48) is (2/pi) "
                f"sqrt(V² - 240²), which finds {test.right:.4e} here; the law of the two printed lines is another one"
            ),
            corrected="C_r below W, C_r + (2/pi) f_v |omega| arccos(W/|omega|) above, W = 240 rad/s",
            basis="printed",
            where="Section 5.2, (35), (48)",
        ),
        judged(
            "the identified friction function is not a usual one",
            VISIBLE,
            float(unusual / np.ptp(arccos_friction(lines.speeds))),
            f"the nearest line C + f_v omega misses the law of the two lines by up to {unusual:.3f} N·m",
            otherwise="refuted",
            basis="arithmetic",
        ),
        unchecked(
            "with this friction function simulated and measured tests agree", "the measured data are not printed"
        ),
    ]


def _encoder(test: SpeedSeries) -> list[Claim]:
    """The mean with the sign of the speed that the encoder gives."""
    seen = [mean_friction(sinusoidal_test(float(v)), encoder=True) for v in test.below[[0, -1]]]
    return [
        judged(
            "y is constant with the sign of the speed from the encoder, (29) in (32)",
            SAME,
            (seen[1] - seen[0]) / test.dry,
            f"{seen[0]:.3f} N·m at {test.below[0]:.0f} rad/s, {seen[1]:.3f} N·m at {test.below[-1]:.0f} rad/s",
            otherwise="refuted",
            basis="reconstruction",
            because=(
                "below a count in 1 ms, 112 rad/s, most differences are 0 and these samples drop out of the mean; "
                "the sign has to be that of the wanted speed"
            ),
            where="Section 3.3, (29), (32)",
        ),
    ]


def _misfit(x: np.ndarray, y: np.ndarray) -> float:
    """The largest distance of points from the line through them."""
    return float(np.abs(np.polyval(np.polyfit(x, y, 1), x) - y).max())


@PAPER.item(
    "Equation 49",
    "Break-away by Coulomb torque",
    shows="C_r is C_s over beta; beta is the mean of C_s by the mean of C_r.",
    equations=("(46)", "(49)"),
)
def equation_49(quick: bool) -> Finding:
    """The printed means by each other."""
    implied = [float(MEANS[key]) / beta for key, beta in (("b+", 1.2325), ("b-", 1.3728))]
    ratios = [float(MEANS[key]) / C_R for key in ("b+", "b-")]
    return Finding(
        text=(
            f"Both ratios go with a mean Coulomb torque of {implied[0]:.4f} and {implied[1]:.4f} N·m, the text has "
            f"{COULOMB}. We use the ratios. The sliding torque that results is, over the way, "
            f"{mean(TABLE_5.forward):.4f} N·m up and {mean(TABLE_5.backward):.4f} N·m down."
        ),
        claims=[
            judged(
                "beta is the mean of C_s by the mean of C_r, in both directions",
                DIGITS,
                max(abs(ratios[0] - 1.2325), abs(ratios[1] - 1.3728)) / half_a_digit("1.2325"),
                f"{ratios[0]:.4f} and {ratios[1]:.4f} with the printed means",
                printed="1.2325, 1.3728",
                otherwise="contradicts itself",
                because=(
                    f"0.3 % apart: both ratios were made with a Coulomb torque of {np.mean(implied):.4f} N·m, the text "
                    f"prints {COULOMB} N·m"
                ),
                corrected=f"mean of C_r = {np.mean(implied):.4f} N·m, or beta = {ratios[0]:.4f} and {ratios[1]:.4f}",
                basis="arithmetic",
                where="Section 5.2, (49)",
            ),
        ],
    )
