"""Writes docs/gallery.md and its small pictures.

`python -m tools.pages.gallery` runs all examples, `python -m tools.pages.gallery judder drift` those two.
"""

from __future__ import annotations

import runpy
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from .pictures import shrink

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS.parent / "examples"
PAGE = DOCS / "gallery.md"
PICTURES = DOCS / "pictures" / "gallery"

SECTIONS = {
    "Friction": ["stick_slip", "stribeck_curves", "presliding", "drift", "own_law"],
    "Friction-induced vibration": ["limit_cycle", "hysteresis", "stability_map", "judder", "earthquake"],
    "Clutches and gears": ["clutch_engagement", "coupled_clutches", "gearbox", "gear_shift", "robot_joint"],
    "Cars": ["car_launch", "launch_surface", "car"],
    "Heat": ["hot_brake", "clutch_heat"],
    "Fixed steps": ["realtime_step", "verdicts", "clutch_control"],
    "Identification": ["friction_test", "identified_friction", "gms_actuator", "fit", "encoder_noise"],
}
"""The examples in the order of the page."""

WIDTH = 900
"""Of the small pictures, in pixels."""

HEAD = """\
# Gallery

The scripts in [examples](../examples) and their pictures; click a picture for its script. Each runs in a few seconds
(`python examples/judder.py`) and prints its findings.
"""


def page() -> str:
    """The text of the page."""
    return "\n".join([HEAD, *(f"## {title}\n\n{_table(names)}" for title, names in SECTIONS.items())])


def _table(names: list[str]) -> str:
    """Two examples in each row: pictures, and below them what they show."""
    lines = ["| | |", "|---|---|"]
    for pair in (names[i : i + 2] for i in range(0, len(names), 2)):
        lines += [f"| {' | '.join(map(cell, pair))} |" + " |" * (2 - len(pair)) for cell in (_picture, caption)]
    return "\n".join(lines) + "\n"


def _picture(name: str) -> str:
    return f"[![{name}](pictures/gallery/{name}.png)](../examples/{name}.py)"


def caption(name: str) -> str:
    """What an example shows: the first comment of its script."""
    lines = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("# "))
    rest = lines[first:]
    end = next(i for i, line in enumerate(rest) if not line.startswith("# "))
    text = " ".join(line.removeprefix("# ") for line in rest[:end])
    return text[0].upper() + text[1:]


def draw(name: str) -> None:
    """Runs an example and keeps its picture, small."""
    with TemporaryDirectory() as folder:
        with chdir(folder):
            runpy.run_path(str(EXAMPLES / f"{name}.py"))
        (path,) = Path(folder).glob("*.png")
        shrink(path, PICTURES / f"{name}.png", WIDTH)


def main() -> None:
    """Writes the page, and the pictures of the examples that are named, or of all."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or [name for names in SECTIONS.values() for name in names]:
        draw(name)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
