"""The models on the rig: Figures 3 to 8."""

from __future__ import annotations

from functools import cache
from math import ceil
from typing import NamedTuple

import numpy as np

import stribeck as sb

from ..blocks import Diagram, count, evaluate, plot_blocks
from ..converged import Value
from ..paper import Finding, titled_table
from ..rules import EXACT, SAME, VISIBLE, WITHIN
from ..scorecard import Claim, judged, share, statement
from ._diagrams import LUGRE, SIMPLIFIED, TABLED
from ._ensemble import MOST, drawn, measure, rigs, sticks_and_slips
from ._paper import PAPER
from ._pictures import plot_run
from .rig import PULL, friction_curve, laws, rig, stick_slip

TIGHT = 1e-11
"""Tolerance of the runs that are compared with converged values."""
GOLDEN = {"LuGre": "LuGre", "improved Dahl": "improvedDahl", "simplified LuGre": "simplifiedLuGre"}


@cache
def run_of(name: str, sigma2: float = 0.5) -> sb.Result:
    """The rig under one of the models, once."""
    return stick_slip(laws(sigma2=sigma2)[name], tolerance=TIGHT)


def _shown(name: str) -> sb.Result:
    """The same at more times, for pictures."""
    return sb.simulate(rig(name), times=np.linspace(0, 25, 50_001), tolerance=1e-9)


def converged(name: str, sigma2: float = 0.5) -> dict[str, Value]:
    """Crossings, period and peak of a run by their names among the converged values."""
    result, head = run_of(name, sigma2), f"A.{GOLDEN[name]}_s2_{sigma2:g}"
    slips = result.crossings("mass.v", PULL, direction=+1)[:3]
    cycle, peak = slips[2] - slips[1], result.extremes["friction.f"]
    # all cycles have the same peak, and any of them may be the largest: reported as the one before the first slip
    time = peak["t_max"] - ceil((peak["t_max"] - slips[0]) / cycle) * cycle
    values: dict[str, Value] = {f"{head}.t_cross_vp[{i}]": float(slip) for i, slip in enumerate(slips)}
    values |= {f"{head}.period": float(cycle), f"{head}.F_breakaway_peak": peak["max"]}
    return {**values, f"{head}.t_peak": (time, 1e-6)}  # a maximum is flat


@PAPER.item(
    "Figure 3",
    "The rig",
    shows="A mass with friction on a spring whose far end is pulled at a constant speed. Because static friction is "
    "larger than sliding friction, the mass is said to stick and slide alternately.",
    basis="reconstruction",
)
def figure_3(quick: bool) -> Finding:
    """The rig as a drawing; whether rigs with drawn parameters stick and slip."""
    values = drawn(100 if quick else 1000)
    found = sticks_and_slips("LuGre", values)
    slow, fast = (values["pull.v"][found == here].mean() for here in (True, False))
    return Finding(
        text=f"With LuGre friction {100 * found.mean():.0f} % of {found.size} drawn rigs stick and slip. The others "
        f"are pulled faster ({fast:.3f} instead of {slow:.3f} m/s on average) or have a gradual Stribeck curve: static "
        "friction above sliding friction is necessary, not sufficient.",
        claims=[
            share(
                "if static friction is larger than sliding friction, the mass sticks and slides alternately",
                found.tolist(),
                f"{found.size} rigs with LuGre friction, F_s = 1.5 F_c",
                because="a fast pull, viscous friction or a wide Stribeck curve lets the mass slide steadily",
                where="Section III",
            )
        ],
        picture=rig("LuGre").draw(),
        alt="Drawing of the rig: a pulled end, a spring, and a mass on a guide with friction.",
    )


class Ring(NamedTuple):
    """Swing of the speed (m/s) and of friction (N) from peak to peak while the mass is held, and frequency (Hz)."""

    speed: float
    friction: float
    frequency: float


