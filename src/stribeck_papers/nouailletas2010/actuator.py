"""The clutch actuator as one mass whose friction depends on position and direction: (45)-(49), Tables 3 to 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial

import stribeck as sb

from ..settings import adjusted

J, J_SPREAD = 1.32e-5, 2.1e-6
"""Inertia of the rotor and its uncertainty, Table 3 (kg.m2)."""
RATIO = 2.0414e-4
"""Displacement of the rack per angle of the rotor, Table 3 (m/rad)."""
COUNT = 2 * pi / 56
"""One step of the encoder, Table 3 (rad)."""
SAMPLE, TORQUE = 1e-3, 2.0
"""Sample time of the controller (s) and largest torque (N.m), section 5.2."""
TRAVEL = 65.0
"""Largest angle (rad): not printed, it makes the means of Table 5 those of the text."""
PLAY = 3.0
"""Play of rack and reducer as the rotor sees it, section 4.1 (rad)."""
F_V, W_V = 7.1746e-4, 240.0
"""Viscous friction (N.m.s/rad) and the speed from which it acts (rad/s), (48)."""
C_D, C_DS = 0.05, 0.055
"""Coulomb and break-away torque of the motor alone, section 5.3 (N.m)."""
TEETH: dict[str, float] = {"c": 5.0, "d": 2e-3}
"""Stiffness (N.m/rad) and damping of teeth in contact: ours, stiff enough to count as rigid."""
SIDE_INERTIA = 2e-8
"""Inertia of what lies behind the play, a rack of 0.5 kg as the rotor sees it (kg.m2): ours."""


def check_positive(where: str, **values: float) -> None:
    """Refuses numbers that are not above 0.

    >>> check_positive("sinusoidal_test", amplitude=0)
    SpecError: sinusoidal_test: amplitude = 0 must be above 0
    """
    for name, value in values.items():
        if not value > 0:
            raise sb.SpecError(f"{where}: {name} = {value:g} must be above 0")


def check_place(where: str, theta: float, direction: int = 1) -> None:
    """Refuses angles outside of the range of the polynomials, and directions other than 1 and -1.

    >>> check_place("break_away", 300.0)
    SpecError: break_away: theta = 300 rad is not on the way, 0 to 65 rad
    """
    if not 0 <= theta <= TRAVEL:
        raise sb.SpecError(f"{where}: theta = {theta:g} rad is not on the way, 0 to {TRAVEL:g} rad")
    if direction not in (1, -1):
        raise sb.SpecError(f"{where}: direction = {direction} must be 1 (up) or -1 (down)")


@dataclass(frozen=True)
class DryFriction:
    """Coulomb torque C_r over the angle for both directions, as sizes (N.m), and what break-away takes: C_s/C_r.

    >>> TABLE_5.forward(30.0), TABLE_5.static(30.0, -1)
    (0.112, 0.2)
    """

    forward: Polynomial
    backward: Polynomial
    beta_forward: float
    beta_backward: float

    def sliding(self, theta: Any, direction: int) -> Any:
        """The torque against a motion in this direction."""
        return (self.forward if direction > 0 else self.backward)(theta)

    def static(self, theta: Any, direction: int) -> Any:
        """The torque that starts a motion in this direction."""
        return self.sliding(theta, direction) * (self.beta_forward if direction > 0 else self.beta_backward)

    def beyond(self, coulomb: float, static: float) -> DryFriction:
        """What is left behind the play, with the friction of the motor taken away; break-away in proportion of means.

        >>> TABLE_5.beyond(C_D, C_DS).forward(30.0)
        0.0620
        """
        parts = []
        for way, beta in ((self.forward, self.beta_forward), (self.backward, self.beta_backward)):
            mean = way.integ()(TRAVEL) / TRAVEL
            parts.append((way - coulomb, (beta * mean - static) / (mean - coulomb)))
        (forward, up), (backward, down) = parts
        return DryFriction(forward, backward, up, down)


C_S_FORWARD = Polynomial([0.0794, 0.0077, -2.7773e-4, 2.8731e-6])
C_S_BACKWARD = Polynomial([0.0938, -0.0126, 0.0013, -3.2940e-5, 2.5120e-7])
"""Break-away torques of Table 5, the constants first."""
TABLE_4 = DryFriction(
    Polynomial([0.066, -8.790e-4, 7.485e-5, -9.466e-7]),
    -Polynomial([-0.050, -9.314e-4, 8.743e-5, -1.009e-6]),
    1.2325,
    1.3728,
)
"""The theoretical torque of the springs and of friction; the ratios of break-away are those of the test bench."""
TABLE_5 = DryFriction(C_S_FORWARD / 1.2325, C_S_BACKWARD / 1.3728, 1.2325, 1.3728)
"""The torque identified on the test bench, (46) and (49)."""


def oil() -> sb.laws.Law:
    """Viscous friction from 240 rad/s on, (48).

    >>> oil().mu_v, oil().v_v
    (0.000717, 240.0)
    """
    return sb.StribeckThreshold(mu_c=0, mu_s=0, mu_v=F_V, v_v=W_V)


def single_mass(
    torque: Any, *, start: float = 5.0, resistance: DryFriction = TABLE_5, play: float = 0.0, name: str = "actuator"
) -> sb.Model:
    """The simple model: rotor, friction of its position and direction, viscous friction above 240 rad/s.

    With play the motor keeps its own friction C_d and the rest of the friction holds what lies behind the play.

    >>> single_mass(sb.Sine(amplitude=0.3, f=1), start=30)
    """
    m = sb.Model(name)
    rotor = m.add("rotor", sb.Inertia(J=J, phi0=start))
    m.add("motor", sb.Torque(rotor, tau=torque))
    m.add("oil", sb.Bearing(rotor, law=oil()))
    side = rotor
    if play > 0:
        side = m.add("rack_side", sb.Inertia(J=SIDE_INERTIA, phi0=start))
        m.add("play", sb.ElastoBacklash(rotor, side, play=play, **TEETH))
        m.add("motor_friction", sb.Bearing(rotor, law=sb.Switch(mu_c=C_D, mu_s=C_DS)))
        resistance = resistance.beyond(C_D, C_DS)
    add_resistance(m, side, resistance)
    return adjusted(m)


def add_resistance(m: sb.Model, rotor: Any, resistance: DryFriction) -> None:
    """Two bearings, one for each direction, so that each has its own ratio of break-away.

    >>> rotor = m.add("rotor", sb.Inertia(J=J))
    >>> add_resistance(m, rotor, TABLE_5)
    """
    for name, way, beta, side in (
        ("forward", resistance.forward, resistance.beta_forward, "load"),
        ("backward", resistance.backward, resistance.beta_backward, "load_backward"),
    ):
        torque = sb.Polynomial(rotor.sensor("phi"), way.coef.tolist())
        loads: dict[str, Any] = {"load": 0, "load_backward": 0} | {side: torque}
        m.add(name, sb.Bearing(rotor, law=sb.Switch(mu_c=1, mu_s=beta), **loads))


def encoder(start: float, smoothing: float = 0.6) -> tuple[Any, Any]:
    """Measured `rotor.phi`, every 1 ms: counts, and their differences (29), smoothed.

    >>> angle, speed = encoder(start=5.0)
    """
    counts = sb.Quantiser(sb.Sensor("rotor.phi"), step=COUNT, mode="floor")
    k = (1 - smoothing) / SAMPLE
    speed = sb.TransferFunction(counts, num=[k, -k], den=[1.0, -smoothing], dt=SAMPLE, start="steady")
    return sb.SampleHold(counts, period=SAMPLE, initial=start), speed


@dataclass(frozen=True)
class Controller:
    """A PID controller on the encoder, every 1 ms (reconstruction: the paper's gains are not printed).

    Kp = 3 J w^2, Kd = 3 J w and Ki = integral J w^3 with w = `bandwidth` (1/s): the bare rotor is stable up to an
    integral of 9. `weight` is the share of the target in the proportional part, which keeps the overshoot small.
    Within `cutoff` (rad) of the target the torque is 0 and nothing is integrated.

    >>> Controller(bandwidth=30, cutoff=2 * COUNT).torque([30], [0.1], start=5)
    """

    bandwidth: float = 20.0
    integral: float = 2.5
    weight: float = 0.2
    cutoff: float = 0.0

    def __post_init__(self) -> None:
        check_positive("Controller", bandwidth=self.bandwidth, integral=self.integral)

    def torque(self, targets: Sequence[float], times: Sequence[float], start: float) -> Any:
        """The torque of the motor as a signal of `rotor.phi`; targets hold from the given times on."""
        w = self.bandwidth
        angle, speed = encoder(start)
        target = sb.Table([0.0, *times], [start, *targets], between="hold")
        error: Any = target - angle
        near = abs(error) < self.cutoff
        gains: Any = {"Kp": 3 * J * w**2, "Ki": self.integral * J * w**3, "low": -TORQUE, "high": TORQUE}
        parts: Any = sb.PID(sb.Where(near, 0.0, error) if self.cutoff else error, 0.0, **gains)
        gentle: Any = (1 - self.weight) * 3 * J * w**2 * (target - start)
        total: Any = sb.Saturation(parts - gentle - 3 * J * w * speed, -TORQUE, TORQUE)
        return sb.SampleHold(sb.Where(near, 0.0, total) if self.cutoff else total, period=SAMPLE)


def position_test(
    targets: Sequence[float] = (30.0,),
    times: Sequence[float] = (0.1,),
    *,
    t_end: float = 20.0,
    start: float = 5.0,
    play: float = 0.0,
    controller: Controller | None = None,
    resistance: DryFriction = TABLE_5,
    step: float | str | None = None,
) -> sb.Result:
    """The position test on the simple model, without or with play: Figures 19, 20 and 22.

    With a `step` (s) it runs at that fixed step.

    >>> position_test(t_end=5.0, play=3.0).plot("rotor.phi", "motor.tau")
    """
    torque = (controller or Controller()).torque(targets, times, start)
    model = single_mass(torque, start=start, resistance=resistance, play=play)
    if step is not None:
        fixed: sb.Result = model.realtime(h=step).run(t_end=t_end)
        return fixed
    return sb.simulate(model, t_end=t_end, intervals=int(t_end / SAMPLE))


def coasting(w: float, theta: float = 30.0, *, hybrid: bool = False) -> sb.Model:
    """A rotor released at a speed (rad/s), without torque: with true stick, or with the two modes of Table 3.

    >>> coasting(149.0, hybrid=True)
    """
    m = sb.Model("coasting")
    rotor = m.add("rotor", sb.Inertia(J=J, phi0=theta, w0=w))
    mu_s = TABLE_5.beta_forward
    captured = sb.Hybrid(mu_c=1, mu_s=mu_s, v_s=1e-3, Sigma=150, Sigma_2=3, p0=1e4)
    load = sb.Polynomial(rotor.sensor("phi"), TABLE_5.forward.coef.tolist())
    m.add("friction", sb.Bearing(rotor, law=captured if hybrid else sb.Switch(mu_c=1, mu_s=mu_s), load=load))
    return adjusted(m)


def stepped(method: str, step: float, count: int) -> list[float]:
    """Speeds of the rotor (rad/s) with the two modes of Table 3, released at 149 rad/s, after each of some fixed steps.

    >>> stepped("ode1", 1e-3, 3)
    [-1341.0, 12069.0, -108621.0]
    """
    plant, speeds = coasting(149.0, hybrid=True).realtime(h=step, method=method), []
    for _ in range(count):
        plant.step()
        speeds.append(float(plant["rotor.w"]))
    return speeds


def coast(w: float = 150.0, *, theta: float = 30.0, hybrid: bool = False) -> sb.Result:
    """The run of `coasting`, until the rotor is at rest.

    >>> coast(hybrid=True)["rotor.phi"][-1]
    30.015
    """
    return sb.simulate(coasting(w, theta, hybrid=hybrid), t_end=0.05, tolerance=1e-9)


@dataclass(frozen=True)
class LimitCycle:
    """A limit cycle: range of the angle (rad), mean period (s; nan if it is not seen twice), largest torque (N.m)."""

    amplitude: float
    period: float
    torque: float

    @property
    def hunts(self) -> bool:
        """Whether it is seen at least twice."""
        return bool(np.isfinite(self.period))

    @classmethod
    def of(cls, result: sb.Result, since: float) -> LimitCycle:
        """The cycle of a position test from a time on; periods are counted on the torque, between 3/4 of its range.

        >>> LimitCycle.of(position_test(t_end=10.0), since=3.0).amplitude
        3.28
        """
        late = result.time >= since
        angle, torque, time = (np.asarray(x)[late] for x in (result["rotor.phi"], result["motor.tau"], result.time))
        starts = _upward(time, torque, torque.min() + 0.75 * np.ptp(torque), torque.min() + 0.25 * np.ptp(torque))
        period = float(np.diff(starts).mean()) if len(starts) > 1 and np.ptp(torque) > 1e-3 else float("nan")
        return cls(float(np.ptp(angle)), period, float(np.abs(torque).max()))


def _upward(time: np.ndarray, value: np.ndarray, high: float, low: float) -> list[float]:
    """Times at which a value rises above a level, once it has been below a lower one."""
    starts, armed = [], False
    for t, x in zip(time.tolist(), value.tolist(), strict=True):
        if armed and x > high:
            starts.append(t)
        armed = x <= high if armed else x < low
    return starts
