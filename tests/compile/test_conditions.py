"""What laws know about the machine around them, and what they then warn of."""

from __future__ import annotations

import pytest

import stribeck as sb


def slider(force: object, law: sb.laws.Law | None = None) -> sb.Model:
    m = sb.Model("slider")
    mass = m.add("mass", sb.Mass(m=1))
    m.add("drive", sb.Force(mass, f=force))
    m.add("guide", sb.Guide(mass, law=law or sb.Hybrid(Sigma=2e-3, p0=1e3)))
    return m


def test_a_step_may_pass_the_window() -> None:
    """m Sigma > (u_max + f_s) Te, with f_s = 1.5 N: equal is allowed."""
    m = slider(sb.Sine(amplitude=0.5, f=1))
    assert not m.check() and not m.check(step="1 ms")
    (warning,) = m.check(step=2e-3)
    assert "m Sigma = 0.002 must be above (u_max + f_s) Te = 0.004" in warning and "below 0.001 s" in warning


@pytest.mark.parametrize(
    "force, largest",
    [
        (sb.Saturation(sb.Sensor("mass.v") * -50, -3, 4), 4),
        (sb.SampleHold(sb.PID(1, "mass.s", Kp=3, low=-5, high=5), period=0.1), 5),
    ],
    ids=["saturation", "controller"],
)
def test_the_limits_of_controllers_bound_the_force(force: sb.signals.Signal, largest: float) -> None:
    (warning,) = slider(force).check(step=0.01)
    assert f"(u_max + f_s) Te = {0.01 * (largest + 1.5):g}" in warning


def test_a_force_without_bounds_is_not_known() -> None:
    assert not slider(-3 * sb.Sensor("mass.s")).check(step=1.0)


def test_the_sensor_that_it_meets() -> None:
    """p0 > 5/Ts and Sigma < p0 delta_x, with the sample time and the encoder of the loop."""
    encoder = sb.Quantiser("mass.s", step="1 um")
    warnings = slider(sb.SampleHold(-3 * encoder, period="1 ms")).check()
    assert "p0 = 1000 1/s must be above 5/Ts = 5000 1/s" in warnings[0]
    assert "Sigma = 0.002" in warnings[1] and "0.001" in warnings[1]


@pytest.mark.parametrize("step", [0, "-1 ms", "1 m"])
def test_a_step_must_be_a_time(step: object) -> None:
    with pytest.raises(sb.SpecError, match="check: step"):
        slider(1.0).check(step=step)
