"""Bristles that snap and are renewed: first peak, mean and scatter of sliding, and the same run however it is made."""

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import SpecError


def pulled(law, speed, times, **options):
    """Friction at a constant speed from rest, over the way."""
    model = sb.Model("pulled")
    slide = model.add("slide", sb.Speed(v=sb.Ramp(height=speed, duration=0.01)))
    model.add("friction", sb.Guide(slide, law=law))
    result = sb.simulate(model, times=times, **options)
    return np.asarray(result["friction.f"]), result


@pytest.mark.parametrize("n", [5, 20])
def test_mean_and_scatter_of_sliding(n):
    """All bristles snap together first, at 1.5 mu_c. Then the mean is 2/3 of that, the scatter of one bristle
    sqrt(1/18); n of them scatter independently. Prototype with 20 to 25 bristles: peak 1.0, mean 0.674, standard
    deviation 0.044. Over 1000 deltas the mean of a renewal process is known to about 1 %, the scatter to 10 %."""
    law = sb.Bristle(n=n, mu_c=2 / 3, delta=1e-3)
    friction, result = pulled(law, 1.0, np.linspace(0.0, 1.0, 10001))
    assert result.extremes["friction.f"]["max"] == pytest.approx(1.0, abs=1e-9)
    sliding = friction[1000:]
    assert sliding.mean() == pytest.approx(2 / 3, rel=0.02)
    assert sliding.std() == pytest.approx((1 / 18 / n) ** 0.5, rel=0.15)


def test_a_first_motion_is_a_spring():
    friction, result = pulled(sb.Bristle(delta=1e-2), 0.01, np.linspace(0, 0.9, 91))
    assert friction == pytest.approx(1.5 * np.asarray(result["friction.s_rel"]) / 1e-2, abs=1e-9)


def test_friction_depends_on_the_way_alone():
    """The same way at another speed; the ramp takes 5 ms of it."""
    law, way = sb.Bristle(n=8, delta=1e-3), np.linspace(0.006, 0.02, 101)
    slow, fast = (pulled(law, v, np.concatenate([[0.0], 0.005 + way / v]))[0] for v in (0.1, 1.0))
    assert slow[1:] == pytest.approx(fast[1:], abs=1e-6)


def test_every_run_is_the_same():
    model = sb.load_model("stick-slip")
    friction = model.elements["friction"]
    model.elements["friction"] = friction.replace(law=sb.Bristle(delta=0.02))
    one, other = (np.asarray(sb.simulate(model)["mass.phi"]) for _ in range(2))
    assert (one == other).all()
    plant = sb.realtime(model, "1 ms")
    plant.step(5000)
    kept = plant.snapshot()
    plant.step(5000)
    end = plant["mass.phi"]
    plant.restore(kept)
    plant.step(5000)
    assert plant["mass.phi"] == end
    assert end == pytest.approx(float(sb.simulate(model, times=[0.0, 10.0])["mass.phi"][-1]), rel=1e-3)


def test_a_step_over_many_renewals_has_their_mean(natives):
    """At constant speed the mean of one long step is that of many short ones, of which each has its mean."""
    law = sb.Bristle(n=4, delta=1e-3)
    numbers, native = law.numbers(law.resolve({}, "law")), natives["bristle"].counted(4)
    z, total, v = np.zeros(8), 0.0, 1.37  # no bristle ends on its limit, where rounding would decide
    for _ in range(1000):
        total += native.advance(numbers, 0.5e-5, v, z)[1][0]
        z, _ = native.advance(numbers, 1e-5, v, z)
    whole, out = native.advance(numbers, 0.5e-2, v, np.zeros(8))
    assert out[0] == pytest.approx(total / 1000, rel=1e-9)
    twice, _ = native.advance(numbers, 0.5e-2, v, whole)
    assert twice == pytest.approx(z, abs=1e-9)


def test_the_slope_of_a_step_is_that_of_its_friction(natives):
    law = sb.Bristle(n=6)
    numbers, native = law.numbers(law.resolve({}, "law")), natives["bristle"].counted(6)
    rng = np.random.default_rng(0)
    for v in rng.choice([-1, 1], 20) * 10 ** rng.uniform(-5, 1, 20):
        z = np.concatenate([rng.uniform(-0.2, 0.2, 6), rng.uniform(0, 1, 6)])
        _, out = native.advance(numbers, 1e-3, v, z)
        d = 1e-7 * v
        above, below = (native.advance(numbers, 1e-3, v + way * d, z)[1][0] for way in (1, -1))
        assert out[1] + out[2] == pytest.approx((above - below) / (2 * d), rel=1e-4, abs=1e-5 / abs(v))


def test_snapping_is_a_loss():
    """What a bristle gives up when it snaps becomes heat; nothing is missing in the balance."""
    model = sb.load_model("stick-slip")
    friction = model.elements["friction"]
    model.elements["friction"] = friction.replace(law=sb.Bristle(delta=0.02))
    energy = sb.simulate(model, tolerance=1e-8).energy
    assert abs(energy.residual) + abs(energy.numerical) < 1e-6 * energy.throughput


def test_increments_are_shares():
    with pytest.raises(SpecError, match=r"increment has 1\.5; give shares of delta below 1"):
        sb.Bristle(increment=[0.3, 1.5])
    assert sb.Bristle(increment=[0.3, 0.5]).n == 2
