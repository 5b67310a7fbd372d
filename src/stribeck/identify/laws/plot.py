"""The plot of a comparison of laws."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from ...results.style import COLORS, DASHES, FAINT, INK, Picture, label, styled, verbatim
from ..fits.contact import contact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .choice import LawChoice

MOST_CURVES = 4
"""Number of the best laws whose friction is drawn."""


@styled
def plot_laws(choice: LawChoice, path: str | Path | None = None) -> Figure:
    """Errors of every law on fitted and on held-out data, AIC and BIC, and the friction of the best laws.

    >>> plot_laws(choice, "laws.png")
    """
    rows = len(choice.fits)
    picture = Picture(11.0, max(3.3, 1.5 + 0.32 * rows))
    left, middle, right = picture.subplots(1, 3, width_ratios=(1.25, 0.75, 1.2))
    _errors(left, choice)
    _criteria(middle, choice)
    _friction(right, choice)
    for axes in (left, middle):
        axes.set_ylim(rows - 0.4, -0.6)
    return picture.finish(f"{choice.model.name}: which law?", path)


def _errors(axes: Axes, choice: LawChoice) -> None:
    """One line per law, the best one on top: held-out parts, their mean, and the fit."""
    for row, (candidate, _) in enumerate(choice.fits):
        good = candidate.law in choice.as_good
        parts = 100 * np.asarray(candidate.errors)
        axes.plot(parts, np.full(parts.size, row), "|", color=COLORS[5], markersize=11, markeredgewidth=1.6,
                  label="held out, each part" if row == 0 else None)  # fmt: skip
        axes.plot([100 * candidate.held_out], [row], "o", color=COLORS[0] if good else INK, markersize=7,
                  label="held out" if row == 0 else None)  # fmt: skip
        axes.plot([100 * candidate.fitted], [row], "D", color="white", markeredgecolor=COLORS[1], markersize=5,
                  label="fitted" if row == 0 else None)  # fmt: skip
    names = [f"{candidate.law} ({candidate.parameters})" for candidate, _ in choice.fits]
    axes.set_yticks(range(len(names)), names)
    for text, (candidate, _) in zip(axes.get_yticklabels(), choice.fits, strict=True):
        text.set_fontweight("bold" if candidate.law in choice.as_good else "normal")
    axes.set_xscale("log")
    axes.set_xlabel("error / % of the measured standard deviation")
    axes.set_title("law (free parameters); bold: not significantly worse", fontsize=8, loc="left")
    axes.legend(loc="upper right", fontsize=7)


def _criteria(axes: Axes, choice: LawChoice) -> None:
    aic, bic = choice.aic, choice.bic
    for row, (candidate, _) in enumerate(choice.fits):
        for shift, values, color in ((-0.18, aic, COLORS[2]), (0.18, bic, COLORS[4])):
            name = ("AIC" if values is aic else "BIC") if row == 0 else None
            axes.barh(row + shift, values[candidate.law], height=0.3, color=color, label=name)
    axes.set_xscale("symlog", linthresh=10)
    axes.set_xlim(left=0)
    axes.set_yticks([])
    axes.set_xlabel("above the lowest")
    axes.set_title(f"criteria; effective sample size {choice.effective:.0f}", fontsize=8, loc="left")
    axes.legend(loc="upper right", fontsize=7)


def _friction(axes: Axes, choice: LawChoice) -> None:
    """Friction of the best laws over the slip speed in the first record."""
    place = choice.places[0]
    shown = choice.fits[:MOST_CURVES]
    for number, (candidate, result) in enumerate(shown):
        found = contact(result.problem.rigs[0], result.best, place)
        axes.plot(
            found.speed,
            found.friction,
            color=COLORS[number],
            linewidth=2.6 - 0.6 * number,
            linestyle=DASHES[number],
            label=candidate.law,
        )
    axes.axhline(0, **FAINT)
    axes.axvline(0, **FAINT)
    axes.set(xlabel=label(found.units[0], "slip speed"), ylabel=label(found.units[1], "friction"))
    axes.set_title(verbatim(f"{place} in {shown[0][1].records[0].name}"), fontsize=8, loc="left")
    axes.legend(fontsize=7)
