"""Signals: functions of time, of sensors and of each other that drive sources, motions and loads."""

from ._declare import Operand, Operands, Scope, Signal, argument, bind_operands, build, shown, within
from ._graph import Graph
from .arithmetic import Gain, Polynomial, Power, Product, Quotient, Sum
from .comparison import And, Compare, Not, Or
from .constant import Constant
from .extremes import Maximum, Minimum
from .function import Function
from .limits import DeadZone, Saturation
from .named import Named
from .ramp import Ramp
from .sensor import Sensor
from .sine import Sine
from .step import Step
from .table import Table
from .where import Where

SIGNALS: tuple[type[Signal], ...] = (
    *(Constant, Step, Ramp, Sine, Table),
    *(Sensor, Named),
    *(Sum, Gain, Product, Quotient, Power, Polynomial, Function),
    *(Compare, And, Or, Not, Where, Minimum, Maximum, Saturation, DeadZone),
)

__all__ = [
    "And",
    "Compare",
    "Constant",
    "DeadZone",
    "Function",
    "Gain",
    "Graph",
    "Maximum",
    "Minimum",
    "Named",
    "Not",
    "Operand",
    "Operands",
    "Or",
    "Polynomial",
    "Power",
    "Product",
    "Quotient",
    "Ramp",
    "Saturation",
    "Scope",
    "Sensor",
    "Signal",
    "Sine",
    "Step",
    "Sum",
    "Table",
    "Where",
    "all_signals",
    "argument",
    "bind_operands",
    "build",
    "shown",
    "within",
]


def all_signals() -> dict[str, type[Signal]]:
    """Every signal by its name, as it is called in model files.

    >>> list(all_signals())[:5]
    ['Constant', 'Step', 'Ramp', 'Sine', 'Table']
    """
    return {signal.__name__: signal for signal in SIGNALS}
