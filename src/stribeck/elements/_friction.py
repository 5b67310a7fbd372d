"""Friction with any law: the base classes of bearings, guides, clutches and brakes."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from .. import laws
from ..declare import Param, Series, Values, Word
from ..errors import SpecError, UnitError
from ..signals import Operand, Scope, Signal
from ..signals.arithmetic import Gain, Product
from ..signals.function import Function
from ..signals.limits import Saturation
from ..signals.lookup import Lookup, increasing
from ..signals.sensor import Sensor
from ..signals.signal import NAME, Bindable
from ..traced import value_of
from ..units import HUGE
from ._network import Network
from .domains import Domain
from .element import Element, Flange, Input

ENGAGE = ("steady", "frozen", "zero")
"""Bristle deflections when the load sets in, in the order of the kernel."""


@dataclass(frozen=True)
class LawParam(Bindable):
    """A parameter that is a friction law; a name such as "LuGre" is that law with its default parameters. Parameters of
    the law that can vary may be signals.

    `load` is the unit of friction per unit of load; if it is empty, that of the torques (or forces) of the domain.

    >>> law = LawParam(None, "", "friction law")
    """

    load: str = ""
    numeric: ClassVar[bool] = False

    def accept(self, value: object, owner: str, name: str) -> laws.Law:
        """The value as a law."""
        if isinstance(value, str):
            return laws.get(value)()
        if isinstance(value, laws.Law):
            return _with_signals(value, f"{owner}, {name}")
        if isinstance(value, Mapping):
            return _with_signals(laws.Law.registry.build(value, f"{owner}, {name}"), f"{owner}, {name}")
        if isinstance(value, type) and issubclass(value, laws.Law):
            raise SpecError(f"{owner}: {name} = {value.__name__} is a class; write {name}={value.__name__}()")
        known = ", ".join(f"{law.__name__}()" for law in laws.all_laws().values())
        raise SpecError(f"{owner}: {name} = {value!r} is not a friction law; use one of {known}")

    def to_si(self, value: object, units: Mapping[str, str], owner: str, name: str) -> Any:
        """The law with its parameters in SI as `.p`; as it is while the units are not known, or a scope for its
        signals."""
        if not units:
            return value
        law = self.accept(value, owner, name)
        return law if law.varying else law.bind(self._units(units), f"{owner}, {name}")

    def bind(self, value: Any, units: Mapping[str, str], owner: str, name: str, scope: Scope) -> Any:
        """The law with its signals bound to this path. What is a multiple of a parameter by default follows it."""
        if not value.varying:
            return value
        law, at, place, units = copy(value), scope.at(name), f"{owner}, {name}", self._units(units)
        law.given = dict(value.given)
        for word, param in value.params.items():
            if word in value.varying:
                operand = Operand(None, param.unit, param.text)
                law.given[word] = operand.bind(value.given[word], units, place, word, at)
                _check_range(param, law.given[word], units, place, word)
            elif param.varies and word not in value.given and param.times in law.varying:
                law.given[word] = Gain.ready(f"{at.path}.{word}", u=law.given[param.times], k=param.default)
        return law.bind(units, place)

    def _units(self, units: Mapping[str, str]) -> dict[str, str]:
        return {**units, "load": self.load or units["load"]}


def _with_signals(law: laws.Law, owner: str) -> laws.Law:
    """The law with texts and data of signals as signals: "u", "oil.T", {"type": "Lookup", ...}."""
    found = {
        name: Operand(None, "", law.params[name].text).accept(value, owner, name)
        for name, value in law.given.items()
        if law.params[name].varies
        and (isinstance(value, Mapping) or (isinstance(value, str) and NAME.fullmatch(value.strip())))
    }
    return law.replace(**found) if found else law


def _check_range(param: Param, signal: Signal, units: Mapping[str, str], owner: str, name: str) -> None:
    """Refuses a signal whose values are known to break the bounds of a parameter."""
    known = (signal.at(0.0),) if signal.time_only and not signal.tight else signal.bounds() or ()
    for value in known:
        try:
            param.to_si(min(max(value_of(value), -HUGE), HUGE), units, owner, name)
        except SpecError as error:
            raise type(error)(f"{error}; {signal!r} reaches this value") from None


@dataclass(frozen=True)
class Load(Input):
    """A parameter of an element that is a normal load: a signal without unit.

    >>> load = Load(1.0, "1", "normal load that multiplies the law", min=0)
    """

    def bind(self, value: object, units: Mapping[str, str], owner: str, name: str, scope: Scope) -> Signal:
        """The bound signal; a text with a unit is refused with what a load is."""
        try:
            return super().bind(value, units, owner, name, scope)
        except UnitError as error:
            raise UnitError(
                f"{error}; a load is a factor of the law: the normal force in N as a number, where mu_c is a "
                "coefficient of friction"
            ) from None


class Friction(Element, registered=False):
    """Base of all friction elements: a friction law under a normal load.

    Dissipated power leaves through the port `heat` if a thermal element is connected there. A hot lining fades: the
    load is multiplied by the factors `fade`, interpolated over the temperatures `T_fade` at that port.
    """

    group = "friction"
    ports = ("heat",)
    law = LawParam(None, "1", "friction law")
    T_fade = Series(None, "K", "temperatures of the factors `fade`, increasing", above=0, optional=True)
    fade = Series(None, "1", "factors of the load at these temperatures, linear in between", 0, optional=True)
    fading: Signal | None

    def __init__(self, *connected: object, **values: object) -> None:
        if "law" not in values:
            kind, *known = type(self).__name__, *(law.__name__ for law in laws.all_laws().values())
            raise SpecError(
                f"{kind}: law is missing; choose one of {', '.join(known)}: {kind}('mass', law={known[0]}())"
            )
        super().__init__(*connected, **values)

    @staticmethod
    def faults(p: Values) -> list[str]:
        if p.fade is None and p.T_fade is None:
            return []
        counts = [0 if values is None else len(values) for values in (p.T_fade, p.fade)]
        if counts[0] != counts[1] or counts[0] < 2:
            return [f"T_fade has {counts[0]} values and fade {counts[1]}; give two or more, one factor for each"]
        return increasing("T_fade", p.T_fade)

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with fading bound to the temperature of the heat port."""
        bound = super().bind(domain, scope)
        bound.fading = None
        if bound.p.fade is not None:
            table = Lookup(Sensor(f"{self.name}.T"), bound.p.T_fade, bound.p.fade)
            bound.fading = table.bind("1", self.label, (scope or Scope()).at(self.name).at("fade"))
        return bound

    def faded(self, load: Signal) -> Signal:
        """A load times the fade factor at the present temperature; needs `.p`."""
        return load if self.fading is None else Product.ready(f"{self.name}.load", u=load, v=self.fading)

    def normal_load(self) -> Signal:
        """The load that multiplies the law at positive slip; needs `.p`."""
        raise NotImplementedError

    def checks(self, conditions: laws.Conditions | None = None) -> list[str]:
        """The warnings of the law about its parameters and operating conditions; needs `.p`."""
        warnings: list[str] = self.p.law.checks(self.p.law.p, conditions)
        return warnings

    def remarks(self) -> list[str]:
        """What the law has to say about its parameters that is no fault; needs `.p`."""
        remarks: list[str] = self.p.law.remarks(self.p.law.p)
        return remarks