@cache
def _ring(name: str, sigma0: float = 1e5) -> Ring:
    """Of the mass (1 kg) on its bristle from 1.0 s on, long before it slides; the slow rise is subtracted."""
    law = laws(sigma0=sigma0, sigma1=sigma0**0.5)[name]
    last = 1.0 + 2 * np.pi * 9 / sigma0**0.5  # some 9 periods
    result = sb.simulate(rig(law), times=[0.0, *np.linspace(1.0, last, 4001)], tolerance=TIGHT)
    time, speed = result.time[1:], np.asarray(result["mass.v"])[1:]
    swing = speed - np.polyval(np.polyfit(time, speed, 3), time)
    ups = time[1:][(swing[:-1] < 0) & (swing[1:] >= 0)]
    frequency = float(1 / np.diff(ups).mean()) if ups.size > 1 else 0.0
    inertial = np.asarray(result["mass.a"])[1:]  # what friction has more or less than the spring
    return Ring(float(np.ptp(swing)), float(np.ptp(inertial)), frequency)


@cache
def _ripple(name: str, solver: str, tolerance: float = 1e-3) -> float:
    """Range (N) of friction in sliding, from 8 s on and above half of the pull, with a coarse solver."""
    run = stick_slip(name, solver=solver, tolerance=tolerance)
    slides = (run.time > 8) & (np.asarray(run["mass.v"]) > 0.5 * PULL)
    return float(np.ptp(np.asarray(run["friction.f"])[slides]))


def _rest(result: sb.Result) -> float:
    """The least speed (m/s) after the first slip: near 0 if the mass comes to rest."""
    first = result.crossings("mass.v", PULL, direction=+1)[0]
    return float(np.asarray(result["mass.v"])[result.time > first].min())


def _held(result: sb.Result, small: float = 1e-4) -> float:
    """The share of the time after the first slip in which the mass is slower than `small` (m/s)."""
    first = result.crossings("mass.v", PULL, direction=+1)[0]
    return float(np.mean(np.abs(np.asarray(result["mass.v"])[result.time > first]) < small))


def _stick_slip(claim: str, name: str, quick: bool, wanted: bool = True) -> Claim:
    """Whether a model sticks and slips on the rigs that give the three printed periods."""
    values = rigs(quick).possible
    found = sticks_and_slips(name, values) == wanted
    return share(claim, found.tolist(), f"{found.size} rigs that give the three printed periods")


@PAPER.item(
    "Figure 4",
    "Dahl's model on the rig",
    shows="The mass oscillates and does not stick again; no static friction and no Stribeck effect is seen in friction "
    "over speed, but a slight oscillation.",
    basis="reconstruction",
    equations=("(1)",),
)
def figure_4(quick: bool) -> Finding:
    """No stick-slip, and what the slight oscillation may have been."""
    result = run_of("Dahl")
    slips = result.crossings("mass.v", PULL, direction=+1)
    cycle, rest = float(np.diff(slips)[1]), _rest(result)
    free = 2 * np.pi * np.sqrt(1.0 / 2.0)
    peak = result.extremes["friction.f"]["max"]
    ring, soft = _ring("Dahl"), _softest_that_is_seen()
    expected = np.sqrt(1e5 * (1 - 2.0 * PULL * 1.1)) / (2 * np.pi)  # stiffness sigma0 (1 - F/F_c), F = k v_p t
    coarse = {solver: _ripple("Dahl", solver) for solver in ("rodas5p", "dopri5")}
    return Finding(
        text=f"Once it slides, the mass swings about the pulled end with {cycle:.6f} s, the period {free:.6f} s of "
        f"mass and spring alone: friction is constant then. Its least speed is {rest:.2g} m/s, so it never stops. "
        f"Before that the mass rings on its bristle, which has no damping, with {ring.frequency:.0f} Hz (closed form "
        f"{expected:.1f} Hz at 1.1 s), {ring.speed:.2g} m/s and {1e3 * ring.friction:.2g} mN from peak to peak, which "
        f"no figure shows. With bristles of sigma0 up to {soft:.0f} N/m it would be seen. A coarse solver has ripples "
        f"in sliding, too: at a tolerance of 1e-3 {_list(coarse)} of 1 N.",
        claims=[
            _stick_slip("Dahl's model does not give stick-slip", "Dahl", quick, wanted=False),
            judged(
                "no static friction is seen on the rig",
                WITHIN,
                max(peak - 1 - 1e-9, 0.0),
                f"friction at most {peak:.9f} N, F_c = 1 N",
                otherwise="refuted",
            ),
            judged(
                "there is a slight oscillation in friction over speed",
                VISIBLE,
                max(ring.friction / 1.0, ring.speed / (2 * PULL)),
                f"{100 * ring.friction:.2g} % of the axis of friction, {50 * ring.speed / PULL:.1g} % of that of speed",
                otherwise="not determined",
                because=f"it depends on what is not printed: with sigma0 up to {soft:.0f} N/m the undamped bristle is "
                f"seen to ring; a coarse solver makes ripples of {_list(coarse)}",
            ),
        ],
        picture=plot_run(_shown("Dahl"), "Dahl", PULL, slow=(-2e-6, 6e-6), times=(1.0, 1.2)),
        converged={"A.Dahl.period": cycle} | {f"A.Dahl.t_cross_vp[{i}]": float(slips[i]) for i in range(3)},
        headline=f"The 'slight oscillation' of Dahl's model is {100 * ring.friction:.2g} % of the axis with the usual "
        f"bristle: it takes one softer than {soft:.0f} N/m to see it.",
        alt=f"Displacement of the mass, swinging about the pulled end without sticking; friction over speed, a line at "
        f"1 N; and 0.2 s of it while the mass is held: small loops at {ring.frequency:.0f} Hz.",
    )


