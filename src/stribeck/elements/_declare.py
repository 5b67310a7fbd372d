"""What an element is: flanges that are connected, parameters, and the primitives it puts into the network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from ..declare import Declared, Param, unknown
from ..errors import SpecError, UnknownName
from ..signals import Constant, Signal, all_signals, argument
from .domains import DOMAINS, Domain

D = TypeVar("D", bound=Declared)


class Flange(NamedTuple):
    """A place where an element can be connected.

    >>> m.connect(spring.b, mass)
    """

    element: str
    name: str

    def __str__(self) -> str:
        return f"{self.element}.{self.name}"


@dataclass(frozen=True)
class Input(Param):
    """A parameter that is a signal over time; a number or a text such as "3 N.m" is a constant one.

    >>> tau = Input(None, "{force}", "torque")
    """

    def accept(self, value: Any, owner: str, name: str) -> Signal:
        """The value as a signal."""
        if isinstance(value, Signal):
            return value
        if isinstance(value, Mapping):
            return build(value, all_signals(), f"{owner}, {name}", "signal")
        if isinstance(value, type) and issubclass(value, Signal):
            raise SpecError(f"{owner}: {name} = {value.__name__} is the kind of signal; write {value.__name__}(...)")
        return Constant(value=super().accept(value, owner, name))

    def to_si(self, value: Any, units: Mapping[str, str], owner: str, name: str) -> Any:
        """The signal with its numbers in SI, within the bounds at all times; as it is while the units are not known."""
        if not units:
            return value
        signal = self.accept(value, owner, name).bind(self.unit.format_map(units), f"{owner}, {name}")
        for extreme in signal.span(signal.p):
            super().to_si(extreme, units, owner, name)
        return signal


class Element(Declared):
    """Base of all elements: `Spring(motor, mass, c=2)` connects its flanges in order, then come the parameters.

    An element for both domains calls a parameter by its rotational name; the alias is its translational name.

    >>> m.add("spring", Spring("motor", "mass", c="2 N.m/rad"))
    """

    domain: ClassVar[str | None] = None
    """"rotational", "translational", or None: as its neighbours."""
    role: ClassVar[str] = "link"
    """What it is to its node: a "body" with inertia, a prescribed "motion", the "ground", or a "link" to others."""
    flanges: ClassVar[tuple[str, ...]] = ("a",)
    rigid: ClassVar[bool] = False
    """Whether all flanges are one and the same node."""
    to_ground: ClassVar[tuple[str, ...]] = ()
    """Flanges that are fixed to the ground when nothing is connected to them."""
    kind: ClassVar[str]
    """The name of the class in words, for messages: "spring-damper"."""

    name: str
    """The name in the model, set by `Model.add`."""
    refs: dict[str, str]
    """What the flanges are connected to: names of elements ("mass") or flanges ("spring.b")."""
    words: dict[str, str]
    """Parameters that were given by an alias, and that alias."""
    p: SimpleNamespace
    """Parameters in SI, set by `bind`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__signature__ = _signature(cls)  # type: ignore[attr-defined]
        cls.kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()

    def __init__(self, *connected: Any, **values: Any) -> None:
        self.name = ""
        self.refs = self._references(connected, values)
        self.words = {name: word for word in values for name in self.canonical({word: 0}) if name != word}
        super().__init__(**values)

    @classmethod
    def _references(cls, connected: tuple[Any, ...], values: dict[str, Any]) -> dict[str, str]:
        """Takes the flanges out of the arguments: by position, or by name (`a`, also `flange_a` as in Modelica)."""
        if len(connected) > len(cls.flanges):
            extra = connected[len(cls.flanges)]
            raise SpecError(
                f"{cls.__name__}: {extra!r} is one flange too many; name the parameters: {cls.__name__}{signature(cls)}"
            )
        given = dict(zip(cls.flanges, connected, strict=False))
        for flange in cls.flanges:
            for word in (flange, f"flange_{flange}"):
                if word in values:
                    if flange in given:
                        raise SpecError(f"{cls.__name__}: flange {flange} is given twice; drop {word}={values[word]!r}")
                    given[flange] = values.pop(word)
        return {
            flange: reference(ref, f"{cls.__name__}: flange {flange}")
            for flange, ref in given.items()
            if ref is not None
        }

    @property
    def label(self) -> str:
        """Kind and name for messages.

        >>> Spring("motor", "mass", c=2).label
        'spring'
        """
        return f"{self.kind} '{self.name}'" if self.name else self.kind

    def flange(self, name: str) -> Flange:
        """The handle of a flange; `spring.b` is the same as `spring.flange("b")`.

        >>> spring.flange("b")
        Flange(element='spring', name='b')
        """
        short = name.removeprefix("flange_")
        if short not in self.flanges:
            raise UnknownName(unknown(f"{self.label} has no flange", name, self.flanges))
        if not self.name:
            raise SpecError(f"{self.kind}: flange {short} of an element without a name; add it to a model first")
        return Flange(self.name, short)

    def __getattr__(self, name: str) -> Flange:
        if name.removeprefix("flange_") in type(self).flanges:
            return self.flange(name)
        raise AttributeError(unknown(f"{type(self).__name__} has no attribute", name, [*self.params, *self.flanges]))

    @property
    def one_node(self) -> bool:
        """Whether the element stands for its flange, because all its flanges are one node."""
        return self.rigid or len(self.flanges) == 1

    def domain_words(self) -> dict[str, str]:
        """Parameters whose name tells the domain, as they were written, with that domain: {"v": "translational"}."""
        rotational, translational = DOMAINS
        named = [name for name in self.given if self.domain is None and self.params[name].aliases]
        return {self.words.get(name, name): translational if name in self.words else rotational for name in named}

    def other_word(self, word: str) -> str:
        """The name of a parameter in the other domain: v for w, phi_rel0 for s_rel0."""
        twins = [(name, *param.aliases) for name, param in self.params.items()]
        return next(other for names in twins if word in names for other in names if other != word)

    def checks(self) -> list[str]:
        """Warnings about the parameters; needs `.p`."""
        return []

    def start(self) -> tuple[float | None, float | None]:
        """Position and speed of its node at the start, None where the element leaves it open; needs `.p`."""
        return None, None

    def begin(self, position: float, speed: float) -> None:
        """Takes over the start of its node."""

    def sudden(self) -> bool:
        """Whether it prescribes a speed that jumps, which a body can follow only with an infinite torque."""
        return False

    def bind(self, domain: Domain) -> Self:
        """A copy for this domain, with its parameters in SI as `.p`."""
        bound = copy(self)
        bound.p = self.resolve(domain.units, self.label)
        return bound

    def replace(self, **values: Any) -> Self:
        """A copy with other values, at the same place.

        >>> spring.replace(c=4)
        Spring(a='motor', b='mass', c=4)
        """
        kept = {
            self.words.get(name, name): value
            for name, value in self.given.items()
            if name not in self.canonical(values)
        }
        new = type(self)(**self.refs, **kept, **values)
        new.name = self.name
        return new

    def stamp(self, net: Any) -> None:
        """Puts the primitives of this element into the network; needs `.p`."""
        raise NotImplementedError

    def __repr__(self) -> str:
        given = {name: v.value if isinstance(v, Constant) else v for name, v in self.given.items()}
        values = self.refs | {self.words.get(name, name): value for name, value in given.items()}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in values.items())})"


