"""Free parameters of a model: their paths, their bounds, and the coordinates in which they are searched."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...compile import resolve_nodes
from ...declare import Declared, Param, Series, unknown
from ...errors import SpecError, UnknownName
from ...laws import Law
from ...signals.constant import Constant
from ...spec import Model
from ...spec.parameters import everywhere
from ...units import to_si


@dataclass(frozen=True)
class Free:
    """One free parameter, in SI. The search uses coordinates that are 0 at the start.

    A positive parameter is searched on a log scale, x = ln(value/start): a step of 0.1 is 10 %. One that may be 0 or
    negative is searched on a linear scale, x = (value - start)/scale.

    >>> Free("joint.law.sigma0", "N/m", "stiffness", start=1e5, low=0, high=math.inf, log=True).value(0.1)
    110517.09180756477
    """

    path: str
    unit: str
    text: str
    start: float
    low: float
    high: float
    log: bool
    scale: float = 1.0

    def value(self, x: float) -> float:
        """The parameter at a coordinate, clipped to its bounds."""
        value = self.start * math.exp(min(max(x, -300.0), 300.0)) if self.log else self.start + self.scale * x
        return min(max(value, self.low), self.high)

    def coordinate(self, value: float) -> float:
        """The coordinate of a value."""
        if not self.log:
            return (value - self.start) / self.scale
        if value <= 0:
            return -math.inf
        return math.log(value / self.start) if math.isfinite(value) else math.inf

    def slope(self, x: float) -> float:
        """Derivative of the value by the coordinate."""
        return self.value(x) if self.log else self.scale

    @property
    def limits(self) -> tuple[float, float]:
        """The bounds as coordinates."""
        return self.coordinate(self.low), self.coordinate(self.high)


def free_parameters(
    model: Model,
    paths: Sequence[str],
    start: Mapping[str, Any] | None = None,
    bounds: Mapping[str, tuple[Any, Any]] | None = None,
) -> tuple[Free, ...]:
    """The free parameters of these paths (as in `set_parameter`), with the start values and bounds given, else with the
    values of the model and the bounds of the declarations. Texts with units are converted.

    >>> free_parameters(model, ["joint.law.mu_c", "load.m"], start={"load.m": "80 kg"}, bounds={"load.m": (50, 120)})
    """
    names = [paths] if isinstance(paths, str) else list(paths)
    if not names:
        raise SpecError("fit: free is empty; name at least one parameter, for instance free=['joint.law.mu_c']")
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise SpecError(f"fit: '{twice[0]}' is named twice in free; name it once")
    for what, given in (("start", start), ("bounds", bounds)):
        for name in given or {}:
            if name not in names:
                raise UnknownName(unknown(f"fit: {what} of a parameter that is not free:", name, names))
    finder = Finder(model)
    return tuple(finder.free(name, (start or {}).get(name), (bounds or {}).get(name)) for name in names)


class Finder:
    """Looks up parameters of a model by their paths, in SI.

    >>> Finder(model).find("joint.law.mu_c").value
    0.8
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.nodes = resolve_nodes(model)

    def free(self, path: str, start: Any, bounds: tuple[Any, Any] | None) -> Free:
        """One free parameter, checked."""
        spot = self.find(path)
        first = spot.value if start is None else to_si(start, spot.unit, "fit", f"start of {path}")
        low, high = self._bounds(spot, bounds)
        positive = low >= 0 and (spot.param.above == 0 or low > 0)
        if first is None or not math.isfinite(first):
            raise SpecError(f"fit: {path} has no value to start from; give one, for instance start={{'{path}': 1.0}}")
        if not low <= first <= high or (positive and first <= 0):
            raise SpecError(
                f"fit: {path} starts at {first:g} {spot.unit}, outside of its bounds {low:g} to {high:g}; "
                f"give another start, or wider bounds={{'{path}': (low, high)}}"
            )
        return Free(path, spot.unit, spot.param.text, first, low, high, positive, _scale(first, low, high))

    def _bounds(self, spot: Spot, given: tuple[Any, Any] | None) -> tuple[float, float]:
        param = spot.param
        low = max((b for b in (param.min, param.above) if b is not None), default=-math.inf)
        high = math.inf if param.max is None else param.max
        if given is None:
            return low, high
        try:
            ends = [
                None if b is None or b in (-math.inf, math.inf) else to_si(b, spot.unit, "fit", f"bound of {spot.path}")
                for b in given
            ]
            below, above = ends
        except (TypeError, ValueError):
            raise SpecError(f"fit: bounds of {spot.path} = {given!r} must be a pair (low, high)") from None
        low, high = max(low, -math.inf if below is None else below), min(high, math.inf if above is None else above)
        if low >= high:
            raise SpecError(f"fit: bounds of {spot.path} leave nothing between {low:g} and {high:g} {spot.unit}")
        return low, high

    def find(self, path: str) -> Spot:
        """Declaration, unit and current value at a path; "*.law.mu_c" is that of the first element that has it."""
        thing, param, units = self._walk(path)
        return Spot(path, param, _unit(param, units), self._number(path, thing, param))

    def thing(self, path: str) -> Any:
        """The object at a path: an element, a law, a signal or a number."""
        return self._walk(path)[0]

    def _walk(self, path: str) -> tuple[Any, Param, Mapping[str, str]]:
        """The object at a path, its declaration, and the units that apply to it."""
        name, *parts = path.split(".")
        if name == "*":
            name = everywhere(self.model, ".".join(parts))[0]
        places: dict[str, Any] = {**self.nodes.elements, **self.nodes.signals}
        if name not in places:
            raise UnknownName(unknown(f"fit: {path}: there is no element", name, places))
        thing = places[name]
        units: Mapping[str, str] = self.nodes.domains[name].units if name in self.nodes.domains else {}
        param = Param(None, "", "signal")
        for i, part in enumerate(parts):
            if isinstance(thing, list):
                thing, param = self._entry(thing, part, path, param)
                continue
            if not isinstance(thing, Declared):
                raise UnknownName(f"fit: {path}: {'.'.join([name, *parts[:i]])} is a number; end the path there")
            try:
                (word,) = thing.canonical({part: None})
            except UnknownName as error:
                raise UnknownName(f"fit: {path}: {error}") from None
            units = getattr(thing, "units", units)
            followed = thing.varying.get(word) if isinstance(thing, Law) else None
            param, thing = thing.params[word], followed or getattr(thing.p, word)  # type: ignore[attr-defined]
        return thing, param, units

    @staticmethod
    def _entry(values: list[Any], part: str, path: str, param: Param) -> tuple[Any, Param]:
        if not part.isdecimal() or int(part) >= len(values):
            raise UnknownName(f"fit: {path}: there is no entry '{part}'; the entries are 0 to {len(values) - 1}")
        return values[int(part)], param.entry if isinstance(param, Series) else param

    @staticmethod
    def _number(path: str, thing: Any, param: Param) -> float | None:
        if isinstance(thing, Constant):
            thing = thing.p.value
        if thing is None or (isinstance(thing, int | float) and not isinstance(thing, bool)):
            return None if thing is None else float(thing)
        example = f"{path}.{next(iter(thing.params))}" if isinstance(thing, Declared) and thing.params else "a number"
        raise SpecError(f"fit: {path} is {thing!r}, not a number that can be fitted; name one in it, such as {example}")


@dataclass(frozen=True)
class Spot:
    """A parameter as the model has it."""

    path: str
    param: Param
    unit: str
    value: float | None


def _unit(param: Param, units: Mapping[str, str]) -> str:
    try:
        return param.unit.format_map(units)
    except KeyError:
        return ""


def _scale(start: float, low: float, high: float) -> float:
    """A typical size of a parameter that may be 0: that of the start, else that of the bounds, else 1."""
    if start:
        return abs(start)
    ends = [abs(bound) for bound in (low, high) if math.isfinite(bound) and bound]
    return max(ends, default=1.0)
