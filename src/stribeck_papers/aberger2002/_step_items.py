"""Section 1.3: the largest fixed steps, and the accident of rounding behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from math import inf

import numpy as np

import stribeck as sb
from stribeck.reports import DataTable
from stribeck.style import COLORS, INK, Picture, legend_above, styled

from ..paper import Finding, titled_table
from ..scorecard import Claim, number, statement, unchecked
from ._paper import PAPER
from .bearing import BEARING, T_END, fixed_step, lugre, stick_slip
from .dassl import Z_N, Listing
from .rounding import InRegister, has_wide_registers, stepped

CLOSE = 0.01
"""A run is right if its angle is within this share of its range of the converged one, ..."""
JUMP, FEW = 0.2, 0.01
"""... and friction jumps by more than this (N.m) in less than this share of the steps."""
ONE_SLIP = 12.0
"""Time (s) after which the first slip is over."""
OTHER = 1.01
"""A Coulomb friction (N.m) that is not a power of two."""


@cache
def exact(tau_c: float = BEARING["tau_c"], true_stick: bool = False) -> sb.Result:
    """The converged run."""
    law = _switch(tau_c) if true_stick else lugre(tau_c=tau_c)
    return stick_slip(law, tolerance=1e-9, intervals=25_000)


def _switch(tau_c: float) -> sb.Switch:
    return sb.Switch(tau_c=tau_c, tau_s=BEARING["tau_s"], tau_v=BEARING["tau_v"])


def off(time: np.ndarray, phi: np.ndarray, converged: sb.Result) -> float:
    """Largest error of an angle over its range in the whole run."""
    truth = converged.at(np.minimum(time, T_END), "mass.phi")
    return float(np.abs(phi - truth).max() / np.ptp(np.asarray(converged["mass.phi"])))


@cache
def error(
    method: str, h: float, tau_c: float = BEARING["tau_c"], true_stick: bool = False, t_end: float = T_END
) -> float:
    """Of a run at a fixed step (share of the range of the angle); infinite if it explodes, or jumps all the time."""
    law, every = (_switch(tau_c) if true_stick else lugre(tau_c=tau_c)), max(1, round(1e-3 / h))
    try:
        run = fixed_step(method, h, law, t_end=t_end, every=every, energy=False)
    except sb.SimulationError:
        return inf
    jumps = np.abs(np.diff(np.asarray(run["friction.tau"]))) > JUMP
    noisy = h >= 1e-3 and jumps.mean() > FEW
    return inf if noisy else off(run.time, np.asarray(run["mass.phi"]), exact(tau_c, true_stick))


def listing_error(
    method: str, h: float, model: Listing | None = None, t_end: float = T_END, t_start: float = 0.0
) -> float:
    """Of a run of the listing, from a point of the converged run on; infinite if it explodes."""
    phi, w, z = (exact().at(t_start, name) for name in ("mass.phi", "mass.w", "friction.z"))
    course = stepped(method, h, model, t_end, t_start=t_start, y_start=(phi, w, z / Z_N))
    return inf if np.isfinite(course.exploded) else off(course.time, course.phi, exact())


def largest_right(error_at: Callable[[float], float], steps: Iterable[float]) -> float:
    """The largest of rising steps (s) up to which all are right."""
    best = 0.0
    for h in steps:
        if not error_at(h) < CLOSE:
            break
        best = h
    return best


def mixed_limit() -> float:
    """Where mixed mode becomes unstable at rest (s): h sigma1/J + h^2 sigma0/(2 J) = 2 with J = 1, from the two rules
    z1 = z + h w, w1 = w - h (sigma0 z1 + sigma1 w)."""
    sigma0, sigma1 = BEARING["sigma0"], BEARING["sigma1"]
    return float((np.sqrt(sigma1**2 + 4 * sigma0) - sigma1) / sigma0)


@PAPER.item(
    "Section 1.3",
    "How long a fixed step may be",
    shows="largest fixed steps that converge. LuGre: 1 ms with Runge-Kutta 4, 0.9 ms with Euler, 2 ms with mixed mode "
    "(bristles implicit); but 50 µs with Runge-Kutta 4 after the GNU compiler with -O1, -O2 and -Os, while -O0 and -O3 "
    "allow much more, for a reason that could not be found. BearingFriction: 7 ms and 4 ms",
)
def section_1_3(quick: bool) -> Finding:
    """Scans of steps with the friction of the paper and with one a hundredth higher; arithmetic of two kinds."""
    fastest = float(exact().extremes["mass.w"]["max"])
    rate = BEARING["sigma0"] * fastest / BEARING["tau_c"]
    theory = {method: sb.analysis.stability_limit(method) / rate for method in ("ode1", "ode4")}
    tenths = [k * 1e-4 for k in range(10 if quick else 5, 16)]
    accident = {
        method: largest_right(partial(listing_error, name), tenths)
        for method, name in (("ode1", "EULER"), ("ode4", "RKFIX4"))
    }
    small = [k * 1e-6 for k in range(40, 160, 20 if quick else 5)]
    honest = {
        method: largest_right(partial(error, method, tau_c=OTHER, t_end=ONE_SLIP), small) for method in ("ode1", "ode4")
    }
    mixed = largest_right(partial(error, "mixed"), [k * 1e-3 for k in range(1, 11)])
    return Finding(
        text=(
            f"Bristles that slide at {fastest:.3f} rad/s come back to their steady deflection at {rate:.3g} 1/s, so "
            f"Euler's method is stable up to {1e6 * theory['ode1']:.0f} µs and Runge-Kutta 4 up to "
            f"{1e6 * theory['ode4']:.0f} µs. With the data of the paper both run at 1 ms all the same, and the reason "
            "is an accident: with tau_C = 1 the two terms of dz/dt in the listing, w/z_N and |w| z/g, are the same "
            "number to the last bit at z = 1, so that nothing is there that could grow. With tau_C = 1.01 the accident "
            f"is gone, and the steps are right up to {1e6 * honest['ode1']:.0f} and {1e6 * honest['ode4']:.0f} µs. The "
            "same happens with tau_C = 1 if g is kept in a register of 64 bits instead of being rounded to the 53 of "
            "z_N: that is what a compiler does that optimises for the x87 processor, and what it does not do without "
            "optimisation, or where the run-time library sets the processor to 53 bits, as that of Microsoft's "
            "compiler did. So the 50 µs that looked strange are what the equations ask for, and the 1 ms is luck. "
            "Mixed mode does not need luck, nor does our implicit step, whose error at 10 ms is "
            f"{error('resolvent', 1e-2, tau_c=OTHER):.1e} of the range of the angle."
        ),
        claims=[*_explicit_claims(accident, honest, theory), *_rounding_claims(quick), *_other_claims(mixed)],
        picture=_plot_steps(quick, theory),
        tables=[_limits(accident, honest, theory, mixed)],
    )


def _explicit_claims(accident: dict[str, float], honest: dict[str, float], theory: dict[str, float]) -> list[Claim]:
    """The two steps of the paper, and whether they are limits of anything."""
    at = {"ode4": 1e-3, "ode1": 0.9e-3}
    claims = [
        number(
            "largest step of Runge-Kutta 4 with LuGre friction",
            "1",
            1e3 * accident["ode4"],
            "ms",
            within=0.05,
            note=f"by the accident of tau_C = 1, in steps of 0.1 ms; with tau_C = 1.01 it is "
            f"{1e6 * honest['ode4']:.0f} µs",
            because="where the accident of tau_C = 1 ends is a matter of single roundings",
        ),
        number(
            "largest step of Euler's method with LuGre friction",
            "0.9",
            1e3 * accident["ode1"],
            "ms",
            because="where the accident ends is a matter of single roundings; in steps of 0.1 ms ours ends one later. "
            f"With tau_C = 1.01 the largest step is {1e6 * honest['ode1']:.0f} µs",
        ),
    ]
    for method, name in (("ode4", "Runge-Kutta 4"), ("ode1", "Euler")):
        worst = error(method, at[method], tau_c=OTHER)
        text = "it explodes" if worst == inf else f"{worst:.2f}"
        claims.append(
            statement(
                f"the equations allow a step of {1e3 * at[method]:g} ms by {name}, whatever the last digits of tau_C",
                worst < CLOSE,
                f"error {error(method, at[method]):.1e} with tau_C = 1, but {text} with tau_C = {OTHER:g}; stability "
                f"ends at {1e6 * theory[method]:.0f} µs",
                printed=f"{1e3 * at[method]:g} ms",
                because="a floating-point accident: at tau_C = 1 the sliding deflection is a fixed point to the last "
                "bit; tau_C = 1.01 takes it away",
            )
        )
    return claims


def _rounding_claims(quick: bool) -> list[Claim]:
    """The part of the compiler in it."""
    if not has_wide_registers():
        because = "numbers of 64 bits, as in the registers of the x87, are not available on this processor"
        return [unchecked("steps of 50 µs or 1 ms, depending on the compiler", because, "50 µs")]
    until = 9.0 if quick else ONE_SLIP
    rounded = listing_error("RKFIX4", 1e-3, Listing(), until)
    register = listing_error("RKFIX4", 1e-3, InRegister(), until)
    slow = listing_error("RKFIX4", 5e-5, InRegister(), t_start=8.4, t_end=8.5 if quick else 9.0)  # where it is fastest
    seen = f"error {rounded:.0e} at 1 ms with g rounded to double, {register:.2g} with g in a register"
    return [
        statement(
            "after the GNU compiler with -O1, -O2 or -Os Runge-Kutta 4 needs a step as small as 50 µs",
            slow < CLOSE < register,
            f"with g in a register of 64 bits the error is {register:.2g} at 1 ms and {slow:.0e} at 50 µs",
            printed="50 µs",
            note="the arithmetic of such code is emulated: g stays in a register, all else is rounded",
        ),
        statement(
            "without optimisation (-O0), and after Microsoft's compiler, a much larger step will do",
            rounded < CLOSE,
            f"with every number rounded to double the error is {rounded:.0e} at 1 ms",
            note="by the accident of tau_C = 1",
        ),
        unchecked(
            "with -O3 a much larger step will do",
            "which numbers that compiler of 1999 kept in registers at -O3 cannot be found out",
        ),
        statement(
            "the reason for the dependence on the compiler could not be determined",
            not rounded < CLOSE < register,
            seen,
            because="it can: rounding of g decides whether the terms of dz/dt cancel to the last bit",
        ),
    ]


def _other_claims(mixed: float) -> list[Claim]:
    """Mixed mode, and the bearing that truly sticks."""
    claims = [
        statement(
            "mixed mode converges with LuGre friction at 2 ms",
            max(error("mixed", 2e-3), error("mixed", 2e-3, tau_c=OTHER)) < CLOSE,
            f"error {error('mixed', 2e-3):.1e}, with tau_C = {OTHER:g} {error('mixed', 2e-3, tau_c=OTHER):.1e}",
            printed="2 ms",
        ),
        number(
            "largest step of mixed mode with LuGre friction",
            "2",
            1e3 * mixed,
            "ms",
            because="stability ends where the mass at rest on its bristles begins to swing, at h sigma1/J + h² sigma0/"
            f"(2 J) = 2 or {1e3 * mixed_limit():.1f} ms if friction is taken from the new z, as here; from the old z "
            f"it is sigma1/sigma0 = {1e3 * BEARING['sigma1'] / BEARING['sigma0']:.1f} ms",
        ),
    ]
    for method, name, printed in (("ode4", "Runge-Kutta 4", "7"), ("ode1", "Euler", "4")):
        steps = [k * 1e-3 for k in (*range(1, 11), 20, 30, 50)]
        best = largest_right(partial(error, method, true_stick=True), steps)
        claims.append(
            number(
                f"largest step of {name} with BearingFriction",
                printed,
                1e3 * best,
                "ms",
                because="there is no sharp limit: the error of the angle grows with the step and is 1 % of its range "
                "there; nothing becomes unstable, and the paper does not say what it calls converging",
            )
        )
    either = [error("ode4", 7e-3, tau_c=tau_c, true_stick=True) for tau_c in (BEARING["tau_c"], OTHER)]
    claims.append(
        statement(
            "with BearingFriction the compiler makes no difference",
            max(either) < CLOSE,
            f"at 7 ms the error is {either[0]:.1e} with tau_C = 1 and {either[1]:.1e} with tau_C = {OTHER:g}",
            note="nothing is stiff, so no luck is needed",
        )
    )
    return claims


def _limits(accident: dict[str, float], honest: dict[str, float], theory: dict[str, float], mixed: float) -> DataTable:
    rows: list[list[str | float]] = []
    for method, name, printed in (("ode4", "Runge-Kutta 4", "1 ms, 50 µs"), ("ode1", "Euler", "0.9 ms")):
        values = (theory[method], honest[method], accident[method])
        rows.append([name, *(f"{1e6 * value:.0f} µs" for value in values), printed])
    right = largest_right(partial(error, "mixed", tau_c=OTHER), [k * 1e-3 for k in range(1, 11)])
    ours = (f"{1e3 * value:.1f} ms" for value in (mixed_limit(), right, mixed))
    rows.append(["mixed mode", *ours, "2 ms"])
    heads = ["LuGre friction", "stable up to", f"right with tau_C = {OTHER:g}", "right with tau_C = 1", "paper"]
    return titled_table("Largest fixed steps", heads, rows)


@styled
def _plot_steps(quick: bool, theory: dict[str, float]) -> Picture:
    picture = Picture(8.6, 3.8)
    axes = picture.subplots()
    steps = [float(f"{h:.2g}") for h in np.geomspace(3e-5, 1e-2, 7 if quick else 26)]
    methods = (("ode1", "Euler", COLORS[1]), ("ode4", "Runge-Kutta 4", COLORS[0]), ("mixed", "mixed mode", COLORS[2]))
    for method, name, color in (*methods, ("resolvent", "ours (resolvent)", COLORS[3])):
        for tau_c, style in ((OTHER, "-"), (BEARING["tau_c"], ":")):
            shown = [error(method, h, tau_c=tau_c, t_end=ONE_SLIP) for h in steps]
            named = f"{name}" if style == "-" else f"_{name}"
            axes.plot(steps, np.minimum(shown, 3.0), style, color=color, marker="o", markersize=2.5, label=named)
    for method, _, color in methods[:2]:
        axes.axvline(theory[method], color=color, linewidth=0.8, linestyle="--")
    axes.text(theory["ode1"] * 0.95, 1, "stable up to", fontsize=8, ha="right", va="center")
    axes.text(1.3e-3, 3e-9, "solid: tau_C = 1.01\ndotted: tau_C = 1", fontsize=8, va="bottom")
    axes.set(xscale="log", yscale="log", xlabel="step / s", ylabel="error of the angle / its range", ylim=(1e-10, 5))
    axes.axhline(CLOSE, color=INK, linewidth=0.7, linestyle=":")
    axes.text(3e-5, CLOSE * 1.1, "right below", fontsize=8, va="bottom")
    for h, text in ((5e-5, "50 µs"), (0.9e-3, "0.9"), (1e-3, "1"), (2e-3, "2 ms")):
        axes.plot(h, 1e-10, "^", color=INK, markersize=5, clip_on=False, zorder=5)
        shift = {"0.9": -3, "1": 3}.get(text, 0)
        axes.annotate(text, (h, 1e-10), xytext=(shift, 6), textcoords="offset points", fontsize=7, ha=_side(shift))
    legend_above(axes)
    return picture.finish(
        "Error over fixed step; at the top runs that explode or chatter; triangles: steps of the paper", None
    )


def _side(shift: int) -> str:
    """Position of a text relative to its mark."""
    return "center" if shift == 0 else "left" if shift > 0 else "right"
