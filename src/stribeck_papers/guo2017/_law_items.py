"""The models alone: Section I, (1), Figures 1 and 2, (4)."""

from __future__ import annotations

from functools import cache

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..scorecard import statement
from ._paper import PAPER
from ._pictures import plot_curves, plot_loop
from .rig import friction_curve, hysteresis, laws

SIGMA0, COULOMB, STATIC, SIGMA2, LIMIT = 1e5, 1.0, 1.5, 0.5, 0.01
"""Of all four models (N/m, N, N, N.s/m, m/s)."""
SHOWN = ("presliding", "Stribeck effect", "viscous friction")


@PAPER.item(
    "Section I",
    "What Dahl's and the LuGre model describe",
    shows="Dahl's model has no Stribeck effect, the negative slope of friction at low speed; the LuGre model has it, "
    "and deformation before sliding too.",
)
def section_1(quick: bool) -> Finding:
    """Experiments on the test bench for laws."""
    found = {name: sb.analysis.friction_properties(law, *SHOWN) for name, law in laws().items()}
    rows = [[name, *(verdicts[probe].reason for probe in SHOWN)] for name, verdicts in found.items()]
    dahl, lugre = found["Dahl"]["Stribeck effect"], found["LuGre"]["Stribeck effect"]
    bends = found["LuGre"]["presliding"]
    return Finding(
        text="Each model was tested on the bench of this package, at prescribed speeds, under forces and on a spring. "
        "The table has the measurements, those of viscous friction with sigma2 = 0.4 s/m times the sliding friction.",
        claims=[
            statement("Dahl's model has no Stribeck effect", not dahl.has, dahl.reason),
            statement("the LuGre model has the Stribeck effect", bool(lugre.has), lugre.reason),
            statement("the LuGre model deforms before it slides", bool(bends.has), bends.reason),
        ],
        tables=[titled_table("Measured on the bench", ["model", *SHOWN], rows)],
    )


@PAPER.item(
    "Equation 1",
    "Dahl's model as it is printed",
    shows="dz/dt = sigma0 (v - |v| F/F_c) with F = sigma0 z, where sigma0 is called the stiffness in N/m.",
)
def equation_1(quick: bool) -> Finding:
    """The slope of friction over displacement at its beginning, as printed and as read."""
    printed = _stiffness_as_printed(way=1e-16)
    loop = _dahl_loop()
    place, friction = _arrays(loop)
    at = int(np.argmax(place > 1e-7))
    read = float(friction[at] / place[at])
    yielded = COULOMB * (1 - np.exp(-SIGMA0 * place[at] / COULOMB)) / place[at]
    return Finding(
        text=f"Integrated as printed, friction rises by {printed:.4g} N per metre at the beginning, which is sigma0 "
        f"squared. With one sigma0 less it rises by {read:.4g} N/m over the first {place[at]:.2g} m, the secant of the "
        f"closed form F_c (1 - exp(-sigma0 x/F_c)) being {yielded:.4g} N/m.",
        claims=[
            statement(
                "in (1) sigma0 is the stiffness (N/m)",
                abs(printed / SIGMA0 - 1) < 0.01,
                f"{printed:.4g} N/m for sigma0 = {SIGMA0:g} N/m",
                printed="sigma0",
                because="sigma0 is in both lines of (1), so the stiffness is its square; a misprint, read as "
                "dF/dt = sigma0 (v - |v| F/F_c)",
            )
        ],
    )


def _stiffness_as_printed(way: float, steps: int = 1000) -> float:
    """dF/dx (N/m) of (1) as printed, from rest over a way (m) in small steps at 1 m/s."""
    z, h = 0.0, way / steps
    for _ in range(steps):
        z += h * SIGMA0 * (1.0 - SIGMA0 * z / COULOMB)
    return SIGMA0 * z / way


@cache
def _dahl_loop() -> sb.Result:
    return hysteresis("Dahl")


def _arrays(loop: sb.Result) -> tuple[np.ndarray, np.ndarray]:
    return np.asarray(loop["guide.s_rel"]), np.asarray(loop["guide.f"])


@PAPER.item(
    "Figure 1",
    "Dahl's friction over displacement",
    shows="Friction that is below Coulomb friction at the beginning approaches it and never exceeds it, to either "
    "side; so there is no static friction.",
)
def figure_1(quick: bool) -> Finding:
    """Over 0.08 mm and back."""
    loop = _dahl_loop()
    place, friction = _arrays(loop)
    largest = float(np.abs(friction).max())
    up = loop.time <= 0.5  # until it turns back
    exact = COULOMB * (1 - np.exp(-SIGMA0 * place[up] / COULOMB))
    off = float(np.abs(friction[up] - exact).max())
    towed = sb.analysis.LawBench(laws()["Dahl"]).break_away
    return Finding(
        text=f"The largest friction in two cycles is {largest:.9f} N, Coulomb friction 1 N. The first branch follows "
        f"F_c (1 - exp(-sigma0 x/F_c)) within {off:.1g} N.",
        claims=[
            statement("|F| never exceeds F_c", largest <= COULOMB * (1 + 1e-9), f"at most {largest:.9f} N of 1 N"),
            statement(
                "Dahl's model has no static friction",
                abs(towed - COULOMB) < 1e-6,
                f"breaks away at {towed:.6f} N, F_c = {COULOMB:g} N",
            ),
        ],
        picture=plot_loop(place, friction, COULOMB),
    )


