"""Start values of the fit of a law: from the model, or from the fits of other laws."""

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
from ..fits.simulation import Rig, simulate_all
from ..records.measurement import Measurement

RIG_OPTIONS = {"initial", "hold", "substeps"}
SPEEDS = (0.03, 0.1, 0.3)
"""Trial values of characteristic speeds of a law, relative to the slip speed."""
DISPLACEMENTS = (1e-4, 1e-3, 1e-2, 1e-1)
"""Trial values of the presliding displacement, relative to the range of the slip displacement."""
FARTHEST = {Role.SPEED: 1e-4, Role.STIFFNESS: 1e-5}
"""Smallest characteristic speed and presliding displacement of a law, as above: below these it is a law without them,
and takes ever more steps."""
FASTEST = 10.0
"""Largest characteristic speed, as above: beyond, a contact never leaves the friction of low speeds."""
WORTH_A_FIT = 4.0
"""Sum of squares of a start, relative to that of the best fit of the law, below which another fit is tried."""


@dataclass(frozen=True)
class Starts:
    """Models with a law from which its fit can start, and their distances from the records.

    >>> Starts(model, [run], ("joint",), ties, None, {}).first(LuGre, None)
    """

    model: Model
    records: Sequence[Measurement]
    places: Sequence[str]
    ties: Mapping[str, Any]
    words: Sequence[str] | None
    """Free parameters of laws, if they are named."""
    options: Mapping[str, Any]

    def first(self, choice: Law | type[Law], leader: Model | None) -> Model:
        """The machine with the law. Parameters are those given, or those shared with the law of the model, with trial
        values of the others scaled by the motion; or those of the best fit so far, if that is closer to the records."""
        machine = with_law(choice, self.model, self.places, {})
        given = all(type(self.model.elements[p].law) is type(machine.elements[p].law) for p in self.places)
        if given or isinstance(choice, Law):
            machines = [machine]
            if leader is not None and np.isfinite(self.distance(machine)):  # else the fit reports the error
                machines.append(self._with_free(machine, leader))
        else:
            models = [model for model in (self.model, leader) if model is not None]
            machines = [self._tried(choice, model) for model in models]
        return min(machines, key=self.distance) if len(machines) > 1 else machines[0]

    def better(
        self, choice: Law | type[Law], result: FitResult | None, models: Sequence[Model]
    ) -> tuple[float, Model | None]:
        """The distance of the start closest to the records among these models with the law, and this start; None if
        none is likely to improve the fit of the law."""
        machines = [with_law(choice, model, self.places, {}) for model in models]
        machines += [self._plain(machine, model) for machine, model in zip(machines, models, strict=True)]
        if result is not None:
            machines += [self._with_free(result.model, model) for model in models]
        reach = WORTH_A_FIT * (np.inf if result is None else self.distance(result.model))
        near = [(distance, i) for i, distance in enumerate(map(self.distance, machines)) if distance < reach]
        return (min(near)[0], machines[min(near)[1]]) if near else (np.inf, None)

    @cached_property
    def guidable(self) -> bool:
        """Whether the motion of a body was measured, so that a guided start is possible.

        >>> starts.guidable
        True
        """
        try:
            guided_rig(self._rig(self.model, self.records[0]), 0.1)
        except SpecError:
            return False
        return True

    def paths(self, machine: Model) -> list[str]:
        """The free parameters of the law."""
        return [f"{place}.law.{word}" for place in self.places for word in self._free(machine, place)]

    def distance(self, machine: Model) -> float:
        """Sum of squared residuals, relative to the variance of the channels; infinite if it cannot be simulated."""
        return self._distances(machine, [{}])[0]

    def _distances(self, machine: Model, sets: Sequence[Mapping[str, float]]) -> list[float]:
        """The same with every set of values."""
        try:
            rigs = [self._rig(machine, record) for record in self.records]
            runs = simulate_all(rigs, sets)
        except StribeckError:
            return [np.inf] * len(sets)
        return [np.inf if run is None else sum(map(_squares, rigs, run)) for run in runs]

    def _rig(self, machine: Model, record: Measurement) -> Rig:
        options = {name: value for name, value in self.options.items() if name in RIG_OPTIONS}
        solver = "adaptive" if record.sample_time is None else "fixed"
        return Rig(machine, record, **self.ties, **{"initial": {}, **options}, solver=solver)

    def _free(self, machine: Model, place: str) -> list[str]:
        """Free parameters of the law at a place."""
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

    def _tried(self, choice: type[Law], other: Model) -> Model:
        """The other machine with the law, with those trial values of the parameters that its present law does not have
        that are closest to the records."""
        machine = with_law(choice, other, self.places, {})
        scales = {place: self._scales(machine, other, place) for place in self.places}
        sets = [
            {f"{place}.law.{name}": value for place, scale in scales.items() for name, value in scale(*shares).items()}
            for shares in product(SPEEDS, DISPLACEMENTS)
        ]
        distances = self._distances(machine, sets)
        best = sets[int(np.argmin(distances))]
        return machine.varied(best) if best and np.isfinite(min(distances)) else machine

    def bounds(self, machine: Model) -> dict[str, tuple[float | None, float | None]]:
        """Bounds of the free parameters beyond which a law is practically one without them, such as bristles that are
        stiffer than any sensor sees; none for a contact that does not slip in this machine."""
        found: dict[str, tuple[float | None, float | None]] = {}
        for place in self.places:
            law: Any = machine.elements[place].law
            sizes = self._sizes(machine, machine, place)
            for word in self._free(machine, place) if sizes else []:
                role, value = law.params[word.partition(".")[0]].role, Finder(machine).find(f"{place}.law.{word}").value
                if role == Role.SPEED and value:
                    low, high = (limit * sizes[Role.SPEED] for limit in (FARTHEST[role], FASTEST))
                    found[f"{place}.law.{word}"] = (min(low, value), max(high, value))
                if role == Role.STIFFNESS and value:
                    found[f"{place}.law.{word}"] = (None, max(sizes[Role.STIFFNESS] / FARTHEST[role], value))
        return found

    def _scales(self, machine: Model, other: Model, place: str) -> Callable[[float, float], dict[str, float]]:
        """Parameters that only the law of the machine has, for a speed and a presliding displacement relative to those
        of the motion."""
        law: Any = machine.elements[place].law
        own = [name for name in self._own(machine, other, place) if law.params[name].default]
        sizes = self._sizes(machine, other, place)

        def sized(share: float, way: float) -> dict[str, float]:
            shares = {Role.SPEED: share, Role.STIFFNESS: 1 / way, Role.DAMPING: 1.0}
            roles = {name: law.params[name].role for name in own}
            return {name: shares[role] * sizes[role] for name, role in roles.items() if role in sizes}

        return sized

    def _sizes(self, machine: Model, other: Model, place: str) -> dict[Role, float]:
        """Characteristic values by the role of a parameter, from the motion of the other machine in the first record:
        its slip speed, friction over slip displacement, friction over slip speed. Empty for a contact that does not
        slip."""
        law: Any = machine.elements[place].law
        try:
            rig = self._rig(other, self.records[0])
            slip = contact(rig, {}, place).speed
            level = Finder(machine).find(f"{place}.law.{law.with_role(Role.COULOMB)}").value or 0.0
        except StribeckError:
            return {}
        speed = float(np.quantile(np.abs(slip), 0.9))
        length = float(np.ptp(np.cumsum(slip[1:] * np.diff(rig.time))))
        if not (speed > 0 and level > 0 and length > 0):
            return {}
        return {Role.SPEED: speed, Role.STIFFNESS: level / length, Role.DAMPING: level / speed}

    def _own(self, machine: Model, other: Model, place: str) -> list[str]:
        """Free parameters of a law that the law of another machine does not have, under any name."""
        mine, theirs = (m.elements[place].law.params for m in (machine, other))  # type: ignore[attr-defined]
        names = {word for name, param in theirs.items() for word in (name, *param.aliases)}
        free = {word.partition(".")[0] for word in self._free(machine, place)}
        return [name for name in mine if name in free and not {name, *mine[name].aliases} & names]

    def _with_free(self, machine: Model, other: Model) -> Model:
        """The other machine with the law of the first one; free parameters are taken from the other law where it has
        them."""
        variant = other.copy()
        for place in self.places:
            element: Any = other.elements[place]
            law: Any = machine.elements[place].law
            adopted = law.adopt(element.law)
            names = {word.partition(".")[0] for word in self._free(machine, place)}
            values = law.in_order({n: getattr(adopted, n) for n in names})
            variant.elements[place] = element.replace(law=law.replace(**values))
        return variant

    def _plain(self, machine: Model, other: Model) -> Model:
        """The machine with a law as close as possible to that of the other: static friction equal to kinetic friction,
        and no damping that the other law does not have."""
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


def _squares(rig: Rig, outputs: np.ndarray) -> float:
    """The sum of squared residuals of one record."""
    left = (outputs - rig.measured)[:, rig.valid]
    spread = rig.measured.std(axis=1, keepdims=True) + 1e-300
    return float(np.sum((left / spread) ** 2))
