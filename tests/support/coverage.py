"""Whether intervals hold what they promise: many trials of many cases in parallel processes, counted in one place."""

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

TRIALS = int(os.environ.get("STRIBECK_TRIALS", "400"))
"""Records per case."""
ENOUGH = 100
"""Trials from which on the share of all intervals together is known well enough to be judged."""
PROMISED = 0.95
LEVEL = 1e-3
"""Chance of each parameter of a good method to fail the exact binomial test."""
SILENT = 0.01
"""Largest share of trials in which a parameter may be called not identifiable."""
BATCH = 10

Trial = Callable[[str, int], Mapping[str, bool | None]]
"""From a case and a seed: whether the interval of each parameter holds the truth, None if it has no interval."""


@dataclass(frozen=True)
class Row:
    """One parameter of one case in all trials."""

    case: str
    parameter: str
    hits: int
    estimated: int
    trials: int

    @property
    def chance(self):
        """That a good method would be as far off as this, by the exact binomial test."""
        from scipy.stats import binomtest

        return binomtest(self.hits, self.estimated, PROMISED).pvalue if self.estimated else 0.0

    @property
    def fault(self):
        """What is wrong, in a word."""
        if self.estimated < (1 - SILENT) * self.trials:
            return "not identifiable"
        return "" if self.chance >= LEVEL else "too few" if self.hits < PROMISED * self.estimated else "too many"

    def __str__(self):
        share = self.hits / max(self.estimated, 1)
        return f"{self.case:22} {self.parameter:22} {self.hits:4} of {self.estimated:4} {share:7.1%} {self.fault}"


@dataclass(frozen=True)
class Coverage:
    """All parameters of all cases; as text a table.

    >>> found = coverage(trial, ["Coulomb", "LuGre"])
    >>> assert found.holds, found
    """

    rows: tuple[Row, ...]

    @property
    def pooled(self):
        """Share of all intervals that hold the truth."""
        return sum(row.hits for row in self.rows) / max(sum(row.estimated for row in self.rows), 1)

    @property
    def holds(self):
        """Every parameter passes its test, and 94 to 96 % of all intervals hold the truth."""
        known = min(row.trials for row in self.rows) >= ENOUGH
        return not any(row.fault for row in self.rows) and (not known or 0.94 <= self.pooled <= 0.96)

    def __str__(self):
        lines = [str(row).rstrip() for row in self.rows]
        return "\n".join(["", *lines, f"{self.pooled:.2%} of all intervals of {PROMISED:.0%} hold the truth"])


def coverage(trial: Trial, cases: Iterable[str], trials: int = TRIALS) -> Coverage:
    """Counts over seeds 0, 1, ... of every case. `trial` is a function of a module, which other processes can import.

    >>> print(coverage(trial, ["LuGre"], trials=40))
    """
    jobs = [(case, range(first, min(first + BATCH, trials))) for case in cases for first in range(0, trials, BATCH)]
    found: dict[str, list[Mapping[str, bool | None]]] = {case: [] for case, _ in jobs}
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for (case, _), part in zip(jobs, pool.map(_batch, [trial] * len(jobs), jobs), strict=True):
            found[case] += part
    return Coverage(tuple(row for case, all_trials in found.items() for row in _rows(case, all_trials)))


def _batch(trial: Trial, job: tuple[str, range]) -> list[Mapping[str, bool | None]]:
    case, seeds = job
    return [trial(case, seed) for seed in seeds]


def _rows(case: str, trials: list[Mapping[str, bool | None]]) -> Iterable[Row]:
    for parameter in trials[0]:
        estimated = [trial[parameter] for trial in trials if trial[parameter] is not None]
        yield Row(case, parameter, sum(map(bool, estimated)), len(estimated), len(trials))
