"""The models alone: Section I, (1) to (4), Figures 1 and 2."""

from __future__ import annotations

from functools import cache

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..rules import EXACT, SAME, VISIBLE, WITHIN
from ..scorecard import judged, statement
from ._paper import PAPER
from ._pictures import plot_curves, plot_loop
from .rig import friction_curve, hysteresis, laws, period, rig, stick_slip

SIGMA0, COULOMB, STATIC, SIGMA2, LIMIT, V_S = 1e5, 1.0, 1.5, 0.5, 0.01, 1e-3
"""Of all four models (N/m, N, N, N.s/m, m/s, m/s)."""
SHOWN = ("presliding", "Stribeck effect", "viscous friction")


@PAPER.item(
    "Section I",
    "What the usual models describe",
    shows="The Stribeck model is static; Karnopp's leaves open how wide its zero-speed range is and is inaccurate at "
    "low speed; Dahl's has no Stribeck effect; LuGre has it, and deformation before sliding too.",
)
def section_1(quick: bool) -> Finding:
    """Experiments on the test bench for laws; states; Karnopp's window on the rig."""
    found = {name: sb.analysis.friction_properties(law, *SHOWN) for name, law in laws().items()}
    rows = [[name, *(verdicts[probe].reason for probe in SHOWN)] for name, verdicts in found.items()]
    dahl, lugre = found["Dahl"]["Stribeck effect"], found["LuGre"]["Stribeck effect"]
    bends = found["LuGre"]["presliding"]
    states = {name: _states_of(law) for name, law in (("Stribeck", _stribeck()), ("LuGre", laws()["LuGre"]))}
    windows = (1e-4, 1e-2, 0.03) if quick else (1e-4, 1e-3, 3e-3, 1e-2, 0.03)
    cycles = {dv: _karnopp(dv) for dv in windows}
    spread = max(cycles.values()) / min(cycles.values()) - 1
    return Finding(
        text="Each model was tested on the bench of this package, at prescribed speeds, under forces and on a spring. "
        "The table has the measurements, those of viscous friction with sigma2 = 0.4 s/m times the sliding friction. "
        f"On the rig the period with Karnopp's model goes from {min(cycles.values()):.3f} to "
        f"{max(cycles.values()):.3f} s with windows of {windows[0]:g} to {windows[-1]:g} m/s, and the model has no "
        "rule to choose one.",
        claims=[
            statement(
                "the Stribeck model is static, a function of speed",
                not states["Stribeck"] and bool(states["LuGre"]),
                f"{len(states['Stribeck'])} states of its friction, LuGre {len(states['LuGre'])}",
                otherwise="refuted",
            ),
            judged(
                "Karnopp's model leaves its zero-speed range open, and low speeds depend on it",
                VISIBLE,
                spread,
                f"periods differ by {100 * spread:.1f} % with windows of {windows[0]:g} to {windows[-1]:g} m/s",
                otherwise="refuted",
                because="the width of the window does not matter on this rig",
                basis="reconstruction",
            ),
            statement("Dahl's model has no Stribeck effect", not dahl.has, dahl.reason, otherwise="refuted"),
            statement("the LuGre model has the Stribeck effect", bool(lugre.has), lugre.reason, otherwise="refuted"),
            statement("the LuGre model deforms before it slides", bool(bends.has), bends.reason, otherwise="refuted"),
        ],
        tables=[titled_table("Measured on the bench", ["model", *SHOWN], rows)],
    )


def _stribeck() -> sb.laws.Law:
    return sb.Stribeck(mu_c=COULOMB, mu_s=STATIC, v_s=V_S)


def _states_of(law: sb.laws.Law) -> list[str]:
    """The states that friction adds to the rig."""
    return [name for name in sb.compile_model(rig(law)).state_names if name.startswith("friction.")]


@cache
def _karnopp(dv: float) -> float:
    """Period (s) with a window of dv (m/s)."""
    law = sb.Karnopp(mu_c=COULOMB, mu_s=STATIC, mu_v=SIGMA2, v_s=1e-9, dv=dv)
    return period(stick_slip(law, t_end=40.0))


