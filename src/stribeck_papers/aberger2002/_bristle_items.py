"""Items of section 2.2.1: what stiffness and damping of the bristles do in the gearbox."""

from __future__ import annotations

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ._gearbox_plots import plot_accelerations, plot_pair
from ._gearbox_runs import LAWS, PRINTED, SOFT, STANDARD, WEAK, converged, fine, light
from ._measures import ELEMENTS, SHIFTED, overshoot, peak, shift_time
from ._paper import PAPER
from ._reconstructions import in_boxes
from .gearbox import gearbox, shift

STUCK = {"B1": (0.0405, 0.1), "B2": (1.6265, 0.03), "C2": (2.865, 0.1)}
"""Shortly before each element gets stuck with standard clutches, and how long nothing else happens (s)."""


@PAPER.item(
    "Figure 12",
    "Softer bristles",
    shows="all four torques with a tenth of the stiffness, sigma0 = 1e4: larger peaks of C1, a smaller one when B1 "
    "gets stuck, faster shifts",
    basis="ensemble",
)
def figure_12(quick: bool) -> Finding:
    """A tenth of the stiffness."""
    soft, printed, standard = fine(SOFT), fine(PRINTED), fine(STANDARD)
    c1, b1 = ([peak(result, f"{name}.tau") for result in (printed, soft)] for name in ("C1", "B1"))
    times = [[1e3 * shift_time(result, start) for start in SHIFTED] for result in (standard, soft)]
    return Finding(
        text=(
            f"C1 rises to {c1[1]:.4f} N·m ({c1[0]:.4f} with sigma0 = 1e5), because soft bristles are bent ten times "
            "as far before they slide: slip is faster by then, and so is the part sigma1 dz/dt. B1 gets stuck with "
            f"{b1[1]:.4f} N·m ({b1[0]:.4f}), and the shift to second gear takes {times[1][0]:.1f} ms instead of "
            f"{times[0][0]:.1f} ms with standard clutches."
        ),
        claims=[
            in_boxes(
                "peaks of C1 are larger",
                "soft C1",
                quick,
                because="in the others the difference is below 1 % of the axis",
                where="Section 2.2.1",
            ),
            in_boxes(
                "the peak of B1 when it gets stuck is smaller",
                "soft B1",
                quick,
                because="in the others the difference is below 1 % of the axis",
                where="Section 2.2.1",
            ),
            in_boxes(
                "shifts are faster than with standard clutches",
                "soft faster",
                quick,
                because="the sign of the difference follows from inertias and ramps that are not printed",
                where="Section 2.2.1",
            ),
        ],
        picture=plot_pair("Torques with σ₀ = 10⁴", SOFT, ELEMENTS),
        alt=(
            "Torques of C1, C2, B1 and B2 around the three shifts, with soft bristles over standard clutches: C1 rises "
            f"to {c1[1]:.2f} N·m."
        ),
        converged=converged(SOFT),
    )


@PAPER.item(
    "Figure 13",
    "Weaker damping",
    shows="all four torques with a tenth of the damping, sigma1 = 30: smaller peaks of C1, larger ones when elements "
    "get stuck, small oscillations, also of the load",
    basis="ensemble",
)
def figure_13(quick: bool) -> Finding:
    """A tenth of the damping."""
    weak, printed, standard = fine(WEAK), fine(PRINTED), fine(STANDARD)
    c1 = [peak(result, "C1.tau") for result in (printed, weak)]
    over = {name: [overshoot(r, f"{name}.tau", *at) for r in (printed, weak)] for name, at in STUCK.items()}
    times = [1e3 * shift_time(result, 1.5) for result in (standard, weak)]
    modes = {law: _slowest_swing(law) for law in (PRINTED, WEAK)}
    return Finding(
        text=(
            f"C1 rises to {c1[1]:.5f} N·m ({c1[0]:.5f}). Stuck bristles and the bodies behind them now swing: in "
            f"first gear with {modes[WEAK][0]:.0f} Hz and a damping ratio of {modes[WEAK][1]:.3f}, where sigma1 = 300 "
            f"gave {modes[PRINTED][1]:.3f}. The torque of B1 then swings {over['B1'][1]:.2f} N·m "
            f"({over['B1'][0]:.2f}) beyond what it holds. The shift to second gear takes {times[1]:.2f} ms, with "
            f"standard clutches {times[0]:.2f} ms."
        ),
        claims=[
            in_boxes(
                "peaks of C1 are smaller",
                "weak C1",
                quick,
                because="in the others the peak with the printed damping is below what a figure shows",
                where="Section 2.2.1",
            ),
            in_boxes(
                "peaks are larger when elements get stuck",
                "weak stuck",
                quick,
                because="in the others by less than 1 % of the axis",
                where="Section 2.2.1",
            ),
            in_boxes(
                "there are small oscillations",
                "weak swings",
                quick,
                because="in the others the torque of B1 does not turn visibly more often than with standard clutches",
                where="Section 2.2.1",
            ),
            in_boxes(
                "shifts take almost the same time as with standard clutches",
                "weak time",
                quick,
                note="within 5 %",
                where="Section 2.2.1",
            ),
            in_boxes(
                "the speed of the load oscillates a little after a shift",
                "weak load",
                quick,
                because="its acceleration swings (Figure 14), but the speed by less than 1 % of its range",
                where="Section 2.2.1",
            ),
        ],
        picture=plot_pair("Torques with σ₁ = 30", WEAK, ELEMENTS),
        alt=(
            "Torques of C1, C2, B1 and B2 around the three shifts, with weakly damped bristles over standard clutches: "
            f"stuck elements swing at {modes[WEAK][0]:.0f} Hz."
        ),
        converged=converged(WEAK),
    )


