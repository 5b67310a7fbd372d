"""Values of a model by path: "mass.J", "friction.law.sigma0", "motor.tau.terms.0.k", "simulation.t_end".

"*.law.sigma0" means every element that has this value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from ..declare import Declared, unknown
from ..elements import Element
from ..errors import SpecError, UnknownName
from ..laws import Law
from ..signals import Operand, Signal
from .model import Model
from .simulation import Simulation

M = TypeVar("M", bound=Model)

SIGNAL = Operand(None, "", "signal")
"""The path of a named signal as a whole."""


def set_parameter(model: M, path: str, value: object) -> M:
    """Changes one value of the model, a number or a text with a unit, and returns the model.

    >>> set_parameter(model, "friction.law.sigma0", "1e4")
    >>> set_parameter(model, "pull.w", "5 rpm")
    >>> set_parameter(model, "*.law.mu_c", 0.1)
    """
    return set_parameters(model, {path: value})


def set_parameters(model: M, values: Mapping[str, object]) -> M:
    """Changes several values of the model at once, in any order, and returns the model.

    An object ("friction.law") is set before its parts ("friction.law.mu_c"); values of one object are checked together;
    a path with the name of an element overrides one with "*". If a value is refused, nothing is changed.

    >>> set_parameters(model, {"friction.law.mu_c": 2, "friction.law.mu_s": 2.5})
    """
    things: dict[str, Declared] = {**model.elements, **model.signals, "simulation": model.simulation}
    for depth in sorted({path.count(".") for path in values}):
        of_depth = {path: value for path, value in values.items() if path.count(".") == depth}
        for name, changes in _by_thing(model, things, of_depth).items():
            try:
                with Law.registry.extended(model.laws):
                    new = _replaced(things[name], {path.split(".", 1)[-1]: _number(v) for path, v in changes.items()})
            except SpecError as error:
                raise type(error)(f"{_written(changes)}: {error}") from None
            things[name] = SIGNAL.accept(new, _written(changes), "it") if name in model.signals else new
    _put_back(model, things)
    return model


def canonical_paths(model: Model, values: Mapping[str, object]) -> dict[str, object]:
    """Values by the paths that parameters have themselves: without aliases and "*"; one that is not there is refused.

    >>> canonical_paths(model, {"*.law.tau_c": 2})
    {'friction.law.mu_c': 2}
    """
    things: dict[str, Declared] = {**model.elements, **model.signals, "simulation": model.simulation}
    found: dict[str, object] = {}
    for changes in _by_thing(model, things, values).values():
        for path, value in changes.items():
            name, _, rest = path.partition(".")
            found[".".join([name, *_canonical(things[name], rest.split(".") if rest else [])])] = _number(value)
    return found


def _canonical(thing: Any, words: list[str]) -> list[str]:
    """The words of a path below a thing, each by its own name."""
    if not words or not isinstance(thing, Declared | list):
        return words
    if isinstance(thing, list):
        return [words[0], *_canonical(thing[int(words[0])], words[1:])]
    (name,) = thing.canonical({words[0]: None})
    return [name, *_canonical(_part(thing, name, {"inner": 0}) if words[1:] else None, words[1:])]


def _by_thing(
    model: Model, things: Mapping[str, Declared], values: Mapping[str, object]
) -> dict[str, dict[str, object]]:
    """Changes grouped by element, signal or setting, with "*" resolved; a whole signal has the rest ""."""
    found: dict[str, dict[str, object]] = {}
    for path, value in sorted(values.items(), key=lambda item: not item[0].startswith("*.")):
        name, dot, rest = path.partition(".")
        for known in everywhere(model, rest, things) if name == "*" else [name]:
            if known not in things:
                raise UnknownName(unknown(f"{path}: there is no element", known, things))
            if not dot and known not in model.signals:
                example = ".".join([known, *list(things[known].params)[:1]])
                raise SpecError(f"{path} = {value}: name the parameter too, for instance {example}")
            found.setdefault(known, {})[f"{known}.{rest}"] = value
    return found


def _written(changes: Mapping[str, object]) -> str:
    return ", ".join(f"{path.removesuffix('.')} = {value}" for path, value in changes.items())


def _put_back(model: Model, things: Mapping[str, Declared]) -> None:
    for name, thing in things.items():
        if isinstance(thing, Simulation):
            model.simulation = thing
        elif isinstance(thing, Element):
            model.elements[name] = thing
        elif isinstance(thing, Signal):
            model.signals[name] = thing


def everywhere(model: Model, rest: str, things: Mapping[str, Declared] | None = None) -> list[str]:
    """The elements that have a given value at the rest of a path; `things` replace those of the model.

    >>> everywhere(load_model("gearbox"), "law.mu_c")
    ['C1', 'C2', 'B1', 'B2']
    """
    things = things or model.elements
    names = [name for name in model.elements if rest and _leads(things[name], rest.split("."))]
    if not names:
        raise UnknownName(f"*.{rest}: no element of {model.name} has '{rest}'; name an element and its parameter")
    return names


def _leads(thing: object, parts: list[str]) -> bool:
    """Whether there is a value at a path."""
    if not parts:
        return thing is not None
    if not isinstance(thing, Declared):
        return False
    names = [name for name, param in thing.params.items() if parts[0] in (name, *param.aliases)]
    return any(_leads(getattr(thing, name), parts[1:]) for name in names)


def _replaced(thing: Any, changes: Mapping[str, object]) -> Any:
    """A copy of an element, law, signal or list with these values at their paths, checked together."""
    if "" in changes:
        return changes[""]
    parts: dict[str, dict[str, object]] = {}
    for path, value in changes.items():
        word, _, rest = path.partition(".")
        parts.setdefault(word, {})[rest] = value
    if isinstance(thing, list):
        for word in parts:
            if not word.isdecimal() or int(word) >= len(thing):
                raise UnknownName(f"there is no entry '{word}'; the entries are 0 to {len(thing) - 1}")
        numbered = {int(word): inner for word, inner in parts.items()}
        return [_replaced(entry, numbered[i]) if i in numbered else entry for i, entry in enumerate(thing)]
    if not isinstance(thing, Declared):
        path = next(iter(changes))
        raise UnknownName(f"{thing!r} is a number, so it has no '{path}'; end the path before")
    return thing.replace(**{word: _replaced(_part(thing, word, inner), inner) for word, inner in parts.items()})


def _part(thing: Declared, word: str, changes: Mapping[str, object]) -> object:
    """A parameter as an object with parts that can be changed; not needed if it is set as a whole."""
    if "" in changes:
        return None
    (name,) = thing.canonical({word: None})
    return thing.params[name].accept(getattr(thing, name), type(thing).__name__, name)


def _number(value: object) -> object:
    """A text that is a plain number as that number."""
    try:
        number = float(value) if isinstance(value, str) else value
    except ValueError:
        return value
    return number
