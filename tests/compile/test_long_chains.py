"""Arrays grow in proportion to a machine, whatever bridges its springs."""

import sys
from collections.abc import Callable

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


def lines_executed(work: Callable[[], object]) -> int:
    """Lines of Python that work takes, rounds of comprehensions included: what time measures, without its noise."""
    count = 0

    def trace(frame, event, arg):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("make", [bearings, clutches])
def test_work_grows_linearly(make):
    models = [make(n) for n in (100, 200, 400)]
    sb.compile_model(models[0])  # what is done once
    work = [lines_executed(lambda model=model: sb.compile_model(model)) for model in models]
    assert work[2] - work[1] < 2.2 * (work[1] - work[0])  # 2 if it is linear, 4 if it is quadratic


def test_a_bearing_shows_the_angle_of_its_body():
    result = sb.simulate(bearings(30), 0.5, intervals=5)
    for i in (0, 15, 29):  # written out, and on top of others
        angle = np.asarray(result[f"J{i}.phi"])
        np.testing.assert_allclose(result[f"b{i}.phi_rel"], angle, atol=1e-13 * (1 + abs(angle).max()))