class Support(Friction, registered=False):
    """Friction against the ground. With load 1 the parameters of the law are torques (or forces).

    If friction depends on the direction, `load` applies to positive and `load_backward` to negative slip.
    """

    load = Load(1.0, "1", "normal load that multiplies the law", min=0)
    load_backward = Load(None, "1", "load for negative slip, if it differs", min=0, optional=True)

    def normal_load(self) -> Signal:
        """The load as given."""
        load: Signal = self.p.load
        return load

    def stamp(self, net: Network) -> None:
        """Friction from the ground to one node."""
        net.friction(self, net.GROUND, self.flange("a"), self.p.law, self.p.load, self.p.load_backward)


class Pressed(Friction, registered=False):
    """Friction between surfaces that an actuator presses together: friction = mu cgeo fn.

    The normal force is fn = fn_max f_normalized; a negative f_normalized means open, fn = 0. The law gives coefficients
    of friction without unit; bristle stiffnesses are per rad or m. `cgeo` converts force to torque (see `plates_cgeo`).

    Bristle states are constant while the contact is open. On closing, `engage` sets the deflection: "steady" is that of
    steady sliding at the present slip, which gives no peak; "frozen" is that at opening; "zero" is none, at the start
    of a run too. Modes of a law follow the slip, so such a law is always "steady", except MaxwellSlip and GMS.

    Oil drag between open surfaces, where tau_drag or d_drag is given, is
    (tau_drag tanh(w_rel/w_drag) + d_drag w_rel)(1 - f_normalized): full when open, zero from
    f_normalized = 1 on. The result tau_drag is separate from the friction torque tau.
    """

    law = LawParam(None, "1", "friction law in terms of coefficients of friction", load="1")
    fn_max = Param(None, "N", "normal force at f_normalized = 1", min=0)
    f_normalized = Input(1.0, "1", "normal force over fn_max; open where not positive")
    cgeo = Param(1.0, "{arm}", "friction radius times number of surfaces; translational: the number", min=0)
    engage = Word("steady", "1", "bristle deflection on closing", options=ENGAGE)
    tau_drag = Param(None, "{force}", "drag while open, constant part", min=0, aliases=("f_drag",), optional=True)
    d_drag = Param(None, "{force}.s/{disp}", "drag while open, viscous part", min=0, optional=True)
    w_drag = Param(1.0, "{vel}", "slip at which tau_drag reaches 76 %", above=0, aliases=("v_drag",))
    drag: Signal | None

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with drag bound to the slip."""
        bound = super().bind(domain, scope)
        p, place = bound.p, (scope or Scope()).at(self.name)
        bound.drag = None
        if p.tau_drag is not None or p.d_drag is not None:
            slip = Sensor(f"{self.name}.{domain.speed}_rel_drag")
            pressed = self.given_signal("f_normalized")
            opening = Saturation(1 - pressed, 0, 1)
            viscous, bounded = (0.0 if value is None else value for value in (p.d_drag, p.tau_drag))
            torque = viscous * slip + bounded * Function("tanh", (1 / p.w_drag) * slip)
            bound.drag = (-opening * torque).bind("", self.label, place.at("drag"))
        return bound

    def ends(self, net: Network) -> tuple[Flange | int, Flange]:
        """The two places it acts between: flange a and flange b."""
        return self.flange("a"), self.flange("b")

    def stamp(self, net: Network) -> None:
        """Friction, drag if any, and the normal force as a result."""
        p, ends = self.p, self.ends(net)
        self.rub(net, *ends)
        if self.drag is not None:
            net.source(self, *ends, self.drag, passive=True, part="drag")
        net.show(self, "f_normalized", "1", p.f_normalized)
        net.show(self, "fn", "N", p.f_normalized, p.fn_max)

    def rub(self, net: Network, a: Flange | int, b: Flange) -> None:
        """The friction between its ends."""
        net.friction(self, a, b, self.p.law, self.normal_load(), engage=self.p.engage)

    def normal_load(self) -> Signal:
        """cgeo fn_max f_normalized; the kernel takes negative values as 0."""
        return Gain.ready(f"{self.name}.f_normalized", u=self.p.f_normalized, k=self.p.cgeo * self.p.fn_max)
