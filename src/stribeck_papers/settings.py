"""Other values of parameters in an item: what `stribeck papers NAME --item LABEL --set PATH=VALUE` runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

import stribeck as sb


class Settings:
    """Values by the paths of parameters, the paths that a model has had, and why others did not."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values = dict(values)
        self.used: set[str] = set()
        self.refused: dict[str, sb.UnknownName] = {}


class Adjustable:
    """What the models of an item are: their laws, and a parameter of theirs as an example for `--set`."""

    def __init__(self) -> None:
        self.laws: dict[str, None] = {}
        self.example = ""

    def note(self, model: sb.Model) -> None:
        """Adds a model."""
        elements = model.to_dict().get("elements", {})
        laws = {name: element.get("law") for name, element in elements.items()}
        self.laws |= {law["type"]: None for law in laws.values() if isinstance(law, dict) and law["type"] in LAWS}
        numbers = [_numbers(f"{name}.law", law) for name, law in laws.items()]
        numbers += [_numbers(name, element) for name, element in elements.items()]
        paths = (f"{path}={2 * value:.3g}" for values in numbers for path, value in values.items())
        self.example = self.example or next(paths, "")


LAWS = {law.__name__ for law in sb.laws.all_laws().values()}


def _numbers(path: str, values: object) -> dict[str, float]:
    """The parameters that are numbers other than 0, by their paths."""
    known = values.items() if isinstance(values, dict) else ()
    return {f"{path}.{name}": value for name, value in known if isinstance(value, float) and value}


_NOTED: ContextVar[Adjustable | None] = ContextVar("noted", default=None)
_CURRENT: ContextVar[Settings | None] = ContextVar("settings", default=None)


def adjusted(model: sb.Model) -> sb.Model:
    """The model of an experiment, with the values that `--set` has for its parameters.

    >>> with setting({"mass.J": "2 kg.m2"}):
    ...     result = sb.simulate(adjusted(model))
    """
    if (noted := _NOTED.get()) is not None:
        noted.note(model)
    current = _CURRENT.get()
    if current is None:
        return model
    for path, value in current.values.items():
        try:
            model = model.varied({path: value})
            current.used.add(path)
        except sb.UnknownName as unknown:  # another model of the item may have it
            current.refused[path] = unknown
    return model


@contextmanager
def noting() -> Iterator[Adjustable]:
    """Notes the models that are `adjusted` within it.

    >>> with noting() as noted:
    ...     result = sb.simulate(adjusted(model))
    >>> noted.example
    'friction.law.sigma0=2e+05'
    """
    noted = Adjustable()
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


@contextmanager
def setting(values: Mapping[str, str]) -> Iterator[None]:
    """Sets values in all models that are `adjusted` within it; refuses a path that none of them has.

    >>> with setting({"mass.J": "2 kg.m2"}):
    ...     result = sb.simulate(adjusted(model))
    """
    if not values:
        yield
        return
    current = Settings(values)
    token = _CURRENT.set(current)
    _forget()  # what experiments keep was run with the values of the paper
    try:
        yield
    finally:
        _CURRENT.reset(token)
        _forget()
    for path in current.values:
        if path not in current.used:
            raise current.refused.get(path) or sb.UnknownName(f"this item has no model in which to set '{path}'")


def _forget() -> None:
    """Empties what the experiments of all papers keep with `functools.cache`."""
    package = __name__.rpartition(".")[0]
    for name, module in list(sys.modules.items()):
        if name.startswith(f"{package}.") and name.count(".") > 1 and module is not None:  # of a paper, not shared
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()
