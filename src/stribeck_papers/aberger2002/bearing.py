"""Section 1: a mass that a spring pulls over a rubbing bearing, with bristles and with true stick."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

import stribeck as sb

from ..settings import adjusted

BEARING = {"sigma0": 1e5, "sigma1": 316.23, "tau_v": 0.4, "tau_c": 1.0, "tau_s": 1.5, "w_s": 1e-3}
"""Table 1."""
STIFFNESS, PULL = 2.0, 0.1
"""Of the spring (N.m/rad), and the speed of its far end (rad/s)."""
T_END, INTERVALS = 25.0, 2500
LETS_GO = 0.05
"""A bearing has broken away when it turns that fast (rad/s), 50 times the Stribeck speed."""


def lugre(**changes: float) -> sb.LuGre:
    """The bristles of Table 1, with changes.

    >>> lugre(sigma0=1e4, sigma1=100).given["sigma0"]
    10000.0
    """
    return sb.LuGre(**BEARING | changes)


def rig(law: Any = None, *, J: float = 1.0, c: float = STIFFNESS, w: float = PULL) -> sb.Model:
    """The set-up of Figure 1: an inertia in a bearing, and a spring whose far end turns steadily.

    >>> sb.simulate(rig(sb.Dahl(tau_c=1)))["mass.w"].max()
    0.2
    """
    model = sb.Model("stick-slip", t_end=T_END, intervals=INTERVALS)
    pull = model.add("pull", sb.Speed(w=w))
    mass = model.add("mass", sb.Inertia(J=J))
    model.add("spring", sb.Spring(pull, mass, c=c))
    model.add("friction", sb.Bearing(mass, law=law or lugre()))
    return adjusted(model)


def stick_slip(law: Any = None, *, J: float = 1.0, c: float = STIFFNESS, w: float = PULL, **options: Any) -> sb.Result:
    """Stick-slip with the bristles of Table 1 for 25 s (Figures 3 to 5); or with another law. Inertia
    (kg.m2), stiffness (N.m/rad) and speed of the pull (rad/s) are those of the paper, `options` those of `simulate`.

    >>> stick_slip(tolerance=1e-6).extremes["friction.tau"]["max"]
    1.4766
    >>> stick_slip(lugre(sigma0=1e4), c=5.0).plot("mass.w", "friction.tau", path="stick-slip.png")
    """
    return sb.simulate(rig(law, J=J, c=c, w=w), **options)


def bearing_friction(*, tau_s: float = 1.5, **options: Any) -> sb.Result:
    """The same rig with BearingFriction of the Modelica library (Section 1.3), which truly sticks: 1 + 0.4 |w| while
    it slides, at most `tau_s` while it sticks.

    >>> bearing_friction().events[0].time
    7.5
    """
    return stick_slip(sb.Switch(tau_c=BEARING["tau_c"], tau_s=tau_s, tau_v=BEARING["tau_v"]), **options)


def loaded(torque: Any, law: Any = None, t_end: float = 100.0, **options: Any) -> sb.Result:
    """An inertia of 1 kg.m2 in the bearing under a torque, up to the moment when it has broken away.

    >>> loaded(sb.Ramp(height=2, duration=10)).extremes["friction.tau"]["max"]
    1.4766
    """
    model = sb.Model("break-away", t_end=t_end)
    mass = model.add("mass", sb.Inertia(J=1))
    model.add("friction", sb.Bearing(mass, law=law or lugre()))
    model.add("load", sb.Torque(mass, tau=torque))
    model = adjusted(model)
    whole = sb.simulate(model, **options)
    after = int(np.argmax(np.asarray(whole["mass.w"]) > LETS_GO))
    near = sb.simulate(model, times=np.linspace(whole.time[after - 1], whole.time[after], 2001), **options)
    return sb.simulate(model, t_end=float(near.crossings("mass.w", LETS_GO, +1)[0]), **options)


def break_away(rate: float, law: Any = None, **options: Any) -> float:
    """The largest friction torque (N.m) before the bearing breaks away under a load that rises at `rate` (N.m/s).

    >>> break_away(0.2)
    1.4766
    """
    whole = _until_four(rate)
    return largest(loaded(sb.Ramp(height=4.0, duration=whole), law, whole, **options))


def break_away_after(dwell: float, rate: float = 5.0, held: float = 0.9, **options: Any) -> float:
    """The same (N.m) for a load that first rises to `held` (N.m) within a second and stays there for `dwell` (s).

    >>> break_away_after(dwell=10.0) - break_away_after(dwell=1.0)
    0.0
    """
    whole = _until_four(rate)
    rise = sb.Ramp(height=4.0, duration=whole, start=1.0 + dwell)
    return largest(loaded(sb.Ramp(height=held, duration=1.0) + rise, t_end=1.0 + dwell + whole, **options))


def _until_four(rate: float) -> float:
    """Time (s) to 4 N.m, far above what holds."""
    if not rate > 0:
        raise sb.SpecError(f"aberger2002: rate = {rate:g} N.m/s must be above 0; how fast the load rises")
    return 4.0 / rate


def largest(result: sb.Result) -> float:
    """The largest friction torque of a run (N.m), also between the points of its grid.

    >>> largest(stick_slip())
    1.4766
    """
    return float(result.extremes["friction.tau"]["max"])


def steady_sliding(w: float, law: Any = None) -> float:
    """Friction torque (N.m) of a bearing whose shaft has reached the speed w (rad/s) within 0.1 s and kept it until
    the bristles no longer depend on the start.

    >>> steady_sliding(0.01)
    1.004
    """
    model = sb.Model("steady sliding", t_end=1.0 + 1e-3 / abs(w))
    shaft = model.add("shaft", sb.Speed(w=sb.Ramp(height=w, duration=0.1)))
    model.add("friction", sb.Bearing(shaft, law=law or lugre()))
    return float(sb.simulate(adjusted(model), tolerance=1e-10)["friction.tau"][-1])


def running_start(bristles: Literal["steady", "zero"], w0: float = 0.3, **options: Any) -> sb.Result:
    """A mass that turns with w0 (rad/s) when its brake closes at once, onto bristles with the deflection of steady
    sliding, or with none.

    >>> largest(running_start("zero")) > 80 * largest(running_start("steady"))
    True
    """
    model = sb.Model("running start", t_end=0.5, intervals=1000)
    mass = model.add("mass", sb.Inertia(J=1, w0=w0))
    closed = sb.Step(height=1, start=1e-9)
    names = {"tau_v": "sigma2", "tau_c": "mu_c", "tau_s": "mu_s", "w_s": "v_s"}
    law = sb.LuGre(**{names.get(name, name): value for name, value in BEARING.items()})
    model.add("friction", sb.Brake(mass, law=law, fn_max=1, f_normalized=closed, engage=bristles))
    return sb.simulate(adjusted(model), **options)


def fixed_step(
    method: str, h: float, law: Any = None, *, t_end: float = T_END, every: int = 1, **options: Any
) -> sb.Result:
    """The rig for 25 s at a fixed step h (s): "ode4" is RKFIX4, "ode1" EULER, "mixed" MIXED MODE of the paper,
    "resolvent" ours. A run that explodes raises a SimulationError.

    >>> largest(fixed_step("mixed", 2e-3))
    1.4764
    """
    run: sb.Result = rig(law).realtime(h=h, method=method, **options).run(t_end=t_end, every=every)
    return run
