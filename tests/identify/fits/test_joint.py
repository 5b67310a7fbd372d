"""Friction that grows with the transmitted torque, from the encoder of a joint that lifts and lowers an arm."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb

TRUTH = {"k_forward": 0.25, "k_backward": 0.4, "tau_0": 0.5}
GUESS = {"k_forward": 0.1, "k_backward": 0.1, "tau_0": 1.5}


def arm(values: dict[str, float], **stiffness: float) -> sb.Model:
    m = sb.Model("arm")
    motor, link = m.add("motor", sb.Inertia(J=0.3)), m.add("link", sb.Inertia(J=0.6))
    m.add("joint", sb.LossyJoint(motor, link, law=sb.Coulomb(), d_v=0.3, **values, **stiffness))
    m.add("weight", sb.Torque(link, tau=-12.0 * sb.Function("sin", "link.phi")))
    m.add("drive", sb.Torque(motor, tau=sb.External(0)))
    return m


@pytest.mark.parametrize("stiffness", [{}, {"c": 3000.0, "d": 10.0}])
def test_factors_of_the_load_from_a_quantised_position(stiffness: dict[str, float]) -> None:
    """An encoder with 12 bits and noise of half a step, 4 s: the truth is within 5 % and four standard errors."""
    t = np.arange(0, 4, 2e-3)
    torque = 11.0 * np.sin(2 * np.pi * 0.4 * t) + 5.0 * np.sin(2 * np.pi * 0.95 * t + 1.0)
    step = 2 * np.pi / 4096
    bench = sb.identify.VirtualBench(
        arm(TRUTH, **stiffness), "drive.tau", "link.phi", resolution=step, noise=step / 2, sample_time="2 ms", seed=1
    )
    free = [f"joint.{name}" for name in TRUTH]
    ties = {"inputs": {"drive.tau": "u"}, "outputs": {"link.phi": "q"}}
    result = sb.identify.fit(arm(GUESS, **stiffness), bench.record(torque), free, **ties)
    for name, value in TRUTH.items():
        found = result.best[f"joint.{name}"]
        assert found == pytest.approx(value, rel=0.05)
        assert abs(found - value) < 4 * result.errors[f"joint.{name}"]
