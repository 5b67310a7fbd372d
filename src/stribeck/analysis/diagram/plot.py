"""The picture of a machine: boxes and symbols, in the style of all pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch, Polygon

from ...results import MODES
from ...results.style import COLORS, INK, MODE_COLORS, Picture, styled
from .diagram import Box, Diagram, Link, Point, room

if TYPE_CHECKING:
    from matplotlib.figure import Figure

UNIT = 0.62  # inch
HIGH = 0.4  # half the height of a box
HANG = 1.15  # length of a symbol between a box and the ground
STAND = 0.85  # length of the arrow on a box
APART = 0.8  # distance of parallel symbols
RISE = 0.9  # how far a wire bends away from the straight line, at most
BODY, PALE, WIRE = "#e8eef4", "#f7f7f7", "#7fa8c9"
WARM, HEAT = "#fbeae3", "#d98c6a"


@styled
def plot_diagram(
    diagram: Diagram, modes: Mapping[str, int], time: float | None = None, path: str | Path | None = None
) -> Figure:
    """Draws a diagram; friction elements in `modes` get the colour of their mode.

    >>> plot_diagram(Diagram.of(model), {"friction": 0}, 2.0, "machine.png")
    """
    left = min(box.x - box.width / 2 for box in diagram.boxes) - 0.8
    right = max([box.x + box.width / 2 for box in diagram.boxes] + [x + 1 for x, _ in diagram.signals.values()]) + 0.8
    pen = Pen(diagram, modes)
    right += pen.margin()
    levels = pen.routes()
    top = max([box.y + 1.9 for box in diagram.boxes if box.above] + [box.y + 1.0 for box in diagram.boxes] + levels)
    signal_row = top + 0.4
    top += 0.8 + RISE * (len(diagram.wires) > 0) if diagram.signals else 0.0
    bottom = min(box.y - (2.2 if box.below else 0.9) for box in diagram.boxes)
    picture = Picture(max(4.2, UNIT * (right - left)), UNIT * (top - bottom) + 0.45)
    axes = picture.subplots()
    axes.set(xlim=(left, right), ylim=(bottom, top), aspect="equal")
    axes.axis("off")
    diagram.signals.update({name: (x, signal_row) for name, (x, _) in diagram.signals.items()})
    pen.draw(axes)
    bodies = {name for box in diagram.boxes if box.kind == "node" for name in box.names}  # these have no colour
    used = sorted({modes[name] for name in diagram.symbols if name in modes and name not in bodies})
    if used:
        handles = [Patch(facecolor=MODE_COLORS[mode], edgecolor=INK, linewidth=0.6, label=MODES[mode]) for mode in used]
        axes.legend(handles=handles, loc="lower right", bbox_to_anchor=(1, 1), ncols=4, borderaxespad=0.0)
    when = f" at {time:g} s" if time is not None else ""
    return picture.finish(f"{diagram.name}{when}", path)


class Pen:
    """Draws the parts of a diagram and remembers where each one is."""

    def __init__(self, diagram: Diagram, modes: Mapping[str, int]) -> None:
        self.diagram, self.modes = diagram, modes
        self.at: dict[str, Point] = {}
        """Where the wire of an element begins or ends."""

    # --- ways ---------------------------------------------------------------------------------------------------------

    def routes(self) -> list[float]:
        """Heights of links that go over other boxes."""
        return [self._level(n, link) + 0.75 for n, link in enumerate(self._over())]

    def _over(self) -> list[Link]:
        return [link for link in self.diagram.links if not self._direct(link) and not self._stacked(link)]

    def _stacked(self, link: Link) -> bool:
        """Whether one box is above the other, with nothing in between."""
        a, b = self.diagram.boxes[link.a], self.diagram.boxes[link.b]
        low, high = sorted((a.y, b.y))
        between = [box for box in self.diagram.boxes if low < box.y < high and abs(box.x - a.x) < 0.5]
        return abs(a.x - b.x) < 0.5 and a.y != b.y and not between

    def _direct(self, link: Link) -> bool:
        """Whether there is nothing between the two boxes."""
        a, b = sorted((self.diagram.boxes[link.a], self.diagram.boxes[link.b]), key=lambda box: box.x)
        gap = (b.x - b.width / 2) - (a.x + a.width / 2)
        between = [box for box in self.diagram.boxes if a.x < box.x < b.x and box.y == a.y]
        return gap > 0.5 and (a.y == b.y or not self._in_column(a, b)) and not between

    def _in_column(self, a: Box, b: Box) -> bool:
        return any(a.x < box.x < b.x and min(a.y, b.y) <= box.y <= max(a.y, b.y) for box in self.diagram.boxes)

    def _level(self, n: int, link: Link) -> float:
        a, b = self.diagram.boxes[link.a], self.diagram.boxes[link.b]
        near = [box for box in self.diagram.boxes if min(a.x, b.x) <= box.x <= max(a.x, b.x)]
        near = [box for box in near if box.y in (a.y, b.y)]
        return max(box.y + (2.0 if box.above else 0.9) for box in near) + 0.75 * n

    def margin(self) -> float:
        """Room that links beside a column need."""
        names = [link.element for link in self.diagram.links if self._stacked(link)]
        return max((0.8 + room(name) for name in names), default=0.0)

    # --- parts --------------------------------------------------------------------------------------------------------

    def draw(self, axes: Axes) -> None:
        """Everything: wires last, so that they find their ends, but below the rest."""
        self.axes = axes
        for box in self.diagram.boxes:
            self._box(box)
        pairs = Counter(frozenset((link.a, link.b)) for link in self.diagram.links if self._direct(link))
        done: Counter[frozenset[int]] = Counter()
        for link in self.diagram.links:
            if self._direct(link):
                pair = frozenset((link.a, link.b))
                offset = self._port(link) if link.plain else (done[pair] - (pairs[pair] - 1) / 2) * -APART
                self._between(link, offset)
                done[pair] += 1
        for n, link in enumerate(link for link in self.diagram.links if self._stacked(link)):
            self._beside(link, n)
        for n, link in enumerate(self._over()):
            self._around(link, self._level(n, link), n)
        for box in self.diagram.boxes:
            self._on(box)
        for name, place in self.diagram.signals.items():
            self._signal(name, place)
        self._wires()

    def _box(self, box: Box) -> None:
        w = box.width / 2
        if box.kind == "wall":
            self._ground((box.x, box.y), (self._behind(box), 0.0), 0.55)
            self._text(box.x, box.y - 0.75, box.names[0])
            self.at[box.names[0]] = (box.x, box.y + 0.5)
        elif not box.names:
            wide = max(w, 0.09) if box.above or box.below else 0.09
            self.axes.plot([box.x - wide, box.x + wide], [box.y, box.y], color=INK, linewidth=2.2, zorder=3)
            self.axes.plot(box.x, box.y, "o", color=INK, markersize=5, zorder=3)
        else:
            warm = self.diagram.kinds[box.names[0]] in ("thermal-mass", "fixed-temperature")
            color, style = (WARM if warm else BODY, "round") if box.kind == "node" else (PALE, "round4")
            shape: Any = f"{style},pad=0,rounding_size=0.08"
            corner = (box.x - w, box.y - HIGH)
            self.axes.add_patch(
                FancyBboxPatch(
                    corner, 2 * w, 2 * HIGH, boxstyle=shape, facecolor=color, edgecolor=INK, linewidth=1.2, zorder=3
                )
            )
            words = "\n".join(box.names) if len(box.names) < 3 else ", ".join(box.names)
            kind = self.diagram.kinds[box.names[0]]
            if box.kind == "element" and kind != words:
                words += f"\n{kind}"
            self._text(box.x, box.y, words, size=8, weight="bold" if box.kind == "node" else "normal", zorder=4)
            for name in box.names:
                self.at[name] = (box.x + 0.35 * w, box.y + HIGH)

    def _behind(self, box: Box) -> float:
        """The side of a wall on which nothing is: -1 at its left, 1 at its right."""
        boxes = self.diagram.boxes
        ends = [
            (boxes[link.a], boxes[link.b])
            for link in self.diagram.links
            if box is boxes[link.a] or box is boxes[link.b]
        ]
        return 1.0 if ends and all(min(a.x, b.x) < box.x for a, b in ends) else -1.0

    def _half(self, box: Box) -> float:
        """Half the width of what is drawn of a box."""
        return 0.0 if box.kind == "wall" else 0.09 if not (box.names or box.above or box.below) else box.width / 2

    def _between(self, link: Link, offset: float) -> None:
        a, b = self.diagram.boxes[link.a], self.diagram.boxes[link.b]
        sign = 1.0 if b.x > a.x else -1.0
        start = (a.x + sign * self._half(a), a.y + self._within(a, offset))
        end = (b.x - sign * self._half(b), b.y + self._within(b, 0.0 if link.plain else offset))
        if link.plain:
            self._flange(link, start, sign)
            bend = end[0] - sign * 0.3
            self._line([start, (bend, start[1]), (bend, end[1]), end], width=1.6)
            return
        if a.y == b.y:
            left, right = start[0] + sign * 0.25, end[0] - sign * 0.25
            y = a.y + offset
            self._line([start, (start[0] + sign * 0.12, start[1]), (start[0] + sign * 0.12, y), (left, y)])
            self._line([end, (end[0] - sign * 0.12, end[1]), (end[0] - sign * 0.12, y), (right, y)])
        else:  # across to the column of the other box, then along its row
            y = b.y + offset if abs(b.y) >= abs(a.y) else a.y + offset
            lower = b if y == b.y + offset else a
            first = start if lower is b else end
            way = sign if lower is b else -sign
            bend = first[0] + way * 0.3
            left, right = bend + way * 0.1, (end if lower is b else start)[0] - way * 0.25
            self._line([first, (bend, first[1]), (bend, y), (left, y)])
            last = end if lower is b else start
            self._line([(right, y), (last[0] - way * 0.12, y), (last[0] - way * 0.12, last[1]), last])
        self._symbol(link.element, (left, y), (right, y))
        self._text((left + right) / 2, y + 0.34, link.element, va="bottom")

    def _port(self, link: Link) -> float:
        """Height at which a flange leaves its element: those on one side below each other."""
        own = self.diagram.boxes[link.a]
        ends = [
            (self.diagram.boxes[other.b], other) for other in self.diagram.links if other.plain and other.a == link.a
        ]
        side = self.diagram.boxes[link.b].x > own.x
        beside = [other for box, other in sorted(ends, key=lambda end: -end[0].y) if (box.x > own.x) == side]
        return 0.36 * ((len(beside) - 1) / 2 - beside.index(link))

    def _flange(self, link: Link, start: Point, sign: float) -> None:
        """The name of the flange at which a line leaves an element."""
        place = (start[0] + sign * 0.08, start[1] + 0.03)
        self._text(*place, link.flange, size=5.5, ha="left" if sign > 0 else "right", va="bottom", gid="flange")

    @staticmethod
    def _within(box: Box, offset: float) -> float:
        """Height at a box at which a link ends."""
        most = HIGH - 0.08 if box.names and box.kind != "wall" else 0.45 if box.kind == "wall" else 0.0
        return float(np.clip(offset, -most, most))

    def _around(self, link: Link, y: float, n: int) -> None:
        """A link over the boxes between its ends."""
        a, b = sorted((self.diagram.boxes[link.a], self.diagram.boxes[link.b]), key=lambda box: box.x)
        start = (a.x + self._half(a) - 0.12 - 0.1 * (n % 3), a.y + (HIGH if a.names and a.kind != "wall" else 0.0))
        end = (b.x - self._half(b) + 0.12 + 0.1 * (n % 3), b.y + (HIGH if b.names and b.kind != "wall" else 0.0))
        middle, half = (start[0] + end[0]) / 2, min(0.9, max(abs(end[0] - start[0]) / 2 - 0.1, 0.2))
        if link.plain:
            own = start if a is self.diagram.boxes[link.a] else end
            self._flange(link, (own[0], own[1] + 0.05), 1.0 if own is start else -1.0)
            self._line([start, (start[0], y), (end[0], y), end], width=1.6)
            return
        self._line([start, (start[0], y), (middle - half, y)])
        self._line([(middle + half, y), (end[0], y), end])
        self._symbol(link.element, (middle - half, y), (middle + half, y))
        self._text(middle, y + 0.3, link.element, va="bottom")

    def _beside(self, link: Link, n: int) -> None:
        """A link between two boxes of one column, at their right."""
        high, low = sorted((self.diagram.boxes[link.a], self.diagram.boxes[link.b]), key=lambda box: -box.y)
        x = max(high.x + self._half(high), low.x + self._half(low)) + 0.45 + 0.5 * n
        middle = (high.y + low.y) / 2
        start = (high.x + self._half(high), high.y - (0.2 if high.names else 0.0))
        end = (low.x + self._half(low), low.y + (0.2 if low.names else 0.0))
        if link.plain:
            self._flange(link, start if high is self.diagram.boxes[link.a] else end, 1.0)
            self._line([start, (x, start[1]), (x, end[1]), end], width=1.6)
            return
        self._line([start, (x, start[1]), (x, middle + 0.6)])
        self._line([(x, middle - 0.6), (x, end[1]), end])
        self._symbol(link.element, (x, middle + 0.6), (x, middle - 0.6))
        self._text(x + 0.38, middle, link.element, ha="left")

    def _on(self, box: Box) -> None:
        """The elements above and below a box."""
        edge = HIGH if box.names else 0.0
        for names, side in ((box.above, 1.0), (box.below, -1.0)):
            x = box.x - sum(map(room, names)) / 2
            for name in names:
                middle = x + room(name) / 2
                x += room(name)
                start = (middle, box.y + side * edge)
                if side > 0:
                    self._arrow(name, start)
                else:
                    end = (middle, start[1] - HANG)
                    self._symbol(name, start, end)
                    self._ground(end, (0.0, -1.0), 0.3)
                    self._text(middle, end[1] - 0.2, name, va="top")

    # --- symbols ------------------------------------------------------------------------------------------------------

    def _arrow(self, name: str, foot: Point) -> None:
        """A drive is an arrow onto its box, a prescribed motion a bar with an arrow along it."""
        x, y = foot
        if self.diagram.symbols[name] == "motion":
            self._line([(x, y), (x, y + 0.45)], width=2.2, color=COLORS[2])
            style: Any = {"arrowstyle": "-|>", "mutation_scale": 13, "color": COLORS[2], "linewidth": 2.2}
            self.axes.add_patch(FancyArrowPatch((x - 0.4, y + 0.47), (x + 0.5, y + 0.47), zorder=3, **style))
            label = y + 0.68
        else:
            style = {"arrowstyle": "-|>", "mutation_scale": 13, "color": COLORS[1], "linewidth": 2.0}
            self.axes.add_patch(FancyArrowPatch((x, y + STAND), (x, y - 0.02), zorder=3, shrinkA=0, shrinkB=0, **style))
            label = y + STAND + 0.05
        self._text(x, label, name, va="bottom")
        self.at[name] = (x, label + 0.26)

    def _symbol(self, name: str, start: Point, end: Point) -> None:
        """The symbol of an element along the way from start to end."""
        a, b = np.array(start), np.array(end)
        length = float(np.hypot(*(b - a)))
        along = (b - a) / length
        across = np.array([-along[1], along[0]])
        kind = self.diagram.symbols[name]
        size = min(1.0, length - 0.2)
        first, last = (a + b) / 2 - along * size / 2, (a + b) / 2 + along * size / 2
        self._line([a, first])
        self._line([last, b])
        self.at[name] = tuple((a + b) / 2 + across * 0.25)
        if kind == "spring":
            self._spring(first, last, across, 0.16)
        elif kind == "damper":
            self._damper(first, last, across, 0.14)
        elif kind == "spring-damper":
            for end_point in (first, last):
                self._line([end_point - 0.17 * across, end_point + 0.17 * across])
            self._spring(first + 0.17 * across, last + 0.17 * across, across, 0.1)
            self._damper(first - 0.17 * across, last - 0.17 * across, across, 0.1)
        elif kind in ("friction", "one-way"):
            self._friction(name, first, last, across)
            if kind == "one-way":  # the way that b is free to turn
                middle = first + 0.63 * (last - first)
                way: Any = {"arrowstyle": "-|>", "mutation_scale": 9, "color": INK, "linewidth": 1.0}
                ends = tuple(middle - 0.25 * across), tuple(middle + 0.27 * across)
                self.axes.add_patch(FancyArrowPatch(*ends, shrinkA=0, shrinkB=0, zorder=3.2, **way))
        elif kind == "stop":
            self._stop(name, first, last, across)
        elif kind == "drive":
            style: Any = {"arrowstyle": "<|-|>", "mutation_scale": 12, "color": COLORS[1], "linewidth": 2.0}
            self.axes.add_patch(FancyArrowPatch(tuple(first), tuple(last), shrinkA=0, shrinkB=0, zorder=3, **style))
        else:
            corners = [first - 0.24 * across, first + 0.24 * across, last + 0.24 * across, last - 0.24 * across]
            self._fill(corners, MODE_COLORS[self.modes[name]] if name in self.modes else PALE)
            turned = 0 if abs(along[0]) > 0.5 else 90
            words = self.diagram.kinds[name].replace("-", "-\n", 1)
            x, y = (a + b) / 2
            self._text(x, y, words, size=6, rotation=turned, zorder=4, linespacing=0.95, gid="kind")

    def _spring(self, first: Any, last: Any, across: Any, high: float) -> None:
        shares = [0.0, 0.12, *np.linspace(0.18, 0.82, 8), 0.88, 1.0]
        sides = [0.0, 0.0, *([1, -1] * 4), 0.0, 0.0]
        self._line([first + s * (last - first) + high * side * across for s, side in zip(shares, sides, strict=True)])

    def _damper(self, first: Any, last: Any, across: Any, high: float) -> None:
        way = last - first
        cup, piston = first + 0.3 * way, first + 0.55 * way
        self._line([first, cup])
        self._line([cup + 0.42 * way + high * across, cup + high * across, cup - high * across])
        self._line([cup - high * across, cup + 0.42 * way - high * across])
        self._line([piston - 0.7 * high * across, piston + 0.7 * high * across], width=2.0)
        self._line([piston, last])

    def _friction(self, name: str, first: Any, last: Any, across: Any) -> None:
        """Two pads on each other; their colour is the mode."""
        color = MODE_COLORS[self.modes[name]] if name in self.modes else "white"
        way = last - first
        for low, high in ((0.26, 0.48), (0.52, 0.74)):
            near, far = first + low * way, first + high * way
            self._fill([near - 0.3 * across, near + 0.3 * across, far + 0.3 * across, far - 0.3 * across], color)
        self._line([first, first + 0.26 * way])
        self._line([first + 0.74 * way, last])
        for side in np.linspace(-0.25, 0.25, 6):  # teeth in the joint
            self._line([first + 0.46 * way + side * across, first + 0.54 * way + (side + 0.06) * across], width=0.7)

    def _stop(self, name: str, first: Any, last: Any, across: Any) -> None:
        """Two faces that meet, filled with the colour of the mode."""
        color = MODE_COLORS[self.modes[name]] if name in self.modes else "white"
        way = last - first
        self._line([first, first + 0.3 * way])
        self._line([first + 0.7 * way, last])
        for low, high in ((0.3, 0.4), (0.6, 0.7)):
            near, far = first + low * way, first + high * way
            self._fill([near - 0.3 * across, near + 0.3 * across, far + 0.3 * across, far - 0.3 * across], color)

    def _fill(self, corners: list[Any], color: str) -> None:
        self.axes.add_patch(Polygon(np.array(corners), facecolor=color, edgecolor=INK, linewidth=1.0, zorder=3))

    def _ground(self, at: Point, inward: Point, half: float) -> None:
        """A line with hatches on the side that does not move."""
        place, way = np.array(at), np.array(inward)
        along = np.array([-way[1], way[0]])
        self._line([place - half * along, place + half * along], width=1.6)
        for s in np.linspace(-half, half, max(int(half / 0.09), 4)):
            root = place + s * along
            self._line([root, root + 0.13 * way - 0.1 * along], width=0.7)

    def _signal(self, name: str, place: Point) -> None:
        box: Any = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": WIRE, "linewidth": 0.9}
        self._text(*place, name, bbox=box, color="#3b6d94", zorder=4)
        self.at[name] = place

    def _wires(self) -> None:
        """Signals and heat as thin dashed arrows."""
        wires = [*((wire, WIRE) for wire in self.diagram.wires), *((wire, HEAT) for wire in self.diagram.heat)]
        for n, ((source, user), color) in enumerate(wires):
            if (near := self._near(source, user)) is not None:
                self._wire(*near, color)
            elif source in self.at and user in self.at:
                far = max(abs(self.at[source][0] - self.at[user][0]), 1.0)
                bend = min(0.18 + 0.06 * (n % 3), (1.4 + 0.2 * (n % 3)) * RISE / far)  # an arc rises by half of it
                self._wire(
                    self.at[source], self.at[user], -bend if self.at[source][0] <= self.at[user][0] else bend, color
                )

    def _near(self, source: str, user: str) -> tuple[Point, Point, float] | None:
        """The short connection from a body to an element above or below it."""
        for box in self.diagram.boxes:
            if source in box.names and user in box.above:
                x = self.at[user][0]
                return (x + 0.34, box.y + HIGH), (x + 0.04, box.y + HIGH + 0.6 * STAND), 0.45
            if source in box.names and user in box.below:
                x = self.at[user][0] - 0.25
                return (x + 0.5, box.y - HIGH), (x + 0.28, box.y - HIGH - 0.62 * HANG), -0.45
        return None

    def _wire(self, start: Point, end: Point, bend: float, color: str) -> None:
        style: Any = {"arrowstyle": "-|>", "mutation_scale": 8, "color": color, "linewidth": 0.9}
        style |= {"connectionstyle": f"arc3,rad={bend:.2f}", "linestyle": (0, (3, 2)), "shrinkA": 0}
        self.axes.add_patch(FancyArrowPatch(start, end, zorder=3.5, **style))

    def _line(self, points: list[Any], width: float = 1.1, color: str = INK) -> None:
        x, y = np.array([np.asarray(point, float) for point in points]).T
        self.axes.plot(x, y, color=color, linewidth=width, zorder=2, solid_capstyle="round", solid_joinstyle="round")

    def _text(self, x: float, y: float, words: str, size: float = 7.5, **how: Any) -> None:
        looks: Any = {"fontsize": size, "ha": "center", "va": "center", "zorder": 4} | how
        self.axes.text(x, y, words, **looks)
