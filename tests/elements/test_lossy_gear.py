"""Gears with losses as elements: what is refused, what is ideal, how they are written."""

import pytest

import stribeck as sb
from stribeck.errors import SpecError

TABLE = [[0, 0.8, 0.7, 0.3, 0.2], [10, 0.9, 0.85, 0.4, 0.4]]


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        ({"efficiency": 0.9, "loss_table": TABLE}, "both efficiency and loss_table are given"),
        ({"efficiency": 1.2}, "must be above 0 and at most 1"),
        ({"efficiency": 0}, "must be above 0 and at most 1"),
        ({"loss_table": [[0, 0.8, 0.7, 0.3]]}, "has 4 numbers and must have five: w, eta1, eta2, tbf1, tbf2"),
        ({"loss_table": [[0, 0.0, 0.7, 0, 0]]}, "the efficiency 0 must be above 0"),
        ({"loss_table": [[0, 0.8, 1.1, 0, 0]]}, "the efficiency 1.1 where b drives must be at most 1"),
        ({"loss_table": [[0, 0.8, -0.1, 0, 0]]}, "must be at least 0"),
        ({"loss_table": [[0, 0.8, 0.8, -1, 0]]}, "must be at least 0"),
        ({"loss_table": [[1, 0.8, 0.8, 0, 0]]}, "must be for the speed 0"),
        ({"loss_table": [TABLE[0], [10, 1, 1, 0, 0], [5, 1, 1, 0, 0]]}, "has the speed 5 after 10"),
    ],
)
@pytest.mark.parametrize("kind", [sb.LossyGear, sb.Planetary])
def test_losses_that_make_no_sense_are_refused(kind, losses, message):
    with pytest.raises(SpecError, match=message):
        kind("a", "b", ratio=2, **losses)


def test_modelicas_name_and_units_of_the_table():
    gear = sb.LossyGear("a", "b", ratio=2, lossTable=[["0 rpm", 0.8, 0.7, "0.3 N.m", 0.2], ["60 rpm", 1, 1, 0, 0]])
    assert gear.resolve({}, "").loss_table[1][0] == pytest.approx(6.283185307179586)


@pytest.mark.parametrize("losses", [{}, {"efficiency": 1}, {"loss_table": [[0, 1, 1, 0, 0], [9, 1, 1, 0, 0]]}])
def test_a_gear_without_losses_is_a_gear(losses):
    m = sb.Model("ideal")
    a, b = m.add("a", sb.Inertia(J=1.0)), m.add("b", sb.Inertia(J=2.0))
    m.add("gear", sb.LossyGear(a, b, ratio=2, **losses))
    m.add("drive", sb.Torque(a, tau=3.0))
    program = sb.compile_model(m)
    assert program.locks == ()
    assert sb.simulate(m, t_end=1.0)["a.w"][-1] == pytest.approx(3.0 / 1.5, rel=1e-12)


def test_a_table_goes_through_a_file(tmp_path):
    m = sb.Model("file")
    a, b = m.add("a", sb.Inertia(J=1.0)), m.add("b", sb.Inertia(J=2.0))
    m.add("gear", sb.LossyGear(a, b, ratio=2, loss_table=TABLE))
    m.add("set", sb.Planetary(a, b, ratio=2, efficiency=0.98))
    path = tmp_path / "model.yaml"
    m.to_yaml(path)
    assert sb.load_model(path).elements["gear"] == m.elements["gear"]
    assert sb.load_model(path).elements["set"] == m.elements["set"]


def test_torques_of_the_gear_are_no_sensors():
    m = sb.Model("sensor")
    a, b = m.add("a", sb.Inertia(J=1.0)), m.add("b", sb.Inertia(J=2.0))
    m.add("gear", sb.LossyGear(a, b, ratio=2, efficiency=0.9))
    m.add("drive", sb.Torque(a, tau=sb.Sensor("gear.tau_a")))
    with pytest.raises(SpecError, match="sense a spring or a source beside it"):
        sb.compile_model(m)
