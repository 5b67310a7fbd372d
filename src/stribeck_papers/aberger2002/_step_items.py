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
from ..rules import SAME
from ..scorecard import Claim, judged, number
from ._paper import PAPER
from .bearing import BEARING, T_END, fixed_step, lugre, stick_slip
from .dassl import Z_N, Listing
from .rounding import stepped

CLOSE = 0.01
"""In a search for the largest step a run is right if its angle is within this share of its range, ..."""
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
    "(bristles implicit). BearingFriction: 7 ms and 4 ms",
    equations=("(1)",),
)
def section_1_3(quick: bool) -> Finding:
    """Scans of steps with the friction of the paper and with one a hundredth higher."""
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
            f"is gone, and the steps are right up to {1e6 * honest['ode1']:.0f} and {1e6 * honest['ode4']:.0f} µs: the "
            "equations alone do not bear 1 ms. Mixed mode needs no luck, nor does our implicit step, whose error at "
            f"10 ms is {error('resolvent', 1e-2, tau_c=OTHER):.1e} of the range of the angle."
        ),
        claims=[*_explicit_claims(accident, honest), *_other_claims(mixed)],
        picture=_plot_steps(quick, theory),
        tables=[_limits(accident, honest, theory, mixed), _true_stick_errors()],
        alt=(
            "Error of the angle over the fixed step for Euler, Runge-Kutta 4, mixed mode and the resolvent step, with "
            f"tau_C = 1 and 1.01. The explicit methods fail above {1e6 * theory['ode1']:.0f} and "
            f"{1e6 * theory['ode4']:.0f} µs with 1.01, but not with 1; the implicit ones do not fail up to some ms."
        ),
    )


def _explicit_claims(accident: dict[str, float], honest: dict[str, float]) -> list[Claim]:
    """The two steps of the paper, and where they end here."""
    luck = {
        method: f"by the accident of tau_C = 1, in steps of 0.1 ms; with tau_C = {OTHER:g} the largest step is "
        f"{1e6 * honest[method]:.0f} µs"
        for method in honest
    }
    claims = []
    for method, name, text in (("ode4", "Runge-Kutta 4", "1"), ("ode1", "Euler", "0.9")):
        claims += [
            judged(
                f"{name} converges with LuGre friction at {text} ms",
                SAME,
                listing_error({"ode4": "RKFIX4", "ode1": "EULER"}[method], 1e-3 * float(text)),
                f"error {listing_error({'ode4': 'RKFIX4', 'ode1': 'EULER'}[method], 1e-3 * float(text)):.1e} of the "
                "range of the angle",
                printed=f"{text} ms",
                note=luck[method],
                otherwise="refuted",
            ),
            number(
                f"largest step of {name} with LuGre friction",
                text,
                1e3 * accident[method],
                "ms",
                note=luck[method],
                otherwise="not determined",
                because="where the accident ends is a matter of single roundings, and which steps were tried is not "
                f"printed; ours end {luck[method]}",
            ),
        ]
    return claims


UNKNOWN = "what the paper calls converging is not printed: "


def _other_claims(mixed: float) -> list[Claim]:
    """Mixed mode, and the bearing that truly sticks."""
    worst = max(error("mixed", 2e-3), error("mixed", 2e-3, tau_c=OTHER))
    claims = [
        judged(
            "mixed mode converges with LuGre friction at 2 ms",
            SAME,
            worst,
            f"error {error('mixed', 2e-3):.1e}, with tau_C = {OTHER:g} {error('mixed', 2e-3, tau_c=OTHER):.1e}",
            printed="2 ms",
            otherwise="refuted",
        ),
        number(
            "largest step of mixed mode with LuGre friction",
            "2",
            1e3 * mixed,
            "ms",
            otherwise="cannot be checked",
            because=f"{UNKNOWN}stability ends where the mass at rest on its bristles begins to swing, at h sigma1/J + "
            f"h² sigma0/(2 J) = 2 or {1e3 * mixed_limit():.1f} ms if friction is taken from the new z, as here; from "
            f"the old z it is sigma1/sigma0 = {1e3 * BEARING['sigma1'] / BEARING['sigma0']:.1f} ms",
        ),
    ]
    for method, name, text in (("ode4", "Runge-Kutta 4", "7"), ("ode1", "Euler", "4")):
        steps = [k * 1e-3 for k in (*range(1, 11), 20, 30, 50)]
        off = error(method, 1e-3 * float(text), true_stick=True)
        claims += [
            judged(
                f"{name} converges with BearingFriction at {text} ms",
                SAME,
                off,
                f"error {off:.1e} of the range of the angle",
                printed=f"{text} ms",
                otherwise="refuted",
            ),
            number(
                f"largest step of {name} with BearingFriction",
                text,
                1e3 * largest_right(partial(error, method, true_stick=True), steps),
                "ms",
                otherwise="cannot be checked",
                because=f"{UNKNOWN}there is no sharp limit here. The error of the angle grows with the step (table), "
                "and is 1 % of its range at ours; nothing becomes unstable",
            ),
        ]
    return claims


def _true_stick_errors() -> DataTable:
    """The error with BearingFriction over the step."""
    rows = [
        [f"{1e3 * h:g} ms", *(f"{error(method, h, true_stick=True):.1e}" for method in ("ode4", "ode1"))]
        for h in (1e-3, 2e-3, 4e-3, 7e-3, 1e-2, 2e-2, 5e-2)
    ]
    heads = ["step", "Runge-Kutta 4", "Euler"]
    return titled_table("BearingFriction: error of the angle over its range", heads, rows)


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
