"""Base class of elements: flanges to connect, parameters, and primitives stamped into the network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from typing import Any, ClassVar, NamedTuple, Self

from ..declare import Param, Values, argument, unknown
from ..errors import SpecError, UnknownName
from ..registry import Registered, Registry
from ..signals.sensor import Sensor
from ..signals.signal import Operand, Scope, Signal, bind_operands, shown
from ..traced import Number
from ..units import HUGE
from ._network import Network
from .domains import DOMAINS, Domain

QUANTITIES = {word for domain in DOMAINS.values() for word in (domain.position, domain.speed, domain.force)} | {"mode"}
"""Results of elements, which are not attributes of them."""


class Flange(NamedTuple):
    """A place where an element can be connected.

    >>> m.connect(spring.b, mass)
    """

    element: str
    name: str

    def __str__(self) -> str:
        return f"{self.element}.{self.name}"


@dataclass(frozen=True)
class Input(Operand):
    """A parameter of an element that is a signal; a number or a text such as "3 N.m" is a constant one.

    >>> tau = Input(None, "{force}", "torque")
    """

    def bind(self, value: object, units: Mapping[str, str], owner: str, name: str, scope: Scope) -> Signal:
        """The bound signal; its bounds are checked as far as its values are known before the run."""
        signal: Signal = super().bind(value, units, owner, name, scope)
        if signal.time_only:
            for extreme in signal.span() if signal.tight else (signal.at(0.0),):
                Param.to_si(self, min(max(extreme, -HUGE), HUGE), units, owner, name)
        return signal


class Element(Registered, registered=False):
    """Base of all elements: `Spring(motor, mass, c=2)` takes the flanges in order, then the parameters by name.

    In an element for both domains a parameter has its rotational name; its translational name is an alias.

    >>> m.add("spring", Spring("motor", "mass", c="2 N.m/rad"))
    """

    registry: ClassVar[Registry[Element]] = Registry(
        "element", __package__, ("bodies", "springs", "friction", "sources", "motions", "heat", "couplings")
    )
    domain: ClassVar[str | None] = None
    """"rotational", "translational", "thermal", or None: that of its neighbours."""
    role: ClassVar[str] = "link"
    """What it is to its node: a "body" with inertia, a prescribed "motion", the "ground", a rigid "coupling" to others,
    or a "link"."""
    flange_domains: ClassVar[Mapping[str, str]] = {}
    """Domains of the flanges where they differ: {"a": "rotational", "b": "translational"}."""
    flanges: ClassVar[tuple[str, ...]] = ("a",)
    rigid: ClassVar[bool] = False
    """Whether all flanges are one and the same node."""
    to_ground: ClassVar[tuple[str, ...]] = ()
    """Flanges that are fixed to the ground if they are not connected."""
    ports: ClassVar[tuple[str, ...]] = ()
    """Thermal ports, where heat leaves the element if they are connected."""
    alone: ClassVar[bool] = False
    """Whether it may be left unconnected."""
    impacts: ClassVar[bool] = False
    """Whether its torque has impulses: they last no time in an adaptive run, and a step in one with fixed steps."""
    kind: ClassVar[str]
    """The name of the class in words, for messages: "spring-damper"."""

    name: str
    """The name in the model, set by `Model.add`."""
    refs: dict[str, str]
    """What the flanges are connected to: names of elements ("mass") or flanges ("spring.b")."""
    words: dict[str, str]
    """Parameters that were given by an alias, and that alias."""
    p: Values
    """Parameters in SI, set by `bind`."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__signature__ = _signature(cls)  # type: ignore[attr-defined]
        cls.kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()

    def __init__(self, *connected: object, **values: object) -> None:
        self.name = ""
        self.refs = self._references(connected, values)
        self.words = {name: word for word in values for name in self.canonical({word: 0}) if name != word}
        super().__init__(**values)

    @classmethod
    def _references(cls, connected: tuple[object, ...], values: dict[str, object]) -> dict[str, str]:
        """Takes the flanges from the arguments: by position, or by name (`a`, or `flange_a` as in Modelica)."""
        if len(connected) > len(cls.flanges):
            extra = connected[len(cls.flanges)]
            raise SpecError(
                f"{cls.__name__}: {extra!r} is one flange too many; name the parameters: {cls.__name__}{signature(cls)}"
            )
        given = dict(zip(cls.flanges, connected, strict=False))
        for flange in (*cls.flanges, *cls.ports):
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
        """A flange by its name; `spring.b` is the same as `spring.flange("b")`.

        >>> spring.flange("b")
        Flange(element='spring', name='b')
        """
        short = name.removeprefix("flange_")
        if short not in self.flanges and short not in self.ports:
            raise UnknownName(unknown(f"{self.label} has no flange", name, self.flanges))
        if not self.name:
            raise SpecError(f"{self.kind}: flange {short} of an element without a name; add it to a model first")
        return Flange(self.name, short)

    def __getattr__(self, name: str) -> Flange:
        places = (*type(self).flanges, *type(self).ports)
        if name.removeprefix("flange_") in places:
            return self.flange(name)
        if name.startswith("__"):  # Python looks these up often; no suggestion is needed
            raise AttributeError(name)
        if name.removesuffix("_rel") in QUANTITIES:
            own = self.__dict__.get("name") or "element"
            raise AttributeError(
                f"{type(self).__name__} has no attribute '{name}'; in a signal it is {own}.sensor('{name}'), "
                f"after a run result['{own}.{name}']"
            )
        raise AttributeError(unknown(f"{type(self).__name__} has no attribute", name, [*self.params, *places]))

    @property
    def one_node(self) -> bool:
        """Whether the element can be given in place of its flange, because all its flanges are one node."""
        return self.rigid or len(self.flanges) == 1

    def domain_words(self) -> dict[str, str]:
        """Parameters whose written name implies a domain, with that domain: {"v": "translational"}."""
        rotational, translational = DOMAINS
        named = [name for name in self.given if self.domain is None and self.params[name].aliases]
        return {self.words.get(name, name): translational if name in self.words else rotational for name in named}

    def other_word(self, word: str) -> str:
        """The name of a parameter in the other domain: v for w, phi_rel0 for s_rel0."""
        twins = [(name, *param.aliases) for name, param in self.params.items()]
        return next(other for names in twins if word in names for other in names if other != word)

    def start(self) -> tuple[Number | None, Number | None]:
        """Initial position and speed of its node, None where the element leaves them open; needs `.p`."""
        return None, None

    def unstated(self) -> tuple[Number | None, Number | None]:
        """Its parameters for the position and speed at the start that were not given: they hold if nothing else on the
        node states a start; needs `.p`."""
        return None, None

    def begin(self, position: Number, speed: Number) -> None:
        """Takes over the initial values of its node."""

    def sudden(self) -> bool:
        """Whether it prescribes a speed with jumps, which a body can follow only with infinite torque."""
        return False

    def drive(self) -> Signal | None:
        """For a source: the signal that drives its flange, whatever the state of the machine; needs `.p`."""
        return None

    def sensor(self, quantity: str) -> Sensor:
        """A quantity of this element as a signal.

        >>> Torque(mass, tau=-0.1 * mass.sensor("w"))
        """
        if not self.name:
            raise SpecError(f"{self.kind}: sensor of an element without a name; add it to a model first")
        return Sensor(f"{self.name}.{quantity}")

    def given_signal(self, name: str) -> Signal:
        """The signal that was given as an input, not yet bound, for use in formulas of the element.

        >>> Torque(mass, tau="pedal").given_signal("tau")
        Named(name='pedal')
        """
        param = self.params[name]
        assert isinstance(param, Operand), name
        return param.accept(getattr(self, name), self.label, name)

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """A copy for this domain, with its parameters in SI and its signals bound as `.p`."""
        bound = copy(self)
        if self.place is not None:
            self.place.words = self._words_in(domain)
        bound.p = self.resolve(domain.units, self.label)
        bind_operands(bound, domain.units, self.label, (scope or Scope()).at(self.name))
        return bound

    def _words_in(self, domain: Domain) -> dict[str, str]:
        """What its parameters are called in a domain, where that is not their own name."""
        if self.domain is None and domain.name == "translational":
            return {name: param.aliases[0] for name, param in self.params.items() if param.aliases} | self.words
        return self.words

    def replace(self, **values: object) -> Self:
        """A copy with other values and the same connections.

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

    def stamp(self, net: Network) -> None:
        """Adds the primitives of this element to the network; needs `.p`."""
        raise NotImplementedError

    def __repr__(self) -> str:
        values = self.refs | {self.words.get(name, name): shown(value) for name, value in self.given.items()}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in values.items())})"


def reference(thing: object, place: str) -> str:
    """The name of an element or flange: "mass", "spring.b"; `place` is for messages.

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


def course(element: Element, signal: Signal) -> Signal:
    """The signal of a prescribed motion, which must be a function of time or an External.

    >>> course(Speed(w="mass.w"), Sensor("mass.w"))
    SpecError: speed: it would follow Sensor(quantity='mass.w'), ...
    """
    if not signal.prescribable:
        parts = [part for part in signal.walk() if not part.prescribable]
        reason = next(part for part in parts if all(u.prescribable for u in part.operands))
        raise SpecError(
            f"{element.label}: it would follow {reason!r}, which is not a function of time alone; prescribe a course "
            "of time or an External, or drive a body by a Torque or Force with a controller, for instance tau=PID(...)"
        )
    return signal


def _signature(cls: type[Element]) -> Signature:
    """The Python signature: flanges in order, then the parameters and ports by name."""
    flanges = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=None) for name in cls.flanges]
    ports = [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in cls.ports]
    return Signature([*flanges, *(argument(*item, keyword=True) for item in cls.params.items()), *ports])
