"""Flanges without a body: what results show of them, and what sensors read there."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import SpecError

EXACT = 1e-12


def model(**elements: sb.elements.Element) -> sb.Model:
    m = sb.Model("flanges")
    for name, element in elements.items():
        m.add(name, element)
    return m


def geared(**more: sb.elements.Element) -> sb.Model:
    """A motor, a gear without inertia on its slow side, a shaft, and a wheel."""
    return model(
        motor=sb.Inertia(J=0.1, phi0=0.6),
        gear=sb.Gear("motor", ratio=3),
        shaft=sb.SpringDamper("gear.b", "wheel", c=50, d=0.5),
        wheel=sb.Inertia(J=2, w0=1),
        **more,
    )


# --- results ----------------------------------------------------------------------------------------------------------


def test_flanges_of_couplings_without_a_body() -> None:
    m = geared(drive=sb.Torque("motor", tau=sb.Sine(amplitude=2, f=1)))
    result = sb.simulate(m, 1.0, intervals=10)
    assert "gear.w_a" not in result.names  # the motor shows that one
    assert result["gear.w_b"] == pytest.approx(result["motor.w"] / 3, rel=EXACT)
    assert result["gear.phi_b"] == pytest.approx(result["motor.phi"] / 3, rel=EXACT)
    assert result["gear.phi_b"] == pytest.approx(result["wheel.phi"] - result["shaft.phi_rel"], abs=EXACT)


def test_a_flange_that_moves_with_a_body_and_a_prescribed_motion() -> None:
    m = model(
        sun=sb.Speed(w=sb.Sine(amplitude=2, f=1)),
        set=sb.Planetary("sun", None, "ring", ratio=2),
        ring=sb.Inertia(J=1),
        spring=sb.Spring("set.carrier", c=4),
    )
    result = sb.simulate(m, 1.0, intervals=10)
    assert result["set.w_carrier"] == pytest.approx((result["sun.w"] + 2 * result["ring.w"]) / 3, abs=EXACT)
    assert result["set.w_carrier"] == pytest.approx(-result["spring.w_rel"], abs=EXACT)
    assert result["set.phi_carrier"] == pytest.approx(-result["spring.phi_rel"], abs=EXACT)


def test_where_springs_meet_one_of_them_shows_it() -> None:
    m = model(
        a=sb.Inertia(J=1, phi0=0.4),
        one=sb.Spring("a", c=10),
        two=sb.Spring("one.b", "b", c=30),
        b=sb.Inertia(J=2, w0=1),
    )
    result = sb.simulate(m, 1.0, intervals=10)
    assert [name for name in result.names if name.endswith(("_a", "_b"))] == ["one.phi_b", "one.w_b"]
    assert result["one.phi_b"] == pytest.approx((10 * result["a.phi"] + 30 * result["b.phi"]) / 40, abs=EXACT)
    assert result["one.w_b"] == pytest.approx((10 * result["a.w"] + 30 * result["b.w"]) / 40, abs=EXACT)


def test_units_are_those_of_the_flange() -> None:
    m = model(
        j=sb.Inertia(J=1),
        rack=sb.RackPinion("j", ratio=20),
        spring=sb.Spring("rack.b", "m", c=5),
        m=sb.Mass(m=1),
    )
    program = sb.compile_model(m)
    units = dict(zip(program.output_names, program.output_units, strict=True))
    assert (units["rack.s_b"], units["rack.v_b"]) == ("m", "m/s")


# --- sensors ----------------------------------------------------------------------------------------------------------


def sensed(quantity: str, **more: sb.elements.Element) -> sb.Result:
    """A run of the geared machine with a torque that follows a quantity."""
    m = geared(read=sb.Torque("wheel", tau=sb.Sensor(quantity)), **more)
    return sb.simulate(m, 1.0, intervals=10)


@pytest.mark.parametrize(
    "quantity, other, factor",
    [
        ("gear.tau_b", "shaft.tau", 1.0),
        ("gear.tau_a", "shaft.tau", -1 / 3),
        ("gear.w_b", "motor.w", 1 / 3),
        ("gear.phi_b", "motor.phi", 1 / 3),
        ("shaft.w_a", "motor.w", 1 / 3),
        ("shaft.phi_b", "wheel.phi", 1.0),
        ("gear.w_support", "wheel.w", 0.0),
    ],
)
def test_what_states_alone_determine_can_be_sensed(quantity: str, other: str, factor: float) -> None:
    result = sensed(quantity)
    assert result["read.tau"] == pytest.approx(factor * np.asarray(result[other]), rel=1e-11, abs=1e-11)


def test_the_torque_of_a_motion_on_springs_can_be_sensed() -> None:
    m = model(
        hand=sb.Position(phi=sb.Sine(amplitude=0.5, f=1)),
        rod=sb.SpringDamper("hand", "wheel", c=20, d=0.3),
        wheel=sb.Inertia(J=1),
        help=sb.Torque("wheel", tau=0.5 * sb.Sensor("hand.tau")),
    )
    result = sb.simulate(m, 1.0, intervals=20)
    assert result["hand.tau"] == pytest.approx(-result["rod.tau"], abs=EXACT)
    assert result["help.tau"] == pytest.approx(0.5 * result["hand.tau"], abs=EXACT)


@pytest.mark.parametrize(
    "quantity, reason",
    [
        ("pair.tau_a", "pair.tau_a cannot be sensed; it accelerates inertia '(motor|rotor)', which follows from all"),
        ("grip.tau", "grip.tau cannot be sensed; the torque of bearing 'grip' is found after the signals"),
        ("wheel.a", "differentiate the speed instead"),
        ("gear.w_c", "there is no quantity 'gear.w_c'; did you mean"),
    ],
)
def test_what_follows_from_all_of_the_machine_cannot(quantity: str, reason: str) -> None:
    more = {
        "rotor": sb.Inertia(J=1),
        "pair": sb.Gear("rotor", "motor", ratio=2),
        "grip": sb.Bearing("wheel", law="Switch"),
    }
    with pytest.raises(SpecError, match=reason):
        sensed(quantity, **more)
