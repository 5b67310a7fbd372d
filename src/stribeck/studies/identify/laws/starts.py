"""Where the fit of a law starts: from the model, or from what other laws have found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ....declare import Series
from ....errors import SpecError, StribeckError
from ....laws import Law
from ....spec import Model
from ...comparison import with_law
from ..fits.fit_result import FitResult
from ..fits.guided import led
from ..fits.simulation import Rig
from ..records.measurement import Measurement

NUMERICAL = {"exponent", "kappa", "p0", "peak", "Sigma", "Sigma_2", "v_d", "z_ba", "z_max", "speed"}
"""Parameters that stay as they are unless they are named: those that shape a curve or serve the computation."""
RIG_OPTIONS = {"initial", "hold", "substeps"}
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
        """The machine with the law, as far as possible with the parameters of the model or of the best law so far,
        whichever comes closer to the records."""
        machines = [with_law(choice, model, self.places, {}) for model in (self.model, leader) if model is not None]
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
            led(self._rig(self.model, self.records[0]), 0.1)
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
            usual = self.words is None and name not in NUMERICAL and not (name == "dv" and law.family == "locking")
            if not (wanted or usual):
                continue
            entries = getattr(law, name) if isinstance(param, Series) else None
            found += [name] if entries is None else [f"{name}.{i}" for i in range(len(entries))]
        return found

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
            law, theirs = element.law, _names(other.elements[place])
            words = {word.partition(".")[0] for word in self._free(machine, place)}
            own = [name for name in words if not {name, *law.params[name].aliases} & theirs]
            values = {n: 0.0 for n in own if law.params[n].min == 0 and law.params[n].unit != "{load}"}
            if "mu_s" in own:
                values["mu_s"] = law.mu_c
            variant.elements[place] = element.replace(law=law.replace(**values))
        return variant


def _names(element: Any) -> set[str]:
    """All names of the parameters of the law of an element."""
    return {word for name, param in element.law.params.items() for word in (name, *param.aliases)}
