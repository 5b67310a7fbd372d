"""Outputs that a run asks for: choices, the power of what dissipates, the jerk of bodies."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import SpecError, UnknownName
from stribeck.spec import shipped_models

ALL = ["*", "*.power", "*.jerk"]
TABLE = [[0.0, 0.9, 0.8, 0.1, 0.1], [50.0, 0.98, 0.95, 0.3, 0.2]]
"""Losses of a gear that depend on its speed: Mass does, too."""


def lossy_gear() -> sb.Model:
    m = sb.Model("lossy", t_end=2)
    motor, load = m.add("motor", sb.Inertia(J=0.1)), m.add("load", sb.Inertia(J=2.0))
    m.add("torque", sb.Torque(motor, tau=sb.Sine(2.0, f="0.5 Hz", offset=5.0)))
    m.add("gear", sb.LossyGear(motor, load, ratio=3.0, loss_table=TABLE))
    m.add("drag", sb.Damper(load, d=0.5))
    return m


MODELS = {name: sb.load_model(name) for name in shipped_models()} | {"lossy": lossy_gear()}


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> sb.Model:
    return MODELS[request.param]


def test_what_is_asked_for_leaves_the_rest_bit_for_bit(model: sb.Model) -> None:
    usual, more = sb.simulate(model), sb.simulate(model, outputs=ALL)
    assert more.names[: len(usual)] == usual.names
    assert (more.data[: len(usual)] == usual.data).all()
    assert all(more.extremes[name] == usual.extremes[name] for name in usual)
    assert more.events == usual.events
    assert more.energy == usual.energy


def test_power_integrates_to_the_dissipated_energy(model: sb.Model) -> None:
    result = sb.simulate(model, outputs="*.power", intervals=20_000)
    whole = sum(result.energy.dissipated.values())
    broken = np.searchsorted(result.time, result.breaks).clip(1, result.time.size - 1) - 1
    for name in result:
        power = np.asarray(result[name])
        # the trapezoidal rule, which is off by at most half a jump times an interval where the power jumps
        jumps = 0.5 * result.time[1] * np.abs(np.diff(power))[np.unique(broken)].sum()
        heat = result.energy.dissipated.get(name.removesuffix(".power"), 0.0)
        assert np.trapezoid(power, result.time) == pytest.approx(heat, abs=1.1 * jumps + 1e-6 * whole)


def test_jerk_is_the_rate_of_the_acceleration(model: sb.Model) -> None:
    t_end = model.simulation.t_end
    points, h = np.linspace(0.0, t_end, 42)[1:-1], 1e-6 * t_end
    times = np.sort(np.concatenate([points - h, points, points + h]))
    result = sb.simulate(model, times=times, t_end=t_end, outputs=ALL, tolerance=1e-9)
    for name in (name for name in result if name.endswith(".jerk")):
        a, jerk = result[name.replace(".jerk", ".a")], result[name][1::3]
        noise = 1e-14 * np.abs(a).max() / h  # rounding of the difference
        miss = np.abs((a[2::3] - a[0::3]) / (2 * h) - jerk) / (np.abs(jerk).max() + noise)
        assert np.median(miss) < 1e-5  # between steps, where a follows the dense output, of order 4
        assert np.sort(miss)[-3] < 1e-4  # two of the points may have a corner or a jump within the difference


def test_jerk_and_power_beside_another_integrator() -> None:
    model, points = sb.load_model("stick-slip"), np.linspace(0.5, 20, 40)
    ours, theirs = (sb.simulate(model, times=points, outputs=ALL, tolerance=1e-9, solver=s) for s in SOLVERS)
    for name in ("mass.jerk", "friction.power"):
        assert theirs[name] == pytest.approx(np.asarray(ours[name]), abs=1e-4 * np.abs(ours[name]).max())


SOLVERS = ("rodas5p", "scipy-radau")


def test_power_of_a_damper_by_hand() -> None:
    m = sb.Model("damper", t_end=1, intervals=10)
    m.add("damper", sb.Damper(m.add("mass", sb.Inertia(J=1, w0=2)), d=3))
    result = sb.simulate(m, outputs=["damper.power", "mass.jerk"])
    assert result["damper.power"].unit == "W"
    assert result["mass.jerk"].unit == "rad/s3"
    assert result["damper.power"] == pytest.approx(3 * 4 * np.exp(-6 * result.time), rel=1e-5)
    assert result["mass.jerk"] == pytest.approx(9 * 2 * np.exp(-3 * result.time), rel=1e-5)
    assert result.extremes["mass.jerk"]["max"] == pytest.approx(18)  # at the start, which is on the grid


def test_patterns_choose_and_powers_come_by_name_only() -> None:
    names = sb.simulate("stick-slip", t_end=1, outputs=["friction.*", "mass.w"]).names
    assert names[-1] == "mass.w"
    assert all(name.startswith("friction.") for name in names[:-1])
    assert "friction.power" not in names


def test_unknown_outputs_are_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"no output 'mass.jrk'; did you mean 'mass.jerk'"):
        sb.simulate("stick-slip", outputs=["mass.jrk"])


def test_times_may_end_before_the_run() -> None:
    whole = sb.simulate("stick-slip", t_end=10, intervals=10)
    part = sb.simulate("stick-slip", t_end=10, times=[1.0, 2.0])
    assert part.time.tolist() == [1.0, 2.0]
    assert part["mass.w"].tolist() == whole["mass.w"][1:3].tolist()
    assert part.energy == whole.energy
    with pytest.raises(SpecError, match="t_end = 1 s is before the last of the times, 2 s"):
        sb.simulate("stick-slip", t_end=1, times=[1.0, 2.0])


def test_a_model_by_name_path_or_value(tmp_path) -> None:
    model = sb.load_model("stick-slip")
    path = tmp_path / "rig.yaml"
    path.write_text(model.to_yaml(), encoding="utf-8")
    runs = [sb.simulate(source, t_end=1)["mass.w"].tolist() for source in (model, "stick-slip", path, str(path))]
    assert all(run == runs[0] for run in runs)
