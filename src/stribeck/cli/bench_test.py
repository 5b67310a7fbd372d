"""stribeck bench-test: the tests of a rig on a simulated machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.markup import escape

from ..errors import SpecError
from ..identify import VirtualBench
from ..identify.bench.bench_test import BenchTest, bench_test
from ..identify.bench.defaults import likely_drive, likely_position, range_of, with_limit
from ..identify.bench.report import report_bench
from ..results.screen import Screen, screen
from .progress import ProgressBar
from .settings import model_with
from .targets import check_file


def run_tests(
    name: str,
    settings: Sequence[str],
    drive: str | None,
    position: str | None,
    bench: Mapping[str, Any],
    between: str | None,
    tests: Mapping[str, Any],
    report: Path | None,
) -> None:
    """Break-away and swings of a model on the virtual bench; prints what they find and writes the page.

    >>> run_tests("rotor.yaml", [], None, None, {"encoder": 56, "limit": "2 N.m"}, "2:60", {}, None)  # doctest: +SKIP
    """
    check_file(report)
    model = model_with(name, settings)
    drive = drive or likely_drive(model)
    position = position or likely_position(model, drive)
    with ProgressBar(model.name) as progress:
        progress(0.0, "first look")
        rig = VirtualBench(model, drive, position, **with_limit(model, drive, position, bench))
        found = bench_test(rig, *range_of(rig, between), progress=progress, **tests)
    console = screen()
    console.print(
        f"\n[bold]{escape(model.name)}[/] on the bench: {escape(drive)}, {escape(position)}\n", highlight=False
    )
    _print(console, found)
    if report is not None:
        console.wrote(report.parent, [report_bench(found, rig, report)])


def speed_of(text: str | None) -> float | str | None:
    """A speed in SI, "find", or None.

    >>> speed_of("240")
    240.0
    """
    try:
        return text if text in (None, "find") else float(str(text))
    except ValueError:
        raise SpecError(f"--threshold {text}: write a speed in SI units, or find") from None


def _print(console: Screen, found: BenchTest) -> None:
    console.show(replace(found.table(), right=[1, 2]))
    if found.rule:
        console.print(escape(str(found.rule)), highlight=False, soft_wrap=True)
