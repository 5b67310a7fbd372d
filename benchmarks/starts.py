"""How far off the start of an output-error fit may be: for every law, with and without a look at all of the bounds.

    python benchmarks/starts.py [--starts 10] [--laws Coulomb LuGre] [--json FILE]

A body of 1 kg on a guide is pushed back and forth for 3 s, its position read every 6 ms by a sensor with steps of 0.04
mm and noise of half a step: the records of the tests (`tests/support/known_truth.py`). The mass and all parameters of
the law but the exponent of its Stribeck curve are free, up to ten, and every one of them starts off by the same
factor, up or down by chance. A fit has found its way if it is as near to the record as the truth is. The time is that
of the processors, all threads together.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.known_truth import TRUTHS, KnownTruth  # noqa: E402

import stribeck as sb  # noqa: E402
from stribeck.identify.fits.simulation import varied  # noqa: E402

OFF = (1.3, 2.0)
WAYS = (None, "guided")
NEAR = 1.01
"""How much larger than the residuals of the truth those of a fit may be; at the minimum they are smaller."""
HELD = "joint.law.exponent"
RECORD = 0
"""Seed of the noise of the record."""


@dataclass(frozen=True)
class Case:
    """Fits of one law from starts that are off by one factor."""

    law: str
    off: float
    way: str | None

    @property
    def title(self) -> str:
        """Of the column."""
        return f"x {self.off:g}" + (f", {self.way}" if self.way else "")


@dataclass(frozen=True)
class Found:
    """How many of the starts led to the truth, and the time of one fit (s)."""

    found: int
    starts: int
    seconds: float


def free(known: KnownTruth) -> dict[str, float]:
    """What is searched, with its true values."""
    return {path: value for path, value in known.truth.items() if path != HELD}


def starts(known: KnownTruth, off: float) -> Iterator[dict[str, float]]:
    """Parameters that are off up or down, as far as the law accepts them together."""
    rng = np.random.default_rng([int(100 * off), list(TRUTHS).index(known.law)])
    while True:
        start = {path: value * off ** rng.choice([-1, 1]) for path, value in free(known).items()}
        try:
            varied(known.model, start)
        except sb.SpecError:
            continue
        yield start


def run(case: Case, count: int) -> Found:
    """All starts of a case."""
    known = KnownTruth(case.law)
    record = known.record(RECORD)
    truth = float(np.sqrt(np.mean((known.clean - np.asarray(record["s"])) ** 2)))
    found, began = 0, time.process_time()
    for _, start in zip(range(count), starts(known, case.off), strict=False):
        try:
            fit = sb.identify.fit(
                known.model, record, list(free(known)), start=start, global_start=case.way, **known.options
            )
        except sb.SimulationError:
            continue
        found += fit.noise["load.s"] < NEAR * truth
    return Found(int(found), count, (time.process_time() - began) / count)


def table(results: dict[Case, Found]) -> str:
    """Markdown: a row per law."""
    columns = list(dict.fromkeys(case.title for case in results))
    laws = list(dict.fromkeys(case.law for case in results))
    cells = {(case.law, case.title): found for case, found in results.items()}
    lines = ["| law | free | " + " | ".join(columns) + " |", "|---" * (len(columns) + 2) + "|"]
    for law in laws:
        row = [cells[law, column] for column in columns]
        lines.append(f"| {law} | {len(free(KnownTruth(law)))} | " + " | ".join(str(f.found) for f in row) + " |")
    found = [sum(cells[law, column].found for law in laws) for column in columns]
    counts = [sum(cells[law, column].starts for law in laws) for column in columns]
    seconds = [np.mean([cells[law, column].seconds for law in laws]) for column in columns]
    lines.append("| all | | " + " | ".join(f"{n / c:.0%}" for n, c in zip(found, counts, strict=True)) + " |")
    lines.append("| s per fit | | " + " | ".join(f"{s:.1f}" for s in seconds) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=10, help="starts of every law and factor")
    parser.add_argument("--laws", nargs="+", default=list(TRUTHS), choices=list(TRUTHS), metavar="LAW")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    cases = [Case(law, off, way) for law, off, way in product(given.laws, OFF, WAYS)]
    results: dict[Case, Found] = {}
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for case, found in zip(cases, pool.map(run, cases, [given.starts] * len(cases)), strict=True):
            results[case] = found
            print(f"{case.law:22} {case.title:14} {found.found:3} of {found.starts}, {found.seconds:.1f} s", flush=True)
    print("\n" + table(results))
    if given.json:
        rows = [asdict(case) | asdict(found) for case, found in results.items()]
        given.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
