"""Fits of every law to noisy records with known truth: whether the intervals hold what they promise.

    python tests/support/fit_truth.py [--trials 400] [--store fits.jsonl] [--page docs/fits.md] [LAW ...]

continues where the store ends, and prints a table with a row for each law. Beside the intervals of the fits are those
of a linear fit with the derivatives at the truth: to the same records, where both draw the same luck, and to the first
400, which takes no simulations."""

import argparse
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scipy.stats import binomtest
from support.coverage import LEVEL, PROMISED
from support.known_truth import TRUTHS, KnownTruth, hits
from support.trials import Found, stored, write_table

WHOLE = 400
"""Records of the whole campaign."""


def row(law: str, seeds: list[int], trials: list[dict[str, bool | None]]) -> list[str]:
    """A row of the table. A parameter fails that the exact binomial test refuses at a level of 1e-3."""
    known = {name: [trial[name] for trial in trials if trial[name] is not None] for name in trials[0]}
    held, intervals = (sum(map(count, known.values())) for count in (sum, len))
    worst = [name for name, seen in known.items() if seen and binomtest(sum(seen), len(seen), PROMISED).pvalue < LEVEL]
    silent = len(trials) * len(known) - intervals
    names = ", ".join(name.rpartition(".")[2] for name in worst)
    linear = [f"{KnownTruth(law).straight_inside(which).mean():.1%}" for which in (seeds, range(WHOLE))]
    return [
        law,
        str(len(known)),
        str(len(trials)),
        f"{held / max(intervals, 1):.1%}",
        *linear,
        str(silent or ""),
        names,
    ]


def table(found: Found) -> str:
    """A row for each law, and all of them together."""
    held = ["95 % intervals that hold the truth", "linear, same records", f"linear, {WHOLE} records"]
    head = ["law", "free", "records", *held, "not identifiable", "fail the test"]
    trials = {law: {seed: result for (at, seed), result in found.items() if at == law} for law in TRUTHS}
    rows = [row(law, list(results), list(results.values())) for law, results in trials.items() if results]
    lines = ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]
    seen = [hit for result in found.values() for hit in result.values() if hit is not None]
    total = f"{len(seen)} intervals of {len(found)} records; {sum(seen) / max(len(seen), 1):.2%} hold the truth."
    return "\n".join([*lines, "", total])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("laws", nargs="*", default=list(TRUTHS), metavar="LAW")
    parser.add_argument("--trials", type=int, default=WHOLE)
    parser.add_argument("--store", type=Path, default=Path("fits.jsonl"))
    parser.add_argument("--page", type=Path, help="page of the documents whose table is written")
    given = parser.parse_args()
    text = table(stored(hits, given.laws, range(given.trials), given.store))
    print(text)
    if given.page:
        write_table(given.page, "fits", text)


if __name__ == "__main__":
    main()
