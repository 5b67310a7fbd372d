"""The model: named elements and their connections."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from pathlib import Path
from typing import Any, Self, TypeVar

from ..declare import unknown
from ..elements import Element, reference
from ..errors import SpecError, UnknownName
from ..laws import Law
from ..nesting import nested
from ..signals import Operand, Signal
from ..signals.named import Named
from ..writing import write_text
from .law_texts import check_written_laws, laws_from_plain, laws_in_use, laws_to_plain
from .plain import (
    at_line,
    check_written_size,
    element_from_plain,
    element_to_plain,
    mapping,
    pairs,
    simulation_from_plain,
    value_to_plain,
)
from .simulation import Simulation
from .yaml_file import format_yaml, parse_yaml, read_text

KEYS = ("name", "laws", "signals", "elements", "connect", "simulation")
"""The top-level entries of a model file."""

TAKEN = {"simulation": "the settings of the simulation", "time": "the time of the results"}
"""Reserved names."""

E = TypeVar("E", bound=Element)


class Model:
    """A machine: add elements under their names, refer to them from others, simulate.

    >>> m = Model("stick-slip", t_end=25, intervals=2500)
    >>> pull = m.add("pull", Speed(w=0.1))
    >>> mass = m.add("mass", Inertia(J=1))
    >>> m.add("spring", Spring(pull, mass, c=2))
    >>> m.add("friction", Bearing(mass, law=LuGre()))
    """

    def __init__(self, name: Any = "model", **simulation: Any) -> None:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise SpecError(f"Model: name = {name!r} must be a text of one line, such as 'stick-slip'")
        self.name = name
        self.own_laws: dict[str, type[Law]] = {}
        """Laws from text that were declared for this model, by name."""
        self.elements: dict[str, Element] = {}
        self.signals: dict[str, Signal] = {}
        self.connections: list[tuple[str, str]] = []
        self.simulation = Simulation(**simulation)
        self.folder = Path()
        """The folder that relative paths of data files refer to: that of the model file."""
        self.outside = True
        """Whether data files may be outside that folder; for models from files this must be allowed explicitly."""

    @property
    def laws(self) -> dict[str, type[Law]]:
        """The laws outside of the package that this model knows by name: those of its file, and those that its elements
        use.

        >>> model.laws
        {}
        """
        return laws_in_use(self.own_laws, self.elements.values())

    def add(self, name: str, element: E) -> E:
        """Adds an element under a name and returns it, for connections.

        >>> mass = m.add("mass", Inertia(J="1 kg.m2"))
        """
        check_name(name)
        if isinstance(element, type) and issubclass(element, Element):
            raise SpecError(f"'{name}': {element.__name__} is the kind of element; write {element.__name__}(...)")
        if not isinstance(element, Element):
            raise SpecError(f"'{name}': {element!r} is not an element; write for instance Inertia(J=1)")
        self._check_free(name, element)
        if element.name:
            raise SpecError(f"'{name}': {element.label} is already in a model under that name; make a second one")
        element.name = name
        self.elements[name] = element
        return element

    def signal(self, name: str, signal: Any) -> Named:
        """Names a signal, which makes it a result, and returns a reference to it.

        >>> error = m.signal("error", Sine(amplitude=1, f=2) - mass.sensor("phi"))
        >>> m.add("motor", Torque(mass, tau=30 * error + 5 * Integral(error)))
        """
        check_name(name, "signal")
        self._check_free(name, signal)
        self.signals[name] = Operand(None, "", "signal").accept(signal, f"signal '{name}'", "it")
        return Named(name)

    def _check_free(self, name: str, thing: Any) -> None:
        """Refuses a name that is taken."""
        for known in (self.elements, self.signals):
            if name in known:
                raise SpecError(f"'{name}' is already there ({known[name]!r}); choose another name for {thing!r}")

    def connect(self, x: Any, y: Any) -> None:
        """Connects two flanges: elements, flanges (`spring.b`) or their names.

        >>> m.connect(spring.b, mass)
        """
        self.connections.append((reference(x, "connect"), reference(y, "connect")))

    @nested
    def to_dict(self) -> dict[str, Any]:
        """The model as plain data, the content of a model file.

        >>> model.to_dict()["elements"]["mass"]
        {'type': 'Inertia', 'J': 1}
        """
        check_written_size([*self.signals.values(), *self.elements.values()])
        data: dict[str, Any] = {"name": self.name}
        if texts := laws_to_plain(self.laws):
            data["laws"] = texts
        if self.signals:
            data["signals"] = {name: value_to_plain(signal) for name, signal in self.signals.items()}
        data["elements"] = {name: element_to_plain(element) for name, element in self.elements.items()}
        if self.connections:
            data["connect"] = [list(pair) for pair in self.connections]
        if self.simulation.given:
            data["simulation"] = dict(self.simulation.given)
        return data

    @classmethod
    @nested
    def from_dict(cls, data: object) -> Self:
        """A model from plain data, as returned by `to_dict`.

        >>> Model.from_dict({"name": "rig", "elements": {"mass": {"type": "Inertia", "J": 1}}})
        """
        top = mapping(data, "a model", "{name: rig, elements: {mass: {type: Inertia, J: 1}}}")
        for key in top:
            if key not in KEYS:
                raise UnknownName(unknown("a model has no entry", key, KEYS))
        model = cls(top.get("name", "model"))
        model.own_laws = laws_from_plain(top.get("laws", {}))
        with Law.registry.extended(model.own_laws):
            model._read_parts(top)
        return model

    def _read_parts(self, top: Mapping[Any, Any]) -> None:
        """Signals, elements, connections and settings from plain data."""
        for name, entry in mapping(top.get("signals", {}), "signals", "{u: {type: Sine, amplitude: 1, f: 2}}").items():
            check_name(name, "signal")
            try:
                self.signal(name, entry)
            except SpecError as error:
                raise at_line(entry, error) from None
        for name, entry in mapping(top.get("elements"), "elements", "{mass: {type: Inertia, J: 1}}").items():
            check_name(name)
            self.add(name, element_from_plain(name, entry))
        for x, y in pairs(top.get("connect", [])):
            self.connect(x, y)
        self.simulation = simulation_from_plain(top.get("simulation", {}))

    @nested
    def to_yaml(self, path: str | Path | None = None) -> str:
        """The model as YAML text, also written to a file if a path is given.

        >>> model.to_yaml("copy.yaml")
        """
        check_written_laws(self.elements.values())
        text = format_yaml(self.to_dict())
        if path is not None:
            write_text(path, text)
        return text

    @classmethod
    def from_yaml(cls, source: str | Path, *, outside: bool = False) -> Self:
        """A model from a YAML file; a text of several lines (or in braces) is taken as YAML. Data files that it names
        must be in its folder or below, unless `outside` is True.

        >>> Model.from_yaml("rig.yaml")
        """
        inline = isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{"))
        text = str(source) if inline else read_text(Path(source))
        try:
            model = cls.from_dict(parse_yaml(text))
        except SpecError as error:
            raise error if inline else type(error)(f"{source}: {error}") from None
        model.folder = Path() if inline else Path(source).parent
        model.outside = outside
        return model

    def copy(self) -> Self:
        """An independent copy.

        >>> m.copy() == m
        True
        """
        with Law.registry.extended(self.laws):  # classes of a script too
            model = self.from_dict(self.to_dict())
        model.folder, model.outside = self.folder, self.outside
        return model

    def snapshot(self) -> Self:
        """A model with the same elements and signals, which themselves never change; what is added to one of the two,
        or set in it, does not reach the other.

        >>> twin = m.snapshot()
        """
        model = copy(self)
        model.elements, model.signals, model.connections = dict(self.elements), dict(self.signals), [*self.connections]
        model.own_laws = dict(self.own_laws)
        return model

    def varied(self, values: Mapping[str, object]) -> Self:
        """A copy with other values, given by paths as in `set_parameter`; the model itself is unchanged. All values are
        set before they are checked, so their order does not matter.

        >>> softer = model.varied({"spring.c": "1 N.m/rad", "*.law.mu_c": 0.1, "simulation.t_end": "5 s"})
        """
        from .parameters import set_parameters

        model = self.snapshot()
        set_parameters(model, values)
        return model

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        things = {**self.signals, **self.elements}
        rows = [(name, *repr(thing).removesuffix(")").split("(", 1)) for name, thing in things.items()]
        rows += [("", "connect", f"{x} - {y}") for x, y in self.connections]
        widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
        s = self.simulation
        counted = f"{len(self.elements)} elements" + (f" and {len(self.signals)} named signals" if self.signals else "")
        lines = [f"Model '{self.name}': {counted}, {s.t_end} s in {s.intervals} intervals"]
        lines += [f"  {name:{widths[0]}}  {kind:{widths[1]}}  {values}".rstrip() for name, kind, values in rows]
        return "\n".join(lines)


def check_name(name: Any, what: str = "element") -> None:
    """Refuses an invalid name of an element or signal: result columns are named name.quantity.

    >>> check_name("left wheel")
    SpecError: the element name 'left wheel' ...; write 'left_wheel'
    """
    if not isinstance(name, str):
        raise SpecError(f"the {what} name {name!r} must be text; put it between quotes")
    if name in TAKEN:
        raise SpecError(f"the {what} name '{name}' is taken by {TAKEN[name]}; choose another one")
    if not name.replace("-", "_").isidentifier():
        better = "".join(c if c.isalnum() or c in "_-" else "_" for c in name.strip()) or "x"
        better = better if better[0].isalpha() else f"x{better}"
        raise SpecError(f"the {what} name '{name}' may have letters, digits, _ and - only; write '{better}'")
