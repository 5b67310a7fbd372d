"""Laws, elements and signals by name. Defining a class registers it; all files of the folder are imported.

    class Inertia(Body):
        group = "bodies"

Files that begin with an underscore hold shared code.
"""

from __future__ import annotations

import pkgutil
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from .declare import Declared, unknown
from .errors import SpecError, UnknownName

R = TypeVar("R", bound="Registered")


class Registry(Generic[R]):
    """All laws, elements or signals. `what` names them in messages, `groups` is their order in documents and menus.

    >>> Signal.registry.get("low-pass")
    <class 'stribeck.signals.low_pass.LowPass'>
    """

    def __init__(self, what: str, package: str, groups: Sequence[str] = ("",)) -> None:
        self.what, self.package, self.groups = what, package, tuple(groups)
        self._kinds: dict[str, type[R]] = {}
        self._ordered: list[tuple[str, type[R]]] = []
        self._complete = False
        self._local: ContextVar[Mapping[str, type[R]]] = ContextVar(what, default=MappingProxyType({}))

    def add(self, kind: type[R]) -> None:
        """Registers a class when it is defined. A name belongs to one class, which may be redefined.

        >>> Signal.registry.add(Sine)
        """
        if kind.group not in self.groups:
            raise TypeError(
                f"{self.what} {kind.__name__}: group = {kind.group!r} is not one of {', '.join(self.groups)}; "
                f"a base class is declared as class {kind.__name__}(..., registered=False)"
            )
        other = self._kinds.get(kind.__name__)
        if other is not None and (other.__module__, other.__qualname__) != (kind.__module__, kind.__qualname__):
            raise TypeError(f"{self.what} {kind.__name__} is defined in {other.__module__}; choose another name")
        self._kinds[kind.__name__] = kind
        self._ordered = []

    def all(self) -> dict[str, type[R]]:
        """Every class by name: group by group, alphabetical within each.

        >>> list(Signal.registry.all())[:3]
        ['Chirp', 'Constant', 'Pulse']
        """
        if not self._complete:
            names = [info.name for info in pkgutil.iter_modules(sys.modules[self.package].__path__)]
            for name in sorted(name for name in names if not name.startswith("_")):
                import_module(f"{self.package}.{name}")
            self._complete = True
        if not self._ordered:
            self._ordered = sorted(
                self._kinds.items(), key=lambda item: (self.groups.index(item[1].group), plain(item[0]))
            )
        return dict(self._ordered)

    @contextmanager
    def extended(self, kinds: Mapping[str, type[R]]) -> Iterator[None]:
        """Within it, `get` and `build` also know these classes: the laws of one model file.

        >>> with Signal.registry.extended({"Wave": Sine}):
        ...     Signal.registry.get("wave")
        <class 'stribeck.signals.sine.Sine'>
        """
        before = self._local.set({**self._local.get(), **kinds})
        try:
            yield
        finally:
            self._local.reset(before)

    def get(self, name: str, place: str = "") -> type[R]:
        """The class of that name, ignoring case and hyphens; an unknown name is refused with the nearest one.

        >>> Signal.registry.get("sinus", "motor, tau")
        UnknownName: motor, tau: there is no signal 'sinus'; did you mean 'Sine'? ...
        """
        known = {**self.all(), **self._local.get()}
        kind = known.get(name) or {plain(word): kind for word, kind in known.items()}.get(plain(name))
        if kind is None:
            raise UnknownName(unknown(f"{place}: there is no {self.what}".removeprefix(": "), name, known))
        return kind

    def as_attributes(
        self, module: str, names: Sequence[str]
    ) -> tuple[Callable[[str], type[R]], Callable[[], list[str]]]:
        """`__getattr__` and `__dir__` for the module of these classes, in addition to its other names.

        >>> __getattr__, __dir__ = Signal.registry.as_attributes("stribeck.signals", ["Signal"])
        """

        def attribute(name: str) -> type[R]:
            if name.startswith("_") or name not in self.all():
                raise AttributeError(f"module '{module}' has no attribute '{name}'")
            return self.all()[name]

        return attribute, lambda: [*names, *self.all()]

    def build(self, data: Mapping[object, object], place: str) -> R:
        """An object from plain data, {"type": "Sine", "amplitude": 1, "f": 2}; `place` is for messages.

        >>> Signal.registry.build({"type": "Sine", "amplitude": 1, "f": 2}, "motor, tau")
        Sine(amplitude=1, f=2)
        """
        values = dict(data)
        word = values.pop("type", None)
        if word is None:
            known = " or ".join(self.all())
            raise SpecError(f"{place}: {values} has no type; say which {self.what}: type = {known}")
        kind = self.get(str(word), place)
        try:
            return kind(**{str(name): value for name, value in values.items()})
        except SpecError as error:
            raise type(error)(f"{place}: {error}") from None


def plain(name: str) -> str:
    """A name without case and separators.

    >>> plain("Low-Pass"), plain("low_pass")
    ('lowpass', 'lowpass')
    """
    return re.sub("[-_ ]", "", name).lower()


class Registered(Declared):
    """Base of laws, elements and signals: a class is registered when it is defined, unless it is a shared base class.

    >>> class Friction(Element, registered=False): ...
    """

    registry: ClassVar[Registry[Any]]
    """All registered classes."""
    group: ClassVar[str] = ""
    """One of the groups of the registry."""

    def __init_subclass__(cls, registered: bool = True, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if registered:
            cls.registry.add(cls)
