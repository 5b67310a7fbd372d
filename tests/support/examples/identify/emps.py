"""Names for examples of EMPS: records of a simulated drive, as its files are not part of the project."""

import numpy as np
from support.examples import once

from stribeck.identify import Measurement
from stribeck.identify.emps.drive import SAMPLE_TIME, control_voltage, emps_model
from stribeck.identify.emps.study import INPUTS, OUTPUTS, EmpsStudy, Judged, emps_study
from stribeck.identify.fits.simulation import Rig

CONSTANTS = {"gtau": 35.15, "kp": 160.18, "kv": 243.45}


def drive(name: str, frequency: float) -> Measurement:
    """Two seconds of the published drive, with a position in steps of 1 um."""
    time = SAMPLE_TIME * np.arange(2001)
    reference = 0.05 * np.sin(2 * np.pi * frequency * time) ** 2
    zero = np.zeros(time.size)
    channels = {"reference": reference, "position": zero, "voltage": zero, "pulse": zero, "force": zero}
    units = {"reference": "m", "position": "m", "voltage": "V", "pulse": "V", "force": "N"}
    run = Measurement(channels, sample_time=SAMPLE_TIME, units=units, name=name, constants=CONSTANTS)
    position = 1e-6 * np.round(Rig(emps_model(run), run, OUTPUTS, INPUTS, {}).simulate({})[0] / 1e-6)
    run = run.with_channel("position", position, "m")
    voltage = control_voltage(run, position)
    return run.with_channel("voltage", voltage, "V").with_channel("force", CONSTANTS["gtau"] * voltage, "N")


@once
def run() -> Measurement:
    return drive("DATA_EMPS", 0.5)


@once
def study(run: Measurement) -> EmpsStudy:
    return emps_study(run, drive("DATA_EMPS_PULSES", 0.7), ())


def judged(study: EmpsStudy) -> Judged:
    return study.judged[0]
