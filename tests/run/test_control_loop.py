"""The example of a control loop: what it promises."""

import runpy
from pathlib import Path

import numpy as np

EXAMPLE = Path(__file__).parents[2] / "examples" / "clutch_control.py"


def swing(result):
    after = np.asarray(result["shaft.tau"])[result.time > result.events.of("clutch")[-1].time]
    return after.max() - after.min()


def test_the_controller_makes_the_clutch_stick_gently(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = runpy.run_path(str(EXAMPLE))
    controlled, ramp, model = names["controlled"], names["ramp"], names["model"]
    assert swing(controlled) < 0.2 * swing(ramp)
    assert controlled.events.of("clutch")[-1].to == ramp.events.of("clutch")[-1].to == "Stuck"
    assert controlled.energy.dissipated["clutch"] < 0.5 * ramp.energy.dissipated["clutch"]

    # the loop once more, from the commands alone, in the hands of another stepper
    s = model.realtime(h="1 ms")
    for force in names["pressed"]:
        s.inputs["clutch.f_normalized"] = force
        s.step()
    assert s["car.w"] == controlled["car.w"][-1]
