"""The same machine in other words: other names, another order, flanges that change places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from .builder import Plain

Change = Callable[[Plain], Plain]


class Relabelled(NamedTuple):
    """The machine in other words, new name by old, and the old names of elements that were turned round."""

    plain: Plain
    names: dict[str, str]
    turned: set[str]


def _as_it_is(values: Plain) -> Plain:
    return values


def _negated(*words: str) -> Change:
    """Parameters that change their signs when an element is turned round."""
    return lambda values: values | {word: -values[word] for word in words if word in values}


def _exchanged(*pairs: tuple[str, str], sign: float = 1.0) -> Change:
    """Parameters that change places, and maybe signs."""

    def change(values: Plain) -> Plain:
        new = dict(values)
        for x, y in pairs:
            for word, other in ((x, y), (y, x)):
                new.pop(word, None)
                if other in values:
                    new[word] = sign * values[other]
        return new

    return change


RELAXED = _negated("phi_rel0", "s_rel0")

TURNED: dict[str, tuple[tuple[str, str], Change]] = {
    "Clutch": (("a", "b"), _as_it_is),
    "Damper": (("a", "b"), _as_it_is),
    "Spring": (("a", "b"), RELAXED),
    "SpringDamper": (("a", "b"), RELAXED),
    "ElastoBacklash": (("a", "b"), RELAXED),
    "ElastoBacklash2": (("a", "b"), RELAXED),
    "Stop": (("a", "b"), _exchanged(("phi_min", "phi_max"), ("s_min", "s_max"), sign=-1.0)),
    "Disc": (("a", "b"), _negated("deltaPhi")),
    "Rod": (("a", "b"), _negated("L")),
    "Hydraulic": (("a", "b"), _exchanged(("area_a", "area_b"))),
    "Convection": (("a", "b"), _as_it_is),
    "Differential": (("left", "right"), _as_it_is),
}
"""Elements whose flanges can change places: these flanges, and what else changes."""


def relabel(plain: Plain, seed: int) -> Relabelled:
    """The same machine with other names in another order, some elements turned round.

    >>> other, names, turned = relabel(driveline(7), seed=1)
    """
    rng = np.random.default_rng([5, seed])
    old = [*plain.get("signals", {}), *plain["elements"]]
    names = {name: f"x{number}" for name, number in zip(old, rng.permutation(len(old)), strict=True)}
    fixed = {text.partition(".")[0] for text in texts(plain) if "." in text}  # sensed, or joined at a flange
    turned = {
        name
        for name, values in plain["elements"].items()
        if set(TURNED.get(values["type"], [("-",)])[0]) <= set(values) and rng.random() < 0.5 and name not in fixed
    }

    def element(name: str) -> Plain:
        values = dict(plain["elements"][name])
        if name in turned:
            (a, b), change = TURNED[values["type"]]
            values = change(values | {a: values[b], b: values[a]})
        return translated(values, names)

    order: Callable[[Any], list[Any]] = lambda things: [list(things)[i] for i in rng.permutation(len(things))]  # noqa: E731
    new: Plain = {"name": plain["name"], "elements": {names[name]: element(name) for name in order(plain["elements"])}}
    if "signals" in plain:
        new["signals"] = {names[name]: translated(plain["signals"][name], names) for name in order(plain["signals"])}
    if "connect" in plain:
        new["connect"] = [translated(pair, names)[::-1] for pair in order(plain["connect"])]
    return Relabelled(new, names, turned)


def translated(value: Any, names: Mapping[str, str]) -> Any:
    """Plain data with references to other names.

    >>> translated({"type": "Gain", "u": "mass.w", "k": 2}, {"mass": "x3"})
    {'type': 'Gain', 'u': 'x3.w', 'k': 2}
    """
    if isinstance(value, str):
        name, dot, rest = value.partition(".")
        return f"{names[name]}{dot}{rest}" if name in names else value
    if isinstance(value, list):
        return [translated(entry, names) for entry in value]
    if isinstance(value, Mapping):
        return {key: entry if key == "type" else translated(entry, names) for key, entry in value.items()}
    return value


def texts(value: Any) -> Iterator[str]:
    """All texts in plain data that may be references."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for entry in value:
            yield from texts(entry)
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            if key != "type":
                yield from texts(entry)
