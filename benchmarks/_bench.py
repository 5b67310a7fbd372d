"""What every benchmark here does: find equal accuracy, time in turns, print a table, write JSON.

    contenders = [Contender("ours", run_ours), Contender("theirs", run_theirs)]
    rows = compare(contenders, error=lambda y: abs(y - reference).max(), limit=1e-6)
    report(rows, json_file)

The first contender is ours; ratio = time of a contender / our time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LADDER = tuple(10 ** (-n / 4) for n in range(16, 45))
"""Tolerances from 1e-4 to 1e-11, four in a decade."""

KERNEL_FLAGS = ["-O3", "-flto", "-std=c99", "-ffp-contract=off", "-fno-tree-loop-distribute-patterns"]
"""How C is built here: as in CMakeLists.txt."""


@dataclass(frozen=True)
class Contender:
    """A name, and a function that takes a tolerance and returns a result."""

    name: str
    run: Callable[[float], Any]
    tolerances: Sequence[float] = LADDER


@dataclass(frozen=True)
class Row:
    """One line of the table: median seconds of one run, its error and the tolerance that gave it."""

    name: str
    seconds: float
    error: float
    tolerance: float


def loosest(contender: Contender, error: Callable[[Any], float], limit: float) -> tuple[float, float]:
    """Loosest tolerance of the ladder whose error, and that of the next tighter one, stay within the limit.

    The second condition keeps out a tolerance that meets the limit by luck. Returns (tolerance, error).
    """
    errors: list[float] = []
    for tolerance in contender.tolerances:
        errors.append(error(contender.run(tolerance)))
        if len(errors) > 1 and max(errors[-2:]) <= limit:
            index = len(errors) - 2
            return contender.tolerances[index], errors[index]
    raise SystemExit(
        f"{contender.name}: no tolerance of the ladder reaches an error of {limit:g} (best {min(errors):.1e})"
    )


def in_turns(
    tasks: Sequence[Callable[[], Any]],
    rounds: int = 7,
    slice_seconds: float = 0.05,
    of: Callable[[Sequence[float]], float] = statistics.median,
) -> list[float]:
    """Median seconds per call of each task, or `of` the rounds: min, with short slices, on a machine with other load.
    Each round gives every task one slice of time, so that a slow moment of the machine hits all of them; a slice holds
    at least one call."""
    calls = [max(1, round(slice_seconds / _timed(task, 1))) for task in tasks]
    samples = [[_timed(task, n) for task, n in zip(tasks, calls, strict=True)] for _ in range(rounds)]
    return [of(column) for column in zip(*samples, strict=True)]


def _timed(task: Callable[[], Any], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        task()
    return (time.perf_counter() - start) / calls


def compare(contenders: Sequence[Contender], error: Callable[[Any], float], limit: float) -> list[Row]:
    """All contenders at equal error, timed in turns."""
    found = [loosest(contender, error, limit) for contender in contenders]
    tasks = [lambda c=c, tol=tol: c.run(tol) for c, (tol, _) in zip(contenders, found, strict=True)]
    seconds = in_turns(tasks)
    return [
        Row(contender.name, time_, error_, tolerance)
        for contender, (tolerance, error_), time_ in zip(contenders, found, seconds, strict=True)
    ]


def report(rows: Sequence[Row], json_file: Path | None = None, before: dict[str, Any] | None = None) -> dict[str, Any]:
    """Print the table; write {"contenders": {name: {"seconds", "error", "ratio"}}} if a file is given, with those of
    tables before."""
    ours = rows[0].seconds
    width = max(len(row.name) for row in rows)
    print(f"{'contender':<{width}} {'ms':>10} {'error':>9} {'tolerance':>10} {'ratio':>9}")
    for row in rows:
        print(
            f"{row.name:<{width}} {1e3 * row.seconds:10.3f} {row.error:9.1e} {row.tolerance:10.1e} "
            f"{row.seconds / ours:9.2f}"
        )
    content = {row.name: {"seconds": row.seconds, "error": row.error, "ratio": row.seconds / ours} for row in rows}
    content = (before or {}) | content
    if json_file is not None:
        json_file.write_text(json.dumps({"contenders": content}, indent=2) + "\n")
    return content


def arguments(description: str, **counts: int) -> argparse.Namespace:
    """The command line that all benchmarks share, with numbers of their choice and their defaults."""
    parser = argparse.ArgumentParser(description=description)
    for name, default in counts.items():
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    return parser.parse_args()