@PAPER.item(
    "Equation 1",
    "Dahl's model as it is printed",
    shows="dz/dt = sigma0 (v - |v| F/F_c) with F = sigma0 z, where sigma0 is called the stiffness in N/m.",
    equations=("(1)",),
)
def equation_1(quick: bool) -> Finding:
    """The slope of friction over displacement at its beginning, as printed and as read."""
    printed = _stiffness_as_printed(way=1e-16)
    place, friction = _arrays(_dahl_loop())
    at = int(np.argmax(place > 1e-7))
    read = float(friction[at] / place[at])
    yielded = COULOMB * (1 - np.exp(-SIGMA0 * place[at] / COULOMB)) / place[at]
    return Finding(
        text=f"Integrated as printed, friction rises by {printed:.4g} N per metre at the beginning, which is sigma0 "
        f"squared. With one sigma0 less it rises by {read:.4g} N/m over the first {place[at]:.2g} m, the secant of the "
        f"closed form F_c (1 - exp(-sigma0 x/F_c)) being {yielded:.4g} N/m.",
        claims=[
            judged(
                "in (1) sigma0 is the stiffness (N/m)",
                SAME,
                printed / SIGMA0 - 1,
                f"{printed:.4g} N/m for sigma0 = {SIGMA0:g} N/m",
                printed="dz/dt = sigma0 (v - |v| F/F_c), F = sigma0 z",
                otherwise="misprint",
                because="sigma0 is in both lines of (1), so the stiffness is its square",
                corrected="dz/dt = v - |v| F/F_c, F = sigma0 z",
                where="Section II, (1)",
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
    equations=("(1)",),
)
def figure_1(quick: bool) -> Finding:
    """By 0.08 mm to both sides."""
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
            judged(
                "|F| never exceeds F_c if it is below at the beginning",
                WITHIN,
                max(largest - COULOMB * (1 + 1e-9), 0.0),
                f"at most {largest:.9f} N of 1 N",
                otherwise="refuted",
                note="in a loop to both sides, from rest; the accuracy of the run is 1e-9",
            ),
            judged(
                "Dahl's model has no static friction",
                SAME,
                towed / COULOMB - 1,
                f"breaks away at {towed:.6f} N, F_c = {COULOMB:g} N",
                otherwise="refuted",
            ),
        ],
        picture=plot_loop(place, friction, COULOMB),
        alt=f"Loop of friction over displacement, 80 µm to both sides: exponential branches that approach 1 N and -1 N "
        f"and never exceed them (largest {largest:.6f} N).",
    )


@PAPER.item(
    "Equation 2",
    "The improved Dahl model",
    shows="Static friction is given a range of speeds: F_s up to the limit dv, Coulomb friction beyond. That is said "
    "to make Dahl's model describe static friction.",
    equations=("(2)",),
)
def equation_2(quick: bool) -> Finding:
    """Steady friction on both sides of the limit, and with another sigma2."""
    below, above = friction_curve("improved Dahl", [0.5 * LIMIT, 2 * LIMIT])
    levels = max(abs(below / STATIC - 1), abs(above / COULOMB - 1))
    fast = [float(friction_curve(laws(sigma2=sigma2)["improved Dahl"], [0.4])[0]) for sigma2 in (0.0, SIGMA2)]
    slope = (fast[1] - COULOMB) / 0.4
    return Finding(
        text=f"Steady friction is {below:.6f} N at half of the limit and {above:.6f} N at twice the limit. At 0.4 m/s "
        f"it is {fast[0]:.6f} N without sigma2 and {fast[1]:.6f} N with {SIGMA2:g} N·s/m: the whole F relaxes, so "
        "sigma2 v is taken up by the bristle.",
        claims=[
            judged(
                "below the limit it holds static friction, beyond it Coulomb friction",
                SAME,
                levels,
                f"{below:.4f} and {above:.4f} N, F_s = {STATIC:g} and F_c = {COULOMB:g} N",
                otherwise="refuted",
                basis="put in",
                where="Section II, (2)",
            ),
            judged(
                "sigma2 is the coefficient of viscous friction, in (2)",
                EXACT,
                slope / SIGMA2 - 1,
                f"{slope:.2g} N·s/m up to 0.4 m/s, sigma2 = {SIGMA2:g} N·s/m",
                printed="F = ... + sigma2 v",
                otherwise="refuted",
                because="F of the second line is in the rate of the first, so that F = F_s/h in steady sliding, "
                "whatever sigma2 is",
                where="Section II, (2)",
            ),
        ],
    )


@PAPER.item(
    "Equation 3",
    "The LuGre model",
    shows="Bristles whose mean deflection has an exponential Stribeck curve, and viscous friction.",
    basis="put in",
    equations=("(3)",),
)
def equation_3(quick: bool) -> Finding:
    """Steady friction against the formula."""
    speed = np.geomspace(1e-5, 0.4, 15 if quick else 60)
    formula = COULOMB + (STATIC - COULOMB) * np.exp(-((speed / V_S) ** 2)) + SIGMA2 * speed
    off = float(np.abs(friction_curve("LuGre", speed) / formula - 1).max())
    return Finding(
        text=f"At {speed.size} speeds from 10 µm/s to 0.4 m/s steady friction is F_c + (F_s - F_c) exp(-(v/v_s)^2) + "
        f"sigma2 v within {off:.1g} of it.",
        claims=[
            judged(
                "in steady sliding friction falls with an exponential of speed, and sigma2 is viscous friction",
                EXACT,
                off,
                f"within {off:.1g} of the formula",
                otherwise="refuted",
                where="Section II, (3)",
            )
        ],
    )