def _list(ripples: dict[str, float]) -> str:
    return ", ".join(f"{100 * value:.1g} % ({name})" for name, value in ripples.items())


@cache
def _softest_that_is_seen() -> float:
    """The stiffness (N/m) below which the ringing takes 1 % of the axis of friction, by halving in logarithms."""
    low, high = 300.0, 1e5
    for _ in range(10):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if VISIBLE.holds(_ring("Dahl", middle).friction) else (low, middle)
    return low


@PAPER.item(
    "Figure 5",
    "The improved Dahl model on the rig",
    shows="Stick-slip, and no slight oscillation any more; but the model has no Stribeck effect at low speed.",
    basis="reconstruction",
    equations=("(2)",),
)
def figure_5(quick: bool) -> Finding:
    """Stick-slip with two levels of friction."""
    result = run_of("improved Dahl")
    held, peak = _held(result), result.extremes["friction.f"]["max"]
    soft = _softest_that_is_seen()
    rings = {name: _ring(name, soft).friction for name in ("Dahl", "improved Dahl")}
    curve = friction_curve("improved Dahl", np.geomspace(1e-4, 0.4, 12 if quick else 30))
    between = int(np.count_nonzero((curve > 1.005) & (curve < 1.495)))
    broke = measure("improved Dahl", rigs(quick).possible, MOST)[MOST]
    off = float(np.abs(broke / 1.5 - 1).max())
    return Finding(
        text=f"The mass is held for {100 * held:.0f} % of the time and breaks away at {peak:.4f} N. Steady friction is "
        f"{curve[0]:.4g} N below the speed limit and {curve[-1]:.4g} N above, with {between} of {curve.size} speeds in "
        "between: it jumps where the Stribeck effect is a gradual fall.",
        claims=[
            _stick_slip("the improved Dahl model gives stick-slip", "improved Dahl", quick),
            statement(
                "the slight oscillation of Dahl's model is gone",
                VISIBLE.holds(rings["Dahl"]) and not VISIBLE.holds(rings["improved Dahl"]),
                f"with sigma0 = {soft:.0f} N/m {100 * rings['improved Dahl']:.2g} % of the axis of friction, Dahl "
                f"{100 * rings['Dahl']:.2g} %",
                because="the bristle with sigma1 rings, too",
                note="where Dahl's is just seen (Figure 4): sigma1 damps the bristle",
            ),
            statement(
                "it has no Stribeck effect at low speed",
                between == 0,
                f"{between} of {curve.size} speeds have a friction between static and Coulomb",
                otherwise="refuted",
                note="friction does fall with speed, in one jump; the bench of Section I calls that a Stribeck effect",
            ),
            judged(
                "it shows the static friction",
                SAME,
                off,
                f"breaks away at {broke.min():.4f} to {broke.max():.4f} N, F_s = 1.5 N, on {broke.size} rigs",
                printed="F_s",
                otherwise="refuted",
                basis="ensemble",
            ),
        ],
        picture=plot_run(_shown("improved Dahl"), "improved Dahl", PULL, slow=(-0.003, 0.03)),
        converged=converged("improved Dahl"),
        alt=f"Displacement in steps, held for {100 * held:.0f} % of the time; friction over speed with two levels, "
        f"{peak:.2f} N below the limit of 0.01 m/s and 1 N above.",
    )


