r"""Stick-slip with the classic switch against its closed form.

An inertia J at rest is pulled through a spring k whose other end moves at the speed p; friction holds up to tau_s and
slides with tau_c + d w. With the elongation e = p t - phi and the slip speed w = p - e':

*Stick.* w = 0, e grows at the rate p, and the bearing breaks away when k e = tau_s.

*Slip*, in the time s since then:  J w' = k e - tau_c - d w,  that is

    J e'' + d e' + k e = tau_c + d p,    e(0) = tau_s / k,    e'(0) = p.

With a = d / (2 J), b = sqrt(k / J - a^2), the elongation E = (tau_c + d p) / k of steady sliding,
A = e(0) - E and B = (p + a A) / b:

    e(s) = E + exp(-a s) (A cos b s + B sin b s)
    w(s) = p - e'(s) = p - exp(-a s) ((b B - a A) cos b s - (a B + b A) sin b s)

The inertia stops at the first w(s) = 0 after s = 0, found by Newton's method with J w' = k e - tau_c - d w. Its start
is the stop without damping, where w = p (1 - cos b s) + b A sin b s = 0, so tan(b s / 2) = -b A / p.

*Stick again* from the elongation at the stop, for (tau_s / k - e) / p. Every slip starts from the same state, so the
motion is periodic from the first break-away on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import atan, cos, exp, pi, sin, sqrt

import pytest

import stribeck
from stribeck_papers.converged import golden

T_END = 25.0


@dataclass(frozen=True)
class Rig:
    """The machine, with the values of the shipped model stick-slip-switch."""

    J: float = 1.0
    k: float = 2.0
    p: float = 0.1
    tau_c: float = 1.0
    tau_s: float = 1.5
    d: float = 0.4

    def slip(self, s: float) -> tuple[float, float]:
        """Elongation and slip speed at the time s after break-away."""
        a = self.d / (2 * self.J)
        b = sqrt(self.k / self.J - a * a)
        steady = (self.tau_c + self.d * self.p) / self.k
        A = self.tau_s / self.k - steady
        B = (self.p + a * A) / b
        c, n, decay = cos(b * s), sin(b * s), exp(-a * s)
        return steady + decay * (A * c + B * n), self.p - decay * ((b * B - a * A) * c - (a * B + b * A) * n)

    @cached_property
    def slip_time(self) -> float:
        b = sqrt(self.k / self.J)
        s = 2 / b * (pi - atan(b * (self.tau_s - self.tau_c) / (self.k * self.p)))
        for _ in range(50):
            e, w = self.slip(s)
            change = w * self.J / (self.k * e - self.tau_c - self.d * w)
            s -= change
            if abs(change) < 1e-14:
                return s
        raise AssertionError("Newton's method does not converge")

    @property
    def torque_at_stop(self) -> float:
        return self.k * self.slip(self.slip_time)[0]

    @property
    def stick_time(self) -> float:
        return (self.tau_s - self.torque_at_stop) / (self.k * self.p)

    def events(self) -> list[tuple[float, str]]:
        """Times of break-away and stop until T_END, with the mode that begins."""
        t, table = self.tau_s / (self.k * self.p), []
        while t < T_END:
            table += [(t, "Forward"), (t + self.slip_time, "Stuck")]
            t += self.slip_time + self.stick_time
        return [event for event in table if event[0] < T_END]


# the shipped machine, and others with shorter and longer slips and without damping
RIGS = [Rig(), Rig(p=0.04), Rig(k=10.0, p=0.05), Rig(J=0.2, d=0.1), Rig(d=0.0)]


def simulate(rig: Rig, **options: object) -> stribeck.Result:
    model = stribeck.load_model("stick-slip-switch")
    changes = {
        "mass.J": rig.J,
        "spring.c": rig.k,
        "pull.w": rig.p,
        "friction.law.mu_c": rig.tau_c,
        "friction.law.mu_s": rig.tau_s,
        "friction.law.mu_v": rig.d,
    }
    for path, value in changes.items():
        stribeck.set_parameter(model, path, value)
    return stribeck.simulate(model, t_end=T_END, **options)


@pytest.mark.parametrize("rig", RIGS, ids=str)
def test_stick_and_slip_times(rig: Rig) -> None:
    events = simulate(rig, tolerance=1e-11).events
    expected = rig.events()
    assert [(event.element, event.to) for event in events] == [("friction", mode) for _, mode in expected]
    for event, (time, _) in zip(events, expected, strict=True):
        assert event.time == pytest.approx(time, rel=0, abs=1e-9)


def test_shipped_machine_at_the_default_tolerance() -> None:
    events = stribeck.simulate(stribeck.load_model("stick-slip-switch")).events
    assert events.time == pytest.approx([time for time, _ in Rig().events()], rel=0, abs=1e-6)


def test_closed_form_against_golden_values() -> None:
    rig, values = Rig(), {name: row.values[-1] for name, row in golden().items()}
    assert rig.slip_time == pytest.approx(values["B.BearingFriction.slip_time"], abs=1e-13)
    assert rig.torque_at_stop == pytest.approx(values["B.BearingFriction.F_stop"], abs=1e-13)
    assert rig.slip_time + rig.stick_time == pytest.approx(values["B.BearingFriction.period"], abs=1e-13)
