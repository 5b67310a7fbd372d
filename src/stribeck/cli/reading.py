"""How the commands of identification read files: options of a record, and what is done with it before it is used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..errors import SpecError
from ..identify import Measurement
from ..identify.records.files import labelled, record_paths

CONDITION = re.compile(r"\s*(abs\()?\s*(.+?)\s*(?(1)\))\s*(<=|>=|<|>)\s*([-+.\deE]+)\s*")
"""A condition of --keep: a channel, or its size, compared with a number in SI."""
COMPARE = {"<": np.less, ">": np.greater, "<=": np.less_equal, ">=": np.greater_equal}


@dataclass(frozen=True)
class Reading:
    """How files are read, in the words of the command line.

    >>> Reading(units=["q=mm"], resolution=["q=0.01 mm"]).read(Path("axis.csv"))
    """

    units: Sequence[str] = ()
    resolution: Sequence[str] = ()
    time: str | None = None
    sample_time: str | None = None
    gaps: str = "refuse"
    columns: str | None = None
    table: str | None = None
    start: str | None = None
    stop: str | None = None
    keep: Sequence[str] = ()
    scale: Sequence[str] = ()
    unwrap: Sequence[str] = ()
    mask_outliers: bool = False
    resample: str | None = None

    def records(self, paths: Sequence[Path]) -> list[Measurement]:
        """All records of files, folders and patterns, with unique names."""
        return [replace(self.read(path), name=name) for path, name in labelled(record_paths(paths)).items()]

    def read(self, path: Path) -> Measurement:
        """One record, corrected, cut and resampled."""
        run = Measurement.read(
            path,
            time=self.time,
            sample_time=self.sample_time,
            units=named(self.units, "--unit", "CHANNEL=UNIT"),
            resolution=named(self.resolution, "--resolution", "CHANNEL=STEP"),
            gaps=self.gaps,
            columns=self.columns,
            table=self.table,
        )
        for name, period in named(self.unwrap, "--unwrap", "CHANNEL=PERIOD").items():
            run = run.unwrapped(name, period)
        factors = named(self.scale, "--scale", "CHANNEL=FACTOR")
        run = run.scaled({name: number(text, f"--scale {name}") for name, text in factors.items()}) if factors else run
        if self.mask_outliers:
            run = run.without_outliers()
        for text in self.keep:
            run = run.masked(kept(run, text))
        if self.start is not None or self.stop is not None:
            run = run.between(self.start or run.time[0], self.stop or run.time[-1])
        return run if self.resample is None else run.resampled(self.resample)


def kept(run: Measurement, text: str) -> np.ndarray:
    """Which samples satisfy a condition.

    >>> kept(Reading().read(Path("axis.csv")), "abs(q) >= 0").all()
    True
    """
    match = CONDITION.fullmatch(text)
    if match is None:
        raise SpecError(f"--keep {text}: write CHANNEL>VALUE or abs(CHANNEL)<VALUE, with a number in SI units")
    values = np.asarray(run[match[2]])
    limit = number(match[4], f"--keep {text}")
    return np.asarray(COMPARE[match[3]](np.abs(values) if match[1] else values, limit))


def named(words: Sequence[str], option: str, shape: str) -> dict[str, str]:
    """Pairs of an option that may be given several times, or once with commas.

    >>> named(["load.s=q,load.v=w"], "--output", "OUTPUT=CHANNEL")
    {'load.s': 'q', 'load.v': 'w'}
    """
    found = {}
    for word in (part for text in words for part in text.split(",")):
        name, sign, value = (part.strip() for part in word.partition("="))
        if not (name and sign and value):
            raise SpecError(f"{option} {word.strip()}: write {shape}")
        found[name] = value
    return found


def number(text: str, option: str) -> float:
    """A number of an option.

    >>> number("0.5", "--noise")
    0.5
    """
    try:
        return float(text)
    except ValueError:
        raise SpecError(f"{option} {text}: write a number in SI units") from None
