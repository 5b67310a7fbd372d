"""Type checks at the public interface: an argument of the wrong type is refused by name, before it causes errors
inside.

The annotations are the rules: `guard` wraps the public functions, and the public methods of public classes. Calls
within the package are not checked.
"""

from __future__ import annotations

import collections.abc as abc
import inspect
import os
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, wraps
from itertools import chain
from numbers import Integral, Number, Real
from pathlib import Path
from threading import local
from typing import Any, TypeAlias

import numpy as np

from .declare import Declared
from .errors import ArgumentError, shortened

MOST_LOOKED_AT = 1000
"""Largest number of entries of a list or mapping that are checked."""
EVERY_STEP = {"Stepper.step", "Stepper.__getitem__", "Stepper.restore", "Stepper.snapshot", "Environment.step"}
"""Methods that are called every millisecond; they check their arguments themselves."""
NUMBERS = "biufc"
"""Array kinds that hold numbers."""
GUARDED: set[type] = set()
"""Classes whose methods are wrapped; a base of several public classes is wrapped once."""
BEYOND_FLOAT = 2**1023
"""Integers from here on have no floating-point value."""


def guard(space: dict[str, Any], names: Iterable[str]) -> None:
    """Wraps all public functions and classes of a namespace; classes declared by `Param` lines check themselves.

    >>> guard({"simulate": simulate}, ["simulate"])
    """
    for name in names:
        thing = space[name]
        if inspect.isfunction(thing):
            space[name] = checked(thing)
        elif inspect.isclass(thing) and not issubclass(thing, Declared | BaseException):
            _guard_class(thing)


def _guard_class(cls: type) -> None:
    for base in cls.__mro__[1:]:
        if base.__module__.partition(".")[0] == __package__:
            _guard_class(base)
    if cls in GUARDED:
        return
    GUARDED.add(cls)
    for name, member in list(vars(cls).items()):
        if (name.startswith("_") and name not in ("__init__", "__getitem__")) or f"{cls.__name__}.{name}" in EVERY_STEP:
            continue
        if inspect.isfunction(member):
            setattr(cls, name, checked(member))
        elif isinstance(member, staticmethod | classmethod) and inspect.isfunction(member.__func__):
            setattr(cls, name, type(member)(checked(member.__func__)))


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that refuses arguments that do not match its annotations.

    >>> checked(simulate)(42)
    ArgumentError: simulate: model = 42 must be ...
    """

    @wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if _inside.checked:
            return function(*args, **kwargs)
        _check(function, args, kwargs)
        _inside.checked = True
        try:
            return function(*args, **kwargs)
        finally:
            _inside.checked = False

    return guarded


class _Inside(local):
    """Whether this thread is inside a checked call."""

    checked = False


_inside = _Inside()


def _check(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    signature, rules, by_place, named = _contract(function)
    if len(args) in by_place:  # nothing to bind, nothing to say: most calls
        given, missing = by_place[len(args)]
        if missing <= kwargs.keys() <= named[len(args)]:
            for value, (sight, hint) in chain(zip(args, given, strict=True), _with_rules(kwargs, rules)):
                if type(value) not in sight and not fits(value, hint):
                    break
            else:
                return
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise ArgumentError(f"{_title(function)}: {error}; it takes {signature}") from None
    for name, value in bound.arguments.items():
        _, hint = rules.get(name, ANYTHING)
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            entries: Iterable[tuple[str, Any]] = ((name, entry) for entry in value)
        elif kind is inspect.Parameter.VAR_KEYWORD:
            entries = value.items()
        else:
            entries = [(name, value)]
        for label, entry in entries:
            if not fits(entry, hint):
                shown = shortened(" ".join(repr(entry).split()), 200)
                raise ArgumentError(f"{_title(function)}: {label} = {shown} must be {' or '.join(_words(hint))}")


def _title(function: Callable[..., Any]) -> str:
    return function.__qualname__.removesuffix(".__init__")


def _with_rules(values: Mapping[str, Any], rules: Mapping[str, Rule]) -> Iterator[tuple[Any, Rule]]:
    return ((value, rules.get(name, ANYTHING)) for name, value in values.items())


Rule: TypeAlias = tuple[frozenset[type], Any]
"""Classes of which every object matches, and the annotation that decides about the others."""
ANYTHING: Rule = frozenset(), Any
Contract: TypeAlias = tuple[
    inspect.Signature, dict[str, Rule], dict[int, tuple[list[Rule], frozenset[str]]], dict[int, frozenset[str]]
]


@cache
def _contract(function: Callable[..., Any]) -> Contract:
    """The signature; the rules of the annotations that can be resolved, where those of packages not yet loaded accept
    anything; for every possible number of positional arguments their rules, the names that are needed beside them, and
    those that may be given by name."""
    rules, known = dict[str, Rule](), _names(function.__module__)
    for name, text in inspect.get_annotations(function).items():
        holder = types.SimpleNamespace(__annotations__={name: text})
        try:
            hint = typing.get_type_hints(holder, known)[name]
            rules[name] = _at_sight(hint), hint
        except (NameError, TypeError, AttributeError):
            rules[name] = ANYTHING
    signature = inspect.signature(function)
    by_place, named = dict[int, tuple[list[Rule], frozenset[str]]](), dict[int, frozenset[str]]()
    places = [p for p in signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = {p.name for p in signature.parameters.values() if p.default is p.empty and p.kind not in several}
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    for number in range(len(places) + 1):
        taken = {p.name for p in places[:number]}
        by_place[number] = [rules.get(p.name, ANYTHING) for p in places[:number]], frozenset(needed - taken)
        named[number] = frozenset(p.name for p in signature.parameters.values() if p.kind in by_name) - taken
    return signature, rules, by_place, named


def _names(module: str) -> dict[str, Any]:
    """The names of a module and of its packages: some modules import a type for its annotations only."""
    parts = module.split(".")
    packages = (".".join(parts[:end]) for end in range(1, len(parts) + 1))
    return {name: value for package in packages for name, value in vars(sys.modules.get(package, types)).items()}


@cache
def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a type is made of."""
    return typing.get_origin(hint), typing.get_args(hint)


