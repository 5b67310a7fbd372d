"""Campaigns of many trials that continue where they were stopped, and tables of them in documents."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Found = dict[tuple[str, int], Any]
"""What a trial of a case with a seed gave."""


def stored(trial: Callable[[str, int], Any], cases: Sequence[str], seeds: Iterable[int], store: Path) -> Found:
    """All trials, case by case for each seed; one line of JSON each in the store, written as soon as it is known.

    >>> stored(trial, ["LuGre"], range(10), Path("trials.jsonl"))
    """
    lines = store.read_text(encoding="utf-8").splitlines() if store.exists() else []
    found: Found = {(case, seed): result for case, seed, result in map(json.loads, lines)}
    with store.open("a", encoding="utf-8") as file:
        for seed in seeds:
            for case in cases:
                if (case, seed) not in found:
                    found[case, seed] = trial(case, seed)
                    file.write(json.dumps([case, seed, found[case, seed]]) + "\n")
                    file.flush()
    return found


def write_table(page: Path, name: str, table: str) -> None:
    """Puts a table between `<!-- campaign: NAME -->` and `<!-- end -->` of a page."""
    text = page.read_text(encoding="utf-8")
    place = re.compile(rf"(<!-- campaign: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not place.search(text):
        raise ValueError(f"{page} has no place for the table {name}")
    page.write_text(place.sub(lambda m: f"{m[1]}\n{table}\n\n{m[2]}", text), encoding="utf-8")
