"""The description of a law as text: plain data, read and checked entry by entry."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...declare import Param, Series, unknown
from ...errors import SpecError, UnitError, UnknownName, shortened
from .._dimension import PLAIN, Dimension, read_unit
from .._roles import Role
from ..law import LOCKS, BristleLaw, Law, LockingLaw, SmoothLaw
from .functions import CONSTANTS, DER, FUNCTIONS
from .grammar import KEYWORDS
from .place import TextPlace

FAMILIES: dict[str, type[Law]] = {"smooth": SmoothLaw, "bristle": BristleLaw, "locking": LockingLaw}

COMMON = ("family", "text", "source", "parameters", "let", "require", "warn", "passive", "nominal_speed", "peak_speed")
EQUATIONS: dict[str, tuple[str, ...]] = {
    "smooth": ("friction", "odd"),
    "bristle": ("states", "curves", "rates", "friction", "steady", "storage", "jumps", "odd"),
    "locking": ("sliding", "breakaway", "lock", "stick", "states", "rates", "steady", "change", "jumps"),
}
"""The entries of a law, by family."""
NEEDED = {
    "smooth": {"friction": "mu_c*tanh(v/v_0)"},
    "bristle": {
        "states": '{z: {unit: "{disp}"}}',
        "rates": "{z: v - sigma0*abs(v)/g*z}",
        "friction": "sigma0*z + sigma1*der(z)",
        "storage": "sigma0*z^2/2, the energy in the states",
    },
    "locking": {"sliding": "mu_c + mu_v*v, for v >= 0", "breakaway": "mu_s, the static limit"},
}
"""Entries that must be given, each with an example."""
PARAMETER = ("default", "unit", "text", "min", "above", "max", "aliases", "times", "role", "varies")
STATE = ("unit", "text", "nominal", "bound", "directed")
MODE = ("values", "text")
STICK = ("window", "release", "relaxation", "capture")
ROLES = {role.name.lower(): role for role in Role}
RESERVED = {"v": "the slip speed", "hold": "the holding friction", "turn": "the change of direction"}
MOST_ENTRIES = 200
"""Parameters, states, jumps and definitions of a law."""


@dataclass(frozen=True)
class StateText:
    """A state: a discrete one has `values`."""

    unit: Dimension
    text: str
    nominal: Any
    bound: Any
    values: tuple[int, ...] = ()
    directed: bool = True


@dataclass(frozen=True)
class JumpText:
    """A change of discrete states: a guard, and the new values."""

    guard: Any
    values: Mapping[str, Any]


@dataclass
class LawText:
    """A law as text: names and numbers are checked, formulas are not read yet.

    >>> LawText.read("Viscous", {"family": "smooth", "parameters": {"d": 1}, "friction": "d*v"}).family
    'smooth'
    """

    name: str
    place: TextPlace
    data: Mapping[str, Any]
    family: str
    params: dict[str, Param]
    states: dict[str, StateText]
    let: dict[str, Any]
    curves: dict[str, Any]
    rates: dict[str, Any]
    steady: dict[str, Any]
    change: dict[str, Any]
    jumps: list[JumpText]
    lock: str
    stick: dict[str, Any]
    require: dict[str, str]
    warn: dict[str, str]

    @classmethod
    def read(cls, name: Any, data: Any) -> LawText:
        """The law from plain data."""
        place = TextPlace(f"law '{shortened(str(name), 60)}'")
        _check_class_name(name, place)
        entries = _mapping(data, place, '{family: smooth, parameters: {d: 1}, friction: "d*v"}')
        family = entries.get("family")
        if not isinstance(family, str) or family not in FAMILIES:
            message = unknown("family cannot be", str(family), FAMILIES) if family is not None else "family is missing"
            raise place.error(SpecError, f"{message}; write family: smooth, bristle or locking")
        _check_keys(entries, (*COMMON, *EQUATIONS[family]), place, f"a {family} law")
        for key, example in NEEDED[family].items():
            if entries.get(key) is None:
                raise place.error(SpecError, f"{key} is missing; write for instance {key}: {example}")
        states = _states(entries.get("states"), place.at("states"))
        lock, stick = _lock(entries, place)
        law = cls(
            name=name,
            place=place,
            data=entries,
            family=family,
            params=_parameters(entries.get("parameters"), place.at("parameters")),
            states=states,
            let=_named(entries.get("let"), place.at("let"), "{a: abs(v)/v_s}"),
            curves=_named(entries.get("curves"), place.at("curves"), "{g: mu_c + (mu_s - mu_c)*stribeck(v, v_s)}"),
            rates=_by_state(entries.get("rates"), place.at("rates"), states, "rate"),
            steady=_by_state(entries.get("steady"), place.at("steady"), states, "steady value"),
            change=_by_state(entries.get("change"), place.at("change"), states, "change"),
            jumps=_jumps(entries.get("jumps"), place.at("jumps"), states),
            lock=lock,
            stick=stick,
            require=_conditions(entries.get("require"), place.at("require")),
            warn=_conditions(entries.get("warn"), place.at("warn")),
        )
        law._check()
        return law

    def text_of(self, key: str, default: str) -> str:
        """A text of the law for people: what it is, or its source."""
        value = self.data.get(key, default)
        if not isinstance(value, str) or not value.strip():
            raise self.place.error(SpecError, f"{key} = {_shown(value)} must be a text of a few words")
        return " ".join(value.split())

    def _check(self) -> None:
        """Names that are used twice, states without rate, and modes without jumps."""
        seen: dict[str, str] = {}
        for what in ("params", "states", "let", "curves"):
            for name in getattr(self, what):
                if name in seen:
                    words = {"params": "parameters", "states": "states"}
                    both = f"{words.get(seen[name], seen[name])} and {words.get(what, what)}"
                    raise self.place.error(SpecError, f"'{name}' is in {both}; rename one of them")
                seen[name] = what
        if len(seen) > MOST_ENTRIES:
            raise self.place.error(SpecError, f"it has {len(seen)} names, the limit is {MOST_ENTRIES}")
        modes = [name for name, state in self.states.items() if state.values]
        for name, state in self.states.items():
            if name in self.rates and state.values:
                raise self.place.at("rates").error(
                    SpecError, f"{name} is discrete and changes by jumps only; remove its rate"
                )
            if name not in self.rates and not state.values:
                raise self.place.at("rates").error(
                    SpecError, f"the rate of the state {name} is missing; write for instance {name}: v - ..."
                )
        if modes and not self.jumps:
            raise self.place.error(
                SpecError, f"jumps are missing; {modes[0]} never changes: write jumps: [{{guard: ..., {modes[0]}: 1}}]"
            )
        if self.jumps and not modes:
            raise self.place.error(
                SpecError, "jumps need a discrete state; add one with values to states: mode: {values: [0, 1]}"
            )
        missing = [name for name in self.states if name not in self.steady]
        if missing and (modes or self.steady):
            raise self.place.at("steady").error(
                SpecError, f"{missing[0]} is missing; write its value in steady sliding, for instance {missing[0]}: 0"
            )


# --- entries ----------------------------------------------------------------------------------------------------------


def _check_class_name(name: Any, place: TextPlace) -> None:
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise place.error(SpecError, "the name of a law has letters, digits and _ only; write for instance MyLaw")
    shipped = {law.__name__.lower(): law.__name__ for law in Law.registry.all().values() if _is_shipped(law)}
    if name.lower() in shipped:
        raise place.error(
            SpecError, f"the package has a law {shipped[name.lower()]} already; choose another name, such as My{name}"
        )


def _is_shipped(law: type[Law]) -> bool:
    return law.__module__.partition(".")[0] == __name__.partition(".")[0]


def _check_name(name: Any, place: TextPlace, taken: Iterable[str] = ()) -> None:
    """Refuses a name that formulas cannot use, or that a law uses otherwise."""
    if not isinstance(name, str) or not name.isidentifier() or name.startswith("_"):
        raise place.error(
            SpecError, f"the name {_shown(name)} may have letters, digits and _ only; write for instance mu_c"
        )
    if name in RESERVED:
        raise place.error(SpecError, f"'{name}' is {RESERVED[name]}; choose another name")
    if name in (*FUNCTIONS, *CONSTANTS, DER, *KEYWORDS) or keyword.iskeyword(name):
        raise place.error(SpecError, f"'{name}' is a word of the formulas; choose another name, such as {name}_0")
    if name in taken:
        raise place.error(SpecError, f"'{name}' is a word of every law; choose another name, such as {name}_0")


def _mapping(data: Any, place: TextPlace, example: str) -> Mapping[Any, Any]:
    if not isinstance(data, Mapping):
        raise place.error(SpecError, f"{_shown(data)} must be a mapping, for instance {example}")
    if len(data) > MOST_ENTRIES:
        raise place.error(SpecError, f"it has {len(data)} entries, the limit is {MOST_ENTRIES}")
    return data


def _check_keys(entries: Mapping[Any, Any], known: Iterable[str], place: TextPlace, what: str) -> None:
    for key in entries:
        if key not in known:
            hint = f"{what} has no entry"
            if key == "friction":
                hint = f"{what} states `sliding` and `breakaway`; it has no entry"
            raise place.error(UnknownName, unknown(hint, str(key), known))


def _shown(value: Any) -> str:
    return shortened(repr(value), 80)


def _words(value: Any, place: TextPlace, key: str, default: str) -> str:
    if value is None:
        return default
    if not isinstance(value, str):
        raise place.error(SpecError, f"{key} = {_shown(value)} must be a text")
    return value


def _number(value: Any, place: TextPlace, key: str) -> float | None:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    raise place.error(SpecError, f"{key} = {_shown(value)} must be a number, in SI units")


def _unit(value: Any, place: TextPlace) -> Dimension:
    """A unit, in SI: numbers of a law are SI."""
    text = _words("1" if value == 1 else value, place, "unit", "1")
    try:
        factor, dimension = read_unit(text)
    except ValueError as error:
        raise place.error(UnitError, f"unit: {error}; write for instance '{{load}}.s/{{disp}}'") from None
    if factor != 1:
        raise place.error(UnitError, f"unit: '{text}' is not SI, numbers of a law are; write {dimension}")
    return dimension


def _parameters(data: Any, place: TextPlace) -> dict[str, Param]:
    entries = _mapping({} if data is None else data, place, '{mu_c: {default: 1, unit: "{load}", min: 0}}')
    taken = [*dir(BristleLaw), *dir(LockingLaw), "friction"]
    found: dict[str, Param] = {}
    for name, entry in entries.items():
        _check_name(name, place, taken)
        found[name] = _parameter(name, entry, place.at(name), found)
    if len([param for param in found.values() if isinstance(param, Series)]) not in (0, 2):
        raise place.error(SpecError, "a law has no lists, or two: abscissae and ordinates of one table")
    return found


def _parameter(name: str, data: Any, place: TextPlace, before: Mapping[str, Param]) -> Param:
    """A parameter from its entries; a bare number (or list) is a default without unit."""
    entry = data if isinstance(data, Mapping) else {"default": data}
    _check_keys(entry, PARAMETER, place, "a parameter")
    default: Any = entry.get("default")
    is_list = isinstance(default, list | tuple)
    numbers = list(default) if is_list else [default]
    if not numbers or any(isinstance(x, bool) or not isinstance(x, int | float) for x in numbers):
        raise place.error(SpecError, f"default = {_shown(default)} must be a number in SI units, or a list of numbers")
    aliases = entry.get("aliases", ())
    if not isinstance(aliases, list | tuple):
        raise place.error(SpecError, f"aliases = {_shown(aliases)} must be a list of names, for instance [tau_c, f_c]")
    for alias in aliases:
        _check_name(alias, place.at("aliases"))
    times = _words(entry.get("times"), place, "times", "")
    if times and times not in before:
        raise place.error(UnknownName, unknown("times: there is no earlier parameter", times, before))
    role = _words(entry.get("role"), place, "role", "")
    if role and role not in ROLES:
        raise place.error(UnknownName, unknown("there is no role", role, ROLES))
    values: Any = [float(x) for x in numbers] if is_list else float(default)
    kind = Series if is_list else Param
    return kind(
        values,
        str(_unit(entry.get("unit"), place)),
        _words(entry.get("text"), place, "text", f"parameter {name}"),
        min=_number(entry.get("min"), place, "min"),
        above=_number(entry.get("above"), place, "above"),
        max=_number(entry.get("max"), place, "max"),
        aliases=tuple(aliases),
        times=times,
        role=ROLES.get(role, ""),
        varies=_varies(entry.get("varies", False), is_list, place),
    )


def _varies(value: Any, is_list: bool, place: TextPlace) -> bool:
    if not isinstance(value, bool) or (value and is_list):
        raise place.error(SpecError, f"varies = {_shown(value)} must be true or false, and a list cannot vary")
    return value


def _states(data: Any, place: TextPlace) -> dict[str, StateText]:
    entries = _mapping({} if data is None else data, place, '{z: {unit: "{disp}"}}')
    taken = [*dir(BristleLaw), *dir(LockingLaw), "friction"]
    found = {}
    for name, entry in entries.items():
        _check_name(name, place, taken)
        found[name] = _state(name, entry, place.at(name))
    return found


def _state(name: str, data: Any, place: TextPlace) -> StateText:
    entry = _mapping({"values": data} if isinstance(data, list) else data, place, '{unit: "{disp}"}')
    if "values" not in entry:
        _check_keys(entry, (*STATE, "values"), place, "a state")
        if "unit" not in entry:
            raise place.error(SpecError, 'unit is missing; write for instance unit: "{disp}", or unit: 1 for a number')
        directed = entry.get("directed", True)
        if not isinstance(directed, bool):
            raise place.error(SpecError, f"directed = {_shown(directed)} must be true or false: does its sign turn?")
        text = _words(entry.get("text"), place, "text", f"state {name}")
        return StateText(_unit(entry["unit"], place), text, entry.get("nominal"), entry.get("bound"), directed=directed)
    _check_keys(entry, MODE, place, "a discrete state")
    values = entry["values"]
    whole = isinstance(values, list | tuple) and all(
        isinstance(x, int | float) and not isinstance(x, bool) and abs(x) < 1e6 and x == int(x) for x in values
    )
    if not whole or len(set(values)) < 2:
        raise place.error(SpecError, f"values = {_shown(values)} must be two or more whole numbers, such as [0, 1]")
    text = _words(entry.get("text"), place, "text", f"one of {', '.join(str(int(x)) for x in values)}")
    return StateText(PLAIN, text, None, None, tuple(int(x) for x in values))


def _named(data: Any, place: TextPlace, example: str) -> dict[str, Any]:
    entries = _mapping({} if data is None else data, place, example)
    for name in entries:
        _check_name(name, place)
    return dict(entries)


def _by_state(data: Any, place: TextPlace, states: Mapping[str, StateText], what: str) -> dict[str, Any]:
    """Formulas by state; with a single state, a formula alone is accepted."""
    if isinstance(data, str | int | float) and len(states) == 1:
        return dict.fromkeys(states, data)
    entries = _mapping({} if data is None else data, place, "{z: ...}")
    for name in entries:
        if name not in states:
            raise place.error(
                UnknownName, unknown(f"a {what} is given for a state that is not there,", str(name), states)
            )
    return {name: entries[name] for name in states if name in entries}


def _jumps(data: Any, place: TextPlace, states: Mapping[str, StateText]) -> list[JumpText]:
    example = "[{guard: dv - abs(v), fast: 1}]"
    if data is None:
        return []
    if not isinstance(data, list | tuple) or len(data) > MOST_ENTRIES:
        raise place.error(SpecError, f"{_shown(data)} must be a list of jumps, for instance {example}")
    found = []
    for number, entry in enumerate(data):
        here = place.at(str(number))
        values = dict(_mapping(entry, here, example[1:-1]))
        if "guard" not in values:
            raise here.error(SpecError, "guard is missing: positive before the jump, negative when it comes")
        guard = values.pop("guard")
        for name in values:
            if name not in states:
                raise here.error(UnknownName, unknown("there is no state", str(name), states))
        if not values:
            raise here.error(SpecError, f"it changes no state; write for instance {example[1:-1]}")
        found.append(JumpText(guard, values))
    return found


def _lock(entries: Mapping[Any, Any], place: TextPlace) -> tuple[str, dict[str, Any]]:
    """How a locking law sticks, and the formulas of its window."""
    data = entries.get("stick")
    stick = dict(_mapping({} if data is None else data, place.at("stick"), "{window: dv}"))
    _check_keys(stick, STICK, place.at("stick"), "stick")
    usual = "switch" if not stick else "hybrid" if "relaxation" in stick else "karnopp"
    lock = entries.get("lock", usual)
    if lock not in LOCKS:
        raise place.error(UnknownName, unknown("lock cannot be", str(lock), LOCKS))
    if lock == "switch" and stick:
        raise place.error(SpecError, "lock: switch sticks at v = 0 and has no window; remove stick or lock")
    if lock != "switch" and "window" not in stick:
        raise place.at("stick").error(SpecError, f"window is missing; lock: {lock} needs it: stick: {{window: dv}}")
    return lock, stick


def _conditions(data: Any, place: TextPlace) -> dict[str, str]:
    """Conditions with the advice that a message gives: a list of conditions, or a mapping to advice."""
    if data is None:
        return {}
    pairs = list(data.items()) if isinstance(data, Mapping) else None
    if isinstance(data, str | list | tuple):
        pairs = [(condition, "") for condition in ([data] if isinstance(data, str) else data)]
    if pairs is None or len(pairs) > MOST_ENTRIES or not all(isinstance(x, str) for pair in pairs for x in pair):
        raise place.error(SpecError, f"{_shown(data)} must be conditions, for instance [mu_c <= mu_s]")
    return dict(pairs)
