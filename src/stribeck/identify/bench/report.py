"""Plot and HTML page of a bench test."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from ...results.page import image, paragraphs, tag, write_page
from ...results.style import COLORS, GRID, Picture, label, styled, verbatim
from .bench_test import BenchTest
from .break_away.plot import draw_break_aways
from .virtual import DRIVE, POSITION, VirtualBench

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEAD = ("", "value", "standard error", "unit")
MOST_POINTS = 4000


@styled
def plot_bench(found: BenchTest, path: str | Path | None = None) -> Figure:
    """Break-away over position, drive over speed in oscillations, and the last records of both tests.

    >>> plot_bench(found, "bench.png")
    """
    shown = Picture(10.5, 6.2)
    (left, right), (ramps, sines) = shown.subplots(2, 2)
    draw_break_aways(left, found.break_aways, found.curves)
    _swings(right, found)
    _record(ramps, found, 0)
    _record(sines, found, 1)
    return shown.finish("break-away and swings", path)


def report_bench(found: BenchTest, bench: VirtualBench, path: str | Path) -> Path:
    """Writes one HTML page: results, pictures, and whether the inertia is identifiable with this sensor.

    >>> report_bench(found, bench, "bench.html")
    PosixPath('bench.html')
    """
    title = f"{bench.name}: test bench"
    s, unit = bench.sensing, bench.units[POSITION]
    sensor = f"steps of {s.step:.4g} {unit}" if s.step else "no steps"
    noise = f"noise of {s.noise:.3g} {unit}" if s.noise else "no noise"
    about = (
        f"Driven by {bench.drive}, measured at {bench.position} with {sensor} and {noise}, every "
        f"{1e3 * bench.sample_time:g} ms; the drive reaches {s.limit:.4g} {bench.units[DRIVE]}. "
        f"Between {found.low:g} and {found.high:g} {unit} there were {len(found.break_aways)} starts of motion, then "
        f"{len(found.sines)} records of swings."
    )
    parts = [tag("h1", escape(title)), paragraphs(about, class_="byline"), found.table().html()]
    parts.append(image(plot_bench(found), "break-away over position, drive over speed, and the records"))
    if found.rule:
        parts += [tag("h2", "Is the inertia identifiable?"), paragraphs(str(found.rule).replace("\n", "\n\n"))]
    return write_page(Path(path), title, *parts)


def _swings(axes: Axes, found: BenchTest) -> None:
    speed, drive, error = np.array(found.means.points).T
    axes.errorbar(speed, drive, 2 * np.nan_to_num(error), fmt="o", color=COLORS[0], markersize=4, capsize=3)
    fc = [value for name, value in found.means.estimate.values.items() if name.startswith("fc")]
    fv, threshold = found.means.estimate["fv"], found.means.threshold
    line = np.linspace(0, 1.05 * speed.max(), 200)
    if not threshold:
        axes.plot(line, np.mean(fc) + fv * line, color=COLORS[1], linewidth=1.0, label="dry and viscous friction")
        axes.legend(loc="lower right")
    axes.set(xlim=(0, line[-1]), xlabel=label(f"{found.units[1]}/s", "mean speed"),
             ylabel=label(found.units[0], "mean drive against motion"))  # fmt: skip
    axes.set_ylim(bottom=0)
    axes.set_title("swings: mean drive of each record, 95 %", fontsize=8, loc="left")


def _record(axes: Axes, found: BenchTest, number: int) -> None:
    """The position of the last record of a test, and its drive on a second axis."""
    record = (found.ramps, found.sines)[number][-1]
    every = slice(None, None, max(1, len(record) // MOST_POINTS))
    twin = axes.twinx()
    twin.plot(record.time[every], np.asarray(record[DRIVE])[every], color=COLORS[5], linewidth=0.5, alpha=0.7)
    twin.set_ylabel(label(found.units[0], "drive"), color=COLORS[5])
    twin.grid(False)
    twin.spines["right"].set_visible(True)
    twin.spines["right"].set_color(GRID)
    axes.plot(record.time[every], np.asarray(record[POSITION])[every], color=COLORS[0], linewidth=1.0)
    axes.set_zorder(twin.get_zorder() + 1)
    axes.patch.set_visible(False)
    axes.set(xlabel=label("s", "time"), ylabel=label(found.units[1], "position"))
    axes.set_title(verbatim(record.name), fontsize=8, loc="left")
