"""Arrays grow in proportion to a machine, whatever bridges its springs."""

import numpy as np
import pytest

import stribeck as sb


def chain(n: int) -> sb.Model:
    m = sb.Model("chain")
    for i in range(n):
        m.add(f"J{i}", sb.Inertia(J=1.0, w0=0.01 * i))
    for i in range(n - 1):
        m.add(f"k{i}", sb.Spring(f"J{i}", f"J{i + 1}", c=10.0))
    return m


def bearings(n: int) -> sb.Model:
    m = chain(n)
    for i in range(n):
        m.add(f"b{i}", sb.Bearing(f"J{i}", law=sb.Coulomb(tau_c=1e-3)))
    return m


def clutches(n: int) -> sb.Model:
    m = chain(n)
    for i in range(n - 5):
        m.add(f"c{i}", sb.Clutch(f"J{i}", f"J{i + 5}", law=sb.LuGre(), fn_max=1e-3))
    return m


@pytest.mark.parametrize("make", [bearings, clutches])
def test_arrays_grow_linearly(make):
    small, large = (sum(a.size for a in sb.compile_model(make(n)).arrays.values()) for n in (50, 200))
    assert large < 4.4 * small  # 4 times the machine


def test_a_bearing_shows_the_angle_of_its_body():
    result = sb.simulate(bearings(30), 0.5, intervals=5)
    for i in (0, 15, 29):  # written out, and on top of others
        angle = np.asarray(result[f"J{i}.phi"])
        np.testing.assert_allclose(result[f"b{i}.phi_rel"], angle, atol=1e-13 * (1 + abs(angle).max()))
