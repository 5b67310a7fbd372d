"""Declarations of laws, elements and signals: one line per parameter.

    class Inertia(Declared):
        J = Param(None, "kg.m2", "moment of inertia", above=0)

The Python signature, the checks, the units, the file format and the documentation follow from these lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from html import escape
from inspect import Parameter, Signature
from math import isfinite
from types import SimpleNamespace
from typing import Any, ClassVar, Protocol, Self, TypeVar

from .errors import SpecError, UnknownName, shortened
from .traced import is_number, value_of
from .units import HUGE, to_si

T = TypeVar("T")

LOOKALIKES = str.maketrans("oil", "011")
"""Letters that are mistaken for digits: sigmaO."""
LONGEST_WORD = 200
"""Characters of an unknown name that are compared and shown."""


class Changing:
    """Base of values that change during a run: signals.

    >>> isinstance(Sine(amplitude=1, f=2), Changing)
    True
    """

    def typical(self) -> float | None:
        """A number in its place before the run: its value at the start, or the middle of its bounds; None if neither is
        known."""
        raise NotImplementedError


@dataclass(frozen=True)
class Param:
    """A parameter: default (None: required unless optional), unit, text, bounds, and aliases.

    A unit that depends on the element is a template: "{load}/{disp}" is N.m/rad in a bearing, N/m in a guide. An empty
    unit accepts any unit, and texts are converted to SI by the unit they contain.

    >>> sigma0 = Param(1e5, "{load}/{disp}", "bristle stiffness", above=0)
    """

    default: Any
    unit: str
    text: str
    min: float | None = None
    above: float | None = None
    max: float | None = None
    aliases: tuple[str, ...] = ()
    optional: bool = False
    times: str = ""
    """An earlier parameter that the default is proportional to, if that one is given."""
    role: str = ""
    """Its role within its family: `Role` of the friction laws."""
    varies: bool = False
    """Whether it may follow a signal during a run: a parameter of a friction law."""
    numeric: ClassVar[bool] = True
    """Whether its value is a number or a list of numbers."""

    def __set_name__(self, owner: type, name: str) -> None:
        if getattr(self, "_name", name) != name:
            raise TypeError(f"{owner.__name__}: {name} is declared as another parameter; make a copy by replace()")
        object.__setattr__(self, "_name", name)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        given, name = instance.given, self._name  # type: ignore[attr-defined]
        if name in given:
            return given[name]
        of = given.get(self.times) if self.times else None
        return self.default * of if is_number(of) else self.default

    def __set__(self, instance: Any, value: Any) -> None:
        name = self._name  # type: ignore[attr-defined]
        raise AttributeError(f"{type(instance).__name__}: {name} is fixed; make a new one with replace({name}=...)")

    @property
    def required(self) -> bool:
        """Whether it is required."""
        return self.default is None and not self.optional

    @property
    def rule(self) -> str:
        """The bounds in words.

        >>> Param(1, "1", "share", min=0, max=1).rule
        'at least 0 and at most 1'
        """
        bounds = (("at least", self.min), ("above", self.above), ("at most", self.max))
        return " and ".join(f"{words} {bound:g}" for words, bound in bounds if bound is not None)

    def accept(self, value: Any, owner: str, name: str) -> Any:
        """The value to keep: a text unchanged (its unit depends on the element), anything else as a checked number.

        >>> Param(1, "N", "force").accept("4 kN", "Force", "f")
        '4 kN'
        """
        if isinstance(value, str):
            return value
        if isinstance(value, Changing | Mapping):
            if not self.varies:
                raise SpecError(f"{owner}: {name} = {value!r} cannot be a signal: {self.text}; give a number")
            return value
        number = self.to_si(value, {}, owner, name)
        return value if type(value) in (int, float) else number

    def to_si(self, value: Any, units: Mapping[str, str], owner: str, name: str) -> float:
        """The value as an SI number within the bounds; `units` fills the template of the unit.

        >>> Param(1, "{load}", "force").to_si("4 kN", {"load": "N"}, "guide 'way'", "f")
        4000.0
        """
        unit = self.unit.format_map(units) if units or "{" not in self.unit else ""
        number = to_si(value, unit, owner, name)
        if not self.allows(number):
            shown = f"'{value}'" if isinstance(value, str) else f"{float(value):g} {unit.removeprefix('1')}".strip()
            default = "" if self.default is None else f" (default {self.default:g})"
            raise SpecError(f"{owner}: {name} = {shown} must be {self.rule}; {self.text}{default}")
        return number

    def allows(self, number: float) -> bool:
        """Whether an SI number is within the bounds.

        >>> Param(1, "1", "share", min=0, max=1).allows(2)
        False
        """
        return not (
            (self.min is not None and number < self.min)
            or (self.above is not None and number <= self.above)
            or (self.max is not None and number > self.max)
        )

    def waits(self, value: Any) -> bool:
        """Whether the value can be checked only when its unit is known.

        >>> Param(1, "N", "force").waits("4 kN")
        True
        """
        return isinstance(value, str) or (self.varies and isinstance(value, Changing | Mapping))


@dataclass(frozen=True)
class Series(Param):
    """A parameter that is a list of numbers (or of texts with units).

    >>> time = Series(None, "s", "times of the points")
    """

    @property
    def entry(self) -> Param:
        """The rule for each number of the list."""
        return Param(None, self.unit, self.text, self.min, self.above, self.max)

    def accept(self, value: Any, owner: str, name: str) -> list[Any]:
        """The values as a list, each one checked; anything array-like with `tolist` is accepted."""
        values = value.tolist() if hasattr(value, "tolist") else value
        if not isinstance(values, list | tuple):
            raise SpecError(f"{owner}: {name} = {value!r} must be a list of numbers, for instance {name}=[0, 1]")
        if self._faultless(values):
            return list(values)
        return [self.entry.accept(v, owner, f"{name}[{i}]") for i, v in enumerate(values)]

    def to_si(self, value: Any, units: Mapping[str, str], owner: str, name: str) -> Any:
        """The values as SI numbers; unchanged while the unit is unknown."""
        if "{" in self.unit and not units:
            return value
        if self._faultless(value):
            return list(map(float, value))
        return [self.entry.to_si(v, units, owner, f"{name}[{i}]") for i, v in enumerate(value)]

    def _faultless(self, values: Any) -> bool:
        """Whether all are plain numbers without unit and within the bounds; a fast path for many samples."""
        if not set(map(type, values)) <= {float, int}:
            return False
        least, most = min(values, default=0.0), max(values, default=0.0)
        return (
            max(-least, most) <= HUGE  # first: an integer may be beyond the range of a float
            and all(map(isfinite, values))
            and (self.min is None or least >= self.min)
            and (self.above is None or least > self.above)
            and (self.max is None or most <= self.max)
        ) or not values

    def waits(self, value: Any) -> bool:
        """Whether a text among the values has a unit that depends on the element."""
        return "{" in self.unit and any(isinstance(v, str) for v in value)


@dataclass(frozen=True)
class Count(Param):
    """A parameter that is a whole number.

    >>> intervals = Count(500, "1", "number of intervals", min=1)
    """

    def to_si(self, value: Any, units: Mapping[str, str], owner: str, name: str) -> int:
        """The value as an integer within the bounds."""
        number = super().to_si(value, units, owner, name)
        if number != int(number):
            raise SpecError(f"{owner}: {name} = {value} must be a whole number; write for instance {round(number)}")
        return int(number)


@dataclass(frozen=True)
class Word(Param):
    """A parameter that is a text; with `options` it is one of these.

    >>> sweep = Word("linear", "1", "how the frequency grows", options=("linear", "logarithmic"))
    """

    default: Any
    options: tuple[str, ...] = ()
    numeric: ClassVar[bool] = False

    def accept(self, value: Any, owner: str, name: str) -> str:
        """The value, which must be text and among the options."""
        if not isinstance(value, str) or not value:
            example = self.default or (self.options or ("name",))[0]
            raise SpecError(f"{owner}: {name} = {value!r} must be a text, for instance '{example}'; {self.text}")
        if self.options and value not in self.options:
            raise UnknownName(unknown(f"{owner}: {name} cannot be", value, self.options))
        return value

    def to_si(self, value: Any, units: Mapping[str, str], owner: str, name: str) -> Any:
        """The text unchanged."""
        return value


class ParameterPlace(Protocol):
    """A place in a model: it makes parameters of numbers, from which compiling leaves a record."""

    path: str
    words: Mapping[str, str]
    """What parameters are called there, where that is not their own name."""

    def traced(self, name: str, param: Param, value: Any, units: Mapping[str, str], owner: str, given: bool) -> Any:
        """The value of a parameter, with a record."""


class Values(SimpleNamespace):
    """Parameters as attributes: SI numbers, bound signals and laws.

    >>> Values(mu_c=1.0, mu_s=1.5).mu_s
    1.5
    """


class Declared:
    """Base of everything that is declared by `Param` lines; made with keywords, checked immediately, immutable.

    >>> law = LuGre(sigma0=1e4)
    >>> law.sigma0, law.given
    (10000.0, {'sigma0': 10000.0})
    """

    params: ClassVar[dict[str, Param]] = {}
    given: dict[str, Any]
    place: ParameterPlace | None = None
    """Where it is in a model that is being compiled; None elsewhere."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.params = collect(cls, Param)
        if cls.__init__ is Declared.__init__:
            arguments = [argument(*item, keyword=True) for item in cls.params.items()]
            cls.__signature__ = Signature(arguments)  # type: ignore[attr-defined]

    def __init__(self, **values: Any) -> None:
        kind = type(self).__name__
        given = self.canonical(values)
        self.given = {
            name: self.params[name].accept(value, kind, name)
            for name, value in given.items()
            if value is not None or not self.params[name].optional
        }
        for name, param in self.params.items():
            if param.required and name not in given:
                raise SpecError(f"{kind}: {name} is missing; give the {param.text}, for instance {kind}({name}=1)")
        if not any(self.params[name].waits(value) for name, value in self.given.items()):
            self.resolve({}, kind)

    @classmethod
    def canonical(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values by parameter name, with aliases resolved; unknown and duplicate names are refused.

        >>> LuGre.canonical({"tau_c": 2})
        {'mu_c': 2}
        """
        names = {alias: name for name, param in cls.params.items() for alias in (name, *param.aliases)}
        result: dict[str, Any] = {}
        used: dict[str, str] = {}
        for word, value in values.items():
            if word not in names:
                known = [" or ".join((name, *param.aliases)) for name, param in cls.params.items()]
                raise UnknownName(unknown(f"{cls.__name__} has no parameter", word, names, known))
            name = names[word]
            if name in result:
                raise SpecError(f"{cls.__name__}: {used[name]} and {word} are the same parameter; give one of them")
            result[name], used[name] = value, word
        return result

    def resolve(self, units: Mapping[str, str], owner: str) -> Values:
        """All parameters as SI numbers, checked; `owner` names the element in messages.

        >>> Inertia(J="3 kg.m2").resolve({}, "inertia 'mass'").J
        3.0
        """
        p, known = Values(), True
        for name, param in self.params.items():
            value = getattr(self, name)
            if param.varies and isinstance(value, Changing):
                number = value.typical()
                if number is None or not param.allows(number):
                    known, number = False, param.default * (getattr(p, param.times) if param.times else 1.0)
                setattr(p, name, number)
                continue
            if name not in self.given and param.times:
                value = param.default * value_of(getattr(p, param.times))
            number = None if value is None else param.to_si(value, units, owner, name)
            if self.place is not None and number is not None and param.numeric:
                number = self.place.traced(name, param, number, units, owner, name in self.given)
            setattr(p, name, number)
        for fault in self.faults(p) if known else []:  # else a run finds them
            raise SpecError(f"{owner}: {fault}")
        return p

    @staticmethod
    def faults(p: Values) -> list[str]:
        """Violated rules between parameters, each with its numbers and the way out; none by default."""
        return []

    def replace(self, **values: Any) -> Self:
        """A copy with other values.

        >>> LuGre(sigma0=1e4).replace(mu_s=2)
        LuGre(sigma0=10000.0, mu_s=2)
        """
        return type(self)(**{**self.given, **self.canonical(values)})

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        """In notebooks: the parameters with their values, units and meanings."""
        rows = [
            (name, getattr(self, name), param.unit if "{" not in param.unit else "", param.text)
            for name, param in self.params.items()
        ]
        cells = ("".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows)
        return f"<b>{type(self).__name__}</b><table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.given.items())})"


def collect(cls: type, kind: type[T]) -> dict[str, T]:
    """The attributes of a given type that a class and its bases declare, in order: those of the bases first.

    >>> list(collect(Spring, Param))
    ['c', 'phi_rel0']
    """
    every = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
    return {name: value for name, value in every.items() if isinstance(value, kind)}


def unknown(what: str, word: str, candidates: Iterable[str], known: Iterable[str] | None = None) -> str:
    """The message for an unknown name: the nearest candidate, and all known names.

    >>> unknown("there is no law", "lugr", ["lugre", "switch"])
    "there is no law 'lugr'; did you mean 'lugre'? (known: lugre, switch)"
    """
    word, candidates = shortened(str(word), LONGEST_WORD), list(candidates)
    plain = {name.lower().translate(LOOKALIKES): name for name in candidates}
    near = get_close_matches(str(word).lower().translate(LOOKALIKES), plain, 1)
    hint = f"; did you mean '{plain[near[0]]}'?" if near else ""
    names = ", ".join(candidates if known is None else known)
    return f"{what} '{word}'{hint}" + (f" (known: {names})" if names else "")


def argument(name: str, param: Param, *, keyword: bool) -> Parameter:
    """A declared parameter as an argument of a Python signature; by keyword only, or also by position.

    >>> str(argument("phase", Sine.phase, keyword=False))
    'phase=0.0'
    """
    kind = Parameter.KEYWORD_ONLY if keyword else Parameter.POSITIONAL_OR_KEYWORD
    return Parameter(name, kind, default=Parameter.empty if param.required else param.default)
