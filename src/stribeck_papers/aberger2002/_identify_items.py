"""Section 1.1 on the identification of bristles."""

from __future__ import annotations

from functools import cache

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, legend_above, styled

from ..paper import Finding
from ..rules import MUCH
from ..scorecard import judged
from ._paper import PAPER
from .bearing import BEARING, lugre, rig, stick_slip

STATIC_PARAMETERS = ("tau_c", "tau_s", "tau_v")
NOISE = 1e-3
"""Standard deviation (rad) of a measured angle: that of a simple encoder."""
LIMIT = 3.84
"""Rise of -2 ln(likelihood) at the ends of a 95 % interval."""


@cache
def record() -> sb.identify.Measurement:
    """The angle of the stick-slip run with noise, 100 times a second."""
    run = stick_slip(tolerance=1e-10)
    noise = np.random.default_rng(2002).normal(0.0, NOISE, run.time.size)
    return sb.identify.Measurement({"phi": np.asarray(run["mass.phi"]) + noise}, time=run.time)


def fitted(free: tuple[str, ...], **fixed: float) -> sb.identify.FitResult:
    """These parameters of the bearing from the record, the others as printed or as given."""
    paths = [f"friction.law.{name}" for name in free]
    return sb.identify.fit(
        rig(lugre(**fixed)), record(), paths, outputs={"mass.phi": "phi"}, noise={"mass.phi": NOISE}, tolerance=1e-7
    )


def profile(name: str, factors: list[float]) -> list[float]:
    """-2 ln(likelihood) less its smallest value over one parameter (times its printed value), the other ones of the
    break-away fitted each time."""
    others = tuple(other for other in ("sigma0", "sigma1", "tau_s") if other != name)
    found = [-2 * fitted(others, **{name: factor * BEARING[name]}).log_likelihood for factor in factors]
    return [value - min(found) for value in found]


MOST = 1e6
"""The ratio of two errors if a parameter is not identifiable."""


def _word(error: float) -> str:
    """A relative standard error."""
    return f"{100 * error:.2g} %" if np.isfinite(error) else "not identifiable"


@PAPER.item(
    "Section 1.1: identification",
    "How well bristles can be identified",
    shows="it is said to be rather difficult to identify the dynamic parameters sigma0 and sigma1",
    basis="reconstruction",
)
def identification(quick: bool) -> Finding:
    """A fit of all parameters to a noisy stick-slip run, and profiles of the likelihood."""
    all_of_them = fitted(("sigma0", "sigma1", *STATIC_PARAMETERS))
    errors = {path.rpartition(".")[2]: error for path, error in all_of_them.errors.items()}
    relative = {name: error / BEARING[name] for name, error in errors.items()}
    dynamic = min(relative["sigma0"], relative["sigma1"])
    steady = max(relative[name] for name in STATIC_PARAMETERS)
    factors = [0.01, 1.0, 3.0] if quick else [0.01, 0.1, 0.3, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0]
    profiles = {name: profile(name, factors) for name in ("sigma0", "sigma1")}
    within = {
        name: [f for f, rise in zip(factors, values, strict=True) if rise < LIMIT] for name, values in profiles.items()
    }
    return Finding(
        text=(
            f"The angle of the stick-slip run with noise of {1e3 * NOISE:g} mrad gives the friction levels to "
            f"{100 * steady:.1g} % and better (standard errors), sigma0 {_word(relative['sigma0'])}, sigma1 "
            f"{_word(relative['sigma1'])}. The profile of the likelihood does not exclude "
            f"{min(within['sigma1'], default=1):g} to {max(within['sigma1'], default=1):g} times the printed sigma1, "
            f"and {min(within['sigma0'], default=1):g} to {max(within['sigma0'], default=1):g} times sigma0, of the "
            "values tried: bristles show in this experiment only by a break-away torque, which the static friction "
            "can take over."
        ),
        claims=[
            judged(
                "it is rather difficult to identify sigma0 and sigma1",
                MUCH,
                min(dynamic / steady, MOST),
                ", ".join(f"{name} {_word(value)}" for name, value in relative.items()) + " (standard errors)",
                otherwise="not determined",
                because="noise and record are ours, and the better of the two is found as well as the levels",
                note="the better of the two against the worst of the friction levels; noise and record are ours",
                where="Section 1.1",
            ),
        ],
        picture=_plot_profiles(factors, profiles),
        alt=(
            "Rise of -2 ln(likelihood) over sigma0 and sigma1, each over its printed value, with the limit of a 95 % "
            f"interval: below it from {min(within['sigma1'], default=1):g} to {max(within['sigma1'], default=1):g} for "
            "sigma1."
        ),
    )


@styled
def _plot_profiles(factors: list[float], profiles: dict[str, list[float]]) -> Picture:
    picture = Picture(8.6, 3.2)
    axes = picture.subplots()
    for (name, values), color, mark in zip(profiles.items(), (COLORS[0], COLORS[1]), "os", strict=True):
        axes.plot(factors, values, f"{mark}-", color=color, markersize=4, label={"sigma0": "σ₀", "sigma1": "σ₁"}[name])
    axes.axhline(LIMIT, color=INK, linewidth=0.8, linestyle=":", label="95 %")
    axes.set(xscale="log", yscale="symlog", xlabel="value / printed value", ylabel="rise of −2 ln(likelihood)")
    axes.set_ylim(-0.2, None)
    legend_above(axes)
    return picture.finish("Profiles of the likelihood of a noisy stick-slip run", None)
