"""Base class of laws with a number of equal elements: the number belongs to the contact, not to the law.

The kernel has the functions of a counted law as loops over its elements. All states of a contact are its continuous
ones, then two or one discrete states of each element.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

from ..declare import Count
from ..traced import pinned, value_of
from .law import BristleLaw, Mode, Role, State, Values

MOST = 20
"""Most elements of a contact."""


class _States:
    """The states of a law by its number of elements: of an instance, and of the class those of the default."""

    def __get__(self, law: CountedLaw | None, kind: type[CountedLaw]) -> dict[str, State]:
        return states_of(kind, kind.n.default if law is None else law.count)  # type: ignore[arg-type]


@cache
def states_of(law: type[CountedLaw], n: int) -> dict[str, State]:
    """All states of a contact with n elements, in the order of the kernel.

    >>> list(states_of(GMS, 2))
    ['F_1', 'F_2', 'slip_1', 'slip_2']
    """
    return law.states_for(n)


class CountedLaw(BristleLaw, registered=False):
    """Friction of n equal elements."""

    n = Count(10, "1", "number of elements", min=1, max=MOST, role=Role.NUMERICAL)

    each: ClassVar[list[str]] = []
    """Names of the parameters that every element has."""

    states_for: ClassVar[Callable[[int], dict[str, State]]]
    """states_for(n): the states of n elements"""
    states_of_one: ClassVar[Callable[[], dict[str, State]]]
    """states_of_one(): the states for documents, those of element i"""
    default_of: ClassVar[Callable[..., list[float]]]
    """default_of(name, n): a parameter that every element has, where none is given"""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.each, cls.curve = cls.curve, []
        cls.scalars = [name for name in cls.scalars if not isinstance(cls.params[name], Count)]
        cls.params = {name: replace(param, varies=False) for name, param in cls.params.items()}
        cls.variable = []  # their C is a loop without derivatives by parameters
        cls.states = _States()  # type: ignore[assignment]
        if kwargs.get("registered", True):
            cls.described = cls.states_of_one()

    @classmethod
    def canonical(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        given = super().canonical(values)
        lengths = [len(given[name]) for name in cls.each if hasattr(given.get(name), "__len__")]
        return given if "n" in given or not lengths else {"n": lengths[0]} | given

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of elements."""
        return type(self).n.to_si(self.n, {}, type(self).__name__, "n")

    @property
    def moving(self) -> int:
        """Number of continuous states, which come first."""
        return sum(not isinstance(state, Mode) for state in self.states.values())

    def resolve(self, units: Mapping[str, str], owner: str) -> Values:
        p = super().resolve(units, owner)
        n = p.n = int(pinned(p.n))
        for name in self.each:
            given = getattr(p, name)
            setattr(p, name, self.normal(self.default_of(name, n) if given is None else given))
        return p

    @staticmethod
    def normal(values: Sequence[Any]) -> list[Any]:
        """A parameter of all elements as the equations use it: shares of a whole are divided by their sum."""
        total = sum(values)
        return [value / total for value in values]

    @classmethod
    def faults(cls, p: Values) -> list[str]:
        n = round(value_of(p.n))
        wrong = [(name, given) for name in cls.each if (given := getattr(p, name)) is not None and len(given) != n]
        lengths = [f"{name} has {len(given)} numbers for n = {n} elements; give one for each" for name, given in wrong]
        return lengths + super().faults(p)

    @classmethod
    def symbols(cls, make: Callable[[str], Any]) -> Values:
        p = Values(**{name: make(name) for name in cls.scalars}, n=cls.n.default)
        for name in cls.each:
            setattr(p, name, [make(f"{name}_{i + 1}") for i in range(p.n)])
        return p

    @classmethod
    def numbers(cls, p: Values) -> list[float]:
        of_elements = [x for name in cls.each for x in getattr(p, name)]
        return [getattr(p, name) for name in cls.scalars] + of_elements

    @classmethod
    def elements(cls, p: Values) -> list[Values]:
        """The parameters of each element.

        >>> [e.alpha for e in GMS.elements(GMS(n=2).resolve({}, "GMS"))]
        [0.25, 0.75]
        """
        rows = zip(*(getattr(p, name) for name in cls.each), strict=True)
        return [Values(**dict(zip(cls.each, row, strict=True))) for row in rows]
