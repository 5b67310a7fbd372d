"""Choices by name: an unknown name is refused with the nearest known one."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TypeVar

import stribeck as sb

Entry = TypeVar("Entry")


def choose(what: str, name: str, known: Mapping[str, Entry]) -> Entry:
    """The entry with this name; `what` starts the error message if there is none.

    >>> choose("there is no scheme", "iterated", {"iterated": 1, "predicted": 2})
    1
    >>> choose("there is no scheme", "iterate", {"iterated": 1, "predicted": 2})
    UnknownName: there is no scheme 'iterate'; did you mean 'iterated'? (known: iterated, predicted)
    """
    if name in known:
        return known[name]
    names = {key.lower(): key for key in known}
    near = get_close_matches(str(name).lower(), names, 1)
    hint = f"; did you mean '{names[near[0]]}'?" if near else ""
    raise sb.UnknownName(f"{what} '{name}'{hint} (known: {', '.join(known)})")
