"""Every signal and every element at a fixed step of 1 ms, against the adaptive run."""

from __future__ import annotations

import numpy as np
import pytest
from support.machines import MACHINES
from support.signal_examples import MEMORY, SENSED, TIME_ONLY

import stribeck as sb
from stribeck.signals import Delay, Derivative, Signal

T_END = 3.0


def driven(torque: Signal) -> sb.Model:
    """An oscillator that sticks and slips under the torque of a signal."""
    m = sb.Model("driven")
    mass = m.add("mass", sb.Inertia(J=0.5, phi0=0.4, w0=-1.0))
    m.add("spring", sb.SpringDamper(mass, c=20.0, d=0.5))
    m.add("bearing", sb.Bearing(mass, law=sb.Switch(mu_c=0.3, mu_s=0.42, mu_v=0.1)))
    m.add("drive", sb.Torque(mass, tau=torque))
    return m


@pytest.mark.parametrize("signal", [*TIME_ONLY, *MEMORY, *SENSED], ids=repr)
def test_a_machine_driven_by_every_signal(signal: Signal) -> None:
    """Speed and angle within 0.25 % of their range at 1 ms, and closer with a quarter of it.

    The derivative of a measured quantity has a time constant of 50 ms here, and in its loop twice the error. Events of
    signals (samples, steps, relays) come with the steps, so that the error falls by less than the step.
    """
    m = driven(signal)
    reference = sb.simulate(m, t_end=T_END, intervals=300)
    errors = []
    for h in (1e-3, 2.5e-4):
        result = m.realtime(h=h, energy=False).run(t_end=T_END, every=round(1e-2 / h))
        errors.append(
            max(
                float(np.abs(result[name] - reference[name]).max() / np.ptp(reference[name]))
                for name in ("mass.w", "mass.phi")
            )
        )
    assert errors[0] < (5e-3 if isinstance(signal, Derivative) else 2.5e-3)
    assert errors[1] < max(errors[0] / 2, 2e-4)


@pytest.mark.parametrize("h", [1e-3, 5e-4])
def test_a_jump_comes_through_a_delay_on_time(h: float) -> None:
    """A torque of 1 N.m from 0.125 s on: w = t - 0.125; jump and delay are multiples of h."""
    m = sb.Model("delayed")
    m.add("body", sb.Inertia(J=1.0))
    m.add("drive", sb.Torque("body", tau=Delay(sb.Step(1.0, start=0.1), delay=0.025)))
    stepper = m.realtime(h=h)
    stepper.step(round(0.2 / h))
    assert stepper["body.w"] == pytest.approx(0.075, abs=1e-12)


def test_an_input_comes_through_a_delay_on_time() -> None:
    """Set from outside between two tasks: w = 5 ms * 1 rad/s2 after 10 ms, with a delay of 5 ms."""
    m = sb.Model("delayed")
    u = m.signal("u", sb.External(0.0))
    m.add("body", sb.Inertia(J=1.0))
    m.add("drive", sb.Torque("body", tau=Delay(u, delay=0.005)))
    stepper = m.realtime(h=1e-3)
    stepper.step(10)
    stepper.inputs["u"] = 1.0
    stepper.step(10)
    assert stepper["body.w"] == pytest.approx(0.005, abs=1e-12)


MOTIONS = ("w", "v", "phi", "s", "w_rel", "v_rel", "phi_rel", "s_rel", "T")


def mean_errors(m: sb.Model, h: float, reference: sb.Result) -> dict[str, float]:
    """Mean differences in time, as a share of the range of each motion; what rests is left out."""
    stepper = m.realtime(h=h, energy=False)
    result = stepper.run(t_end=T_END, every=round(1e-2 / h))
    assert stepper.statistics.capped == 0
    found = {}
    for word in MOTIONS:
        names = [name for name in reference.names if name.endswith(f".{word}")]
        ranges = {name: float(np.ptp(reference[name])) for name in names}
        for name in names:
            if ranges[name] > 1e-4 * max(ranges.values()):
                found[name] = float(np.abs(result[name] - reference[name]).mean() / ranges[name])
    return found


@pytest.mark.parametrize("name", MACHINES)
def test_every_machine(name: str) -> None:
    """All motions and temperatures within 1.2 % of their range in the mean, closer with a quarter of the step.

    Below 3e-4 the place of the switching instants within their steps decides, which has no order.
    """
    m = MACHINES[name]()
    reference = sb.simulate(m, t_end=T_END, intervals=300)
    coarse, fine = (mean_errors(m, h, reference) for h in (1e-3, 2.5e-4))
    assert max(coarse.values()) < 1.2e-2
    assert max(fine.values()) < max(0.6 * max(coarse.values()), 3e-4)
