"""Designs: the points of a sweep."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from ..errors import SpecError

MOST_POINTS = 100_000_000
"""Points of a design: their values alone are 800 MB per parameter."""


@dataclass(frozen=True)
class Design:
    """Points of parameters, by their paths: one column each. The columns of a grid are the products of its `axes`.

    >>> grid({"spring.c": [1, 2, 3], "pull.w": [0.1, 0.2]}).points
    6
    """

    columns: dict[str, np.ndarray]
    axes: dict[str, np.ndarray]
    """Values along each axis of a grid; empty for other designs."""

    def __post_init__(self) -> None:
        lengths = {path: len(column) for path, column in self.columns.items()}
        if not lengths or len(set(lengths.values())) > 1:
            raise SpecError(f"sweep: one value per point is needed for each parameter (numbers of values: {lengths})")
        if not self.points:
            raise SpecError("sweep: the design has no points")
        for path, column in self.columns.items():
            if (
                column.ndim != 1
                or column.dtype.kind not in "iufO"
                or not (column.dtype.kind == "O" or np.isfinite(column).all())
            ):
                raise SpecError(f"sweep: {path} needs finite numbers, or texts with units, one per point")

    def resolved(self, to_number: Callable[[str, Any], tuple[str, float]]) -> Design:
        """The design in SI, with the paths of parameters without aliases: `to_number` gives both."""

        def all_of(columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
            found = {}
            for path, column in columns.items():
                name = to_number(path, column[0])[0]
                if name in found:
                    raise SpecError(f"sweep: {path} is {name}, which is there already; name each parameter once")
                texts = column.dtype.kind == "O"
                found[name] = np.array([to_number(path, value)[1] for value in column]) if texts else column
            return found

        return Design(all_of(self.columns), all_of(self.axes))

    @property
    def points(self) -> int:
        """How many there are."""
        return len(next(iter(self.columns.values())))

    @property
    def table(self) -> np.ndarray:
        """A row per point."""
        return np.column_stack([np.asarray(column, float) for column in self.columns.values()])


def _listed(path: str, values: Any) -> np.ndarray:
    """Values of a parameter: numbers in SI, or texts with units."""
    if isinstance(values, str) or not hasattr(values, "__len__"):
        raise SpecError(f"sweep: {path} = {values!r} is one value; give a list, for instance numpy.linspace(1, 4, 50)")
    if any(np.ndim(value) for value in values):
        raise SpecError(f"sweep: {path} needs one number for each of its values; sb.batch takes lists of numbers too")
    texts = any(isinstance(value, str) for value in values)
    return np.array(list(values), object) if texts else np.asarray(values, float)


def grid(values: Mapping[str, Any]) -> Design:
    """All combinations of values, one list per parameter; the last varies fastest.

    >>> grid({"spring.c": [1, 2], "pull.w": [0.1, 0.2]}).columns["pull.w"]
    array([0.1, 0.2, 0.1, 0.2])
    """
    axes = {path: _listed(path, row) for path, row in values.items()}
    total = int(np.prod([float(axis.size) for axis in axes.values()]))
    if total > MOST_POINTS:
        raise SpecError(f"sweep: the grid has {total:.3g} points; {MOST_POINTS:g} are the limit")
    mesh = np.meshgrid(*axes.values(), indexing="ij")
    return Design(dict(zip(axes, (part.ravel() for part in mesh), strict=True)), axes)


def listed(values: Mapping[str, Any]) -> Design:
    """Points one by one: the first values of all parameters, the second ones, and so on.

    >>> listed({"spring.c": [1, 2], "pull.w": [0.1, 0.2]}).points
    2
    """
    return Design({path: _listed(path, row) for path, row in values.items()}, {})


def latin_hypercube(ranges: Mapping[str, Sequence[float]], n: int, seed: int = 0) -> Design:
    """n points that fill a box: every parameter has one value in each of n equal parts of its range (low, high).

    >>> latin_hypercube({"spring.c": (1, 4), "pull.w": (0.05, 0.2)}, 100).points
    100
    """
    from scipy.stats import qmc

    return _scaled(ranges, qmc.LatinHypercube(len(ranges), rng=np.random.default_rng(seed)).random(_count(n)))


def sobol(ranges: Mapping[str, Sequence[float]], n: int, seed: int = 0) -> Design:
    """The first n points of a scrambled Sobol sequence in a box of ranges (low, high). A larger n adds points to those
    of a smaller one; powers of two fill the box best.

    >>> sobol({"spring.c": (1, 4), "pull.w": (0.05, 0.2)}, 128).points
    128
    """
    from scipy.stats import qmc

    whole = 1 << (_count(n) - 1).bit_length()
    return _scaled(ranges, qmc.Sobol(len(ranges), rng=np.random.default_rng(seed)).random(whole)[: int(n)])


def monte_carlo(means: Mapping[str, float], covariance: Any, n: int, seed: int = 0) -> Design:
    """n draws from a normal distribution: values of parameters and their covariance, as a fit gives them. A larger n
    adds points to those of a smaller one.

    >>> monte_carlo({"spring.c": 2.0, "friction.law.mu_s": 1.5}, [[1e-4, 0], [0, 1e-4]], 50).points
    50
    """
    matrix = np.atleast_2d(np.asarray(covariance, float))
    if matrix.shape != (len(means), len(means)) or not np.allclose(matrix, matrix.T):
        raise SpecError(
            f"sweep: the covariance must be symmetric, {len(means)} x {len(means)}, in the order of the means"
        )
    values, vectors = np.linalg.eigh(matrix)
    if values.min() < -1e-12 * max(values.max(), 0.0):
        raise SpecError(f"sweep: the covariance has the negative eigenvalue {values.min():.3g}")
    normal = np.random.default_rng(seed).standard_normal((_count(n), len(means)))
    points = np.array(list(means.values())) + normal @ (vectors * np.sqrt(np.maximum(values, 0.0))).T
    return Design(dict(zip(means, points.T, strict=True)), {})


def _count(n: int) -> int:
    if not isinstance(n, int | np.integer) or not 0 < n <= MOST_POINTS:
        raise SpecError(f"sweep: {n!r} points are not possible; give a whole number from 1 to {MOST_POINTS:g}")
    return int(n)


def _scaled(ranges: Mapping[str, Sequence[float]], share: np.ndarray) -> Design:
    columns = {}
    for (path, ends), column in zip(ranges.items(), share.T, strict=True):
        if len(ends) != 2 or not all(isinstance(end, Real) for end in ends) or not ends[0] < ends[1]:
            raise SpecError(f"sweep: the range of {path} must be (low, high) in SI, not {ends!r}")
        columns[path] = ends[0] + (ends[1] - ends[0]) * column
    return Design(columns, {})


def design_of(values: Design | Mapping[str, Any]) -> Design:
    """A design as it is, or the grid of some values.

    >>> design_of({"spring.c": [1, 2]}).points
    2
    """
    return values if isinstance(values, Design) else grid(values)
