"""Where the fit of a law starts: from the model, or from what other laws have found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from ...analysis.comparison.comparison import with_law
from ...declare import Series
from ...errors import SpecError, StribeckError
from ...laws import Law, Role
from ...spec import Model
from ..fits.contact import contact
from ..fits.free import Finder
from ..fits.guided import guided_rig
from ..fits.result import FitResult
from ..fits.simulation import Rig
from ..records.measurement import Measurement

RIG_OPTIONS = {"initial", "hold", "substeps"}
SPEEDS = (0.03, 0.1, 0.3)
"""Characteristic speeds of a law that are tried, as shares of the speed of slip."""
WAYS = (1e-4, 1e-3, 1e-2, 1e-1)
"""Presliding that is tried, as shares of the whole way."""
WORTH_A_FIT = 4.0
"""A start may be as many times further from the records (in squares) than where the law stands: fits come closer."""


@dataclass(frozen=True)
class Starts:
    """Machines with a law from which its fit can start, and how far they are from the records.

    >>> Starts(model, [run], ("joint",), ties, None, {}).first(LuGre, None)
    """

    model: Model
    records: Sequence[Measurement]
    places: Sequence[str]
    ties: Mapping[str, Any]
    words: Sequence[str] | None
    """Parameters of laws that are free, if they are named."""
    options: Mapping[str, Any]

    def first(self, choice: Law | type[Law], leader: Model | None) -> Model:
        """The machine with the law: as it is given, else with the parameters that it shares with the law of the model
        and the others tried over what the motion suggests; and either with what the best law so far has found, if that
        comes closer to the records."""
        machine = with_law(choice, self.model, self.places, {})
        given = all(type(self.model.elements[p].law) is type(machine.elements[p].law) for p in self.places)
        if given or isinstance(choice, Law):
            machines = [machine]
            if leader is not None and np.isfinite(self.distance(machine)):  # else the fit tells what is wrong
                machines.append(self._with_free(machine, leader))
        else:
            models = [model for model in (self.model, leader) if model is not None]
            machines = [variant for model in models for variant in self._tried(choice, model)]
        return min(machines, key=self.distance) if len(machines) > 1 else machines[0]

    def better(
        self, choice: Law | type[Law], result: FitResult | None, models: Sequence[Model]
    ) -> tuple[float, Model | None]:
        """The start of the law among these models that is closest to the records, and how far it is; None if none of
        them promises more than where the fit of the law has ended."""
        machines = [with_law(choice, model, self.places, {}) for model in models]
        machines += [self._plain(machine, model) for machine, model in zip(machines, models, strict=True)]
        if result is not None:
            machines += [self._with_free(result.model, model) for model in models]
        reach = WORTH_A_FIT * (np.inf if result is None else self.distance(result.model))
        near = [(distance, i) for i, distance in enumerate(map(self.distance, machines)) if distance < reach]
        return (min(near)[0], machines[min(near)[1]]) if near else (np.inf, None)

    @cached_property
    def can_be_led(self) -> bool:
        """Whether a body was measured, so that a guided start is possible.

        >>> starts.can_be_led
        True
        """
        try:
            guided_rig(self._rig(self.model, self.records[0]), 0.1)
        except SpecError:
            return False
        return True

    def paths(self, machine: Model) -> list[str]:
        """The parameters of the law that are to be found."""
        return [f"{place}.law.{word}" for place in self.places for word in self._free(machine, place)]

    def distance(self, machine: Model) -> float:
        """Sum of squares of the residuals, as shares of the variation of the channels; infinite if it cannot run."""
        total = 0.0
        for record in self.records:
            try:
                rig = self._rig(machine, record)
                left = (rig.simulate({}) - rig.measured)[:, rig.valid]
            except StribeckError:
                return float("inf")
            spread = rig.measured.std(axis=1, keepdims=True) + 1e-300
            total += float(np.sum((left / spread) ** 2))
        return total if np.isfinite(total) else float("inf")

    def _rig(self, machine: Model, record: Measurement) -> Rig:
        options = {name: value for name, value in self.options.items() if name in RIG_OPTIONS}
        solver = "adaptive" if record.sample_time is None else "fixed"
        return Rig(machine, record, **self.ties, **{"initial": {}, **options}, solver=solver)

    def _free(self, machine: Model, place: str) -> list[str]:
        """Parameters of the law at a place that are to be found."""
        law: Any = machine.elements[place].law
        found = []
        for name, param in law.params.items():
            wanted = self.words is not None and bool({name, *param.aliases} & set(self.words))
            usual = self.words is None and Role(param.role).fitted
            if not (wanted or usual):
                continue
            entries = getattr(law, name) if isinstance(param, Series) else None
            found += [name] if entries is None else [f"{name}.{i}" for i in range(len(entries))]
        return found

    def _tried(self, choice: type[Law], other: Model) -> list[Model]:
        """The other machine with the law, in several sizes of the parameters that the present law does not have."""
        machine = with_law(choice, other, self.places, {})
        scales = {place: self._scales(machine, other, place) for place in self.places}
        found = {}
        for shares in product(SPEEDS, WAYS):
            variant = machine.copy()
            for place, scale in scales.items():
                element: Any = machine.elements[place]
                variant.elements[place] = element.replace(law=element.law.replace(**scale(*shares)))
            found[str([variant.elements[place] for place in self.places])] = variant  # those that differ
        return list(found.values())

    def _scales(self, machine: Model, other: Model, place: str) -> Callable[[float, float], dict[str, float]]:
        """Parameters that only the law of the machine has, from shares of speed and way of the slip in the first
        record: stiffness for presliding over that way, damping as friction by slip. None of a contact that stands."""
        law: Any = machine.elements[place].law
        own = [name for name in self._own(machine, other, place) if law.params[name].default]
        try:
            rig = self._rig(other, self.records[0])
            slip = contact(rig, {}, place).speed
            level = Finder(machine).find(f"{place}.law.{law.with_role(Role.COULOMB)}").value or 0.0
        except StribeckError:
            return lambda share, way: {}
        speed = float(np.quantile(np.abs(slip), 0.9))
        length = float(np.ptp(np.cumsum(slip[1:] * np.diff(rig.time))))

        def sized(share: float, way: float) -> dict[str, float]:
            sizes = {
                Role.SPEED: share * speed,
                Role.STIFFNESS: level / (way * length),
                Role.DAMPING: level / speed,
            }
            return {name: sizes[law.params[name].role] for name in own if law.params[name].role in sizes}

        return sized if speed > 0 and level > 0 else lambda share, way: {}

    def _own(self, machine: Model, other: Model, place: str) -> list[str]:
        """Free parameters of a law that the law of another machine does not have, under any name."""
        mine, theirs = (m.elements[place].law.params for m in (machine, other))  # type: ignore[attr-defined]
        names = {word for name, param in theirs.items() for word in (name, *param.aliases)}
        free = {word.partition(".")[0] for word in self._free(machine, place)}
        return [name for name in mine if name in free and not {name, *mine[name].aliases} & names]

    def _with_free(self, machine: Model, other: Model) -> Model:
        """The other machine with the law of the first one, whose free parameters are those of the other law, as far as
        that one has them."""
        variant = other.copy()
        for place in self.places:
            element: Any = other.elements[place]
            law: Any = machine.elements[place].law
            adopted = law.adopt(element.law)
            names = {word.partition(".")[0] for word in self._free(machine, place)}
            variant.elements[place] = element.replace(law=law.replace(**{n: getattr(adopted, n) for n in names}))
        return variant

    def _plain(self, machine: Model, other: Model) -> Model:
        """The machine with a law that does as little as it can beyond that of the other: static friction as kinetic
        friction, and no damping that the other law does not have."""
        variant = machine.copy()
        for place in self.places:
            element: Any = machine.elements[place]
            law, own = element.law, self._own(machine, other, place)
            values = {n: 0.0 for n in own if law.params[n].role == Role.DAMPING and law.params[n].min == 0}
            static = law.with_role(Role.STATIC)
            if static in own:
                values[static] = getattr(law, law.with_role(Role.COULOMB))
            variant.elements[place] = element.replace(law=law.replace(**values))
        return variant
