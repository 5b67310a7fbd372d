"""Files that examples read."""

from collections.abc import Callable
from pathlib import Path

import stribeck as sb


def record(path: Path) -> None:
    """A torque over time."""
    path.write_text("t,torque\n0.0,1.0\n0.1,2.0\n0.2,-1.0\n", encoding="utf-8")


def rig(path: Path) -> None:
    """A model file."""
    sb.load_model("stick-slip").to_yaml(path)


FILES: dict[str, Callable[[Path], None]] = {"run7.csv": record, "rig.yaml": rig}