def _at_sight(hint: Any) -> frozenset[type]:
    origin, inner = _parts(hint)
    if origin in (typing.Union, types.UnionType):
        return frozenset(cls for option in inner for cls in _at_sight(option))
    sure = isinstance(hint, type) and origin is None and hint not in (int, np.ndarray, abc.Callable)
    return frozenset([hint] if sure else [])


def fits(value: Any, hint: Any) -> bool:
    """Whether a value matches an annotation; NumPy scalars are numbers, NumPy arrays are sequences.

    >>> fits([1, 2.5], Sequence[float]), fits("12", Sequence[float])
    (True, False)
    """
    if hint is Any or isinstance(hint, typing.TypeVar | str):
        return True
    origin, inner = _parts(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, option) for option in inner)
    if origin is typing.Literal:
        return isinstance(value, str | Real | None) and value in inner
    if origin is not None:
        return _fits_generic(value, origin, inner)
    if hint in (None, type(None)):
        return value is None
    if hint in SCALARS:
        return SCALARS[hint](value)
    if hint is np.ndarray:
        return isinstance(value, np.ndarray) and value.dtype.kind in NUMBERS
    return isinstance(value, hint) if isinstance(hint, type) else True


def _is_number(value: Any, kind: type) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in ("iu" if kind is Integral else "fiu")
    if not isinstance(value, kind) or isinstance(value, bool | np.bool_):
        return False
    return not isinstance(value, int) or abs(value) < BEYOND_FLOAT


SCALARS: dict[Any, Callable[[Any], bool]] = {
    float: lambda value: _is_number(value, Real),
    int: lambda value: _is_number(value, Integral),
    complex: lambda value: _is_number(value, Number),
    bool: lambda value: isinstance(value, bool | np.bool_),
    Path: lambda value: isinstance(value, os.PathLike),
    abc.Callable: callable,
}
"""Types with several classes."""


def _fits_generic(value: Any, origin: Any, inner: tuple[Any, ...]) -> bool:
    """Whether a value matches a container type, such as Mapping[str, float]."""
    if origin is abc.Callable:
        return callable(value)
    if not isinstance(origin, type):
        return True
    if isinstance(value, np.ndarray) and issubclass(origin, abc.Iterable) and origin is not dict:
        known = origin in (np.ndarray, abc.Sequence, abc.Iterable, abc.Collection) and value.ndim > 0
        if origin is np.ndarray:
            return value.dtype.kind in NUMBERS
        looked_at = value.flat[: MOST_LOOKED_AT if value.dtype.kind == "O" else 1]
        return known and all(fits(entry, inner[0]) for entry in looked_at)
    if not isinstance(value, origin) or (isinstance(value, str | bytes) and origin not in (str, bytes)):
        return False
    if type(value).__module__.startswith(f"{__package__}."):
        return True  # a container of this package has what it promises, and may look it up only when asked
    return all(fits(entry, hint) for entry, hint in _entries(value, inner))


def _entries(value: Any, inner: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    """The entries that can be inspected without consuming the value, each with its required type."""
    if isinstance(value, Mapping) and len(inner) == 2:
        for _, (key, entry) in zip(range(MOST_LOOKED_AT), value.items(), strict=False):
            yield key, inner[0]
            yield (
                entry,
                Any if typing.get_origin(inner[1]) is tuple else inner[1],
            )  # pairs are checked where they are used
    elif isinstance(value, tuple) and inner and inner[-1] is not Ellipsis and type(value) is tuple:
        yield from zip(value, inner, strict=False)
    elif isinstance(value, abc.Sequence | abc.Set) and inner:
        yield from ((entry, inner[0]) for _, entry in zip(range(MOST_LOOKED_AT), value, strict=False))


def _words(hint: Any) -> list[str]:
    """An annotation in words."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return list(dict.fromkeys(word for option in typing.get_args(hint) for word in _words(option)))
    if typing.get_origin(hint) is abc.Callable:
        return ["a function"]
    if typing.get_origin(hint) is typing.Literal:
        return [repr(choice) for choice in typing.get_args(hint)]
    known = {float: "a number", int: "a whole number", str: "a text", bool: "True or False", Path: "a path"}
    if hint in (None, type(None)):
        return ["None"]
    if typing.get_origin(hint) is None:
        return [known.get(hint, getattr(hint, "__name__", str(hint)))]
    name = getattr(typing.get_origin(hint), "__name__", str(hint))
    inner = ", ".join(" or ".join(_words(arg)) for arg in typing.get_args(hint) if arg is not Ellipsis)
    return [f"{name} of {inner}"]
