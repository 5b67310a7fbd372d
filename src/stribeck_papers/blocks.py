"""DiagramBlock diagrams that compute: schemes of the papers as drawings, with blocks that can be counted and run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stribeck.style import COLORS, INK, Picture, styled

WIDE, HIGH, GAP = 0.62, 0.27, 1.75
"""Half the width and half the height of a block, and the distance of two columns."""


@dataclass(frozen=True)
class DiagramBlock:
    """A block: the words on it, its column and row, the blocks that it reads, and its function.

    Without inputs it is an input of the diagram or the output of an integrator, given from outside.

    >>> DiagramBlock("gain\\n2", (1, 0), ("u",), lambda u: 2 * u)
    """

    words: str
    at: tuple[float, float]
    inputs: tuple[str, ...] = ()
    function: Callable[..., float] | None = None


Diagram = Mapping[str, DiagramBlock]
"""Blocks by name."""


def count(diagram: Diagram) -> int:
    """The number of blocks, inputs from outside not counted.

    >>> count({"u": DiagramBlock("u", (0, 0)), "y": DiagramBlock("gain", (1, 0), ("u",))})
    1
    """
    return sum(bool(block.inputs) for block in diagram.values())


def evaluate(diagram: Diagram, given: Mapping[str, float], loop: str | None = None) -> dict[str, float]:
    """The outputs of all blocks; `loop` names a block within an algebraic loop, which must be linear in it.

    >>> twice = DiagramBlock("gain", (1, 0), ("u",), lambda u: 2 * u)
    >>> evaluate({"u": DiagramBlock("u", (0, 0)), "y": twice}, {"u": 3.0})["y"]
    6.0
    """
    if loop is None:
        return _computed(diagram, given)
    cut = {name: block for name, block in diagram.items() if name != loop}
    block = diagram[loop]

    def answer(guess: float) -> tuple[float, dict[str, float]]:
        values = _computed(cut, {**given, loop: guess})
        assert block.function is not None
        return block.function(*(values[name] for name in block.inputs)), values

    at_0, at_1 = answer(0.0)[0], answer(1.0)[0]
    return answer(at_0 / (1 - (at_1 - at_0)))[1]


def _computed(diagram: Diagram, given: Mapping[str, float]) -> dict[str, float]:
    """Blocks in the order of their inputs."""
    values = dict(given)
    waiting = {name: block for name, block in diagram.items() if block.function is not None and name not in values}
    while waiting:
        ready = [name for name, block in waiting.items() if all(source in values for source in block.inputs)]
        if not ready:
            raise ValueError(f"{', '.join(waiting)} are in a loop; name one of its blocks")
        for name in ready:
            block = waiting.pop(name)
            assert block.function is not None
            values[name] = block.function(*(values[source] for source in block.inputs))
    return values


@styled
def plot_blocks(diagrams: Mapping[str, Diagram], title: str) -> Figure:
    """DiagramBlock diagrams below each other, by their titles."""
    spans = [_span(diagram) for diagram in diagrams.values()]
    wide = max(right - left for left, right, _, _ in spans)
    heights = [top - bottom for _, _, bottom, top in spans]
    picture = Picture(min(9.2, 1.0 + 0.78 * wide), 0.5 + 0.62 * sum(heights))
    panels = np.atleast_1d(picture.subplots(len(diagrams), 1, height_ratios=heights))
    for axes, (name, diagram), (left, _, bottom, top) in zip(panels, diagrams.items(), spans, strict=True):
        _draw(axes, diagram)
        axes.set(xlim=(left, left + wide), ylim=(bottom, top), aspect="equal")
        axes.set_title(name, fontsize=9, loc="left")
        axes.axis("off")
    return picture.finish(title, None)


def _span(diagram: Diagram) -> tuple[float, float, float, float]:
    x, y = zip(*(_place(block) for block in diagram.values()), strict=True)
    back = sum(not _ahead(diagram[source], block) for block in diagram.values() for source in block.inputs)
    return min(x) - 1.0, max(x) + 1.4, min(y) - 0.6 - 0.12 * back, max(y) + 0.6


def _ahead(source: DiagramBlock, block: DiagramBlock) -> bool:
    """Whether a line goes straight on to the right."""
    return _place(source)[0] < _place(block)[0] - WIDE


def _place(block: DiagramBlock) -> tuple[float, float]:
    return GAP * block.at[0], -block.at[1]


def _draw(axes: Axes, diagram: Diagram) -> None:
    """Blocks, and lines between them: straight on to the right, back below all of them."""
    lowest = min(_place(block)[1] for block in diagram.values()) - 0.4
    back = 0
    for block in diagram.values():
        x, y = _place(block)
        look: Any = {"ha": "center", "va": "center", "fontsize": 7.5, "zorder": 3}
        if block.inputs:
            corners = ([x - WIDE, x + WIDE, x + WIDE, x - WIDE], [y - HIGH, y - HIGH, y + HIGH, y + HIGH])
            axes.fill(*corners, facecolor="white", edgecolor=INK, linewidth=1.0, zorder=2)
        axes.text(x, y, block.words, color=INK if block.inputs else COLORS[0], **look)
        for port, source in enumerate(block.inputs):
            spread = 0.3 * (port - 0.5 * (len(block.inputs) - 1))
            start, end = _place(diagram[source]), (x - WIDE, y - spread)
            ahead = _ahead(diagram[source], block)
            back += not ahead
            _line(axes, _route(start, end, None if ahead else lowest - 0.12 * back, port))


def _route(start: tuple[float, float], end: tuple[float, float], below: float | None, port: int) -> list[Any]:
    """Corners of a line from the right side of a block to the left side of another."""
    out = start[0] + WIDE
    if below is None:
        middle = end[0] - 0.18 - 0.12 * port
        return [(out, start[1]), (middle, start[1]), (middle, end[1]), end]
    left, right = end[0] - 0.25 - 0.12 * port, out + 0.18 + 0.1 * port
    return [(out, start[1]), (right, start[1]), (right, below), (left, below), (left, end[1]), end]


def _line(axes: Axes, points: Sequence[tuple[float, float]]) -> None:
    x, y = zip(*points, strict=True)
    axes.plot(x, y, color=INK, linewidth=0.9, zorder=1)
    way: Any = {"arrowstyle": "-|>", "color": INK, "lw": 0.9, "mutation_scale": 9, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", points[-1], points[-2], arrowprops=way)
