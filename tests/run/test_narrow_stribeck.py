"""Stick-slip with a Stribeck peak that is narrow: nothing of it is lost, at any tolerance.

With a Stribeck speed of 1e-5 m/s the mass passes the peak within 20 microseconds, far below a step of the rest of the
slip. Solvers that step over it stop the mass late; such that damp the growing motion at break-away never let it go.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from support.reference import laws
from support.reference.automaton import Body, solve

import stribeck as sb

T_END = 12.0


def rig(law: sb.laws.Law) -> sb.Model:
    m = sb.Model("stick-slip")
    pull, mass = m.add("pull", sb.Speed(v=0.1)), m.add("mass", sb.Mass(m=1.0))
    m.add("spring", sb.Spring(pull, mass, c=2.0))
    m.add("friction", sb.Guide(mass, law=law))
    return m


NAMES = {1: "Forward", 0: "Stuck", -1: "Backward"}


@pytest.mark.parametrize("v_s", [1e-2, 1e-3, 1e-4, 1e-5])
@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
def test_same_slips_as_the_reference(exponent: float, v_s: float) -> None:
    values = {"mu_c": 1.0, "mu_s": 1.5, "v_s": v_s, "exponent": exponent, "mu_v": 0.4}
    body = Body(lambda t, x, v, w: 2.0 * (0.1 * t - x))
    motion = solve(laws.Stribeck(**values), body, np.array([0.0, T_END]), method="DOP853", rtol=1e-13, atol=1e-18)
    modes = [(time, mode[0]) for time, mode in motion.changes]
    expected = [(t, mode) for (t, mode), (_, before) in zip(modes, [(0.0, 0), *modes], strict=False) if mode != before]
    model = rig(sb.Stribeck(**values))
    # with the exponent 1/2 the speed grows with its own root, and so do errors of the size tolerance * v_s
    for tolerance, close in ((1e-4, 1e-3), (1e-6, 1e-5), (1e-8, 1e-7)):
        close = close if exponent >= 1 else max(close, sqrt(tolerance * v_s))
        events = sb.simulate(model, t_end=T_END, tolerance=tolerance).events
        assert [event.to for event in events] == [NAMES[mode] for _, mode in expected], tolerance
        assert events.time == pytest.approx([t for t, _ in expected], rel=0, abs=close), tolerance
