"""Equation (4): damping of bristles that fades with speed, and what it is good for."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, label, legend_above, styled

from ..paper import Finding
from ..rules import MUCH, SAME
from ..scorecard import judged, statement
from ..settings import adjusted
from ._law_items import LIMIT
from ._paper import PAPER
from .bearing import BEARING

CLOSES = 1e-9
NAMES = {"tau_v": "sigma2", "tau_c": "mu_c", "tau_s": "mu_s", "w_s": "v_s"}
"""Of the parameters of a bearing, in a brake with a normal force of 1 N."""


def damping_seen(w: float, w_d: float) -> float:
    """sigma1(w) (N.m.s/rad): a brake with straight bristles closes on a shaft that turns with w (rad/s), and its torque
    is sigma1(w) w + tau_v w at the first instant.

    >>> damping_seen(0.01, 0.01)
    116.33
    """
    model = sb.Model("damping", t_end=2 * CLOSES)
    mass = model.add("mass", sb.Inertia(J=1, w0=w))
    law = sb.DampedLuGre(**{NAMES.get(name, name): value for name, value in BEARING.items()}, v_d=w_d)
    closed = sb.Step(height=1, start=CLOSES)
    model.add("friction", sb.Brake(mass, law=law, fn_max=1, f_normalized=closed, engage="zero"))
    run = sb.simulate(adjusted(model), times=[0.0, CLOSES * 1.0001])
    return abs(float(run["friction.tau"][-1])) / w - BEARING["tau_v"]


def viscosity_needed(w_d: float) -> float:
    """The least tau_v (N.m.s/rad) with which bristles of Table 1 never give back more than they had stored, over all
    their deflections and speeds up to 1e5 rad/s; w_d (rad/s) may be infinite, as in (5).

    >>> viscosity_needed(np.inf)
    158.1
    """
    p, reach = BEARING, BEARING["tau_s"] / BEARING["sigma0"]
    w, z = np.meshgrid(np.geomspace(1e-7, 1e5, 1201), np.linspace(-reach, reach, 301))
    curve = p["tau_c"] + (p["tau_s"] - p["tau_c"]) * np.exp(-((w / p["w_s"]) ** 2))
    rate = w - p["sigma0"] * w * z / curve
    kept = p["sigma1"] * np.exp(-((w / w_d) ** 2)) * rate * w + p["sigma0"] * z * (w - rate)
    return max(float((-kept / w**2).max()), 0.0)


def gained(w_d: float) -> float:
    """Energy (J) that bristles of Table 1 lose if a shaft that creeps is jerked to 3 rad/s for 0.1 ms; negative if they
    give back more than they had stored.

    >>> gained(np.inf) < 0 < gained(1e-3)
    True
    """
    course = sb.Table(time=[0, 1, 1.00001, 1.0001, 1.00011, 2], value=[1e-4, 1e-4, 3.0, 3.0, 0, 0])
    model = sb.Model("jerk", t_end=1.00011)
    law = sb.LuGre(**BEARING) if np.isinf(w_d) else sb.DampedLuGre(**BEARING, w_d=w_d)
    model.add("friction", sb.Bearing(model.add("shaft", sb.Speed(w=course)), law=law))
    run = sb.simulate(model, tolerance=1e-9, times=np.linspace(1.0, 1.00011, 4001))
    power = np.asarray(run["friction.tau"]) * np.asarray(run["shaft.w"])
    stored = 0.5 * BEARING["sigma0"] * np.asarray(run["friction.z"]) ** 2
    return float(np.trapezoid(power, run.time) - (stored[-1] - stored[0]))


@PAPER.item(
    "Equation 4",
    "Damping that fades with speed",
    shows="a damping sigma1 exp(-(w/w_d)²) that is active around zero speed only. It was not implemented, because no "
    "identified values of w_d had been found",
    equations=("(3)", "(4)", "(5)", "(6)"),
)
def equation_4(quick: bool) -> Finding:
    """The damping from runs, and how much viscous friction passive bristles need with it."""
    w_d = 0.01
    speeds = w_d * np.geomspace(0.05, 4, 7 if quick else 21)
    seen = np.array([damping_seen(float(w), w_d) for w in speeds]) / BEARING["sigma1"]
    off = float(np.abs(seen - np.exp(-((speeds / w_d) ** 2))).max())
    widths = np.geomspace(1e-4, 10, 11 if quick else 41)
    needed = np.array([viscosity_needed(float(width)) for width in widths])
    constant, fits = viscosity_needed(np.inf), widths[needed <= BEARING["tau_v"]]
    work = {width: gained(width) for width in (np.inf, float(fits.max()))}
    return Finding(
        text=(
            "The loss of bristles becomes negative at high speed while they are still bent from slow sliding: the term "
            "sigma1 dz/dt w then gives back more than the deflection had stored, and only viscous friction can pay for "
            f"it. With constant damping that takes tau_v = {constant:.0f} N·m·s/rad. Damping that has faded by then "
            f"gives nothing back: with w_d = {w_d:g} rad/s {viscosity_needed(w_d):.3g} N·m·s/rad are enough, and up to "
            f"w_d = {fits.max():.2g} rad/s the printed {BEARING['tau_v']:g} N·m·s/rad. In a run in which a creeping "
            f"shaft is jerked to 3 rad/s, bristles of Table 1 lose {1e6 * work[np.inf]:.2g} µJ with constant damping: "
            f"they are a source. With w_d = {fits.max():.2g} rad/s they lose {1e6 * work[float(fits.max())]:.2g} µJ."
        ),
        claims=[
            judged(
                "w_d is the interval of speeds around zero in which the damping is active",
                SAME,
                off,
                f"sigma1(w)/sigma1 from {speeds.size} runs within {off:.1e} of exp(-(w/w_d)²)",
                otherwise="refuted",
                basis="put in",
                where="Section 1.1, (4)",
            ),
            judged(
                "damping that fades helps bristles to be passive",
                MUCH,
                constant / max(viscosity_needed(w_d), 1e-9),
                f"they need tau_v = {viscosity_needed(w_d):.3g} N·m·s/rad with w_d = {w_d:g} rad/s, {constant:.0f} "
                "with constant damping",
                otherwise="refuted",
                note="not said here, but the reason for (4) in the literature that the paper quotes",
                where="Section 1.1, (4) and (6)",
            ),
            statement(
                "the same in a run: bristles that are jerked are no source of energy",
                work[np.inf] < 0 < work[float(fits.max())],
                f"{1e6 * work[np.inf]:.2g} µJ lost with constant damping, {1e6 * work[float(fits.max())]:.2g} µJ with "
                f"w_d = {fits.max():.2g} rad/s and the printed tau_v",
                otherwise="refuted",
                where="Section 1.1, (4) and (6)",
            ),
        ],
        picture=_plot_needed(widths, needed, constant),
        alt=(
            "Least viscous friction of passive bristles over w_d: it rises from 0 to that of constant damping, "
            f"{constant:.0f} N·m·s/rad, and passes the printed {BEARING['tau_v']:g} at {fits.max():.2g} rad/s."
        ),
    )


@styled
def _plot_needed(widths: ArrayLike, needed: ArrayLike, constant: float) -> Picture:
    picture = Picture(8, 3.2)
    axes = picture.subplots()
    axes.loglog(widths, np.maximum(needed, 1e-3), "o-", color=COLORS[0], markersize=3.5, label="with (4)")
    axes.axhline(constant, color=COLORS[1], linewidth=0.9, linestyle="--", label="constant damping (5)")
    axes.axhline(BEARING["tau_v"], color=INK, linewidth=0.9, linestyle=":", label="Table 1")
    axes.set(xlabel="w_d / (rad/s)", ylabel=label("N.m.s/rad", "least viscous friction"), ylim=(1e-3, 1e3))
    legend_above(axes)
    return picture.finish(f"When bristles are passive; with (6) sigma1 would have to be below {LIMIT:g}", None)
