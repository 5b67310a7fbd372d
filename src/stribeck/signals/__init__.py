"""Signals: functions of time, sensors and other signals that drive sources, motions and loads; one file each. A file in
this folder is registered automatically.

>>> from stribeck.signals import Sine, all_signals
>>> all_signals()["Sine"] is Sine
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._graph import Graph
from ._matrix import Matrix
from .linear_system import linear_system
from .recording import Column
from .signal import EXPRESSIONS, Operand, Operands, Scope, Signal, bind_operands, shown, within

__all__ = [
    "EXPRESSIONS",
    "Column",
    "Graph",
    "Matrix",
    "Operand",
    "Operands",
    "Scope",
    "Signal",
    "all_signals",
    "bind_operands",
    "linear_system",
    "shown",
    "within",
]


def all_signals() -> dict[str, type[Signal]]:
    """Every signal by its name in model files, group by group.

    >>> list(all_signals())[:3]
    ['Chirp', 'Constant', 'Pulse']
    """
    return Signal.registry.all()


if not TYPE_CHECKING:  # typed code imports a signal from its file, or from stribeck
    __getattr__, __dir__ = Signal.registry.as_attributes(__name__, __all__)
