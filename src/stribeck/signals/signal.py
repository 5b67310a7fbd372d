"""Base class of signals: functions of time, sensors and other signals, evaluated by the kernel as a few nodes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from hashlib import sha256
from inspect import Signature
from math import inf, isfinite
from pathlib import Path
from typing import Any, ClassVar, Self

from ..declare import Changing, Param, Values, argument
from ..errors import SpecError, shortened
from ..registry import Registered, Registry
from ..traced import Traced, value_of
from ._graph import Graph
from ._once import remember_answers
from ._operators import Arithmetic

NAME = re.compile(r"[^\W\d][\w-]*(?P<quantity>\.\w+)?")
"""A text that means a named signal ("u") or, with a quantity, a sensor ("mass.w")."""

EXPRESSIONS = "expressions"
"""The group of signals that operators make; their names appear in model files only."""


@dataclass(frozen=True)
class Scope:
    """What a signal can refer to: named signals, elements, and files in a folder.

    >>> Scope(path="motor").at("tau").path
    'motor.tau'
    """

    path: str = ""
    """The path "motor.tau"; states of the signal are named after it."""
    signals: Mapping[str, Signal] = field(default_factory=dict)
    """Named signals; complete when all signals are bound."""
    elements: Collection[str] | None = None
    """Names of the elements; None: any may be sensed."""
    folder: Path = field(default_factory=Path)
    """The folder that relative paths refer to."""
    confined: bool = False
    """Whether files must be in that folder or below."""
    bound: dict[tuple[int, str], tuple[Signal, Signal]] = field(default_factory=dict)
    """Bound signals by signal and unit: a signal that is used twice is bound once."""

    def at(self, name: str) -> Scope:
        """The scope of a path within this one."""
        return replace(self, path=f"{self.path}.{name}" if self.path else name)


@dataclass(frozen=True)
class Bindable(Param):
    """A parameter with signals, which are bound in a scope.

    >>> isinstance(Operand(None, "1", "input"), Bindable)
    True
    """

    def bind(self, value: Any, units: Mapping[str, str], owner: str, name: str, scope: Scope) -> Any:
        """The value with its signals bound to this path."""
        raise NotImplementedError


@dataclass(frozen=True)
class Operand(Bindable):
    """A parameter that is a signal; a number or a text such as "3 N.m" is a constant signal.

    A name means a named signal of the model, "mass.w" a sensor.

    >>> u = Operand(None, "{value}", "input")
    """

    numeric: ClassVar[bool] = False

    def accept(self, value: object, owner: str, name: str) -> Signal:
        """The value as a signal."""
        if isinstance(value, Signal):
            return value
        from .constant import Constant
        from .named import Named
        from .sensor import Sensor

        if isinstance(value, Mapping):
            return Signal.registry.build(value, f"{owner}, {name}")
        if isinstance(value, type) and issubclass(value, Signal):
            raise SpecError(f"{owner}: {name} = {value.__name__} is the kind of signal; write {value.__name__}(...)")
        if isinstance(value, str) and (word := NAME.fullmatch(value.strip())):
            return Sensor(word[0]) if word["quantity"] else Named(word[0])
        if isinstance(value, bool) or not (isinstance(value, str) or hasattr(value, "__float__")):
            text = " ".join(repr(value).split())
            raise SpecError(f"{owner}: {name} = {text} must be a signal, a number or a text such as '3 N.m'")
        return Constant(value=Param(None, "", self.text).accept(value, owner, name))

    def to_si(self, value: object, units: Mapping[str, str], owner: str, name: str) -> Any:
        """The signal; its numbers become SI when it is bound."""
        return self.accept(value, owner, name)

    def bind(self, value: Any, units: Mapping[str, str], owner: str, name: str, scope: Scope) -> Any:
        """The signal, bound to this path; a signal that occurs several times in an expression is bound once."""
        unit = self.unit.format_map(units)
        if value.reads_outside:
            return value.bind(unit, within(owner, name), scope.at(name))
        key = id(value), unit
        if key not in scope.bound:
            scope.bound[key] = value, value.bind(unit, within(owner, name), scope.at(name))
        return scope.bound[key][1]


@dataclass(frozen=True)
class Operands(Operand):
    """A parameter that is a list of signals.

    >>> terms = Operands(None, "{value}", "the terms")
    """

    def accept(self, value: Any, owner: str, name: str) -> Any:
        """The values as a list of signals."""
        if not isinstance(value, list | tuple) or not value:
            raise SpecError(f"{owner}: {name} = {value!r} must be a list of signals, for instance {name}=['mass.w', 1]")
        return [Operand.accept(self, entry, owner, f"{name}.{i}") for i, entry in enumerate(value)]

    def bind(self, value: Any, units: Mapping[str, str], owner: str, name: str, scope: Scope) -> Any:
        """The signals, bound to this path."""
        return [Operand.bind(self, entry, units, owner, f"{name}.{i}", scope) for i, entry in enumerate(value)]


class Signal(Arithmetic, Registered, Changing, registered=False):
    """Base of all signals. The unit of the value is that of the parameter it is given for.

    A signal is lowered to nodes of the kernel: by default one node with the operation `op`, the operands in order of
    declaration and the numbers `data`; `lower` can be overridden. A function of time alone (`time_only`) also has its
    formula in Python (`at`, `rate`, ...), which is used to check initial values and to test the kernel.

    >>> Torque(mass, tau=Sine(amplitude="3 N.m", f=2) - 0.1 * Sensor("mass.w"))
    """

    registry: ClassVar[Registry[Signal]] = Registry(
        "signal", __package__, ("time", "references", EXPRESSIONS, "functions", "limits", "memory", "dynamics")
    )
    op: ClassVar[str]
    memory: ClassVar[bool] = False
    """Whether the value depends on the past."""
    from_outside: ClassVar[bool] = False
    """Whether the value is set from outside: equal signals at two places are two inputs."""
    answers: dict[str, tuple[list[object], object]]
    """Cache of last answers (`once`): signals are graphs, and a part may be reached along many paths."""
    p: Values
    """Parameters in SI and bound operands, set by `bind`."""
    path: str
    """The path in the model, such as "motor.tau", set by `bind`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        remember_answers(cls)
        cls.__signature__ = Signature([argument(*item, keyword=False) for item in cls.params.items()])  # type: ignore[attr-defined]

    def __init__(self, *values: object, **named: object) -> None:
        if len(values) > len(self.params):
            raise SpecError(f"{type(self).__name__} takes at most {len(self.params)} values: {', '.join(self.params)}")
        ordered = dict(zip(self.params, values, strict=False))
        for name in ordered:
            if name in named:
                raise SpecError(f"{type(self).__name__}: {name} is given twice; drop {name}={named[name]!r}")
        super().__init__(**ordered, **named)

    def bind(self, unit: str, owner: str, scope: Scope | None = None) -> Signal:
        """A copy for a parameter in `unit`, with its own parameters in SI and its operands bound as `.p`.

        If the unit is empty, texts are converted to SI by the units they contain.
        """
        scope = scope or Scope()
        bound = copy(self)
        bound.answers = {}
        bound.path = scope.path
        units = {"value": unit}
        bound.p = self.resolve(units, owner)
        bind_operands(bound, units, owner, scope)
        return bound

    @classmethod
    def ready(cls, path: str, **values: object) -> Self:
        """A bound signal from SI numbers and bound operands, for signals that are made of others."""
        made = cls.__new__(cls)
        made.given, made.path = values, path
        made.p = Values(**{name: values.get(name, param.default) for name, param in cls.params.items()})
        return made

    @property
    def operands(self) -> list[Signal]:
        """The signals that this one reads, in order of declaration; bound if this one is."""
        source = self.p if hasattr(self, "p") else self
        read: list[Signal] = []
        for name, param in self.params.items():
            value = getattr(source, name)
            if isinstance(param, Operand) and value is not None:
                value = param.accept(value, type(self).__name__, name)
                read += value if isinstance(value, list) else [value]
        return read

    @property
    def direct(self) -> list[Signal]:
        """The operands with immediate effect on the value: all, unless there is a state in between."""
        return self.operands

    @property
    def time_only(self) -> bool:
        """Whether it is a function of time alone, without memory; only then `at`, `rate`, ... are valid."""
        return not self.memory and all(operand.time_only for operand in self.operands)

    @property
    def prescribable(self) -> bool:
        """Whether it is a function of time and of inputs from outside alone, without memory."""
        return not self.memory and all(operand.prescribable for operand in self.operands)

    @property
    def reads_outside(self) -> bool:
        """Whether any part of it is set from outside."""
        return self.from_outside or any(operand.reads_outside for operand in self.operands)

    @property
    def logical(self) -> bool:
        """Whether it is a condition: 1 or 0, changing at events only."""
        return False

    @property
    def tight(self) -> bool:
        """Whether the bounds of `span` are attained; a function of several changing signals cannot guarantee that."""
        return not self.operands

    @property
    def shorthand(self) -> object:
        """Its shortest written form: a number or a name if possible, else itself."""
        return self

    def walk(self) -> Iterator[Signal]:
        """This signal and all its parts, each once."""
        waiting: list[Signal] = [self]
        seen: dict[int, Signal] = {}  # the signals are kept alive, so that their ids stay unique
        while waiting:
            signal = waiting.pop()
            if id(signal) not in seen:
                seen[id(signal)] = signal
                yield signal
                waiting += reversed(signal.operands)

    def key(self) -> str:
        """A short text that is equal for equal declarations."""
        values = [(name, _key(value)) for name, value in self.given.items()]
        return sha256(repr((type(self).__name__, values)).encode()).hexdigest()

    def lower(self, graph: Graph) -> int:
        """The number of the node of the value; needs `.p`."""
        return graph.node(self.op, [graph.lower(operand) for operand in self.operands], self.data())

    def data(self) -> list[float]:
        """The numbers that the kernel needs, in its order."""
        return []

    def at(self, t: float) -> float:
        """Value at time t (s); at a jump the value after it."""
        raise NotImplementedError

    def rate(self, t: float) -> float:
        """Time derivative at t (s); at a kink the one after it."""
        raise NotImplementedError

    def span(self) -> tuple[float, float]:
        """Bounds of the value for t >= 0: the smallest and the largest one if it is `tight`."""
        raise NotImplementedError

    def bounds(self) -> tuple[float, float] | None:
        """Bounds of the value if known before the run: of a function of time, or from its limits."""
        return self.span() if self.time_only else None

    def typical(self) -> float | None:
        if not hasattr(self, "p"):
            return self.bind("", type(self).__name__).typical()
        try:
            value = self.at(0.0)
            return value if isfinite(value_of(value)) else None
        except (NotImplementedError, ArithmeticError, ValueError):  # it has a memory, or no value there
            low, high = self.bounds() or (-inf, inf)
            return (low + high) / 2 if isfinite(value_of(low)) and isfinite(value_of(high)) else None

    @property
    def sensed(self) -> str:
        """The quantity of the machine that it measures, such as "mass.phi", quantised or not; "" if none."""
        return ""

    @property
    def resolution(self) -> float | None:
        """The quantisation step, if any; needs `.p`."""
        return None

    @property
    def sample_time(self) -> float | None:
        """The sample time (s), if it is sampled; needs `.p`."""
        return None

    def jumps(self) -> bool:
        """Whether the value can jump at some t > 0."""
        return any(operand.jumps() for operand in self.operands)

    def kinks(self) -> bool:
        """Whether the slope can jump at some t > 0."""
        return any(operand.kinks() for operand in self.operands)

    def __eq__(self, other: object) -> bool:
        bound = getattr(self, "p", None), getattr(other, "p", None)
        return type(other) is type(self) and self.given == other.given and bound[0] == bound[1]

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={written(value, DEEPEST_SHOWN)}" for name, value in self.given.items())
        return shortened(f"{type(self).__name__}({values})")


