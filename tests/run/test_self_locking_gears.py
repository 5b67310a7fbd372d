"""Gears that lock themselves, in circles of power and beside contacts that hold the same motion (decision 37)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import stribeck as sb

WORM = [[0.0, 0.5, 0.0, 0.2, 0.0], [20.0, 0.7, 0.0, 0.1, 0.1]]
"""Speed, efficiencies of both driving sides, bearing torques: b cannot drive a at all."""

SIDES = [[0.0, 0.8, 0.5, 0.3, 0.2], [10.0, 0.9, 0.8, 0.4, 0.3]]


def bodies(m: sb.Model, *names: str, **speed: float) -> None:
    for name in names:
        m.add(name, sb.Inertia(J=1.0, w0=speed[name]) if name in speed else sb.Inertia(J=1.0))


def circle_of_one_way_clutches() -> sb.Model:
    """A one-way clutch and a free-wheel close a circle with a worm, which a torque at its far side cannot drive."""
    m = sb.Model("one-way circle", t_end=1.0)
    bodies(m, "J0", "J2", "J4")
    m.add("gear", sb.LossyGear("J4", "J0", ratio=1.5, loss_table=WORM))
    m.add("push", sb.Torque("J0", tau=sb.Sine(amplitude=1.0, f=2.21)))
    m.add("clutch", sb.OneWayClutch("J0", "J2", law=sb.Coulomb(mu_c=0.341), fn_max=1.0))
    m.add("sprag", sb.FreeWheel("J4", "J2"))
    return m


def converter_and_worm() -> sb.Model:
    """At the start a free-wheel is driven the wrong way through a worm and a converter."""
    m = sb.Model("converter and worm", t_end=1.0)
    bodies(m, "J0", "J1", J1=1.0)
    m.add("sprag", sb.FreeWheel("J1", "J0"))
    nu, capacity = [0.0, 0.8, 1.0], [0.00679, 0.004753, 0.0]
    m.add("converter", sb.TorqueConverter("J1", "J0", nu=nu, capacity=capacity, ratio=[2.0, 1.0, 1.0]))
    m.add("gear", sb.LossyGear("J1", "J0", ratio=1.5, loss_table=WORM))
    return m


def gear_on_its_own_support() -> sb.Model:
    """The support of a worm is geared to its output, and a one-way clutch holds the one motion that is left."""
    m = sb.Model("own support", t_end=1.0)
    bodies(m, "J0", "J1", "J2")
    m.add("gap", sb.ElastoGap("J1", phi_rel0=0.00304, c=1.0))
    m.add("push", sb.Torque("J0", tau=1.0))
    m.add("worm", sb.LossyGear("J1", "J0", support="J2", ratio=-2.0, loss_table=WORM))
    m.add("gear", sb.Gear("J0", "J2", ratio=-2.5))
    m.add("clutch", sb.OneWayClutch("J2", "J0", law=sb.Coulomb(mu_c=0.214), fn_max=7.7))
    return m


def square_wave_on_a_worm() -> sb.Model:
    m = sb.Model("square wave", t_end=1.0)
    bodies(m, "J0", "J1")
    m.add("M0", sb.Mass(m=1.0))
    m.add("clutch", sb.OneWayClutch("J0", "J1", law=sb.Coulomb(mu_c=0.117), fn_max=22.6))
    m.add("rack", sb.RackPinion("J0", "M0", ratio=5.0))
    m.add("worm", sb.LossyGear("J0", "J1", ratio=1.5, loss_table=WORM))
    m.add("push", sb.Force("M0", f=sb.Square(amplitude=3.49, f=2.89)))
    return m


def planetary_closed_by_a_worm() -> sb.Model:
    m = sb.Model("planetary and worm", t_end=1.0)
    bodies(m, "J0", "J1")
    m.add("J2", sb.Inertia(J=0.0505))
    m.add("push", sb.Torque("J0", tau=1.0))
    m.add("set", sb.Planetary("J1", "J0", "J2", ratio=3.0))
    m.add("worm", sb.LossyGear("J0", "J2", ratio=1.0, loss_table=WORM))
    return m


def jams_in_shorter_and_shorter_time() -> sb.Model:
    """Stopped by a jam, it starts again and jams at half the speed, and so on: instants that accumulate."""
    m = sb.Model("jams", t_end=1.0)
    bodies(m, "J0", "J1", "J2", J2=1.0)
    m.add("push", sb.Torque("J0", tau=-2.77))
    law = sb.LuGre(sigma0=766.32, sigma1=0.11035, sigma2=0.0, mu_c=0.248, mu_s=0.496, v_s=0.0236, exponent=1.0)
    m.add("clutch", sb.Clutch("J0", "J1", law=law, fn_max=17.9))
    m.add("lossy", sb.Planetary("J0", "J1", "J2", ratio=1.0, loss_table=WORM))
    m.add("set", sb.Planetary(carrier="J1", ring="J2", ratio=1.0))
    return m


MACHINES: list[Callable[[], sb.Model]] = [
    circle_of_one_way_clutches,
    converter_and_worm,
    gear_on_its_own_support,
    square_wave_on_a_worm,
    planetary_closed_by_a_worm,
    jams_in_shorter_and_shorter_time,
]


@pytest.mark.parametrize("machine", MACHINES)
def test_a_worm_in_a_circle_of_power_runs(machine: Callable[[], sb.Model]) -> None:
    """Nothing is bridged, and the ledger closes to rounding: 1e-12 of what went through it."""
    result = sb.simulate(machine())
    energy = result.energy
    terms = (energy.input, energy.stored, energy.dissipated, energy.initial)
    whole = sum(abs(value) for part in terms for value in part.values())
    assert result.statistics.bridged == 0
    assert abs(energy.residual) <= 1e-12 * max(whole, 1.0)


def test_losses_follow_the_split_of_redundant_contacts() -> None:
    """A free-wheel and a gear at rest hold one motion; a second gear slides, and its torque depends on their split.

    Its loss is (1 - 0.8) of the torque that it shows, so shown torques, losses and accelerations belong together.
    """
    m = sb.Model("split", t_end=1.0)
    bodies(m, "J0", "J1", "J2", "J3")
    m.add("sliding", sb.LossyGear("J0", "J2", ratio=1.0, efficiency=0.8))
    m.add("sprag", sb.FreeWheel("J0", "J3"))
    m.add("push", sb.Torque("J0", tau=1.0))
    m.add("resting", sb.LossyGear("J2", "J1", support="J3", ratio=1.0, loss_table=SIDES))
    result = sb.simulate(m)
    assert result["sliding.mode"][-1] == 1
    assert np.asarray(result["sliding.tau_loss"]) == pytest.approx(0.2 * np.asarray(result["sliding.tau_a"]), rel=1e-9)
    assert abs(result.energy.residual) < 1e-14
    loss = result.energy.dissipated["sliding"]
    kinetic = sum(result.energy.stored.values())
    assert result.energy.input["push"] == pytest.approx(kinetic + loss, rel=1e-9)


def test_a_bearing_beside_a_worm_and_a_free_wheel_keeps_its_limit() -> None:
    """The split of their torques may have no answer on the lines of the worm; the limit of the bearing holds."""
    m = sb.Model("limit", t_end=1.0)
    bodies(m, "J0", "J1")
    m.add("worm", sb.LossyGear("J0", "J1", ratio=1.5, loss_table=WORM))
    m.add("M0", sb.Mass(m=1.0))
    m.add("M3", sb.Mass(m=1.0, s0=1.0))
    m.add("spring", sb.Spring("M0", "M3", c=173.0))
    m.add("bearing", sb.Bearing("J0", law=sb.Coulomb(mu_c=1.04)))
    m.add("wheel", sb.Wheel("J0", "M3", radius=1.0))
    m.add("sprag", sb.FreeWheel("J0", "J1"))
    result = sb.simulate(m)
    assert np.abs(np.asarray(result["bearing.tau"])).max() <= 1.04 * (1 + 1e-9)
