"""One value of a model by its path: "mass.J", "friction.law.sigma0", "motor.tau.terms.0.k", "simulation.t_end".

"*.law.sigma0" is that of every element that has it.
"""

from __future__ import annotations

from typing import Any

from ..declare import Declared, unknown
from ..errors import SpecError, UnknownName
from ..signals import Operand
from .model import Model

SIGNAL = Operand(None, "", "signal")
"""What a named signal is."""


def set_parameter(model: Model, path: str, value: Any) -> Model:
    """Changes one value of the model, a number or a text with a unit, and returns the model.

    >>> set_parameter(model, "friction.law.sigma0", "1e4")
    >>> set_parameter(model, "pull.w", "5 rpm")
    >>> set_parameter(model, "*.law.mu_c", 0.1)
    """
    name, *parts = path.split(".")
    if name == "*":
        for element in everywhere(model, ".".join(parts)):
            set_parameter(model, f"{element}.{'.'.join(parts)}", value)
        return model
    places = {**model.elements, **model.signals, "simulation": model.simulation}
    if name not in places:
        raise UnknownName(unknown(f"{path}: there is no element", name, places))
    if not parts and name not in model.signals:
        example = ".".join([name, *list(places[name].params)[:1]])
        raise SpecError(f"{path} = {value}: name the parameter too, for instance {example}")
    try:
        new = _replaced(places[name], parts, _number(value))
    except SpecError as error:
        raise type(error)(f"{path} = {value}: {error}") from None
    if name == "simulation":
        model.simulation = new
    elif name in model.signals:
        model.signals[name] = SIGNAL.accept(new, path, "it")
    else:
        model.elements[name] = new
    return model


def everywhere(model: Model, rest: str) -> list[str]:
    """The elements in which the rest of a path leads to something that is given.

    >>> everywhere(load_model("gearbox"), "law.mu_c")
    ['C1', 'C2', 'B1', 'B2']
    """
    names = [name for name, element in model.elements.items() if rest and _leads(element, rest.split("."))]
    if not names:
        raise UnknownName(f"*.{rest}: no element of {model.name} has '{rest}'; name an element and its parameter")
    return names


def _leads(thing: Any, parts: list[str]) -> bool:
    """Whether a path leads to a value."""
    if not parts:
        return thing is not None
    if not isinstance(thing, Declared):
        return False
    names = [name for name, param in thing.params.items() if parts[0] in (name, *param.aliases)]
    return any(_leads(getattr(thing, name), parts[1:]) for name in names)


def _replaced(thing: Any, parts: list[str], value: Any) -> Any:
    """A copy of an element, law, signal or list with the value at the end of the path."""
    if not parts:
        return value
    word, *rest = parts
    if isinstance(thing, list):
        if not word.isdecimal() or int(word) >= len(thing):
            raise UnknownName(f"there is no entry '{word}'; the entries are 0 to {len(thing) - 1}")
        return [_replaced(entry, rest, value) if i == int(word) else entry for i, entry in enumerate(thing)]
    if not isinstance(thing, Declared):
        raise UnknownName(f"{thing!r} is a number, so it has no '{'.'.join(parts)}'; end the path before")
    if not rest:
        return thing.replace(**{word: value})
    (name,) = thing.canonical({word: value})
    inner = thing.params[name].accept(getattr(thing, name), type(thing).__name__, name)
    return thing.replace(**{word: _replaced(inner, rest, value)})


def _number(value: Any) -> Any:
    """A text that is just a number as that number."""
    try:
        number = float(value) if isinstance(value, str) else value
    except ValueError:
        return value
    return number
