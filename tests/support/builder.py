"""What generators of random machines share: numbers with few digits, names, and couplings that do not contradict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .kinds import Kinds

Plain = dict[str, Any]

T_END = 1.0
"""Length of a run (s)."""


class Machine(NamedTuple):
    """A generated machine: what a model file holds, and which of its elements are images of each other.

    Results of all elements in one of `images` are equal; "-name" is an image with the opposite sign.
    """

    plain: Plain
    images: tuple[tuple[str, ...], ...] = ()


class Draw:
    """Random numbers with few digits, so that a failing machine can be read.

    >>> Draw(np.random.default_rng(1)).between(0.1, 10)
    1.06
    """

    def __init__(self, rng: np.random.Generator, kinds: Kinds | None = None) -> None:
        self.rng = rng
        self.kinds = kinds

    def between(self, low: float, high: float) -> float:
        """A number that is as likely in every octave."""
        return float(f"{low * (high / low) ** self.rng.random():.3g}")

    def signed(self, low: float, high: float) -> float:
        return self.between(low, high) * (1 if self.rng.random() < 0.5 else -1)

    def one(self, *options: Any) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def kind(self, registered: Iterable[str]) -> str:
        """A law or element; only one of `kinds`, if they are given."""
        return str(self.one(*(kind for kind in registered if self.kinds is None or kind in self.kinds)))

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)


class EqualDraw(Draw):
    """Numbers from the same range are equal: a machine of equal parts."""

    def __init__(self, rng: np.random.Generator, kinds: Kinds | None = None) -> None:
        super().__init__(rng, kinds)
        self._known: dict[tuple[float, float], float] = {}

    def between(self, low: float, high: float) -> float:
        """The number that was drawn first from this range."""
        return self._known.setdefault((low, high), super().between(low, high))


class Builder:
    """Adds element by element, and keeps the rows of the couplings: what they fix is not fixed twice."""

    def __init__(self, draw: Draw, name: str) -> None:
        self.name = name
        self.draw = draw
        self.elements: dict[str, Plain] = {}
        self.signals: Plain = {}
        self.connect: list[list[str]] = []
        self.bodies: list[str] = []
        self.turning: list[str] = []
        """Places that turn: inertias, prescribed motions, flanges of gears."""
        self.column: dict[str, int] = {}
        self.rows: list[dict[str, float]] = []
        """Couplings and prescribed motions: sum of factor times speed."""
        self.moved: dict[str, float] = {}
        """Prescribed places with their speeds at the start."""

    def plain(self) -> Plain:
        """What a model file holds."""
        plain: Plain = {"name": self.name, "signals": self.signals, "elements": self.elements, "connect": self.connect}
        return {key: value for key, value in plain.items() if value}

    def put(self, stem: str, kind: str, **values: Any) -> str:
        name = f"{stem}{sum(key.startswith(stem) for key in self.elements)}"
        self.elements[name] = {"type": kind} | values
        return name

    def place(self, name: str, turns: bool = True) -> None:
        self.column[name] = len(self.column)
        if turns:
            self.turning.append(name)

    def fixes(self, row: dict[str, float]) -> bool:
        """Takes up an equation between speeds, if the others leave it open and it lets everything move."""
        rows = [*self.rows, row]
        if np.linalg.matrix_rank(self.matrix(rows), tol=1e-6) < len(rows):
            return False
        couplings = self.matrix([entries for entries in rows if len(entries) > 1])
        _, sizes, base = np.linalg.svd(couplings)
        motions = base[int((sizes > 1e-9).sum()) :]
        if len(row) > 1 and any(np.linalg.norm(motions[:, self.column[name]]) < 1e-6 for name in self.column):
            return False
        self.rows.append(row)
        return True

    def matrix(self, rows: list[dict[str, float]]) -> np.ndarray:
        matrix = np.zeros((len(rows), len(self.column)))
        for i, entries in enumerate(rows):
            for name, factor in entries.items():
                matrix[i, self.column[name]] += factor
        return matrix

    def pick(self, count: int) -> list[str]:
        """Places that turn, near each other as likely as not."""
        order = self.draw.rng.permutation(len(self.turning))
        if self.draw.chance(0.5):
            first = int(self.draw.rng.integers(len(self.turning)))
            order = np.argsort(np.abs(np.arange(len(self.turning)) - first), kind="stable")
        return [self.turning[i] for i in order[:count]]

    def set_starts(self) -> None:
        """Random speeds that fulfil the couplings and motions, stated for every body."""
        names = list(self.column)
        size = self.draw.one(0.0, 0.0, 1.0, 10.0)
        speed = np.array([float(f"{v:.2g}") for v in size * self.draw.rng.standard_normal(len(names))])
        if self.rows:
            matrix = self.matrix(self.rows)
            target = np.array([self.moved.get(next(iter(row)), 0.0) if len(row) == 1 else 0.0 for row in self.rows])
            speed -= np.linalg.lstsq(matrix, matrix @ speed - target, rcond=None)[0]
        for name in self.bodies:
            word = "w0" if self.elements[name]["type"] == "Inertia" else "v0"
            self.elements[name][word] = float(round(speed[self.column[name]], 13))
