"""Free parameters: bounds, scales and starts from the declarations; constraints between static and kinetic friction."""

import math

import numpy as np
import pytest
from support.rigs import TIES, machine, push, record

import stribeck as sb
from stribeck.identify.fits.constraints import with_constraints
from stribeck.identify.fits.free import Free, free_parameters
from stribeck.identify.fits.simulation import Rig


def one(path, model=None, **options):
    (found,) = free_parameters(model or machine(sb.LuGre(sigma2=0.4)), [path], **options)
    return found


def test_bounds_and_scales_come_from_the_declaration():
    stiffness, viscous, load = one("joint.law.sigma0"), one("joint.law.sigma2"), one("joint.load")
    assert (stiffness.log, stiffness.low, stiffness.high, stiffness.start, stiffness.unit) == (
        True,
        0,
        math.inf,
        1e5,
        "N/m",
    )
    assert (viscous.log, viscous.low, viscous.scale, viscous.unit) == (False, 0, 0.4, "N.s/m")
    assert (load.log, load.low, load.unit) == (False, 0, "1")


def test_aliases_units_entries_and_signals_are_found():
    model = machine(sb.LuGre(mu_c="2 N", mu_s="3 N"))
    assert one("joint.law.f_c", model).start == 2.0
    assert one("load.m", start={"load.m": "500 g"}, bounds={"load.m": ("100 g", None)}).low == pytest.approx(0.1)
    model.elements["motor"] = model.elements["motor"].replace(f=35.0 * model.signal("u", sb.External(0)))
    assert one("motor.f.k", model).start == 35.0
    assert one("*.law.mu_c", model).start == 2.0
    table = machine(sb.FrictionTable(speed=[0.0, 0.1, 1.0], mu=[1.0, 0.8, 1.2]))
    assert one("joint.law.mu.1", table).start == 0.8


@pytest.mark.parametrize(
    "parameter", [Free("a", "N", "", 2.0, 0.0, 9.0, True), Free("a", "N", "", 2.0, -9.0, 9.0, False, 0.5)]
)
def test_coordinates_and_values_are_inverse(parameter):
    for value in (0.5, 2.0, 7.0):
        x = parameter.coordinate(value)
        assert parameter.value(x) == pytest.approx(value, rel=1e-14)
        assert (parameter.value(x + 1e-6) - value) / 1e-6 == pytest.approx(parameter.slope(x), rel=1e-5)
    assert parameter.coordinate(parameter.start) == 0
    assert parameter.value(100.0) == 9.0


def constraints_of(law, free):
    model = machine(law)
    run = sb.identify.Measurement({"f": np.arange(20.0), "s": np.arange(20.0)}, sample_time=1e-3)
    return with_constraints([Rig(model, run, **TIES, initial={})], free_parameters(model, free))


def test_static_friction_stays_above_the_kinetic_one():
    free, constraints = constraints_of(sb.LuGre(mu_c=1.0, mu_s=1.5), ["joint.law.mu_c", "joint.law.tau_s"])
    assert constraints.pairs == ((0, 1),)
    x = constraints.projected(free, np.array([math.log(2.0), 0.0]))
    assert constraints.values(free, x) == pytest.approx({"joint.law.mu_c": 2.0, "joint.law.tau_s": 2.0})


def test_a_fixed_friction_bounds_the_other_one():
    (kinetic,), constraints = constraints_of(sb.LuGre(mu_c=1.0, mu_s=1.5), ["joint.law.mu_c"])
    assert kinetic.high == 1.5 and not constraints.pairs
    (static,), _ = constraints_of(sb.LuGre(mu_c=1.0, mu_s=1.5), ["joint.law.mu_s"])
    assert static.low == 1.0


def test_equal_frictions_stay_equal():
    free, constraints = constraints_of(sb.LuGre(mu_c=1.0, mu_s=1.0), ["joint.law.mu_c"])
    assert constraints.values(free, np.array([math.log(3.0)])) == pytest.approx(
        {"joint.law.mu_c": 3.0, "joint.law.mu_s": 3.0}
    )


def test_laws_that_do_not_mind_have_no_constraints():
    assert not constraints_of(sb.Stribeck(), ["joint.law.mu_c", "joint.law.mu_s"])[1].pairs


def test_a_fit_ends_at_the_wall_that_the_data_lie_behind():
    """Friction that rises with speed, fitted by a law that cannot: the best it can do is a flat curve."""
    run = record(machine(sb.Stribeck(mu_c=0.9, mu_s=0.7, v_s=0.1, mu_v=0.3)), push())
    law = sb.LuGre(sigma0=1e4, sigma1=100.0, sigma2=0.3, mu_c=0.8, mu_s=1.0, v_s=0.1)
    both = sb.identify.fit(machine(law), run, ["joint.law.mu_c", "joint.law.mu_s", "joint.law.sigma2"], **TIES)
    flat = sb.identify.fit(machine(law.replace(mu_s=0.8)), run, ["joint.law.mu_c", "joint.law.sigma2"], **TIES)
    assert both.at_bound == ["joint.law.mu_s"]
    assert both.best["joint.law.mu_s"] == pytest.approx(both.best["joint.law.mu_c"])
    assert both.minimum.cost * both.problem.sigma["load.s"] ** 2 == pytest.approx(
        flat.minimum.cost * flat.problem.sigma["load.s"] ** 2, rel=1e-3
    )