@PAPER.item(
    "Figure 6",
    "The LuGre model on the rig",
    shows="Stick-slip, and the Stribeck effect at low speed.",
    basis="reconstruction",
    equations=("(3)",),
)
def figure_6(quick: bool) -> Finding:
    """Stick-slip with LuGre friction."""
    result = run_of("LuGre")
    held, peak = _held(result), result.extremes["friction.f"]["max"]
    slow, fast = friction_curve("LuGre", [1e-4, 5e-3])
    return Finding(
        text=f"The mass is held for {100 * held:.0f} % of the time and breaks away at {peak:.4f} N, below the static "
        f"friction of 1.5 N, because the bristle still bends while the speed already rises. Steady friction falls from "
        f"{slow:.3f} N at 0.1 mm/s to {fast:.3f} N at 5 mm/s.",
        claims=[
            _stick_slip("the LuGre model gives stick-slip", "LuGre", quick),
            judged(
                "it shows the Stribeck effect at low speed",
                VISIBLE,
                float(slow - fast) / 1.5,
                f"{slow:.3f} N at 0.1 mm/s, {fast:.3f} N at 5 mm/s",
                otherwise="refuted",
                basis="put in",
            ),
        ],
        picture=plot_run(_shown("LuGre"), "LuGre", PULL, slow=(-0.003, 0.03)),
        converged=converged("LuGre"),
        alt=f"Displacement in steps, held for {100 * held:.0f} % of the time; friction over speed: up to {peak:.2f} N "
        "at low speed, falling steeply, and rising with viscous friction.",
    )


CAPTIONS = {"Figure 7": "simulation result of the simplified model", "Figure 8": "diagram of the simplified model"}
"""What the captions say, shortened."""


@PAPER.item(
    "Figure 7",
    "The simplified LuGre model on the rig",
    shows="Stick-slip, static friction, and approximately the Stribeck effect (the text calls this Figure 8).",
    basis="reconstruction",
    equations=("(4)",),
)
def figure_7(quick: bool) -> Finding:
    """Stick-slip with the simplified model."""
    result = run_of("simplified LuGre")
    held, peak = _held(result), result.extremes["friction.f"]["max"]
    slow, mid, fast = friction_curve("simplified LuGre", [1e-4, 5e-3, 0.01])
    lugre = run_of("LuGre").extremes["friction.f"]["max"]
    broke = {name: measure(name, rigs(quick).possible, MOST)[MOST] for name in ("simplified LuGre", "LuGre")}
    apart = float(np.abs(broke["simplified LuGre"] - broke["LuGre"]).max() / 1.5)
    return Finding(
        text=f"The mass is held for {100 * held:.0f} % of the time and breaks away at {peak:.4f} N, with LuGre "
        f"friction at {lugre:.4f} N. Steady friction falls gradually, over {slow:.3f} N at 0.1 mm/s and {mid:.3f} N at "
        f"5 mm/s to {fast:.3f} N at 10 mm/s.",
        claims=[
            statement(
                "Figure 7 is the block diagram, Figure 8 shows the results",
                "diagram" in CAPTIONS["Figure 7"],
                f"captions: Figure 7 {CAPTIONS['Figure 7']}, Figure 8 {CAPTIONS['Figure 8']}",
                otherwise="contradicts itself",
                because="the text has the two numbers exchanged",
                corrected="Figure 8 is the block diagram, Figure 7 shows the results",
                basis="printed",
                where="Section III",
            ),
            _stick_slip("the simplified model gives stick-slip", "simplified LuGre", quick),
            share(
                "it reflects static friction",
                (broke["simplified LuGre"] > 1.01).tolist(),
                f"{broke['simplified LuGre'].size} rigs that give the three printed periods",
                note=f"it breaks away at {broke['simplified LuGre'].min():.3f} N or more, F_c = 1 N; apart from LuGre "
                f"by up to {100 * apart:.0f} % of F_s",
            ),
            judged(
                "it approximates the Stribeck effect",
                VISIBLE,
                float(min(slow - mid, mid - fast)) / 1.5,
                f"{slow:.3f} N at 0.1 mm/s, {mid:.3f} N at 5 mm/s, {fast:.3f} N at 10 mm/s",
                otherwise="refuted",
                basis="put in",
            ),
        ],
        picture=plot_run(_shown("simplified LuGre"), "simplified LuGre", PULL, slow=(-0.003, 0.03)),
        converged=converged("simplified LuGre"),
        alt=f"Displacement in steps, held for {100 * held:.0f} % of the time; friction over speed: up to {peak:.2f} N "
        "at low speed, a gradual fall to 1 N at 0.01 m/s.",
    )


