"""An experiment on the bench: the curves that it measures, and the properties of friction that follow from them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

import numpy as np

from ...laws import Law
from ...results.data_table import DataTable
from .bench import STILL, LawBench

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOTICED = 0.01
"""A change of friction by this share is a change."""


class PropertyVerdict(NamedTuple):
    """Whether a law has a property of friction (None: the experiment cannot be made with it), and the measured reason.

    >>> sb.analysis.friction_properties(sb.Switch(), "presliding")["presliding"]
    PropertyVerdict(has=False, reason='does not move below break-away')
    """

    has: bool | None
    reason: str


class PlotAxis(NamedTuple):
    """What an axis shows: quantity and unit; on a logarithmic scale, if `log`; not from 0 on, if `close`.

    >>> sb.analysis.tribometer("lugre")["velocity sines"].x.unit
    'm/s'
    """

    quantity: str
    unit: str
    log: bool = False
    close: bool = False

    @property
    def text(self) -> str:
        """Quantity and unit.

        >>> sb.analysis.tribometer("lugre")["velocity sines"].x.text
        'slip velocity / (m/s)'
        """
        from ...results.style import label

        return label(self.unit, self.quantity)


class MeasuredCurve(NamedTuple):
    """A curve over the axes of its experiment: a trace, or separate points (`points`); `faint` if it is a reference.

    >>> curve = sb.analysis.tribometer("lugre")["steady sliding"].curves[0]
    >>> curve.name, curve.x.size == curve.y.size
    ('constant speeds', True)
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    points: bool = False
    faint: bool = False


class PlotMark(NamedTuple):
    """A marked range of an axis (x or y), or a single value of it."""

    axis: str
    low: float
    high: float
    text: str


def without_rounding(place: np.ndarray) -> np.ndarray:
    """Displacements (m), those that are rounding as 0.

    >>> without_rounding(np.array([1e-16, 1e-6]))
    array([0.e+00, 1.e-06])
    """
    return np.where(np.abs(place) < STILL, 0.0, place)


FRICTION = PlotAxis("friction", "N")
DISPLACEMENT = PlotAxis("displacement", "m")


@dataclass(frozen=True, eq=False)
class Experiment:
    """What an experiment has measured. Its subclasses are the experiments of the tribometer.

    >>> sines = sb.analysis.tribometer("lugre")["velocity sines"]
    >>> [curve.name for curve in sines.curves]
    ['0.1 Hz', '1 Hz', '10 Hz', '100 Hz', 'constant speeds']
    >>> sines.verdicts["frictional memory"].has
    True
    """

    name: ClassVar[str]
    text: ClassVar[str]
    """What is done, and the question."""
    criteria: ClassVar[dict[str, str]] = {}
    """The properties that follow from it, and what counts as having them."""
    x: ClassVar[PlotAxis]
    y: ClassVar[PlotAxis] = FRICTION

    curves: tuple[MeasuredCurve, ...]

    @classmethod
    def applies(cls, law: Law) -> bool:
        """Whether the experiment makes sense with a law: all do, unless they say otherwise.

        >>> "capture" in sb.analysis.tribometer("karnopp").experiments
        True
        """
        return True

    @classmethod
    def measure(cls, bench: LawBench) -> Self:
        """Runs the experiment; `of` keeps what it returns.

        >>> from stribeck.analysis.laboratory.vibration import Vibration
        >>> Vibration.measure(bench).verdicts["stiction"].has
        False
        """
        raise NotImplementedError

    @classmethod
    def of(cls, bench: LawBench) -> Self:
        """The experiment on this bench, which is made once.

        >>> from stribeck.analysis.laboratory.vibration import Vibration
        >>> Vibration.of(bench) is Vibration.of(bench)
        True
        """
        if cls not in bench.experiments:
            bench.experiments[cls] = cls.measure(bench)
        found: Self = bench.experiments[cls]
        return found

    @property
    def verdicts(self) -> dict[str, PropertyVerdict]:
        """The properties that follow from the curves.

        >>> sb.analysis.tribometer("switch")["vibration"].verdicts
        {'stiction': PropertyVerdict(has=True, reason='does not move')}
        """
        return {}

    @property
    def marks(self) -> tuple[PlotMark, ...]:
        """What a picture marks besides the curves.

        >>> sb.analysis.tribometer("karnopp")["capture"].marks[0].text
        'window 0.0001 m/s'
        """
        return ()

    def curve(self, name: str) -> MeasuredCurve:
        """A curve by its name.

        >>> sb.analysis.tribometer("lugre")["velocity sines"].curve("10 Hz").y.max()
        1.308
        """
        return {curve.name: curve for curve in self.curves}[name]

    def table(self) -> DataTable:
        """All points of all curves.

        >>> sb.analysis.tribometer("risingstribeck")["time at rest"].table().heads
        ['curve', 'time at rest until break-away / s', 'break-away friction / N']
        """
        rows = [[c.name, x, y] for c in self.curves for x, y in zip(c.x.tolist(), c.y.tolist(), strict=True)]
        return DataTable(["curve", self.x.text, self.y.text], rows)

    def plot(self, path: str | Path | None = None) -> Figure:
        """A picture of the curves.

        >>> sb.analysis.tribometer("gms")["nested loops"].plot("loops.png")
        """
        from .experiment_plot import plot_experiment

        return plot_experiment(self, path)
