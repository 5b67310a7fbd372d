"""Items of section 2.2.1: the gearbox with standard clutches, with LuGre clutches, and with other bristles."""

from __future__ import annotations

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..rules import EXACT
from ..scorecard import judged, statement
from ._gearbox_plots import plot_load, plot_whole
from ._gearbox_runs import GOLDEN, LAWS, PRINTED, STANDARD, converged, fine, instants, light, overlapped
from ._measures import ELEMENTS, SHIFTED, apart, peak, shift_time
from ._paper import PAPER
from ._reconstructions import in_boxes
from .clutch import table_6
from .gearbox import gearbox, shift


@PAPER.item(
    "Table 4",
    "Standard clutches of the gearbox",
    shows="friction 0.5 at any slip, no peak at rest, 10 N: with (11) they pass on 5 N·m at most",
    basis="reconstruction",
    equations=("(11)", "(15)"),
)
def table_4(quick: bool) -> Finding:
    """Largest torques with standard clutches."""
    result, small = fine(STANDARD), light(STANDARD)
    torques = {name: [peak(run, f"{name}.tau") for run in (result, small)] for name in ELEMENTS}
    largest = max(big for big, _ in torques.values())
    return Finding(
        text=(
            f"In the three shifts the largest torque is {largest:.6g} N·m, and no element passes on more; with small "
            "inertias likewise."
        ),
        claims=[
            judged(
                "by (11) the largest torque of a standard clutch is 5 N·m",
                EXACT,
                largest / 5 - 1,
                ", ".join(f"{name} {big:.6g}" for name, (big, _) in torques.items()) + " N·m",
                printed="5 N·m",
                otherwise="refuted",
                basis="put in",
                where="Section 2.2.1, (11)",
            ),
        ],
        tables=[
            titled_table(
                "Largest torque / N·m",
                ["element", "gearbox", "with small inertias"],
                [[name, *both] for name, both in torques.items()],
            )
        ],
        converged={
            f"{GOLDEN[STANDARD]}.wO(4s)": small["load.w"][-1],
            **{f"{GOLDEN[STANDARD]}.max|tau|_{name}": peak(small, f"{name}.tau") for name in ELEMENTS},
            **instants(),
        },
    )


@PAPER.item(
    "Figure 7",
    "The gearbox",
    shows="a diagram of a gearbox with three gears, from components of the Modelica library",
    basis="put in",
)
def figure_7(quick: bool) -> Finding:
    """Bodies and friction elements of the model."""
    result = fine(STANDARD)
    rubbing = [name for name in result.meta.friction if name in ELEMENTS]
    return Finding(
        text=(
            "The figure was not available. Table 5 has the gears of a Simpson set: two planetary sets with a common "
            "sun, C1 on the first ring, C2 on the sun, B1 on the second carrier, B2 on the sun. A Ravigneaux set has "
            "the same gears; the text does not decide between them."
        ),
        claims=[
            statement(
                "it has the clutches C1 and C2 and the brakes B1 and B2",
                sorted(rubbing) == sorted(ELEMENTS),
                ", ".join(rubbing),
                where="Table 5",
            )
        ],
        picture=sb.analysis.draw(gearbox(), at=2.0),
        alt=(
            "Drawing of the gearbox in second gear: engine, clutches C1 and C2, two planetary sets with a common sun, "
            "brakes B1 and B2, and the load."
        ),
    )


@PAPER.item(
    "Table 5",
    "Gears",
    shows="which two of the clutches C1, C2 and the brakes B1, B2 are closed in each gear",
    basis="put in",
)
def table_5(quick: bool) -> Finding:
    """Ratios of engine to load in each gear, from the speeds."""
    result, r = fine(STANDARD), 2.2
    gears = {1: (1.4, "C1 and B1", (1 + 2 * r) / r), 2: (2.7, "C1 and B2", (1 + r) / r), 3: (3.9, "C1 and C2", 1.0)}
    stuck = {
        gear: " and ".join(name for name in ELEMENTS if result.at(t, f"{name}.mode") == 0)
        for gear, (t, *_) in gears.items()
    }
    ratio = {gear: float(result.at(t, "engine.w") / result.at(t, "load.w")) for gear, (t, *_) in gears.items()}
    return Finding(
        text=(
            "With 110 to 50 teeth in both planetary sets, engine and load turn in the "
            f"ratios {ratio[1]:.4f}, {ratio[2]:.4f} and {ratio[3]:.4f}, as the sets demand."
        ),
        claims=[
            statement(
                f"gear {gear}: {closed} are closed, the others are not",
                stuck[gear] == closed and EXACT.holds(ratio[gear] / wanted - 1),
                f"{stuck[gear]} stuck, engine to load {ratio[gear]:.6f}",
                otherwise="contradicts itself",
            )
            for gear, (_, closed, wanted) in gears.items()
        ],
        tables=[
            titled_table(
                "Gears",
                ["gear", "stuck", "engine / load", "of the planetary sets"],
                [[gear, stuck[gear], ratio[gear], wanted] for gear, (*_, wanted) in gears.items()],
            )
        ],
    )