@PAPER.item(
    "Figure 14",
    "Acceleration of the load",
    shows="four panels: standard clutches, and LuGre clutches with three pairs of stiffness and damping. Bristles give "
    "higher peaks, the stiffer the higher, and with weak damping oscillations into the negative",
    basis="ensemble",
)
def figure_14(quick: bool) -> Finding:
    """Extremes of the acceleration of the load."""
    most = {name: fine(name).extremes["load.a"]["max"] for name in LAWS}
    least = {name: fine(name).extremes["load.a"]["min"] for name in LAWS}
    at_once = {name: shift(LAWS[name], closing=0.0).extremes["load.a"]["max"] for name in LAWS}
    small = {name: light(name).extremes["load.a"]["max"] for name in LAWS}
    second = {name: _by_radau(name, 1.61 if quick else 4.0) for name in (PRINTED, SOFT)}
    stiff = 1e3 * (most[PRINTED] / most[STANDARD] - 1)
    return Finding(
        text=(
            f"The largest acceleration is {most[STANDARD]:.4f} rad/s² with standard clutches and {most[SOFT]:.4f} "
            f"with soft bristles. With stiff ones it is the same to {abs(stiff):.1g} per mille, as it comes at the "
            "end of the ramp of the pressure, when they slide; where pressures come at once it is higher with all "
            f"three (table). With weak damping the load is accelerated by {least[WEAK]:.3f} rad/s² for a moment: it "
            "swings. Stiffer bristles give lower peaks, not higher ones, with other inertias and by another solver "
            f"too ({second[PRINTED]:.4f} and {second[SOFT]:.4f} rad/s² by Radau of SciPy). That also fits the larger "
            "torques of Figure 12, so we take the sentence of the paper for a slip."
        ),
        claims=[
            in_boxes(
                "the largest acceleration is higher than with standard clutches",
                "higher",
                quick,
                because=f"with pressures that rise slowly stiff bristles slide when the acceleration is largest; where "
                f"they come at once it is {at_once[PRINTED]:.4g} against {at_once[STANDARD]:.4g} rad/s² in the gearbox "
                "of the picture",
                where="Section 2.2.1",
            ),
            in_boxes(
                "the same: soft bristles",
                "soft higher",
                quick,
                because="in the others by less than 1 % of the axis",
                where="Section 2.2.1",
            ),
            in_boxes(
                "stiffer bristles give higher peaks of acceleration",
                "stiffer higher",
                quick,
                because="the opposite is the rule, by another solver too "
                f"({second[PRINTED]:.4f} and {second[SOFT]:.4f} rad/s² with stiff and soft bristles in the gearbox of "
                "the picture); it would contradict the larger torques of Figure 12",
                where="Section 2.2.1",
            ),
            in_boxes(
                "with weak damping the acceleration oscillates and becomes negative",
                "negative",
                quick,
                because="depends on inertias that are not printed; with small ones it stays above 0",
                where="Section 2.2.1",
            ),
        ],
        picture=plot_accelerations(),
        alt=(
            "Acceleration of the load over 4 s in four panels: standard clutches and three kinds of bristles. Largest "
            + ", ".join(f"{name} {value:.2f}" for name, value in most.items())
            + f" rad/s²; with weak damping it swings down to {least[WEAK]:.2f} rad/s²."
        ),
        tables=[
            titled_table(
                "Acceleration of the load / (rad/s²)",
                ["clutches", "largest", "smallest", "largest, pressures at once", "largest, small inertias"],
                [[name, most[name], _zero(least[name]), at_once[name], small[name]] for name in LAWS],
            )
        ],
    )


def _zero(value: float) -> float:
    """Rounding errors as 0."""
    return round(value, 6) + 0.0


def _slowest_swing(name: str) -> tuple[float, float]:
    """Frequency (Hz) and damping ratio of the least damped mode in first gear, all of its bristles stuck."""
    moving = [mode for mode in gearbox(LAWS[name]).linearize(at=1.0).modes() if mode.frequency > 0]
    least = min(moving, key=lambda mode: mode.damping)
    return least.frequency, least.damping


def _by_radau(name: str, t_end: float) -> float:
    """Largest acceleration of the load until t_end by Radau of SciPy."""
    times = np.linspace(0, t_end, round(t_end * 1000) + 1)
    result = sb.simulate(gearbox(LAWS[name]), times=times, tolerance=1e-6, solver="scipy-radau")
    return result.extremes["load.a"]["max"]
