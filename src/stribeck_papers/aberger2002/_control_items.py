"""The conclusion on compensation of friction."""

from __future__ import annotations

from functools import cache

import numpy as np

import stribeck as sb
from stribeck.style import COLORS, INK, Picture, legend_above, styled

from ..paper import Finding, titled_table
from ..rules import MUCH
from ..scorecard import judged
from ._paper import PAPER
from .servo import SETTLED, servo


@cache
def tracked(Ki: float = 0.0, observer: float | None = None) -> sb.Result:
    """A run of the position loop."""
    return sb.simulate(servo(Ki, observer))


def lag(run: sb.Result) -> float:
    """The error (rad) in the root mean square, when the start is over."""
    return float(np.sqrt(np.mean(np.asarray(run["error"])[run.time >= SETTLED] ** 2)))


@PAPER.item(
    "Conclusions: compensation",
    "Friction compensated by bristles",
    shows="LuGre friction has been used with success to design controllers that compensate friction; it seems well "
    "suited, because a differential equation allows standard theory",
    basis="reconstruction",
    equations=("(1)", "(2)", "(3)"),
)
def compensation(quick: bool) -> Finding:
    """A position loop with the best integral gain against one with an observer of the bristles."""
    gains = [0.0, *np.geomspace(50, 1800, 7 if quick else 25).tolist()]
    integral = {Ki: lag(tracked(Ki)) for Ki in gains}
    best = min(integral, key=lambda Ki: integral[Ki])
    scales = (0.8, 0.9, 1.0, 1.1, 1.2)
    observed = {scale: lag(tracked(0.0, scale)) for scale in scales}
    plain = integral[0.0]
    errors = {f"PID, Ki = {Ki:.0f}": 1e3 * value for Ki, value in integral.items()}
    errors |= {f"PD, observer with {scale:g} of the friction": 1e3 * value for scale, value in observed.items()}
    return Finding(
        text=(
            "A mass in the bearing of Table 1 follows a slow sine under a PD controller with a bandwidth of 10 rad/s. "
            f"Friction leaves an error of {1e3 * plain:.2f} mrad. The best of {len(gains) - 1} integral gains, "
            f"{best:.0f} N·m/(rad s), leaves {1e3 * integral[best]:.2f} mrad, an observer with its bristles "
            f"{1e3 * observed[1.0]:.2f} mrad. If it believes in friction that is 10 % lower or higher it leaves "
            f"{1e3 * observed[0.9]:.2f} and {1e3 * observed[1.1]:.2f} mrad."
        ),
        claims=[
            judged(
                "LuGre friction can be used with success in controllers that compensate friction",
                MUCH,
                integral[best] / observed[1.0],
                f"error {1e3 * observed[1.0]:.2f} mrad with an observer, {1e3 * integral[best]:.2f} mrad with the best "
                "integral gain",
                note="loop, gains and target are ours; the observer knows the parameters of the friction",
                where="Conclusions",
            ),
            judged(
                "the same with friction that is known to 10 %",
                MUCH,
                integral[best] / max(observed[0.9], observed[1.1]),
                f"error {1e3 * observed[0.9]:.2f} and {1e3 * observed[1.1]:.2f} mrad",
                because="the part of the friction that it does not know is left to the PD controller",
                where="Conclusions",
            ),
        ],
        picture=_plot_tracking(best),
        tables=[
            titled_table(
                "Error in the root mean square / mrad",
                ["controller", "error"],
                list(errors.items()),
            )
        ],
        alt=(
            "Error of the angle over one period of the sine: with integral action it jumps where the motion turns, to "
            f"{1e3 * np.abs(np.asarray(tracked(best)['error'])[2000:]).max():.1f} mrad; with the observer it stays "
            f"within {1e3 * np.abs(np.asarray(tracked(0.0, 1.0)['error'])[2000:]).max():.1f} mrad."
        ),
    )


@styled
def _plot_tracking(Ki: float) -> Picture:
    picture = Picture(8.6, 3.2)
    axes = picture.subplots()
    runs = (("PD", 0.0, None), (f"PID, Ki = {Ki:.0f} N·m/(rad s)", Ki, None), ("PD and observer", 0.0, 1.0))
    for (text, gain, observer), color in zip(runs, (INK, COLORS[1], COLORS[0]), strict=True):
        run = tracked(gain, observer)
        axes.plot(run.time, 1e3 * np.asarray(run["error"]), color=color, linewidth=1.1, label=text)
    axes.set(xlabel="time / s", ylabel="error / mrad", xlim=(SETTLED, run.time[-1]))
    legend_above(axes)
    return picture.finish("A slow sine of 0.1 rad is followed", None)
