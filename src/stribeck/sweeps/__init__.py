"""Sweeps: designs of many points, their results in a store, pictures of them; attractors along a parameter.

>>> from stribeck import sweeps
>>> design = sweeps.sobol({"spring.c": (1, 4), "pull.w": (0.05, 0.2)}, 64)
>>> study = sb.sweep("stick-slip", design, ["mass.w:max"], store="study")
>>> sweeps.read("study")["mass.w:max"].size
64
"""

from pathlib import Path

from ..arguments import guard
from .continuation import Continuation, continuation
from .design import Design, grid, latin_hypercube, listed, monte_carlo, sobol
from .store import Store
from .study import Study
from .sweep import sweep

__all__ = [
    "Continuation",
    "Design",
    "Study",
    "continuation",
    "grid",
    "latin_hypercube",
    "listed",
    "monte_carlo",
    "read",
    "sobol",
    "sweep",
]


def read(folder: str | Path) -> Study:
    """The results in the store of a sweep, as far as it has come.

    >>> read("study").design.points
    64
    """
    return Study.read(Store.reopen(folder))


guard(globals(), __all__)
