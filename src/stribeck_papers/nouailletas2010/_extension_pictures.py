"""The picture of Section 2.6: loading of a stuck mass, with the spring of (14) and with elements that slip."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from stribeck.style import COLORS, Picture, styled


@styled
def plot_section_2_6(paths: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> Picture:
    """Force over displacement."""
    picture = Picture(8.5, 3.2)
    for axes, (name, title) in zip(
        picture.subplots(1, 2, sharey=True),
        (("spring", "f_stick of (14): a spring"), ("elements", "f_stick of ten elements")),
        strict=True,
    ):
        place, force = paths[name]
        for part, color, word in (
            (slice(0, 801), COLORS[0], "first loading"),
            (slice(800, 1401), COLORS[1], "unloading"),
            (slice(1400, 2101), COLORS[2], "loading again"),
        ):
            axes.plot(
                1e3 * place[part], force[part], color=color, label=word, linestyle="-" if part.start == 0 else "--"
            )
        axes.set_title(title, fontsize=9, loc="left")
        axes.set_xlabel("displacement / mm")
        axes.set_xlim(0, None)
        axes.set_ylim(0, 1.0)
    picture.axes[0].set_ylabel("force / N")
    picture.axes[1].legend(loc="lower right")
    return picture
