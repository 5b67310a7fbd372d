"""Which law? The same records fitted with several laws, judged by what they have not seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....declare import Series, unknown
from ....errors import SpecError, StribeckError, UnknownName
from ....laws import Law
from ....spec import Model
from ...comparison import Choice, chosen, friction_places, kind_of, knows, labels, with_law
from ..fits.fit import Progress, fit
from ..fits.fit_result import FitResult
from ..fits.simulation import Rig
from ..records.measurement import Measurement
from .law_choice import Candidate, LawChoice

USUAL = ("Coulomb", "Switch", "Stribeck", "Tanh", "Dahl", "LuGre")
"""Laws that are tried unless others are named, from simple to detailed."""
NUMERICAL = {"exponent", "kappa", "p0", "peak", "Sigma", "Sigma_2", "v_d", "z_ba", "z_max", "speed"}
"""Parameters that stay as they are unless they are named: those that shape a curve or serve the computation."""
RIG_OPTIONS = {"initial", "hold", "substeps"}


def which_law(
    model: Model,
    measurement: Measurement | Sequence[Measurement],
    laws: Iterable[Choice] = USUAL,
    *,
    outputs: Mapping[str, str],
    inputs: Mapping[str, str] | None = None,
    free: Sequence[str] | None = None,
    also: Sequence[str] = (),
    element: str | None = None,
    start: Mapping[str, Any] | None = None,
    bounds: Mapping[str, tuple[Any, Any]] | None = None,
    held_out: Measurement | Sequence[Measurement] = (),
    folds: int = 4,
    progress: Progress | None = None,
    **options: Any,
) -> LawChoice:
    """Fits every law to the records and tells which one predicts best what it has not seen.

    Judge are `held_out` records; without them each of several records in turn; with a single one `folds` blocks of it
    in turn, whose samples do not count in the fit. Free are the parameters of the law (those named in `free`, such as
    "mu_c", or all but exponents and thresholds) in the friction `element` (all of them unless one is named), and
    `also` others of the machine, such as "load.m". `start` and `bounds` go to the laws that know the parameter; the
    rest is taken over from the law of the model, or from the best law so far. `options` are those of `fit`.

    >>> choice = which_law(model, run, ["Switch", "LuGre"], outputs={"load.s": "q"}, inputs={"motor.f": "f"})
    >>> print(choice)
    >>> choice.best, choice.simplest
    ('LuGre', 'Switch')
    """
    records = [measurement] if isinstance(measurement, Measurement) else list(measurement)
    unseen = [held_out] if isinstance(held_out, Measurement) else list(held_out)
    if len(records) == 1 and not unseen and not 2 <= folds <= len(records[0]) // 32:
        raise SpecError(f"which_law: folds = {folds} must be at least 2, with at least 32 samples in each of them")
    choices = chosen(laws)
    contest = Contest(
        model,
        records,
        unseen,
        friction_places(model, None if element is None else [element]),
        dict(outputs),
        dict(inputs or {}),
        None if free is None else list(free),
        list(also),
        dict(start or {}),
        dict(bounds or {}),
        folds,
        options,
    )
    contest.check(choices)
    return contest.run(choices, progress)


@dataclass
class Contest:
    """All fits of a comparison; each law starts where the model or the best law so far promises most."""

    model: Model
    records: Sequence[Measurement]
    unseen: Sequence[Measurement]
    places: Sequence[str]
    outputs: Mapping[str, str]
    inputs: Mapping[str, str]
    words: Sequence[str] | None
    also: Sequence[str]
    start: Mapping[str, Any]
    bounds: Mapping[str, tuple[Any, Any]]
    folds: int
    options: Mapping[str, Any]
    leader: FitResult | None = field(default=None, init=False)

    def check(self, choices: Sequence[Law | type[Law]]) -> None:
        """Names that no law knows are mistakes."""
        kinds = [kind_of(choice) for choice in choices]
        known = list(dict.fromkeys(name for kind in kinds for name in kind.params))
        given = {path.partition(".law.")[2] for path in (*self.start, *self.bounds)} - {""}
        for word in (*(self.words or ()), *given):
            if not any(knows(kind, word.partition(".")[0]) for kind in kinds):
                raise UnknownName(unknown("which_law: none of these laws has a parameter", word, known))

    def run(self, choices: Sequence[Law | type[Law]], progress: Progress | None) -> LawChoice:
        """All laws, one after the other."""
        splits = self._splits()
        steps, done = len(choices) * (1 + len(splits)), 0
        candidates = []
        for name, choice in zip(labels(choices), choices, strict=True):

            def say(text: str, name: str = name) -> None:
                nonlocal done
                if progress is not None:
                    progress(done / steps, f"{name}: {text}")
                done += 1

            before = done
            candidates.append(self._candidate(name, choice, splits, say))
            done = before + 1 + len(splits)
        if progress is not None:
            progress(1.0, "done")
        return LawChoice(self.model, tuple(self.places), self._way(), candidates)

    def _way(self) -> str:
        if self.unseen:
            return "held-out " + ", ".join(record.name for record in self.unseen)
        if len(self.records) > 1:
            return f"each of {len(self.records)} records in turn"
        return f"each of {self.folds} blocks of {self.records[0].name} in turn"

    def _splits(self) -> list[tuple[list[Measurement], list[Measurement]]]:
        """What is fitted and what is judged: pairs of records, the judged ones with a mask of what counts."""
        if self.unseen:
            return [([], list(self.unseen))]
        if len(self.records) > 1:
            return [([other for other in self.records if other is not record], [record]) for record in self.records]
        (record,) = self.records
        edges = np.linspace(0, len(record), self.folds + 1).round().astype(int)
        number = np.searchsorted(edges[1:], np.arange(len(record)), side="right")
        return [([record.masked(number != k)], [record.masked(number == k)]) for k in range(self.folds)]

    def _candidate(self, name: str, choice: Law | type[Law], splits: Sequence[Any], say: Any) -> Candidate:
        """One law: the fit to everything, and what it makes of what it has not seen."""
        say("fit")
        try:
            machine, paths = self._promising(choice)
            result = self._fit(machine, self.records, paths, self._start(machine, paths))
            parts = []
            for number, (fitted, judged) in enumerate(splits):
                say(f"held-out {number + 1} of {len(splits)}")
                one = self._fit(result.model, fitted, paths, {}) if fitted else result
                parts.append(self._squares(one, judged))
        except StribeckError as error:
            return Candidate(name, None, (), str(error))
        if self.leader is None or result.log_likelihood > self.leader.log_likelihood:
            self.leader = result
        return Candidate(name, result, tuple(parts))

    def _fit(self, model: Model, records: Sequence[Measurement], paths: Sequence[str], start: Mapping[str, Any]) -> Any:
        bounds = {path: ends for path, ends in self.bounds.items() if path in paths}
        ties: dict[str, Any] = {"outputs": self.outputs, "inputs": self.inputs}
        return fit(model, records, paths, start=start, bounds=bounds, **ties, **self.options)

    def _start(self, machine: Model, paths: Sequence[str]) -> dict[str, Any]:
        return {path: value for path, value in self.start.items() if path in paths}

    # --- where a law starts ------------------------------------------------------------------------------------------

    def _promising(self, choice: Law | type[Law]) -> tuple[Model, list[str]]:
        """The machine with the law, as far as possible with the parameters of the model or of the best law so far,
        whichever comes closer to the records; and the paths that are free."""
        machines = [with_law(choice, self.model, self.places, {})]
        if self.leader is not None and isinstance(choice, type):
            machines.append(with_law(choice, self.leader.model, self.places, {}))
        best = min(machines, key=self._distance) if len(machines) > 1 else machines[0]
        paths = [f"{place}.law.{word}" for place in self.places for word in self._free(best, place)]
        return best, [*paths, *self.also]

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

    def _distance(self, machine: Model) -> float:
        """Sum of squares of the residuals, as shares of the variation of the channels; infinite if it cannot run."""
        options = {name: value for name, value in self.options.items() if name in RIG_OPTIONS}
        total = 0.0
        for record in self.records:
            solver = "adaptive" if record.sample_time is None else "fixed"
            try:
                rig = Rig(machine, record, self.outputs, self.inputs, **{"initial": {}, **options}, solver=solver)
                simulated = rig.simulate({})
            except StribeckError:
                return float("inf")
            spread = rig.measured.std(axis=1, keepdims=True) + 1e-300
            total += float(np.sum(((simulated - rig.measured) / spread) ** 2))
        return total if np.isfinite(total) else float("inf")

    def _squares(self, result: FitResult, judged: Sequence[Measurement]) -> np.ndarray:
        """Squared residuals on records that were not fitted, as shares of the measured variation."""
        squares = []
        for record in judged:
            for p in result.simulate(record):
                spread = max(float(np.std(p.measured)), 1e-300)
                squares.append((p.residual[p.valid] / spread) ** 2)
        return np.concatenate(squares)