@PAPER.item(
    "Figure 8",
    "The gearbox with LuGre clutches",
    shows="the same machine; a brake is a LuGre clutch whose other flange is fixed",
    basis="reconstruction",
    equations=("(12)", "(13)", "(14)"),
)
def figure_8(quick: bool) -> Finding:
    """Brakes against clutches with a fixed flange."""
    brakes, flanges = (shift(table_6(), brakes=way, tolerance=1e-7) for way in (True, False))
    most = max(float(np.abs(brakes.data - np.asarray([flanges[n] for n in brakes.names])).max()), 0.0)
    same = apart(fine(PRINTED), fine(STANDARD), "load.w")
    return Finding(
        text=(
            f"Brake elements and clutches against a fixed flange give the same run (largest difference {most:.1g} over "
            f"all outputs). The speed of the load differs between standard and LuGre clutches by {100 * same:.2g} % of "
            "its range at most."
        ),
        claims=[
            judged(
                "a brake is a clutch with a fixed flange",
                EXACT,
                most,
                f"outputs differ by {most:.1g}",
                basis="put in",
                otherwise="refuted",
                note="an identity of our elements",
                where="Section 2.2.1",
            ),
            in_boxes(
                "the two kinds of clutches behave alike: speed of the load",
                "alike",
                quick,
                note="within 5 % of its range in the root mean square",
                where="Section 2.2.1",
            ),
        ],
    )


@PAPER.item(
    "Figure 9",
    "Speed of the load",
    shows="the speed of the load with standard clutches over 4 s; compared with LuGre clutches, shifts are slightly "
    "slower",
    basis="ensemble",
)
def figure_9(quick: bool) -> Finding:
    """Times that shifts take."""
    times = {name: [shift_time(fine(name), start) for start in SHIFTED] for name in LAWS}
    small = [shift_time(light(name), 1.5) for name in (STANDARD, PRINTED)]
    gaps = [1e3 * (a - b) for a, b in zip(times[STANDARD], times[PRINTED], strict=True)]
    return Finding(
        text=(
            "A shift takes from its command to the instant at which all of its elements slip by less than 0.02 rad/s. "
            f"In the gearbox of the picture that is {1e3 * times[STANDARD][0]:.2f} ms to second gear with standard "
            f"clutches and {1e3 * times[PRINTED][0]:.2f} ms with LuGre clutches, {gaps[1]:+.5f} ms to third gear. The "
            "difference is below the 1 ms between output points of the paper, and small inertias turn its sign "
            f"({1e3 * small[0]:.2f} against {1e3 * small[1]:.2f} ms)."
        ),
        claims=[
            in_boxes(
                "shifts with standard clutches are slightly slower than with LuGre clutches",
                "slower",
                quick,
                because="the sign of the difference follows from inertias and ramps that are not printed",
                where="Section 2.2.1",
            )
        ],
        picture=plot_load(),
        tables=[
            titled_table(
                "Time of a shift / ms",
                ["clutches", "to second gear", "to third gear"],
                [[name, *(1e3 * t for t in both)] for name, both in times.items()],
            )
        ],
        alt=(
            f"Speed of the load over 4 s with standard and LuGre clutches, up to {fine(STANDARD)['load.w'][-1]:.1f} "
            "rad/s, and what bristles change in it: some thousandths of that."
        ),
    )


