"""A study of the EMPS records: published parameters, linear methods and closed-loop fits, validated on held-out data.

`python -m stribeck.identify.emps.study DATA_EMPS.mat DATA_EMPS_PULSES.mat [PICTURE.png]`
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...laws.stribeck import Stribeck
from ...results.data_table import DataTable
from ...spec import Model
from ..fits.fit import fit
from ..fits.simulation import Rig
from ..records.measurement import Measurement
from ..regression.estimate import Estimate
from ..regression.inverse import inverse_model
from ..regression.power_balance import power_balance
from .drive import PUBLISHED, SAMPLE_TIME, control_voltage, emps_model, read_emps

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INPUTS = {"reference": "reference", "pulse": "pulse"}
OUTPUTS = {"car.s": "position"}
DIRECTIONS = ("inertia", "viscous+", "viscous-", "coulomb+", "coulomb-")

BASE = ("car.m", "damper.d", "guide.law.mu_c", "offset.f")
ASYMMETRIC, STRIBECK = ("drag.f.k",), ("guide.law.mu_s", "guide.law.v_s")
CANDIDATES = {
    "fit": BASE,
    "fit, by direction": BASE + ASYMMETRIC,
    "fit, Stribeck": BASE + STRIBECK,
    "fit, by direction and Stribeck": BASE + ASYMMETRIC + STRIBECK,
}
"""Free parameters of the closed-loop fits: viscous friction by direction (Coulomb friction by direction is the offset),
and Stribeck friction at low speed."""


@dataclass(frozen=True, eq=False)
class Judged:
    """One set of parameters, with the simulated closed-loop position in both records.

    >>> judged.position_error(run), judged.force_error(run)
    (2.9e-07, 2.08)
    """

    name: str
    values: dict[str, float]
    """Parameters by path in the model."""
    errors: dict[str, float]
    """Standard errors of the fitted parameters."""
    positions: dict[str, np.ndarray]
    """Simulated positions by name of the record (m)."""

    def position_error(self, run: Measurement) -> float:
        """Root mean square error of the position (m).

        >>> judged.position_error(run)
        2.9e-07
        """
        return _rms(self.positions[run.name] - np.asarray(run["position"]), run)

    def force_error(self, run: Measurement) -> float:
        """Root mean square error of the force commanded by the controller (N).

        >>> judged.force_error(run)
        2.08
        """
        voltage = control_voltage(run, self.positions[run.name]) + np.asarray(run["pulse"])
        return run.constants["gtau"] * _rms(voltage - np.asarray(run["voltage"]), run)


@dataclass(frozen=True, eq=False)
class EmpsStudy:
    """All candidates, fitted to one record and validated on the other one.

    >>> print(study)
    """

    record: Measurement
    held_out: Measurement
    linear: Sequence[Estimate]
    judged: Sequence[Judged]

    @property
    def best(self) -> Judged:
        """The candidate with the smallest error on held-out data.

        >>> study.best.name
        'published'
        """
        return min(self.judged, key=lambda entry: entry.position_error(self.held_out))

    def plot(self, path: str | Path | None = None) -> Figure:
        """Friction over speed, and the errors on held-out data.

        >>> study.plot("emps.png")
        """
        from .plot import plot_emps

        return plot_emps(self, path)

    def __str__(self) -> str:
        return "\n\n".join([*map(str, self.linear), self._values(), self._errors()])

    def _values(self) -> str:
        paths = list(dict.fromkeys(path for entry in self.judged for path in entry.values))
        rows = [[path, *(_number(entry, path) for entry in self.judged)] for path in paths]
        return DataTable(["parameter", *(str(i + 1) for i in range(len(self.judged)))], rows).text()

    def _errors(self) -> str:
        records = (self.record, self.held_out)
        rows = [
            [
                f"{number} {entry.name}",
                *(f"{1e6 * entry.position_error(run):.3f}" for run in records),
                *(f"{entry.force_error(run):.3f}" for run in records),
            ]
            for number, entry in enumerate(self.judged, 1)
        ]
        head = ["closed loop, rms errors", "position (um)", "held out", "force (N)", "held out"]
        return f"{DataTable(head, rows)}\nbest on held-out data: {self.best.name}"


def emps_study(
    record: str | Path | Measurement,
    held_out: str | Path | Measurement,
    candidates: Sequence[str] = tuple(CANDIDATES),
    *,
    solver: str = "fixed",
    progress: Callable[[str], None] | None = None,
) -> EmpsStudy:
    """Fits candidates to `record` in closed loop and validates them on `held_out`, with the published parameters for
    comparison.

    Both are files, or parts of records that `read_emps` has read. Fits use `solver` and start from the inverse model;
    validation uses adaptive steps.

    >>> emps_study("DATA_EMPS.mat", "DATA_EMPS_PULSES.mat").best.name  # doctest: +SKIP
    'fit, by direction and Stribeck'
    """
    run, other = (r if isinstance(r, Measurement) else read_emps(r) for r in (record, held_out))
    report = progress or (lambda text: None)
    found = inverse_model(run, "force", "position")
    linear = [
        found,
        *(
            method(run, "force", "position", DIRECTIONS, delay=0.5 * SAMPLE_TIME, name=f"{name}, command held")
            for method, name in ((inverse_model, "inverse dynamic model"), (power_balance, "power balance"))
        ),
    ]
    published = emps_model(run)
    judged = [
        _judged("published", published, _base(PUBLISHED), {}, (run, other)),
        _judged("inverse model", emps_model(run, found), _base(found.values), {}, (run, other)),
    ]
    for name in candidates:
        report(name)
        judged.append(_fitted(name, run, other, found, solver))
    return EmpsStudy(run, other, linear, judged)


def _fitted(name: str, run: Measurement, other: Measurement, found: Estimate, solver: str) -> Judged:
    """One candidate, fitted to the first record."""
    free = CANDIDATES[name]
    law = Stribeck(mu_c=found["coulomb"], mu_s=found["coulomb"], v_s=0.01) if set(STRIBECK) & set(free) else None
    model = emps_model(run, found, law)
    start = {path: 0.1 * found["viscous"] for path in ASYMMETRIC if path in free}
    result = fit(model, run, free, outputs=OUTPUTS, inputs=INPUTS, start=start, solver=solver)
    return _judged(name, model, dict(result.best), dict(result.errors), (run, other))


def _judged(
    name: str, model: Model, values: dict[str, float], errors: dict[str, float], runs: Sequence[Measurement]
) -> Judged:
    positions = {run.name: Rig(model, run, OUTPUTS, INPUTS, {"car.s0": "position"}).simulate(values)[0] for run in runs}
    return Judged(name, values, errors, positions)


def _base(values: Mapping[str, float]) -> dict[str, float]:
    """The four parameters by their paths in the model."""
    return {
        "car.m": values["inertia"],
        "damper.d": values["viscous"],
        "guide.law.mu_c": values["coulomb"],
        "offset.f": -values["offset"],
    }


def _rms(values: np.ndarray, run: Measurement) -> float:
    return float(np.sqrt(np.mean(values[run.valid] ** 2)))


def _number(entry: Judged, path: str) -> str:
    if path not in entry.values:
        return "-"
    error = entry.errors.get(path)
    return f"{entry.values[path]:.5g}" + (f" ({error:.1g})" if error else "")


def main(arguments: Sequence[str]) -> None:
    """Prints the study of two files, and draws it."""
    if len(arguments) not in (2, 3):
        print(__doc__.splitlines()[2].strip("`"))
        raise SystemExit(2)
    study = emps_study(arguments[0], arguments[1], progress=lambda text: print(f"fit: {text}", file=sys.stderr))
    print(study)
    if len(arguments) == 3:
        study.plot(arguments[2])


if __name__ == "__main__":
    main(sys.argv[1:])