def reference(thing: Any, place: str) -> str:
    """An element, a flange or its name as text: "mass", "spring.b"; `place` is for messages.

    >>> reference(spring.b, "connect")
    'spring.b'
    """
    if isinstance(thing, Flange):
        return str(thing)
    if isinstance(thing, Element):
        if not thing.name:
            raise SpecError(f"{place}: {thing!r} is not in a model; add it first: x = model.add('x', {thing!r})")
        return thing.name
    if isinstance(thing, str) and thing.strip():
        return thing.strip()
    raise SpecError(f"{place} = {thing!r} is not an element, a flange or the name of one, such as 'mass' or 'spring.b'")


def build(data: Mapping[str, Any], kinds: Mapping[str, type[D]], place: str, what: str) -> D:
    """A declared thing from plain data, {"type": "Sine", "amplitude": 1, "f": 2}; `place` and `what` are for messages.

    >>> build({"type": "Sine", "amplitude": 1, "f": 2}, all_signals(), "motor, tau", "signal")
    Sine(amplitude=1, f=2)
    """
    values = dict(data)
    word = values.pop("type", None)
    if word is None:
        raise SpecError(f"{place}: {values} has no type; say which {what}: type = {' or '.join(kinds)}")
    kind = {name.lower(): kind for name, kind in kinds.items()}.get(str(word).lower())
    if kind is None:
        raise UnknownName(unknown(f"{place}: there is no {what}", str(word), kinds))
    try:
        return kind(**{str(name): value for name, value in values.items()})
    except SpecError as error:
        raise type(error)(f"{place}: {error}") from None


def _signature(cls: type[Element]) -> Signature:
    """The Python signature: flanges in order, then the parameters by name."""
    flanges = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=None) for name in cls.flanges]
    return Signature([*flanges, *(argument(*item, Parameter.KEYWORD_ONLY) for item in cls.params.items())])
