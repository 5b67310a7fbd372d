"""The simple model of the actuator as a linear system whose matrices depend on position and direction, for control.

Section 7 says that the single mass has been formulated so, and prints nothing of it; this form is ours. In mode 1

    J w' = u - s c_s(theta) - f_v w,     s = sign(w),  c_s(theta) = c_0 + theta (c_1 + c_2 theta + ...)

so that with x = (theta, w) and the scheduling parameters theta and s

    x' = A(theta, s) x + B u + E(s),     A = [0, 1; -s (c_1 + c_2 theta + ...)/J, -f_v/J],  E = (0, -s c_0/J)

holds exactly. Small departures from a point have the slope c_s'(theta) instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial
from scipy.integrate import solve_ivp
from scipy.linalg import solve_continuous_lyapunov

import stribeck as sb

from .actuator import (
    F_V,
    J_SPREAD,
    SAMPLE,
    TABLE_5,
    TORQUE,
    TRAVEL,
    W_V,
    DryFriction,
    J,
    check_place,
    check_positive,
    encoder,
    single_mass,
)


@dataclass(frozen=True)
class Point:
    """The matrices at one value of the scheduling parameters: x' = A x + B u + E, theta = C x.

    >>> lpv(30.0, 1).E
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    E: np.ndarray


def lpv(
    theta: float, direction: int, *, w: float = 0.0, resistance: DryFriction = TABLE_5, inertia: float = J
) -> Point:
    """The exact form at an angle, for a motion in this direction; above 240 rad/s viscous friction acts.

    >>> lpv(30.0, 1).A.round(1).tolist()
    [[0.0, 1.0], [-120.1, -0.0]]
    """
    check_place("lpv", theta, direction)
    c = resistance.forward if direction > 0 else resistance.backward
    factor = Polynomial(c.coef[1:])(theta)
    return _point(factor, c.coef[0], direction, w, inertia)


def tangent(
    theta: float, direction: int, *, w: float = 0.0, resistance: DryFriction = TABLE_5, inertia: float = J
) -> Point:
    """Small departures from a motion through this angle: what `model.linearize` gives there.

    >>> tangent(30.0, 1).A[1, 0]
    74.2
    """
    check_place("tangent", theta, direction)
    c = resistance.forward if direction > 0 else resistance.backward
    return _point(float(c.deriv()(theta)), 0.0, direction, w, inertia)


def _point(factor: float, constant: float, direction: int, w: float, inertia: float) -> Point:
    viscous = F_V if abs(w) > W_V else 0.0
    return Point(
        A=np.array([[0.0, 1.0], [-direction * factor / inertia, -viscous / inertia]]),
        B=np.array([[0.0], [1 / inertia]]),
        C=np.array([[1.0, 0.0]]),
        E=np.array([0.0, -direction * constant / inertia]),
    )


def drive(torque: float = 0.25, *, start: float = 20.0, t_end: float = 0.015) -> tuple[sb.Result, np.ndarray]:
    """One motion under a constant torque: by the model, and by the exact form integrated on its own.

    It stays below 240 rad/s. The second value has the angle and the speed at the times of the first.

    >>> result, states = drive()
    """
    result = sb.simulate(single_mass(torque, start=start), t_end=t_end, tolerance=1e-10)

    def rate(t: float, x: np.ndarray) -> np.ndarray:
        at = lpv(x[0], 1, w=x[1])
        value: np.ndarray = at.A @ x + at.B[:, 0] * torque + at.E
        return value

    states = solve_ivp(rate, (0, t_end), [start, 0.0], "DOP853", result.time, rtol=1e-11, atol=1e-11)
    return result, states.y


