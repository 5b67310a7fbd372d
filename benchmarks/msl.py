"""Examples of the Modelica Standard Library: steps and evaluations against those of Dymola's DASSL at equal error.

    python benchmarks/msl.py [--reference FOLDER] [--json FILE]

FOLDER holds the results that the makers of the library publish, with the counters of the run (by default
../shared/reference/msl beside the checkout). Ours is the run with the loosest tolerance at which no signal has a larger
error than there; errors are those against a very fine run of ours. Evaluations for the points of the result are counted
on neither side.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.msl import EXAMPLES, Effort, efforts  # noqa: E402

HEAD = ("error", "steps", "rhs", "events", "Jacobians", "all", "state events", "tolerance")


def cells(effort: Effort) -> list[str]:
    """One line of the table."""
    counts = (effort.steps, effort.rhs, effort.events, effort.jacobians, effort.evaluations, effort.state_events)
    return [f"{effort.error:.1e}", *map(str, counts), f"{effort.tolerance:.0e}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    default = ROOT.parent / "shared" / "reference" / "msl"
    parser.add_argument("--reference", type=Path, default=default, metavar="FOLDER", help="published results")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE")
    chosen = parser.parse_args()
    if not chosen.reference.is_dir():
        raise SystemExit(f"no published results in {chosen.reference}; name their folder with --reference")

    print(f"{'example':<40}{'':<9}" + "".join(f"{word:>13}" for word in HEAD))
    figures = {}
    for name in EXAMPLES:
        theirs, ours = efforts(name, chosen.reference / name)
        figures[name] = {"dassl": asdict(theirs), "stribeck": asdict(ours)}
        for solver, effort in (("DASSL", theirs), ("Stribeck", ours)):
            label = name if solver == "DASSL" else ""
            print(f"{label:<40}{solver:<9}" + "".join(f"{cell:>13}" for cell in cells(effort)))
    if chosen.json:
        chosen.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