@PAPER.item(
    "Figure 10",
    "Torques of the clutches",
    shows="torques of C1 and C2 with standard and LuGre clutches: C2 alike, C1 with peaks where a shift begins",
    basis="ensemble",
    equations=("(11)", "(14)"),
)
def figure_10(quick: bool) -> Finding:
    """Torques of C1 and C2."""
    standard, lugre = overlapped(STANDARD), overlapped(PRINTED)
    c1 = {name: peak(run, "C1.tau") for name, run in (("LuGre", lugre), ("standard", standard))}
    when = lugre.extremes["C1.tau"]["t_min"]
    return Finding(
        text=(
            f"In the gearbox of the picture C1 rises to {c1['LuGre']:.4f} N·m at {when:.3f} s (standard "
            f"{c1['standard']:.4f}), while it breaks away in a shift: there the damping of the bristles adds to their "
            f"friction. With small inertias it rises to {peak(light(PRINTED), 'C1.tau'):.4f} N·m. Which of this can be "
            "seen in a figure depends on numbers that are not printed; the claims count gearboxes drawn at random."
        ),
        claims=[
            in_boxes(
                "no difference in the torque of C2",
                "C2 alike",
                quick,
                note="within 5 % of its range in the root mean square",
                where="Section 2.2.1",
            ),
            in_boxes(
                "C1 has peaks where a shift begins",
                "C1 peaks",
                quick,
                because="in the others the peak is above that of a standard clutch by less than 1 % of the axis",
                where="Section 2.2.1",
            ),
            in_boxes(
                "LuGre clutches do not always keep to 5 N·m",
                "above 5",
                quick,
                because="in the others no element comes to slide fast enough, or its peak is between output points",
                where="Section 2.2.1",
            ),
        ],
        picture=plot_whole("Torques of the clutches", ["C1", "C2"]),
        converged=converged(PRINTED),
        alt=(
            "Torques of C1 and C2 over 4 s with LuGre clutches on the left and standard ones on the right; an inset "
            f"shows the peak of C1, {c1['LuGre']:.2f} N·m against {c1['standard']:.2f} N·m."
        ),
    )


@PAPER.item(
    "Figure 11",
    "Torques of the brakes",
    shows="torques of the brakes and of LuGre clutches in their place: B1 has peaks where a shift begins and when it "
    "gets stuck, B2 swings a little after a shift",
    basis="ensemble",
    equations=("(14)",),
)
def figure_11(quick: bool) -> Finding:
    """Torques of B1 and B2."""
    runs = {name: overlapped(name) for name in (STANDARD, PRINTED)}
    stuck = {name: peak(run, "B1.tau") for name, run in runs.items()}
    begins = {name: _in_shift(run, "B1.tau") for name, run in runs.items()}
    held = abs(float(runs[PRINTED].at(1.49, "B1.tau")))
    jumps = peak(shift(LAWS[PRINTED], closing=0.0), "B2.tau")
    return Finding(
        text=(
            f"In the gearbox of the picture, whose pressures fall within 10 ms so that gears overlap, B1 gets stuck "
            f"with {stuck[PRINTED]:.4f} N·m, a standard brake with {stuck[STANDARD]:.4f} N·m. Where the shift begins "
            f"two gears hold for a while, and B1, which held {held:.2f} N·m, has a peak of {begins[PRINTED]:.3f} N·m; "
            f"but a standard brake has one too, of {begins[STANDARD]:.3f} N·m: it is an effect of the overlap, not of "
            f"bristles. Were pressures to jump, B2 would begin with {jumps:.4g} N·m, as it closes on slip."
        ),
        claims=[
            in_boxes(
                "B1 has peaks when it gets stuck",
                "B1 stuck",
                quick,
                because="it needs bodies that are heavy for their bristles; in the others a standard brake has as much",
                where="Section 2.2.1",
            ),
            in_boxes(
                "B1 has peaks where a shift begins",
                "B1 shift",
                quick,
                because="in the others a standard brake has the same peak, from gears that overlap, or there is none",
                where="Section 2.2.1",
            ),
            in_boxes(
                "B2 has small oscillations after the shift",
                "B2 swings",
                quick,
                because="in the others the bristles of Table 6 damp the swing below what a figure shows",
                where="Section 2.2.1",
            ),
        ],
        picture=plot_whole("Torques of the brakes", ["B1", "B2"]),
        alt=(
            "Torques of B1 and B2 over 4 s with LuGre clutches on the left and standard brakes on the right; an inset "
            f"shows B1 where the shift begins, {begins[PRINTED]:.2f} against {begins[STANDARD]:.2f} N·m."
        ),
    )


def _in_shift(result: sb.Result, name: str) -> float:
    """Largest size of an output in the shift to second gear, after its command."""
    inside = (result.time > 1.5) & (result.time < 1.75)
    return float(np.abs(np.asarray(result[name])[inside]).max())
