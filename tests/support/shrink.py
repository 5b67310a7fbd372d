"""The smallest machine that fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from stribeck.elements import all_elements
from stribeck.signals import Operand, all_signals

from .builder import Machine, Plain
from .relabel import texts

Path = tuple[Any, ...]


def shrink(plain: Plain, fails: Callable[[Plain], bool]) -> Plain:
    """The machine without everything that it fails without: elements, then what they say beyond numbers.

    >>> shrink(driveline(12), lambda p: bool(faults(p)))
    """
    return shrink_machine(Machine(plain), lambda machine: fails(machine.plain)).plain


def shrink_machine(machine: Machine, fails: Callable[[Machine], bool]) -> Machine:
    """As `shrink`; images of each other are dropped and changed together, as long as there are any.

    >>> shrink_machine(symmetric(7), lambda machine: bool(check(machine).faults))
    """
    smaller = True
    while smaller:
        smaller = False
        for candidate in _simpler(machine):
            if fails(candidate):
                machine, smaller = candidate, True
                break
    return machine


def _simpler(machine: Machine) -> Iterator[Machine]:
    """Machines with one thing less, large pieces first; last of all without any knowledge of images."""
    units = _units(machine)
    for size in (8, 4, 2, 1):
        for k in range(0, len(units), size):
            yield without(machine, {name for unit in units[k : k + size] for name in unit})
    yield from _fewer_images(machine)
    for unit in units:
        for path, value in _simpler_values(machine.plain["elements"][unit[0]]):
            yield _changed(machine, [("elements", name, *path) for name in unit], value)
    for name, signal in machine.plain.get("signals", {}).items():
        for path, value in _simpler_signals(signal):
            yield _changed(machine, [("signals", name, *path)], value)
    if machine.images:
        yield Machine(machine.plain)


def _units(machine: Machine) -> list[tuple[str, ...]]:
    """Elements that are dropped and changed together."""
    images = [tuple(name.removeprefix("-") for name in group) for group in machine.images]
    grouped = {name for group in images for name in group}
    return [*images, *((name,) for name in machine.plain["elements"] if name not in grouped)]


def _fewer_images(machine: Machine) -> Iterator[Machine]:
    """Without the last of several branches, as far as their elements are the last of their groups."""
    if all(len(group) > 2 for group in machine.images) and machine.images:
        yield without(machine, {group[-1].removeprefix("-") for group in machine.images})


# --- less -------------------------------------------------------------------------------------------------------------


def without(machine: Machine, gone: set[str]) -> Machine:
    """Without some elements, what was connected to them, and what nothing is connected to any more.

    >>> without(Machine(driveline(7)), {"clutch0"})
    """
    plain = machine.plain
    elements = {name: values for name, values in plain["elements"].items() if name not in gone}
    signals: Plain = plain.get("signals", {})
    before, size = _joined(plain, plain["elements"]), -1
    while size != len(elements) + len(signals):
        size = len(elements) + len(signals)
        elements = {name: _unhooked(values, elements, signals) for name, values in elements.items()}
        elements = {name: values for name, values in elements.items() if values}
        left = _joined(plain, elements)
        elements = {name: values for name, values in elements.items() if name in left or name not in before}
        used = {text.partition(".")[0] for text in texts([elements, signals])}
        signals = {name: _still(signal, elements, signals, 1.0) for name, signal in signals.items() if name in used}
    connect = [pair for pair in plain.get("connect", []) if all(ref.partition(".")[0] in elements for ref in pair)]
    new = {"name": plain["name"], "signals": signals, "elements": elements, "connect": connect}
    images = [tuple(name for name in group if name.removeprefix("-") in elements) for group in machine.images]
    return Machine({key: value for key, value in new.items() if value}, tuple(g for g in images if len(g) > 1))


def _joined(plain: Plain, elements: Plain) -> set[str]:
    """The elements that others are connected to, or that are connected to others, by connections that are left."""
    joined = set()
    pairs = [pair for pair in plain.get("connect", []) if all(ref.partition(".")[0] in elements for ref in pair)]
    for name, values in elements.items():
        kind = all_elements()[values["type"]]
        refs = [values[key] for key in (*kind.flanges, *kind.ports) if key in values]
        pairs += [[name, ref] for ref in refs]
    for pair in pairs:
        joined |= {ref.partition(".")[0] for ref in pair}
    return joined


def _unhooked(values: Plain, elements: Plain, signals: Plain) -> Plain:
    """An element without its heat port or its signals, where they refer to what is gone; {} where a flange does."""
    kind = all_elements()[values["type"]]
    new = dict(values)
    for key, value in values.items():
        if key in kind.flanges and value.partition(".")[0] not in elements:
            return {}
        if key in kind.ports and value.partition(".")[0] not in elements:
            new = {word: kept for word, kept in new.items() if word not in (key, "T_fade", "fade")}
        if isinstance(_parameter(kind, key), Operand):
            new[key] = _still(value, elements, signals, 1.0)
    return new


def _parameter(kind: Any, word: str) -> Any:
    """The declaration of a parameter, by its name or its alias."""
    return next((param for name, param in kind.params.items() if word in (name, *param.aliases)), None)


def _still(signal: Any, elements: Plain, signals: Plain, value: float) -> Any:
    """A signal as it is, or a number where it refers to what is gone; parts of it are replaced first."""
    if isinstance(signal, str):
        name = signal.partition(".")[0]
        return signal if name in (elements if "." in signal else signals) else value
    if isinstance(signal, dict) and (refs := [signal[key] for key in ("quantity", "name") if key in signal]):
        return signal if _still(refs[0], elements, signals, value) == refs[0] else value
    if isinstance(signal, dict):
        operands = [name for name, param in all_signals()[signal["type"]].params.items() if isinstance(param, Operand)]
        return signal | {key: _still(signal[key], elements, signals, value) for key in operands if key in signal}
    return [_still(entry, elements, signals, value) for entry in signal] if isinstance(signal, list) else signal


# --- simpler ----------------------------------------------------------------------------------------------------------


def _simpler_values(values: Plain) -> Iterator[tuple[Path, Any]]:
    """Simpler values of an element: paths within it, and what to put there (None: nothing)."""
    kind = all_elements()[values["type"]]
    for key, value in values.items():
        parameter = _parameter(kind, key)
        if isinstance(parameter, Operand):
            yield from (((key, *path), simple) for path, simple in _simpler_signals(value))
        elif key == "law" and value["type"] not in ("Coulomb", "Switch"):
            size = value.get("mu_c", 1.0)
            yield (key,), {"type": "Coulomb", "mu_c": size}
            yield (key,), {"type": "Switch", "mu_c": size, "mu_s": value.get("mu_s", size)}
        elif key in kind.ports or key in kind.to_ground or not getattr(parameter, "required", True):
            yield (key,), None
        if isinstance(value, float) and value not in (0.0, 1.0):
            if key in ("w0", "v0", "phi0", "s0", "play", "d"):
                yield (key,), 0.0
            yield (key,), 1.0


def _simpler_signals(signal: Any) -> Iterator[tuple[Path, Any]]:
    """Simpler signals: a number, one of its operands, or the same with a simpler operand."""
    if not isinstance(signal, dict):
        return
    numbers = [signal[key] for key in ("amplitude", "height", "value", "k") if isinstance(signal.get(key), float)]
    yield (), [*numbers, 1.0][0]
    operands = [name for name, param in all_signals()[signal["type"]].params.items() if isinstance(param, Operand)]
    for key in operands:
        parts = signal.get(key, [])
        for place, part in enumerate(parts) if isinstance(parts, list) else [(None, parts)]:
            yield (), part
            path = (key,) if place is None else (key, place)
            yield from (((*path, *deeper), simple) for deeper, simple in _simpler_signals(part))


def _changed(machine: Machine, paths: list[Path], value: Any) -> Machine:
    """A machine with a value at each of the paths."""
    new = deepcopy(machine.plain)
    for path in paths:
        place: Any = new
        for key in path[:-1]:
            place = place[key]
        if value is None:
            del place[path[-1]]
        else:
            place[path[-1]] = deepcopy(value)
    return Machine(new, machine.images)
