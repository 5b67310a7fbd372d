"""What a signal is: a function of time, given by a few numbers that the kernel reads."""

from __future__ import annotations

from copy import copy
from inspect import Parameter, Signature
from types import SimpleNamespace
from typing import Any, ClassVar

from ..declare import Declared, Param
from ..errors import SpecError


class Signal(Declared):
    """Base of all signals. The unit of the value is that of the place where the signal is used.

    A signal states its formula twice: as numbers for the kernel (`op`, `data`) and as a Python function of
    the resolved parameters (`at`, `rate`), from which starts are checked and against which the kernel is tested.

    >>> Torque(mass, tau=Sine(amplitude="3 N.m", f=2))
    """

    op: ClassVar[str]
    p: SimpleNamespace
    """Parameters in SI, set by `bind`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__signature__ = Signature([argument(*item) for item in cls.params.items()])  # type: ignore[attr-defined]

    def __init__(self, *values: Any, **named: Any) -> None:
        if len(values) > len(self.params):
            raise SpecError(f"{type(self).__name__} takes at most {len(self.params)} values: {', '.join(self.params)}")
        ordered = dict(zip(self.params, values, strict=False))
        for name in ordered:
            if name in named:
                raise SpecError(f"{type(self).__name__}: {name} is given twice; drop {name}={named[name]!r}")
        super().__init__(**ordered, **named)

    def bind(self, unit: str, owner: str) -> Signal:
        """A copy for a place that needs `unit`, with its parameters in SI as `.p`."""
        bound = copy(self)
        bound.p = self.resolve({"value": unit}, owner)
        return bound

    def data(self, p: SimpleNamespace) -> list[float]:
        """The numbers that the kernel needs, in its order."""
        raise NotImplementedError

    def at(self, p: SimpleNamespace, t: float) -> float:
        """Value at time t (s); at a jump the value after it."""
        raise NotImplementedError

    def rate(self, p: SimpleNamespace, t: float) -> float:
        """Derivative by time at t (s); at a kink the one after it."""
        raise NotImplementedError

    def span(self, p: SimpleNamespace) -> tuple[float, float]:
        """Smallest and largest value for t >= 0."""
        raise NotImplementedError

    def jumps(self, p: SimpleNamespace) -> bool:
        """Whether the value jumps at some t > 0."""
        return False

    def kinks(self, p: SimpleNamespace) -> bool:
        """Whether the slope jumps at some t > 0."""
        return False


def argument(name: str, param: Param, kind: Any = Parameter.POSITIONAL_OR_KEYWORD) -> Parameter:
    """A declared parameter as an argument of a Python signature.

    >>> str(argument("phase", Sine.phase))
    'phase=0.0'
    """
    return Parameter(name, kind, default=Parameter.empty if param.default is None else param.default)
