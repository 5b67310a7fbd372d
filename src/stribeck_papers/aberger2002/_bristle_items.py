"""Items of section 2.2.1: what stiffness and damping of the bristles do in the gearbox."""

from __future__ import annotations

import numpy as np

import stribeck as sb

from ..paper import Finding, titled_table
from ..scorecard import statement
from ._gearbox_plots import plot_accelerations, plot_pair
from ._gearbox_runs import LAWS, PRINTED, SOFT, STANDARD, WEAK, converged, fine, light
from ._measures import ELEMENTS, SHIFTED, overshoot, peak, shift_time, turns
from ._paper import PAPER
from .gearbox import gearbox, shift

STUCK = {"B1": (0.0405, 0.1), "B2": (1.6265, 0.03), "C2": (2.865, 0.1)}
"""Shortly before each element gets stuck with standard clutches, and how long nothing else happens (s)."""


@PAPER.item(
    "Figure 12",
    "Softer bristles",
    shows="all four torques with a tenth of the stiffness, sigma0 = 1e4: larger peaks of C1, a smaller one when B1 "
    "gets stuck, faster shifts",
    basis="reconstruction",
)
def figure_12(quick: bool) -> Finding:
    """A tenth of the stiffness."""
    soft, printed, standard = fine(SOFT), fine(PRINTED), fine(STANDARD)
    c1, b1 = ([peak(result, f"{name}.tau") for result in (printed, soft)] for name in ("C1", "B1"))
    times = [[1e3 * shift_time(result, start) for start in SHIFTED] for result in (standard, soft)]
    small = {name: [peak(light(law), f"{name}.tau") for law in (PRINTED, SOFT)] for name in ("C1", "B1")}
    return Finding(
        text=(
            f"C1 rises to {c1[1]:.4f} N·m ({c1[0]:.4f} with sigma0 = 1e5), because soft bristles are bent ten times "
            "as far before they slide: slip is faster by then, and so is the part sigma1 dz/dt. B1 gets stuck with "
            f"{b1[1]:.4f} N·m ({b1[0]:.4f}), and the shift to second gear takes {times[1][0]:.1f} ms instead of "
            f"{times[0][0]:.1f} ms with standard clutches. Small inertias agree in all of this."
        ),
        claims=[
            statement(
                "peaks of C1 are larger",
                c1[1] > c1[0],
                f"{c1[1]:.4f} N·m against {c1[0]:.4f} N·m",
                note=f"with small inertias {small['C1'][1]:.4f} against {small['C1'][0]:.4f} N·m",
            ),
            statement(
                "the peak of B1 when it gets stuck is smaller",
                b1[1] < b1[0],
                f"{b1[1]:.4f} N·m against {b1[0]:.4f} N·m",
                note=f"with small inertias {small['B1'][1]:.4f} against {small['B1'][0]:.4f} N·m",
            ),
            statement(
                "shifts are faster than with standard clutches",
                times[1][0] < times[0][0] and times[1][1] < times[0][1],
                f"{times[1][0]:.2f} and {times[1][1]:.2f} ms against {times[0][0]:.2f} and {times[0][1]:.2f} ms",
            ),
        ],
        picture=plot_pair("Torques with σ₀ = 10⁴", SOFT, ELEMENTS),
        converged=converged(SOFT),
    )


