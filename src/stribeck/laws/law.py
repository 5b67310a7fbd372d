"""Base classes of friction laws: parameters, states and equations, in three families.

Equations are static functions of the parameters p, the slip speed v and the states, written with `_math`; the build
turns them into C. They give friction per unit of normal load; {load}, {disp} and {vel} are placeholders for the units
of friction, displacement and speed in the element that uses the law.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, Self

from ..declare import Changing, Param, Series, Values, collect
from ..registry import Registered, Registry
from ..traced import is_number, value_of
from ._roles import AtMost, Role
from ._step_needs import StepConditions, StepNeed
from .functions import Expr

__all__ = [
    "AtMost",
    "BristleLaw",
    "Conditions",
    "Expr",
    "Flow",
    "Jump",
    "Law",
    "LawDefinition",
    "LockingLaw",
    "Memory",
    "Mode",
    "Param",
    "Role",
    "Series",
    "SmoothLaw",
    "State",
    "StepConditions",
    "StepNeed",
    "Stick",
    "Values",
    "is_number",
]


LOCKS = ("switch", "karnopp", "hybrid")
"""How a law sticks, see `LockingLaw.lock`."""


@dataclass(frozen=True)
class State:
    """A state of a law: unit, text, and as functions of the parameters its nominal value, which scales the error test,
    and optionally a limit that the equations never exceed (a step beyond it is repeated with a smaller size).

    >>> z = State("{disp}", "mean bristle deflection", nominal=lambda p: p.mu_s / p.sigma0)
    """

    unit: str
    text: str
    nominal: Callable[[Values], float]
    bound: Callable[[Values], float] = lambda p: inf
    directed: bool = True
    """Whether its sign depends on the direction, as that of the speed does."""


class Mode(State):
    """A discrete state: one of a few whole numbers, changed by a `Jump` only.

    >>> fast = Mode("1 above the speed dv, 0 below", (0, 1))
    """

    def __init__(self, text: str, values: tuple[int, ...]) -> None:
        super().__init__("1", text, nominal=lambda p: 1.0, directed=min(values) < 0)
        object.__setattr__(self, "values", values)

    values: tuple[int, ...]
    """The whole numbers; none if it may have any value."""


class Memory(Mode):
    """A discrete state of any value, such as a place: changed by a `Jump` only.

    >>> released = Memory("{disp}", "deflection at which it was released", nominal=lambda p: p.mu_c / p.sigma0)
    """

    def __init__(self, unit: str, text: str, nominal: Callable[[Values], float], directed: bool = True) -> None:
        State.__init__(self, unit, text, nominal, directed=directed)
        object.__setattr__(self, "values", ())


class Flow:
    """The equations of a law at one instant: friction per unit load, and the rates of the continuous states.

    >>> Flow(z=0.1, friction=1.2).friction
    1.2
    """

    def __init__(self, friction: Expr, **rates: Expr) -> None:
        self.friction = friction
        self.rates = rates


class Jump:
    """A change of discrete states: when the guard, positive before, becomes negative, these states take new values.

    >>> Jump(0.01 - 0.02, fast=1)
    """

    def __init__(self, guard: Expr, **states: Expr) -> None:
        self.guard = guard
        self.states = states


@dataclass(frozen=True)
class Stick:
    """Sticking within a window instead of at v = 0: capture speed, speed below which it can break away, decay rate of
    the slip (1/s), and the holding friction below which it is captured.

    >>> Stick(window=1e-3)
    """

    window: Expr = 0.0
    release: Expr = 0.0
    relaxation: Expr = 0.0
    capture: Expr = 0.0


@dataclass(frozen=True)
class Conditions:
    """Operating conditions of a law as far as known, in SI: the largest step of the solver (s), sample time (s) and
    resolution of the sensor (rad or m), the inertia behind it, the largest force on it, and its normal load.

    >>> Hybrid.checks(Hybrid().resolve({}, "Hybrid"), Conditions(step=1e-6, inertia=1, force=2))
    []
    """

    step: float | None = None
    sample_time: float | None = None
    resolution: float | None = None
    inertia: float | None = None
    force: float | None = None
    load: float = 1.0


@dataclass(frozen=True)
class LawDefinition:
    """A law as it is written in a model file: its entry there, and its formulas for readers.

    >>> Makkar.definition.formulas["friction"]
    'mu*tanh(v/v_r)'
    """

    data: Mapping[str, Any]
    formulas: Mapping[str, Any]


class Law(Registered, registered=False):
    """Base of the friction laws; `source` is the reference for the equations."""

    registry: ClassVar[Registry[Law]] = Registry("friction law", __package__)
    name: ClassVar[str]
    compiled: ClassVar[bool]
    """Whether the kernel has compiled C for it; the others run as tapes of their formulas."""
    family: ClassVar[str]
    source: ClassVar[str] = ""
    states: ClassVar[dict[str, State]] = {}
    described: ClassVar[dict[str, State]] = {}
    """The states for documents: those of one element of a counted law, else all."""
    scalars: ClassVar[list[str]] = []
    """Names of the parameters that are numbers."""
    curve: ClassVar[list[str]] = []
    """Names of the two list parameters, abscissae and ordinates, of a law with a table."""
    odd: ClassVar[bool] = True
    """Whether friction is odd in the speed."""
    orders: ClassVar[tuple[AtMost, ...]] = ()
    """Inequalities between parameters: violations are refused, and fits respect them."""

    variable: ClassVar[list[str]] = []
    """Names of the parameters that may follow a signal."""

    count: int = 0
    """Number of elements in parallel of a counted law; 0 for others."""
    separate: ClassVar[bool] = False
    """Whether each of its rates depends on the speed and its own state alone: of counted laws."""
    settles: ClassVar[bool] = True
    """Whether sliding at constant speed has a state that stays; of a law that scatters, `steady` is a typical state."""
    definition: ClassVar[LawDefinition | None] = None
    """Its text, for a law of a model file."""

    p: Values
    """Parameters in SI, set when an element is bound."""
    units: Mapping[str, str]
    """The units of {load}, {disp} and {vel} in that element."""

    flow: ClassVar[Callable[..., Flow]]
    """flow(p, v, *states, *g): friction and the rates of the states"""
    jumps: ClassVar[Callable[..., list[Jump]]]
    """jumps(p, v, *states, hold): the changes of the discrete states, for laws that have them; `hold` is the friction
    that would keep the slip acceleration at 0."""

    def __init_subclass__(cls, registered: bool = True, **kwargs: Any) -> None:
        super().__init_subclass__(registered=False, **kwargs)
        cls.name = cls.__name__.lower()
        cls.compiled = cls.__module__.startswith(f"{__package__}.")
        cls.states = cls.described = collect(cls, State)
        cls.curve = [name for name, param in cls.params.items() if isinstance(param, Series)]
        cls.scalars = [name for name in cls.params if name not in cls.curve]
        cls.variable = [name for name in cls.scalars if cls.params[name].varies]
        if not cls.compiled:
            from ._own import complete  # which needs the families below

            complete(cls, (Law, SmoothLaw, BristleLaw, LockingLaw))
        if registered:  # after its checks
            cls.registry.add(cls)

    @property
    def moving(self) -> int:
        """Number of states by which friction and rates have derivatives; they come first.

        >>> LuGre().moving
        1
        """
        return len(self.states)

    @classmethod
    def symbols(cls, make: Callable[[str], Any]) -> Values:
        """Symbols for the parameters, each made from its name.

        >>> Switch.symbols(str.upper).mu_c
        'MU_C'
        """
        return Values(**{name: make(name) for name in cls.params})

    @classmethod
    def numbers(cls, p: Values) -> list[float]:
        """The numbers that the kernel reads: scalars in order of declaration, then the table as n, n abscissae, n
        ordinates.

        >>> Switch.numbers(Switch().resolve({}, "Switch"))
        [1.0, 1.5, 0.0]
        """
        scalars = [getattr(p, name) for name in cls.scalars]
        points = [list(getattr(p, name)) for name in cls.curve]
        return scalars + [x for part in ([[float(len(points[0]))], *points] if points else []) for x in part]

    def bind(self, units: Mapping[str, str], owner: str) -> Self:
        """A copy for the element `owner` with these units for {load}, {disp} and {vel}, and its parameters in SI as
        `.p`.

        >>> LuGre().bind({"load": "N", "disp": "m", "vel": "m/s"}, "guide 'way'").p.mu_s
        1.5
        """
        bound = copy(self)
        bound.units = units
        bound.p = self.resolve(units, owner)
        return bound

    @property
    def varying(self) -> dict[str, Changing]:
        """The signals that parameters follow, bound if the law is; `p` has a typical value of each.

        >>> list(LuGre(mu_c=Ramp(2, duration=1)).varying)
        ['mu_c']
        """
        return {name: value for name, value in self.given.items() if isinstance(value, Changing)}

    def with_numbers(self) -> Self:
        """The law with a typical number in place of each signal: for test benches and pictures.

        >>> LuGre(mu_c=Ramp(2, duration=1, offset=3)).with_numbers()
        LuGre(mu_c=3.0)
        """
        if not self.varying:
            return self
        p = self.resolve({}, type(self).__name__)
        return self.replace(**{name: value_of(getattr(p, name)) for name in self.varying})

    def adopt(self, other: Law) -> Self:
        """This law with the values of the parameters that it shares with another law, by name or alias.

        Values are taken in SI from a bound law (a typical value of what follows a signal), and as they were given
        otherwise.

        >>> Switch().adopt(LuGre(mu_s=2, tau_v=0.4))
        Switch(mu_c=1.0, mu_s=2, mu_v=0.4)
        """
        values = vars(other.p) if hasattr(other, "p") else {name: getattr(other, name) for name in other.params}
        follow = [name for name, p in other.params.items() if name not in other.given and p.times in other.varying]
        shared = {
            mine: values[theirs]
            for mine, param in self.params.items()
            for theirs, match in other.params.items()
            if {mine, *param.aliases} & {theirs, *match.aliases} and theirs not in follow  # so they do here
        }
        levels = other.levels(values)
        shared = {name: value for name, value in levels.items() if name in self.params} | shared
        known = dict(values) | levels | shared
        derived = {name: value for name, value in self.in_proportion(known).items() if name not in shared}
        return self.replace(**self.in_order(self._accepted({**shared, **derived}, known)))

    def _accepted(self, values: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        """The values that are within the bounds of this law: Coulomb friction of 0, which some laws may have, is static
        friction elsewhere, or that of this law."""
        kinetic = self.with_role(Role.COULOMB)
        static = next((v for n, v in known.items() if n == (self.with_role(Role.STATIC) or "mu_s")), None)
        found = {}
        for name, value in values.items():
            above = self.params[name].above
            if above is None or not is_number(value) or value > above:
                found[name] = value
            elif name == kinetic and static is not None and is_number(static) and static > above:
                found[name] = static
        return found

    def in_order(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """New values of parameters, with those raised that would be below others which they must not be below: static
        friction to Coulomb friction. Signals and texts are left as they are.

        >>> Switch().in_order({"mu_c": 2.0, "mu_s": 1.5})
        {'mu_c': 2.0, 'mu_s': 2.0}
        """
        found = dict(values)
        for order in self.orders:
            low, high = (found.get(name, getattr(self, name)) for name in (order.lower, order.upper))
            if isinstance(low, int | float) and isinstance(high, int | float) and high < low:
                found[order.upper] = low
        return found

    @staticmethod
    def levels(values: Mapping[str, Any]) -> dict[str, Any]:
        """Values under the names of other laws, where this law has none of that name: mu_c and mu_s of a table."""
        return {}

    def in_proportion(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values for parameters that only this law has, consistent with those of the other law and of adopted ones:
        mu_s keeps its ratio to mu_c."""
        kinetic, static = self.with_role(Role.COULOMB), self.with_role(Role.STATIC)
        if kinetic is None or static is None or static in values or not is_number(values.get(kinetic)):
            return {}
        own = getattr(self, kinetic)
        return {static: getattr(self, static) / own * values[kinetic]} if own else {}

    @classmethod
    def with_role(cls, role: Role) -> str | None:
        """The parameter with a role that at most one parameter has, or None.

        >>> Dahl.with_role(Role.COULOMB), Dahl.with_role(Role.STATIC)
        ('mu_c', None)
        """
        return next((name for name, param in cls.params.items() if param.role == role), None)

    @classmethod
    def faults(cls, p: Values) -> list[str]:
        return [fault for order in cls.orders for fault in order.faults(p)]

    @staticmethod
    def g(p: Values, v: Expr) -> Any:
        """Functions of the speed alone in the flow, such as g(v) of LuGre, the friction in steady sliding: one or a
        tuple, passed to `flow` after the states; none by default."""
        return ()

    @classmethod
    def curves(cls, p: Values, v: Expr) -> tuple[Expr, ...]:
        """The functions of the speed as a tuple.

        >>> p = LuGre().resolve({}, "LuGre")
        >>> len(LuGre.curves(p, 0.1)), len(Dahl.curves(p, 0.1))
        (1, 0)
        """
        g = cls.g(p, v)
        return g if isinstance(g, tuple) else (g,)

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        """Bounds on the parameters for explicit methods with a fixed step; none by default. Every law of the package
        states them."""
        return []

    @staticmethod
    def nominal_speed(p: Values) -> float:
        """Slip speed within which the law changes character (scales the error test); none by default."""
        return inf

    @staticmethod
    def peak_speed(p: Values) -> float:
        """Width in slip speed of a friction peak at v = 0 that a step could jump over: the Stribeck speed, if there is
        one."""
        return getattr(p, "v_s", inf)

    @classmethod
    def stick_window(cls, p: Values) -> Stick | None:
        """The numbers of a law that sticks within a window of speed; None for others."""
        return None

    @staticmethod
    def passive(p: Values) -> bool:
        """Whether friction never releases more energy than its states have stored; True by default."""
        return True

    @staticmethod
    def checks(p: Values, conditions: Conditions | None = None) -> list[str]:
        """Warnings about these parameters (numbers, not symbols), with their values; none by default. The defaults of a
        law do not warn about themselves."""
        return []

    @staticmethod
    def remarks(p: Values) -> list[str]:
        """What is worth knowing about these parameters (numbers, not symbols) and is no fault, such as limits of
        passivity; none by default. `Model.check` and `stribeck laws` show remarks, runs do not."""
        return []


