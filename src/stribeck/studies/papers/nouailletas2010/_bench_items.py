"""Sections 5.1 and 5.2: the tests that the friction of the actuator was identified from, and what they gave."""

from __future__ import annotations

from functools import cache
from math import pi

import numpy as np
from numpy.polynomial import Polynomial

from ..paper import Finding, Table
from ..scorecard import half_a_digit, number, statement, unchecked
from ._actuator_pictures import plot_figure_14, plot_figure_15, plot_figure_16
from ._paper import PAPER
from .actuator import C_S_BACKWARD, C_S_FORWARD, F_V, RATIO, TABLE_5, TRAVEL, W_V
from .bench import break_away, mean_friction, sinusoidal_test

PRINTED = {
    "b+": ("0.0794", "0.0077", "-2.7773e-4", "2.8731e-6"),
    "b-": ("0.0938", "-0.0126", "0.0013", "-3.2940e-5", "2.5120e-7"),
}
"""Table 5 as it is printed, the constants first."""
MEANS = {"b+": "0.1352", "b-": "0.1506"}


def mean(way: Polynomial, end: float = TRAVEL) -> float:
    """The mean of a torque from 0 to an angle."""
    return float(way.integ()(end) / end)


@cache
def passes(direction: int, rate: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Angles and break-away torques of the test of Figure 9."""
    angles = np.linspace(1.0, TRAVEL - 1.0, count)
    return angles, np.array([break_away(float(angle), direction, rate) for angle in angles])


def _tested(quick: bool) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    return {direction: passes(direction, 0.2, 16 if quick else 44) for direction in (1, -1)}


@PAPER.item(
    "Figure 14",
    "Break-away torques over the way",
    shows="Torques at which the encoder moves, while the torque rises slowly, over the whole way up and down.",
)
def figure_14(quick: bool) -> Finding:
    """The break-away test on the simple model with the friction of Table 5."""
    tests = _tested(quick)
    ranges = {d: (float(u.min()), float(u.max())) for d, (_, u) in tests.items()}
    bias = {d: float(np.mean(u - TABLE_5.static(angles, d))) for d, (angles, u) in tests.items()}
    slow = passes(1, 0.05, 8 if quick else 16)
    slower = float(np.mean(slow[1] - TABLE_5.static(slow[0], 1)))
    return Finding(
        text=(
            f"With a torque that rises by 0.2 N·m/s the test finds {1e3 * bias[1]:.1f} mN·m too much up and "
            f"{1e3 * bias[-1]:.1f} mN·m down: the torque goes on rising until a count has passed. At 0.05 N·m/s it is "
            f"{1e3 * slower:.1f} mN·m."
        ),
        claims=[
            statement(
                "C_s depends on the position and on the sign of the speed",
                ranges[1][1] > 1.5 * ranges[1][0] and ranges[-1][1] > 1.5 * ranges[-1][0],
                f"up {ranges[1][0]:.3f} to {ranges[1][1]:.3f} N·m, down {ranges[-1][0]:.3f} to {ranges[-1][1]:.3f} N·m",
                note="a virtual test: the friction of Table 5 was put in",
            ),
            statement(
                "motion occurs when u is slightly higher than the break-away torque",
                0 < slower < bias[1] < 0.02 * ranges[1][1],
                f"above it by {1e3 * slower:.2f} mN·m at 0.05 N·m/s and {1e3 * bias[1]:.2f} mN·m at 0.2 N·m/s",
            ),
        ],
        picture=plot_figure_14(tests),
    )


def _rounding(key: str, angle: float) -> float:
    """What the printed digits of Table 5 leave open at an angle (N·m)."""
    return sum(half_a_digit(text) * angle**power for power, text in enumerate(PRINTED[key]))


@PAPER.item(
    "Table 5",
    "Polynomials of the break-away torque",
    shows="Coefficients of C_s over the angle, degree 3 up and degree 4 down; the text has their means.",
)
def table_5(quick: bool) -> Finding:
    """The means of the printed polynomials, and how far their digits reach."""
    ways = {"b+": C_S_FORWARD, "b-": C_S_BACKWARD}
    lengths = np.linspace(55, 70, 1501)
    misfit = [sum(abs(mean(way, end) - float(MEANS[key])) for key, way in ways.items()) for end in lengths]
    best = float(lengths[int(np.argmin(misfit))])
    doubts = {key: _rounding_of_mean(key) for key in ways}
    return Finding(
        text=(
            f"The angle up to which the means are taken is not printed. {best:.1f} rad, {1e3 * RATIO * best:.1f} mm of "
            f"the rack, brings both means nearest; we use {TRAVEL:g} rad. Down, b_2 and b_1 have two digits only: at "
            f"60 rad they leave {_rounding('b-', 60.0):.2f} N·m open, more than the torque itself. The printed curve "
            "fits its mean better than its digits promise."
        ),
        claims=[
            number(
                f"mean of C_s for omega {'>' if key == 'b+' else '<'} 0",
                MEANS[key],
                mean(way),
                "N·m",
                within=min(doubts[key], 0.001),
                note=f"to 0.001: the end of the way is ours; the printed digits leave {doubts[key]:.4f} N·m open",
            )
            for key, way in ways.items()
        ]
        + [
            statement(
                "the printed polynomials give C_s over the whole way",
                max(_rounding(key, 60.0) for key in ways) < 0.01,
                f"their digits leave {_rounding('b+', 60.0):.4f} N·m open up and {_rounding('b-', 60.0):.2f} N·m down, "
                "at 60 rad",
                because="b_2 and b_1 down are printed with two digits, by which the curve cannot be drawn to the end",
            )
        ],
    )


def _rounding_of_mean(key: str) -> float:
    """What the printed digits leave open in the mean over the way (N·m)."""
    return sum(half_a_digit(text) * TRAVEL**power / (power + 1) for power, text in enumerate(PRINTED[key]))


@PAPER.item(
    "Figure 15",
    "Polynomials through break-away torques",
    shows="Filtered break-away torques (circles) and the polynomials of (47), degree 3 up and 4 down (solid).",
)
def figure_15(quick: bool) -> Finding:
    """Polynomials of these degrees through the torques of the virtual test."""
    tests, fits, off = _tested(quick), {}, {}
    grid = np.linspace(2, TRAVEL - 2, 500)
    for direction, degree in ((1, 3), (-1, 4)):
        angles, torque = tests[direction]
        fits[direction] = Polynomial.fit(angles, torque, degree).convert()
        off[direction] = float(np.abs(fits[direction](grid) - TABLE_5.static(grid, direction)).max())
    lower = Polynomial.fit(*tests[-1], 3)
    worse = float(np.abs(lower(grid) - TABLE_5.static(grid, -1)).max())
    return Finding(
        text=(
            f"The fits come back to Table 5 within {1e3 * max(off.values()):.1f} mN·m, most of which is the delay of "
            "the encoder."
        ),
        claims=[
            statement(
                "polynomials of degree 3 up and 4 down fit the break-away torques",
                max(off.values()) < 0.03 * 0.1352,
                f"within {1e3 * off[1]:.2f} mN·m up and {1e3 * off[-1]:.2f} mN·m down of what was put in",
                note="a virtual test: the friction of Table 5 was put in",
            ),
            statement(
                "down, degree 4 is needed",
                worse > 5 * off[-1],
                f"degree 3 leaves {1e3 * worse:.0f} mN·m, degree 4 {1e3 * off[-1]:.1f} mN·m",
            ),
        ],
        picture=plot_figure_15(tests, fits),
        tables=[
            Table(
                "Coefficients of C_s, N·m by powers of rad",
                ["", "Table 5", "virtual test"],
                [
                    [f"b_{k}{word}", float(PRINTED[f"b{word}"][k]), float(fits[direction].coef[k])]
                    for direction, word in ((1, "+"), (-1, "-"))
                    for k in reversed(range(len(PRINTED[f"b{word}"])))
                ],
            )
        ],
    )


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
    below = np.linspace(40, 235, 4 if quick else 8)
    above = np.linspace(250, 600, 8 if quick else 15)
    low, high = (np.array([mean_friction(sinusoidal_test(float(v))) for v in speeds]) for speeds in (below, above))
    dry = float(low.mean())
    slope, start = np.polyfit(2 * above / pi, high, 1)
    phi = 2 / pi * np.sqrt(above**2 - W_V**2)
    right = np.polyfit(phi, high, 1)[0]
    crossing = 0.1094 * pi / (2 * F_V)
    off = float(np.abs(high - F_V * 2 * above / pi).max())
    seen = [mean_friction(sinusoidal_test(float(v)), encoder=True) for v in below[[0, -1]]]
    misfit = _misfit(np.r_[below, above], np.r_[low, high])
    return Finding(
        text=(
            f"With (48) the mean is constant, {dry:.4f} N·m, up to 240 rad/s and then rises as C_r + f_v (2/pi) "
            "sqrt(V² - 240²), steeply at first: viscous friction acts in the fast part of each period only. A line "
            f"through these points, as (35) has it, gives f_v = {slope:.3g} and C_r = {start:.3g} N·m, not what was "
            f"put in; the right regressor gives {right:.4g}. The printed numbers say something else: f_v and C_r are "
            f"those of a line through the origin that meets the constant at {crossing:.1f} rad/s, so that 240 rad/s is "
            "where two lines of the figure cross, an amplitude, and no speed at which a law changes."
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
            statement(
                "below 240 rad/s y is constant thanks to dry friction",
                float(np.ptp(low)) < 1e-3 * dry,
                f"{dry:.5f} N·m, varying by {np.ptp(low):.1g} N·m from {below[0]:.0f} to {below[-1]:.0f} rad/s",
            ),
            statement(
                "so it is with the sign of the speed that the encoder tells, (29) in (32)",
                abs(seen[1] - seen[0]) < 0.05 * dry,
                f"{seen[0]:.3f} N·m at {below[0]:.0f} rad/s, {seen[1]:.3f} N·m at {below[-1]:.0f} rad/s",
                because=(
                    "below a count in 1 ms, 112 rad/s, most differences are 0 and these samples drop out of the mean; "
                    "the sign has to be that of the wanted speed"
                ),
            ),
            statement(
                "an affine friction function as in (28) does not describe the test",
                misfit > 0.05 * float(high.max()),
                f"one line through all points misses them by up to {misfit:.3f} N·m",
            ),
            number(
                "viscous friction found by (35) from a rotor that has (48)",
                "7.1746e-4",
                float(slope),
                "N·m·s/rad",
                because=(
                    "(35) is the mean for viscous friction that acts at all speeds; for (48) the regressor is (2/pi) "
                    f"sqrt(V² - 240²), which finds {right:.4e} here"
                ),
            ),
            number(
                "viscous friction found with the regressor of (48)",
                "7.1746e-4",
                float(right),
                "N·m·s/rad",
                within=1e-6,
                note="a check of the virtual test: what was put in; the grid of a period leaves 1e-6",
            ),
            number(
                "mean Coulomb torque found by (35) above 240 rad/s",
                "0.1094",
                float(start),
                "N·m",
                because="as above: (35) does not belong to (48), and what it finds depends on the amplitudes",
            ),
            statement(
                "above 240 rad/s the viscous friction f_v of (48) gives the line of the printed numbers, f_v 2 V/pi",
                off < 0.05 * float(high.max()),
                f"(48) is up to {off:.3f} N·m above it; the law jumps by {F_V * W_V:.3f} N·m at 240 rad/s",
                because=(
                    "with (48) Coulomb friction stays when viscous friction comes; the printed line passes through the "
                    "origin, as if it went. Neither is an affine law, and max(C_r, f_v |omega|), which would meet at "
                    f"{0.1094 / F_V:.0f} rad/s, is none that the text mentions"
                ),
            ),
            unchecked(
                "with this friction function simulated and measured tests agree", "the measured data are not printed"
            ),
        ],
        picture=plot_figure_16(below, low, above, high, dry),
    )


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
            f"0.1094. We use the ratios. The sliding torque that results is, over the way, "
            f"{mean(TABLE_5.forward):.4f} N·m up and {mean(TABLE_5.backward):.4f} N·m down."
        ),
        claims=[
            number("beta for omega > 0", "1.2325", 0.1352 / 0.1094, because=reason),
            number("beta for omega < 0", "1.3728", 0.1506 / 0.1094, because=reason),
            number(
                "mean Coulomb torque by both ratios",
                "0.1094",
                float(np.mean(implied)),
                "N·m",
                because=f"0.3 % apart: the ratios were made with {implied[0]:.4f} N·m",
            ),
        ],
    )
