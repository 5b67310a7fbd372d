"""Several runs in one picture: one panel per output, one line per run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import ResultError
from .plot import telling_outputs
from .style import COLORS, DASHES, FAINT, Picture, label, styled, verbatim
from .thin import thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .result import Result

LINES = (*COLORS, "#882255")


@styled
def plot_overlay(
    results: Mapping[str, Result], names: Sequence[str], path: str | Path | None = None, title: str | None = None
) -> Figure:
    """One panel per output, one line per run, with a legend of the runs.

    >>> plot_overlay({"adaptive": result, "1 ms": fixed}, ["mass.w"], "both.png")
    """
    if not results:
        raise ResultError("overlay: there are no results; give a dictionary of them, {'name': result}")
    first = next(iter(results.values()))
    names = names or telling_outputs(first)
    picture = Picture(9.2, 0.9 + (2.3 if len(names) < 4 else 1.7) * len(names))
    rows = picture.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(rows, names, strict=True):
        for number, (run, result) in enumerate(results.items()):
            axes.plot(*thinned(result.time, result[name]), label=verbatim(run), **line_style(number))
        axes.axhline(0, **FAINT)
        axes.set_ylabel(f"{name}\n{label(first[name].unit)}".rstrip())
    rows[-1].set_xlabel("time / s")
    rows[-1].set_xlim(min(r.time[0] for r in results.values()), max(r.time[-1] for r in results.values()))
    picture.align_ylabels(rows)
    picture.legend(*rows[0].get_legend_handles_labels(), loc="outside right upper", handlelength=2.6)
    return picture.finish(title or first.name, path)


def line_style(number: int) -> Any:
    """Colour and dashes of a line; later lines are thinner, so that equal curves are both visible.

    >>> axes.plot(result.time, result["mass.w"], **line_style(1))
    """
    width = max(2.2 - 0.2 * number, 0.9)
    dashes = DASHES[number % len(DASHES)]
    return {"color": LINES[number % len(LINES)], "linestyle": dashes, "linewidth": width}