class SmoothLaw(Law, registered=False):
    """Friction as a function of speed, continuous at 0."""

    family = "smooth"
    friction: ClassVar[Callable[..., Expr]]
    """friction(p, v)"""

    @classmethod
    def flow(cls, p: Values, v: Expr) -> Flow:
        """The friction curve as a flow without states."""
        return Flow(cls.friction(p, v))


class BristleLaw(Law, registered=False):
    """Friction with states, passed in order of declaration: flow(p, v, x, y)."""

    family = "bristle"
    steady: ClassVar[Callable[..., Any]]
    """steady(p, v): the state, or a tuple of states, with zero rates at constant speed; 0 at v = 0"""
    storage: ClassVar[Callable[..., Expr]]
    """storage(p, z): energy stored in the states per unit load"""


class LockingLaw(Law, registered=False):
    """Friction with true stick at v = 0."""

    family = "locking"
    lock: ClassVar[str] = "switch"
    """How it sticks: "switch" holds v = 0 from the instant it is reached, "karnopp" keeps v within a window constant,
    "hybrid" lets it decay; the latter two need `stick`."""
    sliding: ClassVar[Callable[..., Expr]]
    """sliding(p, v, *states): friction for v >= 0, smooth also just below 0; for v < 0 it is mirrored"""
    breakaway: ClassVar[Callable[..., Expr]]
    """breakaway(p, *states): the static limit; while it is stuck, states follow their rates at v = 0"""
    change: ClassVar[Callable[..., Any]]
    """change(p, v, *states, turn): the states when it begins to stick (v = 0) or to slide, if not those of `steady`;
    states are seen in the direction of sliding, and forward while stuck: turn is -1 if that changes, else 1"""
    stick: ClassVar[Callable[..., Stick]]
    """stick(p): the numbers of a law with a window"""
    steady: ClassVar[Callable[..., Any]]
    """steady(p, v): the discrete states at the speed |v|; needed if there are any"""

    @classmethod
    def stick_window(cls, p: Values) -> Stick | None:
        return None if cls.lock == "switch" else cls.stick(p)

    @classmethod
    def flow(cls, p: Values, v: Expr, *states: Expr) -> Flow:
        """The sliding curve as a flow without rates."""
        return Flow(cls.sliding(p, v, *states))

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        """None for a law that sticks at v = 0 exactly, detected by a change of sign; a window must be wide enough."""
        return []
