"""Selection of a friction law: several laws are fitted to the same records and validated on held-out data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from ...analysis.comparison.comparison import Choice, chosen, friction_places, kind_of, knows, labels
from ...declare import unknown
from ...errors import SpecError, StribeckError, UnknownName
from ...laws import Law
from ...spec import Model
from ..fits.fit import Progress, fit
from ..fits.parts import fitted_without
from ..fits.result import FitResult
from ..records.measurement import Measurement
from .choice import Candidate, LawChoice
from .starts import Starts

USUAL = ("Coulomb", "Switch", "Stribeck", "Tanh", "Dahl", "LuGre")
"""The default candidates, from simple to detailed."""
RESTARTS = 2
"""Rounds in which each law is fitted again from the results of better laws."""

ACCURACY = 1e-2
"""`accuracy` of the fits, by default: laws differ by more than a tenth of a standard error."""

Split = Sequence[np.ndarray]
"""Samples of every record that are held out."""


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
    """Fits every law to the records and selects the one with the smallest prediction error on held-out data.

    Validation uses the `held_out` records. Without them it is a cross-validation: over the records if there are
    several, else over `folds` blocks of the single record, which are masked in the fit. Free parameters are those of
    the law (those named in `free`, such as "mu_c", or all but exponents and thresholds) in the friction `element` (by
    default in all of them), and those in `also`, such as "load.m". `start` and `bounds` apply to the laws that have the
    parameter. Other start values come from the law of the model or the best law so far, and are improved by a guided
    start if the motion of a body was measured. Then each law is fitted again from the results of better laws, if that
    is likely to improve it. `options` are those of `fit`.

    >>> ties = {"outputs": {"load.s": "q"}, "inputs": {"motor.f": "f"}}
    >>> choice = which_law(model, run, ["Coulomb", "Stribeck"], **ties)  # doctest: +SKIP
    >>> print(choice)
    >>> choice.best, choice.simplest
    ('Stribeck', 'Stribeck')
    """
    records = [measurement] if isinstance(measurement, Measurement) else list(measurement)
    unseen = [held_out] if isinstance(held_out, Measurement) else list(held_out)
    if len(records) == 1 and not unseen and not 2 <= folds <= len(records[0]) // 32:
        raise SpecError(f"which_law: folds = {folds} must be at least 2, with at least 32 samples in each of them")
    if options.get("per_record"):
        raise SpecError(
            "which_law: parameters in per_record cannot be validated on held-out records; name them in `also`"
        )
    choices = chosen(laws, model)
    _check(choices, (*(free or ()), *_words(start), *_words(bounds)))
    places = friction_places(model, None if element is None else [element])
    ties: dict[str, Any] = {"outputs": dict(outputs), "inputs": dict(inputs or {})}
    starts = Starts(model, records, places, ties, free, options)
    options.setdefault("accuracy", ACCURACY)
    search = {"global_start": options.pop("global_start", None) or ("guided" if starts.guidable else None)}
    selection = _Selection(starts, unseen, list(also), dict(start or {}), dict(bounds or {}), folds, options, search)
    return LawChoice(model, places, selection.validation, selection.run(choices, progress))


def _words(given: Mapping[str, Any] | None) -> list[str]:
    """Parameters of laws among paths."""
    return [path.partition(".law.")[2] for path in given or {} if ".law." in path]


def _check(choices: Sequence[Law | type[Law]], words: Iterable[str]) -> None:
    """Refuses names that no law has."""
    kinds = [kind_of(choice) for choice in choices]
    for word in words:
        if not any(knows(kind, word.partition(".")[0]) for kind in kinds):
            known = list(dict.fromkeys(name for kind in kinds for name in kind.params))
            raise UnknownName(unknown("which_law: none of these laws has a parameter", word, known))


@dataclass
class _Entry:
    """A candidate law: its fit to all records, or the error."""

    name: str
    choice: Law | type[Law]
    result: FitResult | None = None
    failure: str = ""
    tried: set[float] = field(default_factory=set)
    """Distances of the starts of earlier restarts."""

    @property
    def likelihood(self) -> float:
        return -np.inf if self.result is None else self.result.log_likelihood


class _Steps:
    """Progress by the number of completed fits."""

    def __init__(self, count: int, progress: Progress | None) -> None:
        self.count, self.done, self.progress = count, 0, progress

    def __call__(self, text: str) -> None:
        if self.progress is not None:
            self.progress(self.done / self.count, text)
        self.done += 1


@dataclass(frozen=True)
class _Selection:
    """All fits of a comparison."""

    starts: Starts
    unseen: Sequence[Measurement]
    also: Sequence[str]
    start: Mapping[str, Any]
    bounds: Mapping[str, tuple[Any, Any]]
    folds: int
    options: Mapping[str, Any]
    search: Mapping[str, Any]
    """Options of the first fit of a law; later ones start at earlier results."""

    def run(self, choices: Sequence[Law | type[Law]], progress: Progress | None) -> list[Candidate]:
        """All laws: fitted one after the other, restarted, then validated."""
        splits = self._splits()
        steps = _Steps(len(choices) * (1 + RESTARTS + len(splits)), progress)
        entries = [_Entry(name, choice) for name, choice in zip(labels(choices), choices, strict=True)]
        for entry in entries:
            steps(f"{entry.name}: fit")
            self._fit_first(entry, _leader(entries))
        for _ in range(RESTARTS):
            for entry in entries:
                steps(f"{entry.name}: restart")
                self._restart(entry, entries)
        return [self._validated(entry, splits, steps) for entry in entries]

    @property
    def validation(self) -> str:
        """The held-out data."""
        records = self.starts.records
        if self.unseen:
            return "held-out " + ", ".join(record.name for record in self.unseen)
        if len(records) > 1:
            return f"each of {len(records)} records in turn"
        return f"each of {self.folds} blocks of {records[0].name} in turn"

    def _splits(self) -> list[Split]:
        """Each record in turn, or blocks of a single one; nothing if other records are held out."""
        records = self.starts.records
        if self.unseen:
            return [[]]
        if len(records) > 1:
            return [[np.full(len(other), other is record) for other in records] for record in records]
        (record,) = records
        edges = np.linspace(0, len(record), self.folds + 1).round().astype(int)
        number = np.searchsorted(edges[1:], np.arange(len(record)), side="right")
        return [[number == k] for k in range(self.folds)]

    # --- fits to all records -----------------------------------------------------------------------------------------

    def _fit_first(self, entry: _Entry, leader: Model | None) -> None:
        """A fit from the model or from the best law so far."""
        try:
            self._fit_from(entry, self.starts.first(entry.choice, leader), start=self.start, **self.search)
        except StribeckError as error:
            entry.failure = str(error)

    def _restart(self, entry: _Entry, entries: Sequence[_Entry]) -> None:
        """Another fit, if the result of a better law is a promising start."""
        models = [other.result.model for other in entries if other.result and other.likelihood > entry.likelihood]
        try:
            distance, machine = self.starts.better(entry.choice, entry.result, models)
            if machine is not None and distance not in entry.tried:
                entry.tried.add(distance)
                self._fit_from(entry, machine)
        except StribeckError as error:
            entry.failure = entry.failure or str(error)

    def _fit_from(self, entry: _Entry, machine: Model, **options: Any) -> None:
        """A fit that starts at this machine; it replaces the result of the entry if its likelihood is higher."""
        paths = [*self.starts.paths(machine), *self.also]
        result = self._fit(machine, self.starts.records, paths, **options)
        if result.log_likelihood > entry.likelihood:
            entry.result = result

    def _fit(
        self, model: Model, records: Sequence[Measurement], paths: Sequence[str], start: Any = None, **options: Any
    ) -> FitResult:
        own, ends = ({k: v for k, v in (given or {}).items() if k in paths} for given in (start, self.bounds))
        ends = {k: v for k, v in self.starts.bounds(model).items() if k not in own} | ends
        return fit(model, records, paths, start=own, bounds=ends, **self.starts.ties, **self.options, **options)

    # --- validation -------------------------------------------------------------------------------------------------

    def _validated(self, entry: _Entry, splits: Sequence[Split], steps: _Steps) -> Candidate:
        """A law with its errors on held-out data."""
        result = entry.result
        parts = []
        try:
            for number, split in enumerate(splits):
                steps(f"{entry.name}: held-out {number + 1} of {len(splits)}")
                if result is not None:
                    parts.append(self._judged(result, split))
        except StribeckError as error:
            return Candidate(entry.name, None, (), str(error))
        cost = float("nan") if result is None else _cost(result, self.starts.records[0])
        return Candidate(entry.name, result, tuple(parts), "" if result else entry.failure, cost)

    def _judged(self, result: FitResult, split: Split) -> np.ndarray:
        """Squared residuals on what is held out, of the law fitted to the rest."""
        if not split:
            return _squares(result, self.unseen)
        judged = [record.masked(held) for record, held in zip(self.starts.records, split, strict=True) if held.any()]
        return _squares(fitted_without(result, split), judged)


def _cost(result: FitResult, record: Measurement) -> float:
    """Time of one simulation of a record (s)."""
    begin = perf_counter()
    result.simulate(record)
    return perf_counter() - begin


def _leader(entries: Sequence[_Entry]) -> Model | None:
    """The model with the highest likelihood so far."""
    best = max(entries, key=lambda entry: entry.likelihood)
    return None if best.result is None else best.result.model


def _squares(result: FitResult, judged: Sequence[Measurement]) -> np.ndarray:
    """Squared residuals on held-out records, relative to the measured variance."""
    squares = []
    for record in judged:
        for p in result.simulate(record):
            spread = max(float(np.std(p.measured)), 1e-300)
            squares.append((p.residual[p.valid] / spread) ** 2)
    return np.concatenate(squares)