@PAPER.item(
    "Figure 8",
    "The simplified model as a block diagram",
    shows="The model is implemented with only a few Simulink blocks (the text calls this Figure 7).",
    equations=("(3)", "(4)"),
)
def figure_8(quick: bool) -> Finding:
    """Both models as diagrams of elementary blocks, run and compared with the laws of this package."""
    off = {name: _off_the_law(diagram) for name, diagram in _DIAGRAMS.items()}
    blocks = {name: count(diagram) for name, diagram in _DIAGRAMS.items()}
    simple, lugre, tabled = (blocks[name] for name in _DIAGRAMS)
    return Finding(
        text=f"Written down with elementary blocks, the simplified model has {simple} (one of them a table, with "
        f"straight pieces), LuGre {lugre}. With a table for its Stribeck curve LuGre has {tabled}, and no algebraic "
        "loop, which the simplified model has because the whole friction goes back into its rate. Run block by block, "
        f"along a run of the rig, the diagrams give its friction within {max(off.values()):.1g} of F_s.",
        claims=[
            judged(
                "block by block, the diagram is (4)",
                EXACT,
                off["simplified LuGre"],
                f"friction within {off['simplified LuGre']:.1g} of F_s, along a run of the rig",
                otherwise="refuted",
                basis="put in",
            ),
            statement(
                "a few blocks are enough, fewer than for LuGre",
                simple < lugre,
                f"{simple} blocks, LuGre {lugre}; with a table for the Stribeck curve LuGre {tabled}",
                otherwise="refuted",
                note="what is saved is the exponential; a table saves it in LuGre as well",
                where="Abstract, Sections III and IV",
            ),
        ],
        picture=plot_blocks({f"{name}: {blocks[name]} blocks": d for name, d in _DIAGRAMS.items()}, "Friction models"),
        tables=[titled_table("Elementary blocks", ["model", "blocks"], [[name, n] for name, n in blocks.items()])],
        headline=f"{simple} blocks are enough for the simplified model and {lugre} for LuGre; with a table for its "
        f"Stribeck curve LuGre needs {tabled}, and has no algebraic loop.",
        alt=f"Three block diagrams: the simplified model with {simple} blocks and a loop from friction back into the "
        f"rate, LuGre with {lugre} blocks, LuGre with a table with {tabled} blocks.",
    )


_DIAGRAMS = {"simplified LuGre": SIMPLIFIED, "LuGre": LUGRE, "LuGre, curve as a table": TABLED}


def _off_the_law(diagram: Diagram) -> float:
    """Largest difference of friction from that of a run of this package, at its speeds and deflections, over F_s."""
    loop = "F" if diagram is SIMPLIFIED else None
    run = run_of("simplified LuGre" if diagram is SIMPLIFIED else "LuGre")
    points = zip(*(np.asarray(run[out])[::20] for out in ("mass.v", "friction.z", "friction.f")), strict=True)
    return max(float(abs(evaluate(diagram, {"v": v, "z": z}, loop)["F"] - f)) / 1.5 for v, z, f in points)