remember_answers(Signal)

DEEPEST_SHOWN = 3
"""Levels of an expression that are shown."""


def written(value: object, depth: int) -> str:
    """A parameter or signal as text; deeper levels are omitted.

    >>> written(1 + Sine(amplitude=1, f=2), 1)
    'Sum(terms=[1, ...])'
    """
    value = shown(value)
    if isinstance(value, list) and any(isinstance(entry, Signal) for entry in value):
        return f"[{', '.join(written(entry, depth) for entry in value)}]"
    if not isinstance(value, Signal):
        return repr(value)
    if depth == 0:
        return "..."
    values = ", ".join(f"{name}={written(entry, depth - 1)}" for name, entry in value.given.items())
    return f"{type(value).__name__}({values})"


def _key(value: object) -> object:
    """A parameter for `Signal.key`."""
    if isinstance(value, Traced):
        return value.node
    value = shown(value)
    if isinstance(value, list):
        return [_key(entry) for entry in value]
    return value.key() if isinstance(value, Signal) else repr(value)


def bind_operands(bound: Any, units: Mapping[str, str], owner: str, scope: Scope) -> None:
    """Binds the signals among the parameters `bound.p` of a signal or an element."""
    for name, param in bound.params.items():
        value = getattr(bound.p, name)
        if isinstance(param, Bindable) and value is not None:
            setattr(bound.p, name, param.bind(value, units, owner, name, scope))


def within(owner: str, name: str) -> str:
    """A path within a path, for messages.

    >>> within("torque 'motor'", "tau"), within("torque 'motor', tau", "setpoint")
    ("torque 'motor', tau", "torque 'motor', tau.setpoint")
    """
    return f"{owner}.{name}" if ", " in owner else f"{owner}, {name}"


def shown(value: object) -> object:
    """A parameter as a user would write it: a constant signal as its value, a sensor or named signal as its name.

    >>> shown(Constant(3)), shown(Sensor("mass.w"))
    (3, 'mass.w')
    """
    if isinstance(value, list):
        return [shown(entry) for entry in value]
    return value.shorthand if isinstance(value, Signal) else value