@PAPER.item(
    "Equation 4",
    "The straight pieces of the simplified model",
    shows="dz/dt = v (1 - s(|v|) sgn(v) F/F_s); s rises from 1 at rest to F_s/F_c at the speed limit and then falls "
    "with the slope sigma2. The exponential fall of friction in the LuGre model is said to be linear that way.",
)
def equation_4(quick: bool) -> Finding:
    """Steady friction within the limit against the chord, its slope beyond, and the dimension of s."""
    within = np.linspace(0.02, 1, 11 if quick else 50) * LIMIT
    friction = friction_curve("simplified LuGre", within)
    chord = STATIC + (COULOMB - STATIC) * within / LIMIT
    sag = float((chord - friction).max())
    share = sag / (STATIC - COULOMB)
    slope = float(np.diff(friction_curve("simplified LuGre", [LIMIT * 1.0001, LIMIT * 1.01]))[0] / (0.0099 * LIMIT))
    newton, milli = (_s_as_printed(0.5, COULOMB * u, STATIC * u, SIGMA2 * u) for u in (1.0, 1e3))
    straight = float(np.abs(STATIC / friction - (1 + within / LIMIT * (STATIC / COULOMB - 1))).max())
    return Finding(
        text="In steady sliding F = F_s/s, because the whole friction relaxes. It is therefore F_s/F that runs along "
        f"straight lines (within {straight:.1g}); friction itself is a hyperbola, which hangs below the chord from "
        f"static to Coulomb friction by up to {sag:.4f} N, {100 * share:.0f} % of the fall. Beyond the limit friction "
        f"rises with {slope:.4f} N·s/m at first, which is sigma2 F_c/F_s, and faster and faster towards "
        f"dv + F_s/sigma2 = {LIMIT + STATIC / SIGMA2:g} m/s, where s is 0.",
        claims=[
            statement(
                "the fall of friction with speed is linear in the simplified model",
                share < 0.01,
                f"off a straight line by {100 * share:.1f} % of the fall",
                because="s = F_s/F is linear, not F; the curve of friction is a hyperbola",
            ),
            statement(
                "sigma2 is the coefficient of viscous friction",
                abs(slope / SIGMA2 - 1) < 0.01,
                f"{slope:.4f} N·s/m just above the limit, sigma2 = {SIGMA2:g} N·s/m",
                printed="defined",
                because="sigma2 v in F relaxes with the rest and does not add in steady sliding; what is left is the "
                "slope of s, which gives sigma2 F_c/F_s",
            ),
            statement(
                "s(|v|) is a number",
                abs(newton - milli) < 1e-9,
                f"s(0.5 m/s) = {newton:.4g} with forces in N, {milli:.4g} with forces in mN",
                printed="used so",
                because="-sigma2 |v| + sigma2 dv is a force and needs 1/F_c; without effect on what is shown, where "
                "F_c = 1 N",
            ),
        ],
    )


def _s_as_printed(v: float, coulomb: float, static: float, sigma2: float) -> float:
    """s(|v|) beyond the limit as printed."""
    return -sigma2 * v + static / coulomb + sigma2 * LIMIT


@PAPER.item(
    "Figure 2",
    "Friction over speed",
    shows="The friction characteristic of the simplified model: static friction at rest, a fall to Coulomb friction "
    "within the speed limit, viscous friction beyond.",
)
def figure_2(quick: bool) -> Finding:
    """Steady friction of the four models."""
    speed = np.sort([*np.geomspace(1e-4, 0.4, 25 if quick else 81), LIMIT * (1 - 1e-9), LIMIT * (1 + 1e-9)])
    curves = {name: friction_curve(name, speed) for name in laws()}
    rest, limit, fast = friction_curve("simplified LuGre", [1e-6, LIMIT, 0.4])
    at = [1e-4, 1e-3, 5e-3, 0.01, 0.1, 0.4]
    rows = [[f"{v:g}", *(f"{friction_curve(name, [v])[0]:.4f}" for name in curves)] for v in at]
    return Finding(
        text=f"The simplified model holds {rest:.4f} N at 1 µm/s, slides with {limit:.4f} N at the limit of 0.01 m/s "
        f"and with {fast:.4f} N at 0.4 m/s. The LuGre model with a Stribeck speed of 1 mm/s falls ten times as early; "
        "the improved Dahl model jumps at the limit and has no viscous friction in steady sliding, whatever sigma2 is.",
        claims=[
            statement(
                "the simplified model holds the static friction at rest",
                abs(rest / STATIC - 1) < 1e-3,
                f"{rest:.4f} N at 1 µm/s, F_s = {STATIC:g} N",
                printed="F_s",
            ),
            statement(
                "its friction has fallen to Coulomb friction at the speed limit",
                abs(limit / COULOMB - 1) < 1e-3,
                f"{limit:.4f} N at 0.01 m/s, F_c = {COULOMB:g} N",
                printed="F_c",
            ),
            statement(
                "friction of the simplified model rises with speed beyond the limit",
                bool(fast > limit),
                f"{limit:.4f} N at 0.01 m/s, {fast:.4f} N at 0.4 m/s",
            ),
        ],
        picture=plot_curves(speed, curves, LIMIT),
        tables=[titled_table("Steady friction (N)", ["speed / (m/s)", *curves], rows)],
    )