@PAPER.item(
    "Equation 4",
    "The straight pieces of the simplified model",
    shows="dz/dt = v (1 - s(|v|) sgn(v) F/F_s); s rises from 1 at rest to F_s/F_c at the speed limit and then falls "
    "with the slope sigma2. The exponential fall of friction in the LuGre model is said to be linear that way.",
    equations=("(4)",),
)
def equation_4(quick: bool) -> Finding:
    """Steady friction within the limit against the chord, its slope beyond, and the dimension of s."""
    within = np.linspace(0.02, 1, 11 if quick else 50) * LIMIT
    friction = friction_curve("simplified LuGre", within)
    chord = STATIC + (COULOMB - STATIC) * within / LIMIT
    sag = float((chord - friction).max())
    part = sag / (STATIC - COULOMB)
    slope = float(np.diff(friction_curve("simplified LuGre", [LIMIT * 1.0001, LIMIT * 1.01]))[0] / (0.0099 * LIMIT))
    newton, milli = (_s_as_printed(0.5, COULOMB * u, STATIC * u, SIGMA2 * u) for u in (1.0, 1e3))
    straight = float(np.abs(STATIC / friction - (1 + within / LIMIT * (STATIC / COULOMB - 1))).max())
    return Finding(
        text="In steady sliding F = F_s/s, because the whole friction relaxes. It is therefore F_s/F that runs along "
        f"straight lines (within {straight:.1g}); friction itself is a hyperbola, which hangs below the chord from "
        f"static to Coulomb friction by up to {sag:.4f} N, {100 * part:.0f} % of the fall. Beyond the limit friction "
        f"rises with {slope:.4f} N·s/m at first, which is sigma2 F_c/F_s, and faster and faster towards "
        f"dv + F_s/sigma2 = {LIMIT + STATIC / SIGMA2:g} m/s, where s is 0.",
        claims=[
            judged(
                "the fall of friction with speed is linear in the simplified model",
                SAME,
                part,
                f"off a straight line by {100 * part:.1f} % of the fall",
                otherwise="refuted",
                because="s = F_s/F is linear, not F; the curve of friction is a hyperbola",
                where="Section II, (4)",
            ),
            judged(
                "sigma2 is the coefficient of viscous friction, in (4)",
                EXACT,
                slope / SIGMA2 - 1,
                f"{slope:.4f} N·s/m just above the limit, sigma2 = {SIGMA2:g} N·s/m",
                printed="F = ... + sigma2 v",
                otherwise="refuted",
                because="sigma2 v in F relaxes with the rest and does not add in steady sliding; what is left is the "
                "slope of s, which gives sigma2 F_c/F_s",
                where="Section II, (4)",
            ),
            judged(
                "s(|v|) is a number",
                EXACT,
                milli / newton - 1,
                f"s(0.5 m/s) = {newton:.4g} with forces in N, {milli:.4g} with forces in mN",
                printed="s = F_s/F_c - sigma2 |v| + sigma2 dv",
                otherwise="misprint",
                because="-sigma2 |v| + sigma2 dv is a force and needs 1/F_c; without effect where F_c = 1 N",
                corrected="s = F_s/F_c - sigma2/F_c (|v| - dv)",
                where="Section II, (4)",
            ),
        ],
        headline=f"The 'linear' fall of friction is a hyperbola: F_s/F is linear in (4), so friction sags by "
        f"{100 * part:.0f} % of its fall below a straight line, and viscous friction is {slope:.3f} instead of "
        f"{SIGMA2:g} N·s/m.",
    )


def _s_as_printed(v: float, coulomb: float, static: float, sigma2: float) -> float:
    """s(|v|) beyond the limit as printed."""
    return -sigma2 * v + static / coulomb + sigma2 * LIMIT


@PAPER.item(
    "Figure 2",
    "Friction over speed",
    shows="The friction characteristic of the simplified model: static friction at rest, a fall to Coulomb friction "
    "within the speed limit, viscous friction beyond.",
    basis="put in",
    equations=("(4)",),
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
            judged(
                "the simplified model holds the static friction at rest",
                SAME,
                rest / STATIC - 1,
                f"{rest:.4f} N at 1 µm/s, F_s = {STATIC:g} N",
                printed="F_s",
                otherwise="refuted",
            ),
            judged(
                "its friction has fallen to Coulomb friction at the speed limit",
                SAME,
                limit / COULOMB - 1,
                f"{limit:.4f} N at 0.01 m/s, F_c = {COULOMB:g} N",
                printed="F_c",
                otherwise="refuted",
            ),
            judged(
                "friction of the simplified model rises with speed beyond the limit",
                VISIBLE,
                (fast - limit) / STATIC,
                f"{limit:.4f} N at 0.01 m/s, {fast:.4f} N at 0.4 m/s",
                otherwise="refuted",
            ),
        ],
        picture=plot_curves(speed, curves, LIMIT),
        tables=[titled_table("Steady friction (N)", ["speed / (m/s)", *curves], rows)],
        alt=f"Steady friction over speed of four models, on a logarithmic and a linear axis: the simplified model "
        f"falls from {rest:.2f} N to {limit:.2f} N at 0.01 m/s and rises to {fast:.2f} N at 0.4 m/s.",
    )
