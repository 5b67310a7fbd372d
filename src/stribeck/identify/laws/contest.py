"""Which law? The same records fitted with several laws, judged by what they have not seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...analysis.comparison.comparison import Choice, chosen, friction_places, kind_of, knows, labels
from ...declare import unknown
from ...errors import SpecError, StribeckError, UnknownName
from ...laws import Law
from ...spec import Model
from ..fits.fit import Progress, fit
from ..fits.result import FitResult
from ..records.measurement import Measurement
from .choice import Candidate, LawChoice
from .starts import Starts

USUAL = ("Coulomb", "Switch", "Stribeck", "Tanh", "Dahl", "LuGre")
"""Laws that are tried unless others are named, from simple to detailed."""
LOOKS = 2
"""Times that laws look at where the others have ended, and start again from there if that promises more."""

Split = tuple[list[Measurement], list[Measurement]]
"""What is fitted, and what is judged."""


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
    rest is taken over from the law of the model, or from the best law so far, and refined by a guided start where a
    body was measured. When all are fitted, each looks at where the others have ended, and starts again from there if
    that promises more. `options` are those of `fit`.

    >>> choice = which_law(model, run, ["Switch", "LuGre"], outputs={"load.s": "q"}, inputs={"motor.f": "f"})
    >>> print(choice)
    >>> choice.best, choice.simplest
    ('LuGre', 'Switch')
    """
    records = [measurement] if isinstance(measurement, Measurement) else list(measurement)
    unseen = [held_out] if isinstance(held_out, Measurement) else list(held_out)
    if len(records) == 1 and not unseen and not 2 <= folds <= len(records[0]) // 32:
        raise SpecError(f"which_law: folds = {folds} must be at least 2, with at least 32 samples in each of them")
    if options.get("per_record"):
        raise SpecError("which_law: per_record cannot be judged by records that a law has not seen; put it into `also`")
    choices = chosen(laws)
    _check(choices, (*(free or ()), *_words(start), *_words(bounds)))
    places = friction_places(model, None if element is None else [element])
    ties: dict[str, Any] = {"outputs": dict(outputs), "inputs": dict(inputs or {})}
    starts = Starts(model, records, places, ties, free, options)
    search = {"global_start": options.pop("global_start", None) or ("guided" if starts.can_be_led else None)}
    contest = _Contest(starts, unseen, list(also), dict(start or {}), dict(bounds or {}), folds, options, search)
    return LawChoice(model, places, contest.way, contest.run(choices, progress))


def _words(given: Mapping[str, Any] | None) -> list[str]:
    """Parameters of laws among paths."""
    return [path.partition(".law.")[2] for path in given or {} if ".law." in path]


def _check(choices: Sequence[Law | type[Law]], words: Iterable[str]) -> None:
    """Names that no law knows are mistakes."""
    kinds = [kind_of(choice) for choice in choices]
    for word in words:
        if not any(knows(kind, word.partition(".")[0]) for kind in kinds):
            known = list(dict.fromkeys(name for kind in kinds for name in kind.params))
            raise UnknownName(unknown("which_law: none of these laws has a parameter", word, known))


@dataclass
class _Entry:
    """A law in the contest: its fit to all records, or why there is none."""

    name: str
    choice: Law | type[Law]
    result: FitResult | None = None
    failure: str = ""
    tried: set[float] = field(default_factory=set)
    """Distances of starts from which another look has fitted already."""

    @property
    def likelihood(self) -> float:
        return -np.inf if self.result is None else self.result.log_likelihood


class _Steps:
    """Progress by the number of fits that are done."""

    def __init__(self, count: int, progress: Progress | None) -> None:
        self.count, self.done, self.progress = count, 0, progress

    def __call__(self, text: str) -> None:
        if self.progress is not None:
            self.progress(self.done / self.count, text)
        self.done += 1


