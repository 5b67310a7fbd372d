"""Signals: functions of time, of sensors and of each other that drive sources, motions and loads."""

from ._declare import Operand, Operands, Scope, Signal, argument, bind_operands, build, shown, within
from ._graph import Graph
from ._matrix import Matrix
from .arithmetic import Gain, Polynomial, Power, Product, Quotient, Sum
from .chirp import Chirp
from .comparison import And, Compare, Not, Or
from .constant import Constant
from .delay import Delay
from .derivative import Derivative
from .external import External
from .extremes import Maximum, Minimum
from .function import Function
from .integral import Integral
from .limits import DeadZone, Saturation
from .linear_system import StateSpace, TransferFunction, linear_system
from .lookup import Lookup
from .low_pass import LowPass
from .map import Map
from .named import Named
from .pid import PID
from .pulse import Pulse, Square
from .quantiser import Quantiser
from .ramp import Ramp
from .recording import Column, Recording
from .relay import Relay
from .sample_hold import SampleHold
from .sensor import Sensor
from .sine import Sine
from .step import Step
from .table import Table
from .time import Time
from .where import Where

SIGNALS: tuple[type[Signal], ...] = (
    *(Constant, Step, Ramp, Sine, Table, Recording, Chirp, Pulse, Square, Time),
    *(Sensor, Named, External),
    *(Sum, Gain, Product, Quotient, Power, Polynomial, Function, Lookup, Map),
    *(Compare, And, Or, Not, Where, Minimum, Maximum, Saturation, DeadZone, Quantiser, Relay, SampleHold, Delay),
    *(Integral, Derivative, LowPass, PID, TransferFunction, StateSpace),
)
"""The registry: what a model file may call by its type."""

__all__ = [
    "PID",
    "And",
    "Chirp",
    "Column",
    "Compare",
    "Constant",
    "DeadZone",
    "Delay",
    "Derivative",
    "External",
    "Function",
    "Gain",
    "Graph",
    "Integral",
    "Lookup",
    "LowPass",
    "Map",
    "Matrix",
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
    "Pulse",
    "Quantiser",
    "Quotient",
    "Ramp",
    "Recording",
    "Relay",
    "SampleHold",
    "Saturation",
    "Scope",
    "Sensor",
    "Signal",
    "Sine",
    "Square",
    "StateSpace",
    "Step",
    "Sum",
    "Table",
    "Time",
    "TransferFunction",
    "Where",
    "all_signals",
    "argument",
    "bind_operands",
    "build",
    "linear_system",
    "shown",
    "within",
]


def all_signals() -> dict[str, type[Signal]]:
    """Every signal by its name, as it is called in model files.

    >>> list(all_signals())[:5]
    ['Constant', 'Step', 'Ramp', 'Sine', 'Table']
    """
    return {signal.__name__: signal for signal in SIGNALS}
