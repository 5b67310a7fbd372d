"""stribeck sweep: a model at many points, kept in a folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import SpecError
from ..results.data_table import DataTable
from ..results.screen import screen
from ..sweeps import Design, Study, grid, latin_hypercube, sobol
from ..sweeps.store import ABOUT
from ..sweeps.study import MISSING
from ..sweeps.sweep import sweep
from .progress import ProgressBar
from .settings import model_with

SAMPLERS = {"sobol": sobol, "lhs": latin_hypercube}


def run_sweep(
    name: str,
    vary: Sequence[str],
    measures: Sequence[str],
    out: Path,
    settings: Sequence[str],
    sample: str | None,
    part: str | None,
    resume: bool,
    **options: Any,
) -> None:
    """Runs all points that a folder does not have yet, prints a summary and draws a picture of each measure.

    >>> run_sweep("stick-slip", ["spring.c=1:4:5"], ["mass.w:max"], Path("study"), [], None, None, False)
    """
    if (out / ABOUT).exists() and not (resume or part):  # parts share a folder
        raise SpecError(
            f"--out {out}: the folder holds a sweep; add --resume to go on with it, or choose another folder"
        )
    given = {key: value for key, value in options.items() if value is not None}
    design = design_of(vary, sample)
    with ProgressBar(f"{design.points} points") as progress:
        study = sweep(
            model_with(name, settings), design, list(measures), store=out, part=_part(part), progress=progress, **given
        )
    _show(study, out)


def design_of(vary: Sequence[str], sample: str | None) -> Design:
    """The design that options ask for: grids of lists and ranges, or samples of ranges.

    >>> design_of(["spring.c=1:4:50", "pull.w=0.05,0.1"], None).points
    100
    """
    pairs = {}
    for text in vary:
        path, _, values = text.partition("=")
        if not path.strip() or not values.strip():
            raise SpecError(f"--vary {text}: write PATH=FROM:TO:COUNT or PATH=VALUE,VALUE,...")
        pairs[path.strip()] = values.strip()
    if sample is None:
        return grid({path: _listed(path, values) for path, values in pairs.items()})
    kind, _, count = sample.partition(":")
    if kind not in SAMPLERS or not count.isdecimal():
        raise SpecError(f"--sample {sample}: write sobol:256 or lhs:100, the number of points")
    return SAMPLERS[kind]({path: _range(path, values) for path, values in pairs.items()}, int(count))


def _numbers(path: str, values: str, parts: Sequence[str]) -> list[float]:
    try:
        return [float(part) for part in parts]
    except ValueError:
        raise SpecError(f"--vary {path}={values}: numbers in SI are needed, such as 1:4:50 or 0.05,0.1") from None


def _listed(path: str, values: str) -> np.ndarray | list[str]:
    """A range of numbers in SI, or a list of numbers or of texts with units."""
    if match := re.fullmatch(r"([^:,]+):([^:,]+):(\d+)", values):
        low, high = _numbers(path, values, match.groups()[:2])
        return np.linspace(low, high, int(match[3]))
    parts = [part.strip() for part in values.split(",")]
    with_units = ":" not in values and any(re.search("[^-+.0-9eE]", part) for part in parts)
    return parts if with_units else np.array(_numbers(path, values, parts))


def _range(path: str, values: str) -> tuple[float, float]:
    parts = values.split(":")
    if len(parts) != 2:
        raise SpecError(f"--vary {path}={values}: with --sample give a range, such as {path}=1:4")
    low, high = _numbers(path, values, parts)
    return low, high


def _part(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if match is None:
        raise SpecError(f"--part {text}: write for instance 3/16, the third of sixteen parts")
    return int(match[1]), int(match[2])


def _show(study: Study, out: Path) -> None:
    console = screen()
    done = [i for i, text in enumerate(study.messages) if not text]
    rows = []
    for text, column in study.measures.items():
        seen = column[np.isfinite(column)]
        numbers = [f"{x:.6g}" for x in (seen.min(), seen.mean(), seen.max())] if seen.size else ["", "", ""]
        rows.append((text, study.units[text], *numbers))
    console.print(f"\n{study.name}: {len(done)} of {study.design.points} points", highlight=False)
    console.show(DataTable(["measure", "unit", "min", "mean", "max"], rows))
    failed = [(i, text) for i, text in study.failures.items() if text != MISSING]
    for i, text in failed[:3]:
        console.print(f"point {i}: {text}", highlight=False, markup=False)
    if len(failed) > 3:
        console.print(f"... {len(failed)} points have failed; the column `failure` has their messages", highlight=False)
    written = [out / ABOUT]
    for k, text in enumerate(study.measures):
        if np.isfinite(study[text]).sum() > 2:
            written.append(out / f"{k:02d}-{re.sub('[^0-9a-zA-Z.]+', '-', text).strip('-')}.png")
            study.plot(text, written[-1])
    console.wrote(out, written)