@dataclass(frozen=True)
class Scheduled:
    """A controller on the LPV form: state feedback whose first gain follows A(theta, s), and the friction fed forward.

        u = J a_d + s_d c(theta_d) + (J w_0^2 - s_d c'(theta_d)) (theta_d - theta) + 2 J w_0 (w_d - w)

    The loop then has both poles at -w_0 at every angle. The angle is that of the encoder, the speed its filtered
    difference. Without `scheduled` it is the same with the bare rotor: no friction, no slope.

    >>> Scheduled().track(60.0)["rotor.phi"]
    """

    bandwidth: float = 60.0
    scheduled: bool = True

    def __post_init__(self) -> None:
        check_positive("Scheduled", bandwidth=self.bandwidth)

    def gains(self, theta: float, direction: int, resistance: DryFriction = TABLE_5) -> tuple[float, float]:
        """Gains on angle and speed at a point."""
        slope = -J * tangent(theta, direction, resistance=resistance).A[1, 0] if self.scheduled else 0.0
        return J * self.bandwidth**2 - slope, 2 * J * self.bandwidth

    def closed(self, theta: float, direction: int, *, inertia: float = J) -> np.ndarray:
        """A - B K about a point, for a rotor whose inertia need not be the one of the design."""
        at = tangent(theta, direction, inertia=inertia)
        loop: np.ndarray = at.A - at.B @ np.array([self.gains(theta, direction)])
        return loop

    def track(self, target: float, *, start: float = 5.0, way_time: float = 0.6, t_end: float = 0.8) -> sb.Result:
        """A smooth move from start to target, measured by the encoder every 1 ms; `reference` is the wanted angle."""
        w0, way = self.bandwidth, target - start
        tau: Any = sb.Saturation(sb.Time() / way_time, 0.0, 1.0)
        angle: Any = start + way * sb.Polynomial(tau, [0, 0, 0, 10, -15, 6])
        speed: Any = (way / way_time) * sb.Polynomial(tau, [0, 0, 30, -60, 30])
        acceleration: Any = (way / way_time**2) * sb.Polynomial(tau, [0, 60, -180, 120])
        measured, measured_speed = encoder(start)
        gain: Any = J * w0**2
        ahead: Any = J * acceleration
        if self.scheduled:
            s = 1 if way > 0 else -1
            c = TABLE_5.forward if s > 0 else TABLE_5.backward
            moving = (tau > 0.0) & (tau < 1.0)
            gain = gain - s * sb.Polynomial(angle, c.deriv().coef.tolist())
            ahead = ahead + sb.Where(moving, s * sb.Polynomial(angle, c.coef.tolist()), 0.0)
        torque: Any = ahead + gain * (angle - measured) + 2 * J * w0 * (speed - measured_speed)
        limited = sb.SampleHold(sb.Saturation(torque, -TORQUE, TORQUE), period=SAMPLE)
        model = single_mass(limited, start=start)
        model.signal("reference", angle)
        return sb.simulate(model, t_end=t_end, intervals=1200)


def corners(angles: Sequence[float] | None = None) -> list[tuple[float, int, float]]:
    """Angle, direction and inertia at which a loop is examined: a grid of angles, both directions, the spread of J.

    >>> len(corners([0, 65]))
    12
    """
    grid = np.linspace(0, TRAVEL, 27) if angles is None else angles
    return [(float(a), s, inertia) for a in grid for s in (1, -1) for inertia in (J - J_SPREAD, J, J + J_SPREAD)]


def decay(controller: Scheduled) -> Mapping[str, float]:
    """One quadratic Lyapunov function for all corners: the largest eigenvalue of A'P + P A, scaled, and the slowest
    pole. P is that of the nominal loop; negative `lyapunov` means stable however fast the parameters change.

    >>> decay(Scheduled())["lyapunov"] < 0
    True
    """
    scale = np.diag([1.0, controller.bandwidth])
    loops = [
        np.linalg.inv(scale) @ controller.closed(a, s, inertia=inertia) @ scale / controller.bandwidth
        for a, s, inertia in corners()
    ]
    nominal = np.array([[0.0, 1.0], [-1.0, -2.0]])
    p = solve_continuous_lyapunov(nominal.T, -np.eye(2))
    return {
        "lyapunov": max(float(np.linalg.eigvalsh(a.T @ p + p @ a).max()) for a in loops),
        "pole": max(float(np.linalg.eigvals(a).real.max()) for a in loops) * controller.bandwidth,
    }
