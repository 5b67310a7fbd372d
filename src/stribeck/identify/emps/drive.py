"""A real drive: the electro-mechanical positioning system EMPS, a ball screw in closed loop at 1 kHz.

A. Janot, M. Gautier, M. Brunot: Data set and reference models of EMPS. Workshop on Nonlinear System Identification
Benchmarks, 2019; nonlinearbenchmark.org. The files are not part of this package: fetch them there.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...elements.damper import Damper
from ...elements.fixed import Fixed
from ...elements.force import Force
from ...elements.guide import Guide
from ...elements.mass import Mass
from ...errors import FileError
from ...laws import Law
from ...laws.coulomb import Coulomb
from ...signals.arithmetic import Gain
from ...signals.external import External
from ...signals.limits import Saturation
from ...signals.linear_system import TransferFunction
from ...signals.sample_hold import SampleHold
from ...signals.sensor import Sensor
from ...spec import Model
from ...tables import read_columns
from ..records.measurement import Measurement
from ..regression.estimate import Estimate

PUBLISHED = {"inertia": 95.1089, "viscous": 203.5034, "coulomb": 20.3935, "offset": -3.1648}
"""Inverse dynamic model, least squares (kg, N.s/m, N, N), as printed with the data."""
SAMPLE_TIME = 1e-3
LIMIT = 10.0
"""Limit of the voltage (V)."""
TRANSIENT = 0.1
"""The record begins in motion; the unknown initial state of the controller has decayed after this time (s)."""


def read_emps(path: str | Path) -> Measurement:
    """A record of the drive: reference and position (m), voltage (V), force (N), pulse (V).

    The voltage is that of the controller (`control_voltage`), plus pulses in one of the records; their height is fitted
    to the difference between the two. Times are those of the controller, every 1 ms. The first 0.1 s are masked.

    >>> run = read_emps("DATA_EMPS.mat")  # doctest: +SKIP
    >>> run.names
    ['reference', 'position', 'voltage', 'pulse', 'force']
    """
    columns = {"reference": "qg", "position": "qm", "voltage": "vir"}
    units = {"reference": "m", "position": "m", "voltage": "V"}
    if "pulses_N" in read_columns(path).names:
        columns["pulse"] = "pulses_N"
    run = Measurement.read(path, columns, sample_time=SAMPLE_TIME, units=units)
    missing = [name for name in ("gtau", "kp", "kv") if name not in run.constants]
    if missing:
        raise FileError(f"{path}: '{missing[0]}' is missing; this is not a record of EMPS")
    switched = np.asarray(run["pulse"]) if "pulse" in run.names else np.zeros(len(run))
    rest = np.asarray(run["voltage"]) - control_voltage(run, np.asarray(run["position"]))
    height = float(switched @ rest / (switched @ switched)) if switched.any() else 0.0
    run = run.with_channel("pulse", height * switched, "V")
    run = run.with_channel("force", run.constants["gtau"] * np.asarray(run["voltage"]), "N")
    return run.masked(run.time >= TRANSIENT)


def control_voltage(run: Measurement, position: np.ndarray) -> np.ndarray:
    """The controller output for a position: kv (kp (reference - q) - (q[k] - q[k-2])/(2 ms)), in V.

    >>> control_voltage(run, np.asarray(run["position"])) - run["voltage"]
    """
    speed = np.zeros_like(position)
    speed[2:] = (position[2:] - position[:-2]) / (2 * SAMPLE_TIME)
    reference = np.asarray(run["reference"])
    return np.asarray(run.constants["kv"] * (run.constants["kp"] * (reference - position) - speed))


def emps_model(run: Measurement, found: Estimate | None = None, law: Law | None = None) -> Model:
    """The drive in its closed loop, with the inputs "reference" and "pulse" and the output "car.s".

    Parameters are those of an inverse model (terms inertia, viscous, coulomb, offset), by default those published.
    `law` replaces Coulomb friction. `drag.f.k` is half the difference of viscous friction backwards and forwards.

    >>> sb.simulate(emps_model(run), "1 s")
    """
    values = PUBLISHED if found is None else found.values
    c, step = run.constants, SAMPLE_TIME
    m = Model("EMPS", t_end=float(run.time[-1]))
    car, ground = m.add("car", Mass(m=values["inertia"], s0=float(run["position"][0]))), m.add("ground", Fixed())
    m.add("guide", Guide(car, law=law or Coulomb(mu_c=values["coulomb"]), load=1.0))
    m.add("damper", Damper(ground, car, d=values["viscous"]))
    reference, pulse = m.signal("reference", External(0.0)), m.signal("pulse", External(0.0))
    position = car.sensor("s")
    speed = TransferFunction(position, num=[0.5 / step, 0, -0.5 / step], den=[1, 0, 0], dt=step, start="steady")
    control = SampleHold(c["kv"] * (c["kp"] * (reference - position) - speed), period=step)
    voltage = m.signal("voltage", Saturation(control, low=-LIMIT, high=LIMIT) + pulse)
    m.add("motor", Force(car, f=c["gtau"] * voltage))
    m.add("offset", Force(car, f=-values["offset"]))
    m.add("drag", Force(car, f=Gain(abs(Sensor("car.v")), k=0.0)))
    return m