@PAPER.item(
    "Figure 13",
    "Weaker damping",
    shows="all four torques with a tenth of the damping, sigma1 = 30: smaller peaks of C1, larger ones when elements "
    "get stuck, small oscillations, also of the load",
    basis="reconstruction",
)
def figure_13(quick: bool) -> Finding:
    """A tenth of the damping."""
    weak, printed, standard = fine(WEAK), fine(PRINTED), fine(STANDARD)
    c1 = [peak(result, "C1.tau") for result in (printed, weak)]
    over = {name: [overshoot(r, f"{name}.tau", *at) for r in (printed, weak)] for name, at in STUCK.items()}
    times = [1e3 * shift_time(result, 1.5) for result in (standard, weak)]
    modes = {law: _slowest_swing(law) for law in (PRINTED, WEAK)}
    waves = [len(turns(result, "load.a", *STUCK["B1"])) for result in (standard, weak)]
    return Finding(
        text=(
            f"C1 rises to {c1[1]:.5f} N·m ({c1[0]:.5f}). Stuck bristles and the bodies behind them now swing: in "
            f"first gear with {modes[WEAK][0]:.0f} Hz and a damping ratio of {modes[WEAK][1]:.3f}, where sigma1 = 300 "
            f"gave {modes[PRINTED][1]:.3f}. The torque of B1 then swings {over['B1'][1]:.2f} N·m "
            f"({over['B1'][0]:.2f}) beyond what it holds. The shift to second gear takes {times[1]:.2f} ms, with "
            f"standard clutches {times[0]:.2f} ms."
        ),
        claims=[
            statement(
                "peaks of C1 are smaller",
                c1[1] < c1[0],
                f"{c1[1]:.5f} N·m against {c1[0]:.5f} N·m",
                note=f"with small inertias {peak(light(WEAK), 'C1.tau'):.5f} N·m",
            ),
            statement(
                "torques swing further when elements get stuck",
                all(b > a for a, b in over.values()),
                ", ".join(f"{name} {b:.2f} against {a:.2f} N·m" for name, (a, b) in over.items()),
            ),
            statement(
                "there are small oscillations",
                modes[WEAK][1] < 0.5 < modes[PRINTED][1],
                f"{modes[WEAK][0]:.0f} Hz, damping ratio {modes[WEAK][1]:.3f} (sigma1 = 300: {modes[PRINTED][1]:.3f})",
                note="of the machine linearised in first gear",
            ),
            statement(
                "shifts take almost the same time as with standard clutches",
                abs(times[1] - times[0]) < 0.01 * times[0],
                f"{times[1]:.2f} ms against {times[0]:.2f} ms",
                note="within 1 %",
            ),
            statement(
                "the speed of the load oscillates a little after a shift",
                waves[1] > waves[0] + 3,
                f"its rate turns {waves[1]} times within 0.1 s, with standard clutches {waves[0]}",
            ),
        ],
        picture=plot_pair("Torques with σ₁ = 30", WEAK, ELEMENTS),
        converged=converged(WEAK),
    )


@PAPER.item(
    "Figure 14",
    "Acceleration of the load",
    shows="four panels: standard clutches, and LuGre clutches with three pairs of stiffness and damping. Bristles give "
    "higher peaks, the stiffer the higher, and with weak damping oscillations into the negative",
    basis="reconstruction",
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
            statement(
                "the largest acceleration is higher than with standard clutches: soft bristles",
                most[SOFT] > 1.001 * most[STANDARD],
                f"{most[SOFT]:.4f} against {most[STANDARD]:.4f} rad/s²",
            ),
            statement(
                "the same: stiff bristles",
                min(most[PRINTED], most[WEAK]) > 1.001 * most[STANDARD],
                f"{most[PRINTED]:.6f} and {most[WEAK]:.6f} against {most[STANDARD]:.6f} rad/s²",
                because="with a ramp of 0.1 s they slide when the acceleration is largest; with pressures that come at "
                f"once it is {at_once[PRINTED]:.4g} and {at_once[WEAK]:.4g} against {at_once[STANDARD]:.4g} rad/s²",
            ),
            statement(
                "stiffer bristles give higher peaks of acceleration",
                most[PRINTED] > most[SOFT],
                f"sigma0 = 1e5: {most[PRINTED]:.4f}, 1e4: {most[SOFT]:.4f} rad/s²",
                because="the opposite is found, with small inertias too "
                f"({small[PRINTED]:.3f} and {small[SOFT]:.3f} rad/s²), and by another solver "
                f"({second[PRINTED]:.4f} and {second[SOFT]:.4f}); it would contradict the larger torques of Figure 12",
            ),
            statement(
                "with weak damping the acceleration oscillates and becomes negative",
                least[WEAK] < -1e-3 and len(turns(fine(WEAK), "load.a", *STUCK["C2"])) > 3,
                f"down to {least[WEAK]:.3f} rad/s², with sigma1 = 300 {_zero(least[PRINTED]):.3f} rad/s²",
                note="depends on the inertias; with small ones it stays at "
                f"{_zero(light(WEAK).extremes['load.a']['min']):.3f} rad/s²",
            ),
        ],
        picture=plot_accelerations(),
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