@dataclass(frozen=True)
class _Contest:
    """All fits of a comparison."""

    starts: Starts
    unseen: Sequence[Measurement]
    also: Sequence[str]
    start: Mapping[str, Any]
    bounds: Mapping[str, tuple[Any, Any]]
    folds: int
    options: Mapping[str, Any]
    search: Mapping[str, Any]
    """How the first fit of a law looks for its start; others begin where one has ended."""

    def run(self, choices: Sequence[Law | type[Law]], progress: Progress | None) -> list[Candidate]:
        """All laws: fitted one after the other, looked at once more, then judged."""
        splits = self._splits()
        say = _Steps(len(choices) * (1 + LOOKS + len(splits)), progress)
        entries = [_Entry(name, choice) for name, choice in zip(labels(choices), choices, strict=True)]
        for entry in entries:
            say(f"{entry.name}: fit")
            self._fit_first(entry, _leader(entries))
        for _ in range(LOOKS):
            for entry in entries:
                say(f"{entry.name}: another look")
                self._look_again(entry, entries)
        return [self._judged(entry, splits, say) for entry in entries]

    @property
    def way(self) -> str:
        """How it is judged."""
        records = self.starts.records
        if self.unseen:
            return "held-out " + ", ".join(record.name for record in self.unseen)
        if len(records) > 1:
            return f"each of {len(records)} records in turn"
        return f"each of {self.folds} blocks of {records[0].name} in turn"

    def _splits(self) -> list[Split]:
        """What is fitted and what is judged: pairs of records, the judged ones with a mask of what counts."""
        records = self.starts.records
        if self.unseen:
            return [([], list(self.unseen))]
        if len(records) > 1:
            return [([other for other in records if other is not record], [record]) for record in records]
        (record,) = records
        edges = np.linspace(0, len(record), self.folds + 1).round().astype(int)
        number = np.searchsorted(edges[1:], np.arange(len(record)), side="right")
        return [([record.masked(number != k)], [record.masked(number == k)]) for k in range(self.folds)]

    # --- fits to all records -----------------------------------------------------------------------------------------

    def _fit_first(self, entry: _Entry, leader: Model | None) -> None:
        """A fit from the model, or from the best law so far."""
        try:
            self._fit_from(entry, self.starts.first(entry.choice, leader), start=self.start, **self.search)
        except StribeckError as error:
            entry.failure = str(error)

    def _look_again(self, entry: _Entry, entries: Sequence[_Entry]) -> None:
        """Another fit, if a law that fits better promises to lead to a closer one."""
        models = [other.result.model for other in entries if other.result and other.likelihood > entry.likelihood]
        try:
            distance, machine = self.starts.better(entry.choice, entry.result, models)
            if machine is not None and distance not in entry.tried:
                entry.tried.add(distance)
                self._fit_from(entry, machine)
        except StribeckError as error:
            entry.failure = entry.failure or str(error)

    def _fit_from(self, entry: _Entry, machine: Model, **options: Any) -> None:
        """A fit that begins at the machine; it counts if it is closer than what the entry has."""
        paths = [*self.starts.paths(machine), *self.also]
        result = self._fit(machine, self.starts.records, paths, **options)
        if result.log_likelihood > entry.likelihood:
            entry.result = result

    def _fit(
        self, model: Model, records: Sequence[Measurement], paths: Sequence[str], start: Any = None, **options: Any
    ) -> FitResult:
        own, ends = ({k: v for k, v in (given or {}).items() if k in paths} for given in (start, self.bounds))
        return fit(model, records, paths, start=own, bounds=ends, **self.starts.ties, **self.options, **options)

    # --- what has not been seen --------------------------------------------------------------------------------------

    def _judged(self, entry: _Entry, splits: Sequence[Split], say: _Steps) -> Candidate:
        """A law with its errors on what it was not fitted to."""
        result = entry.result
        parts = []
        try:
            for number, (fitted, judged) in enumerate(splits):
                say(f"{entry.name}: held-out {number + 1} of {len(splits)}")
                if result is not None:
                    parts.append(_squares(self._refitted(result, fitted), judged))
        except StribeckError as error:
            return Candidate(entry.name, None, (), str(error))
        return Candidate(entry.name, result, tuple(parts), "" if result else entry.failure)

    def _refitted(self, result: FitResult, records: Sequence[Measurement]) -> FitResult:
        """The same law on other records, from where it is."""
        paths = [*self.starts.paths(result.model), *self.also]
        return self._fit(result.model, records, paths) if records else result


def _leader(entries: Sequence[_Entry]) -> Model | None:
    """The closest model so far."""
    best = max(entries, key=lambda entry: entry.likelihood)
    return None if best.result is None else best.result.model


def _squares(result: FitResult, judged: Sequence[Measurement]) -> np.ndarray:
    """Squared residuals on records that were not fitted, as shares of the measured variation."""
    squares = []
    for record in judged:
        for p in result.simulate(record):
            spread = max(float(np.std(p.measured)), 1e-300)
            squares.append((p.residual[p.valid] / spread) ** 2)
    return np.concatenate(squares)
