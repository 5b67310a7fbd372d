"""All tests in a row on machines whose friction is known."""

import numpy as np
import pytest

import stribeck as sb
from stribeck.identify import VirtualBench, bench_test


def slide(**law) -> sb.Model:
    m = sb.Model("slide")
    mass = m.add("mass", sb.Mass(m=2.0))
    m.add("guide", sb.Guide(mass, law=sb.Switch(**{"f_c": 3.0, "f_s": 3.6, "f_v": 5.0, **law})))
    m.add("motor", sb.Force(mass, f=0))
    return m


def test_a_plain_slide_with_nothing_given_but_its_way():
    reported: list[float] = []
    bench = VirtualBench(slide(), "motor.f", "mass.s", resolution="0.2 mm", limit="40 N", substeps=4)
    found = bench_test(bench, 0.0, 0.2, degrees=(0, 0), progress=lambda share, text: reported.append(share))
    for way in (1, -1):
        assert found.curves[way].mean()[0] == pytest.approx(3.6, rel=0.01)
        assert found.coulomb[way][0] == pytest.approx(3.0, rel=0.02)
        assert found.beta[way][0] == pytest.approx(1.2, rel=0.02)
        assert abs(found.beta[way][0] - 1.2) < 4 * found.beta[way][1]
        assert found.friction(0.1, way) == pytest.approx(3.0, rel=0.02)
    assert found.sliding.estimate["fv"] == pytest.approx(5.0, rel=0.02)
    assert found.sliding.threshold == 0  # none is needed, so none is kept
    assert reported == sorted(reported)
    assert "viscous friction" in str(found) and "N.s/m" in str(found)


def test_the_inertia_of_the_drawing():
    bench = VirtualBench(slide(f_v=0.0), "motor.f", "mass.s", resolution="0.2 mm", limit="40 N")
    assert bench.inertia() == pytest.approx(2.0, rel=1e-6)
    assert bench.plant.time == 0


def test_what_the_bench_does_not_know_must_be_given():
    bench = VirtualBench(slide(), "motor.f", "mass.s", resolution="0.2 mm")
    with pytest.raises(sb.SpecError, match="needs the largest drive"):
        bench_test(bench, 0.0, 0.2)
    with pytest.raises(sb.SpecError, match="give rates"):
        bench_test(bench, 0.0, 0.2, inertia=2.0)
    with pytest.raises(sb.SpecError, match=r"low = 0.2 must be below high = 0"):
        bench_test(bench, 0.2, 0.0)
    weak = VirtualBench(slide(), "motor.f", "mass.s", resolution="0.2 mm", limit="1 N")
    with pytest.raises(sb.SpecError, match=r"does not move mass\.s"):
        weak.inertia()
    assert np.isfinite(weak.read())
