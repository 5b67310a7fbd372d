"""Rows of the tables that show a fit, in print and on pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...results.data_table import DataTable
from .prediction import Prediction

if TYPE_CHECKING:
    from .result import FitResult

PARAMETERS = ("parameter", "value", "std. error", "95 % interval", "unit", "meaning")
PREDICTIONS = ("record", "output", "channel", "rms", "unit", "relative error / %", "fit / %")


def parameter_rows(result: FitResult) -> list[list[str]]:
    """One row per parameter: path, value, standard error, ends of the interval, unit, meaning.

    >>> [row[0] for row in parameter_rows(result)]
    ['joint.law.mu_c', 'load.m']
    """
    ends = result.interval(0.95)
    rows: list[list[str]] = []
    for p in result.free:
        if p.path in result.unidentifiable:
            rows.append([p.path, "not identifiable", "", "", p.unit, p.text])
            continue
        low, high = ends[p.path]
        cells = [f"{result.values[p.path]:.6g}", f"{result.errors[p.path]:.2g}", f"{low:.6g} to {high:.6g}"]
        rows.append([p.path, *cells, p.unit, p.text])
    return rows


def parameter_table(result: FitResult, columns: int = len(PARAMETERS)) -> DataTable:
    """The parameters, or the first columns of them.

    >>> print(parameter_table(result, columns=5))
    """
    return DataTable(PARAMETERS[:columns], [row[:columns] for row in parameter_rows(result)])


def prediction_table(predictions: Sequence[Prediction]) -> DataTable:
    """Errors of outputs.

    >>> print(prediction_table(result.predictions))
    """
    return DataTable(PREDICTIONS, prediction_rows(predictions))


def prediction_rows(predictions: Sequence[Prediction]) -> list[list[str]]:
    """One row per output and record: record, output, channel, rms, unit, relative error and fit in %.

    >>> prediction_rows(result.predictions)[0]
    ['run7', 'load.s', 'q', '2.79e-06', 'm', '0.00153', '100.00']
    """
    return [
        [p.measurement.name, p.output, p.channel, f"{p.rms:.4g}", p.unit, f"{100 * p.relative:.3g}", f"{p.fit:.2f}"]
        for p in predictions
    ]
