"""Signals: functions of time that drive sources, motions and loads."""

from ..declare import Series
from ._declare import Signal, argument
from .constant import Constant
from .ramp import Ramp
from .sine import Sine
from .step import Step
from .table import Table

__all__ = ["Constant", "Ramp", "Series", "Signal", "Sine", "Step", "Table", "all_signals", "argument"]


def all_signals() -> dict[str, type[Signal]]:
    """Every signal by its name, in the order of the kernel's operations.

    >>> list(all_signals())
    ['Constant', 'Step', 'Ramp', 'Sine', 'Table']
    """
    return {signal.__name__: signal for signal in (Constant, Step, Ramp, Sine, Table)}
