"""Why your LuGre is wrong, for fixed steps: the arithmetic of a compiler, and the limits of explicit methods."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, label, legend_above, styled

from .. import aberger2002
from ..aberger2002.rounding import Course, InRegister, has_wide_registers
from ..paper import Finding, titled_table
from ..settings import adjusted
from ._collection import COLLECTION
from .plain import MASS, SIGMA0, SIGMA1, lugre, rig

OTHER = 1.01
"""A Coulomb friction (N) that is not a power of two."""
T_END = 12.0
METHODS = {"ode1": "Euler", "ode4": "Runge-Kutta 4", "mixed": "bristles implicit", "resolvent": "resolvent"}
CLOSE = 0.01
"""A run is right if the place is within this share of its range."""


@COLLECTION.item(
    "Rounding",
    "Why your LuGre is wrong: or why it is right by accident",
    shows="The same source, the same step of 1 ms, two compilers: one result is right, the other is not. aberger2002 "
    "reports it and finds no reason.",
)
def rounding(quick: bool) -> Finding:
    """The listing of aberger2002 in the arithmetic of SSE and of x87."""
    runs = {"53 bits everywhere": aberger2002.stepped("RKFIX4", 1e-3)}
    if has_wide_registers():
        runs["g in a register of 64 bits"] = aberger2002.stepped("RKFIX4", 1e-3, InRegister())
    truth = float(aberger2002.stick_slip(tolerance=1e-9)["mass.phi"][-1])
    ends = {name: float(run.phi[-1]) for name, run in runs.items()}
    safe = sb.analysis.stability_limit("ode4") / (SIGMA0 * _fastest())
    return Finding(
        text=(
            f"Runge-Kutta 4 at 1 ms ends at {ends['53 bits everywhere']:.4f} rad if every number is rounded to 53 "
            f"bits; {truth:.4f} rad is right. "
            + (
                f"If one intermediate value stays in an x87 register of 64 bits, it ends at "
                f"{ends['g in a register of 64 bits']:.4f} rad: the mass does not slip again.\n\n"
                if len(runs) > 1
                else "This processor has no registers of 64 bits to compare with.\n\n"
            )
            + f"The step of 1 ms is {1e-3 / safe:.0f} times the limit of stability in sliding, {1e6 * safe:.0f} µs. "
            "The run is right all the same because F_c = 1: the two terms of dz/dt are then the same number to the "
            "last bit in sliding, and a disturbance of exactly zero does not grow. With more bits in one place, or "
            "with F_c = 1.01, there is a disturbance of 1e-17, and it grows within milliseconds.\n\n"
            "A result that depends on the compiler is no result. Cure: a step below the limit, or an implicit one; and "
            "a test with parameters that are not round."
        ),
        picture=_plot_rounding(runs),
        headline=(
            f"An explicit step {1e-3 / safe:.0f} times beyond its limit gives the right answer by an accident of "
            "rounding, and one register of 64 bits spoils it."
        ),
        alt="Angle over time by Runge-Kutta 4 at 1 ms: with 53 bits three slips, with 64 bits in one register one.",
    )


@cache
def _fastest(mu_c: float = 1.0) -> float:
    """The highest speed of the mass in a slip (m/s)."""
    return float(_truth(mu_c).extremes["mass.v"]["max"])


@cache
def _truth(mu_c: float) -> sb.Result:
    return sb.simulate(adjusted(rig(lugre(mu_c=mu_c))), t_end=T_END, intervals=12_000, tolerance=1e-9)


@styled
def _plot_rounding(runs: Mapping[str, Course]) -> Picture:
    picture = Picture(8.6, 3.2)
    axes = picture.subplots()
    exact = aberger2002.stick_slip(tolerance=1e-9)
    axes.plot(exact.time, exact["mass.phi"], color=INK, alpha=0.25, linewidth=4, label="converged")
    for color, style, (name, run) in zip(COLORS, ("-", "--"), runs.items(), strict=False):
        axes.plot(run.time, run.phi, style, color=color, label=name)
    axes.set(xlabel=label("s", "time"), ylabel=label("rad", "angle"))
    legend_above(axes)
    return picture.finish("Runge-Kutta 4 at 1 ms, two arithmetics", None)


@COLLECTION.item(
    "Explicit steps",
    "Why your LuGre is wrong: the limit of explicit steps",
    shows="How long may a fixed step be? Explicit methods, one with implicit bristles, and the resolvent of this "
    "package.",
)
def explicit_steps(quick: bool) -> Finding:
    """Errors of one slip over the step, with a Coulomb friction that hides no accident."""
    near = [1e-6 * micro for micro in range(40, 101, 20 if quick else 5)]
    steps = [*near, *np.geomspace(2e-4, 1e-2, 4 if quick else 15).tolist()]
    errors = {method: [error(method, h) for h in steps] for method in METHODS}
    good = {method: _largest_right(steps, found) for method, found in errors.items()}
    rate = SIGMA0 * _fastest(OTHER) / OTHER
    limits = {method: sb.analysis.stability_limit(method) / rate for method in ("ode1", "ode4")}
    return Finding(
        text=(
            f"Bristles that slide at {_fastest(OTHER):.3f} m/s return to their steady deflection at the rate "
            f"sigma0 |v|/F_c = {rate:.3g} 1/s. Euler's method is stable below 2 over this rate, "
            f"{1e6 * limits['ode1']:.0f} µs, Runge-Kutta 4 below {sb.analysis.stability_limit('ode4'):.3f} over it, "
            f"{1e6 * limits['ode4']:.0f} µs. The runs agree: right up to {1e6 * good['ode1']:.0f} and "
            f"{1e6 * good['ode4']:.0f} µs of the steps tried.\n\n"
            "The limit falls with the speed, so a model that ran in a slow test explodes in a fast one. At rest the "
            f"fastest rate is sigma1/m = {SIGMA1 / MASS:.0f} 1/s, which allows Euler {2e3 * MASS / SIGMA1:.1f} ms: a "
            "linearisation about rest misses the limit.\n\n"
            f"With implicit bristles the steps are right up to {1e3 * good['mixed']:.2g} ms, with the resolvent, which "
            f"solves bristles and mass together, up to {1e3 * good['resolvent']:.2g} ms. Cure: one of these; or a "
            "softer bristle, if the presliding does not matter."
        ),
        picture=_plot_steps(steps, errors, limits),
        tables=[
            titled_table(
                "Fixed steps that are right within 1 % of the way",
                ["method", "largest of the steps tried / µs", "limit of stability in sliding / µs"],
                [
                    [name, round(1e6 * good[method], 1), round(1e6 * limits[method], 1) if method in limits else "none"]
                    for method, name in METHODS.items()
                ],
            )
        ],
        headline=(
            f"Explicit steps must stay below {1e6 * limits['ode1']:.0f} µs (Euler) and {1e6 * limits['ode4']:.0f} µs "
            f"(Runge-Kutta 4) on this rig; the resolvent is right at {1e3 * good['resolvent']:.2g} ms."
        ),
        alt=(
            "Error of one slip over the fixed step: Euler and Runge-Kutta 4 fail above their limits of stability near "
            f"{1e6 * limits['ode1']:.0f} and {1e6 * limits['ode4']:.0f} µs, the implicit methods only in milliseconds."
        ),
    )


@cache
def error(method: str, h: float) -> float:
    """The largest error of the place over its range in one slip at a fixed step h (s); 1 if the run stops.

    >>> error("resolvent", 1e-3) < 0.01
    True
    """
    try:
        machine = adjusted(rig(lugre(mu_c=OTHER))).realtime(h=h, method=method, energy=False)
        run = machine.run(t_end=T_END, every=max(1, round(1e-3 / h)))
    except sb.SimulationError:
        return 1.0
    exact = _truth(OTHER)
    place = exact.at(np.minimum(run.time, T_END), "mass.s")
    off = np.abs(np.asarray(run["mass.s"]) - place).max() / np.ptp(np.asarray(exact["mass.s"]))
    return min(1.0, float(off))


def _largest_right(steps: list[float], errors: list[float]) -> float:
    """The largest of rising steps up to which all are right."""
    best = 0.0
    for h, off in zip(steps, errors, strict=True):
        if off > CLOSE:
            break
        best = h
    return best


@styled
def _plot_steps(steps: list[float], errors: Mapping[str, list[float]], limits: Mapping[str, float]) -> Picture:
    picture = Picture(8.6, 3.6)
    axes = picture.subplots()
    for color, (method, found) in zip(COLORS, errors.items(), strict=False):
        axes.plot(steps, found, "o-", color=color, markersize=3.5, label=METHODS[method])
        if method in limits:
            axes.axvline(limits[method], color=color, linewidth=0.8, linestyle=":")
    axes.axhline(CLOSE, color=INK, linewidth=0.8, linestyle="--")
    axes.set(xscale="log", yscale="log", xlabel=label("s", "fixed step"), ylabel="error of the place / range")
    legend_above(axes)
    return picture.finish("One slip at fixed steps; dotted: limits of stability, dashed: 1 %", None)
