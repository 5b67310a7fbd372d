"""Sections 2 and 3: the experiments on the model of friction, each a function that builds a machine and runs it.

Forces are in N, positions in m, times in s. `stick_slip`, `limit_cycle`, `presliding` and `drift` take any friction
law; without one they take the hybrid model with the parameters of the paper.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

import stribeck as sb

from ..settings import adjusted

STIFF = {"mu_c": 1.0, "mu_s": 1.5, "v_s": 1e-3}
"""The Stribeck curve of Table 1, without its viscous friction of 0.4 Ns/m."""
VISCOUS = 0.4
SOFT = {"mu_c": 1.0, "mu_s": 1.1, "v_s": 0.1}
"""The Stribeck curve of Table 2."""
Z_MAX = 0.01
"""Largest presliding displacement of Table 2 (m)."""

# --- the laws ---------------------------------------------------------------------------------------------------------


def ideal(mu_s: float = 1.5) -> sb.Stribeck:
    """The hybrid model as it is meant: Sigma to 0, p0 to infinity; it sticks truly and changes its mode at once.

    >>> stick_slip(ideal()).events
    """
    return sb.Stribeck(**STIFF | {"mu_s": mu_s}, mu_v=VISCOUS)


def hybrid(Sigma: float = 2e-3, p0: float = 1e3) -> sb.Hybrid:
    """The hybrid model without presliding, (5)-(10), with Table 1 and Sigma_2 = 2 % of Sigma.

    >>> stick_slip(hybrid(Sigma=1e-4)).events
    """
    return sb.Hybrid(**STIFF, mu_v=VISCOUS, Sigma=Sigma, Sigma_2=0.02 * Sigma, p0=p0)


def hybrid_presliding(z_max: float = 1e-5) -> sb.HybridPresliding:
    """The hybrid model with presliding, (14)-(18), with Table 1 and the z_max of Figure 6.

    >>> hybrid_presliding().k1
    150000.0
    """
    return sb.HybridPresliding.tuned(mass=1.0, **STIFF, mu_v=VISCOUS, z_max=z_max, Sigma=2e-3)


def lugre(sigma0: float = 1e5, sigma1: float | None = None) -> sb.LuGre:
    """LuGre with Table 1; its damping is sqrt(sigma0) unless given, as in the text.

    >>> stick_slip(lugre(1e8))
    """
    return sb.LuGre(**STIFF, sigma0=sigma0, sigma1=sqrt(sigma0) if sigma1 is None else sigma1, sigma2=VISCOUS)


def soft_lugre() -> sb.LuGre:
    """LuGre with Table 2: as stiff and as damped as the stuck hybrid model.

    >>> drift(soft_lugre())
    """
    return sb.LuGre(**SOFT, **_bristles())


def soft_leuven(exponent: float = 1.0, elements: int = 10, strength: float = 1.3, first: bool = False) -> Any:
    """The Leuven model with Table 2, in the form of 2002 or in its first form of 2000: elements of equal stiffness
    whose strengths rise linearly, together `strength` (N); the exponent is its n.

    >>> drift(soft_leuven(exponent=2.0))
    """
    law = sb.Leuven2000 if first else sb.Leuven
    rising = [float(i + 1) for i in range(elements)]
    return law(**SOFT, **_bristles(), alpha=rising, transition=exponent, reserve=strength / SOFT["mu_s"])


def soft_gms() -> sb.GMS:
    """The generalised Maxwell slip model with Table 2, its elements as the law has them.

    >>> drift(soft_gms())
    """
    return sb.GMS(**SOFT, **_bristles())


def soft_elements(elements: int = 10) -> sb.MaxwellSlip:
    """Elements of equal stiffness that stick and slip one after the other, together as strong as f_s of Table 2: an
    f_stick with nonlocal memory.

    >>> drift(soft_elements())
    """
    rising = [float(i + 1) for i in range(elements)]
    return sb.MaxwellSlip(mu_c=SOFT["mu_s"], alpha=rising, **_bristles())


def soft_elasto_plastic(z_ba: float = 0.009) -> sb.ElastoPlastic:
    """The model of Armstrong with Table 2; the deflection at which it begins to yield is z_ba.

    >>> drift(soft_elasto_plastic(z_ba=0.005))
    """
    return sb.ElastoPlastic(**SOFT, **_bristles(), z_ba=z_ba)


def soft_hybrid() -> sb.HybridPresliding:
    """The hybrid model with presliding and Table 2.

    >>> drift(soft_hybrid())
    """
    return sb.HybridPresliding.tuned(mass=1.0, **SOFT, z_max=Z_MAX, Sigma=1e-4)


def _bristles() -> dict[str, float]:
    stiffness = SOFT["mu_s"] / Z_MAX
    return {"sigma0": stiffness, "sigma1": 2 * sqrt(stiffness), "sigma2": 0.0}


# --- Figures 4 to 8 ---------------------------------------------------------------------------------------------------


def pulled(law: Any, *, mass: float = 1.0, K: float = 2.0, speed: float = 0.1, scanned: bool = False) -> sb.Model:
    """Figure 3: a mass on a guide, pulled by a spring whose end moves at a constant speed. If its law is `scanned`,
    it stays as it is given, whatever `--set` says.

    >>> sb.simulate(pulled(lugre()), t_end=28).plot("mass.v")
    """
    m = sb.Model("stick-slip")
    pull, body = m.add("pull", sb.Speed(v=speed)), m.add("mass", sb.Mass(m=mass))
    m.add("spring", sb.Spring(pull, body, c=K))
    m.add("friction", sb.Guide(body, law=law))
    return m if scanned else adjusted(m)


def stick_slip(law: Any = None, *, t_end: float = 28.0, tolerance: float = 1e-9, **machine: Any) -> sb.Result:
    """Figure 4: stick and slip of the mass on the spring.

    >>> stick_slip().plot("mass.v", "friction.f", path="stick-slip.png")
    """
    return sb.simulate(
        pulled(law or hybrid(), **machine), t_end=t_end, intervals=round(200 * t_end), tolerance=tolerance
    )


def controlled(
    law: Any,
    *,
    mass: float = 1.0,
    K_p: float = 3.0,
    K_v: float = 6.0,
    K_i: float = 4.0,
    x_d: float = 1.0,
    u_max: float = 2.0,
    scanned: bool = False,
) -> sb.Model:
    """The mass under the PID controller (13), whose force is at most u_max (N) of Table 1; `scanned` as in `pulled`.

    >>> sb.simulate(controlled(lugre()), t_end=100).plot("mass.s")
    """
    m = sb.Model("limit cycle")
    body = m.add("mass", sb.Mass(m=mass))
    m.add("friction", sb.Guide(body, law=law))
    error, speed = body.sensor("s") - x_d, body.sensor("v")
    wanted = -K_p * error - K_v * speed - K_i * sb.Integral(error)
    m.add("motor", sb.Force(body, f=sb.Saturation(wanted, -u_max, u_max)))
    return m if scanned else adjusted(m)


def limit_cycle(
    law: Any = None, *, t_end: float = 200.0, intervals: int = 20_000, tolerance: float = 1e-9, **machine: Any
) -> sb.Result:
    """Figure 5: the mass is sent to 1 m and hunts around it in a limit cycle.

    >>> limit_cycle(t_end=100).plot("mass.s", "motor.f", path="hunting.png")
    """
    return sb.simulate(controlled(law or hybrid(), **machine), t_end=t_end, intervals=intervals, tolerance=tolerance)


def presliding(law: Any = None, *, distance: float = 4e-4, tolerance: float = 1e-10) -> sb.Result:
    """Figure 6: the first `distance` (m) of the mass on the spring, which it leaves from rest.

    Reconstruction: the text gives the start and z_max = 1e-5 m, not the force; we take the spring of Figure 3.

    >>> first = presliding(lugre())
    >>> first["friction.z"].max()
    1.48e-05
    """
    machine = pulled(law or hybrid_presliding())
    slow = sb.simulate(machine, t_end=9.0, intervals=9000, tolerance=tolerance)
    there = slow.crossings("mass.s", distance, +1)[0]
    times = np.concatenate([np.linspace(0, there - 0.5, 1000), np.linspace(there - 0.499, there, 40_000)])
    return sb.simulate(machine, times=times, tolerance=tolerance)


def drift(
    law: Any = None,
    *,
    mean: float = 0.7,
    swing: float = 0.2,
    f: float = 0.5,
    t_end: float = 102.0,
    tolerance: float = 1e-9,
) -> sb.Result:
    """Figures 7 and 8: a force that rises to its mean (N) within 2 s and then swings (N, Hz), below the friction of
    sliding of 1 N.

    Reconstruction: the paper shows the force and does not print it.

    >>> drift(soft_lugre()).plot("mass.s", "push.f", path="drift.png")
    """
    m = sb.Model("drift")
    body = m.add("mass", sb.Mass(m=1.0))
    m.add("friction", sb.Guide(body, law=law or soft_hybrid()))
    force = sb.Ramp(height=mean, duration=2.0) + sb.Sine(amplitude=swing, f=f, start=2.0)
    m.add("push", sb.Force(body, f=force))
    return sb.simulate(adjusted(m), t_end=t_end, intervals=round(100 * t_end), tolerance=tolerance)


# --- Sections 2.2, 2.4 and 3 ------------------------------------------------------------------------------------------


def coasting(law: Any = None, *, speed: float = 2e-3, t_end: float = 0.05) -> sb.Result:
    """A free mass that is just slow enough to be captured (99.9 % of `speed`, m/s): what mode 0 does with it.

    >>> coasting(hybrid_presliding()).plot("mass.s", "mass.v", path="captured.png")
    """
    m = sb.Model("coasting")
    body = m.add("mass", sb.Mass(m=1.0, v0=0.999 * speed))
    m.add("friction", sb.Guide(body, law=law or hybrid()))
    return sb.simulate(adjusted(m), t_end=t_end, intervals=1000, tolerance=1e-10)


def at_speed(law: Any, speed: float) -> sb.Model:
    """A guide alone at a constant speed (m/s): steady friction.

    >>> sb.simulate(at_speed(ideal(), 0.1), t_end=1)["friction.f"][-1]
    1.04
    """
    m = sb.Model("constant speed")
    m.add("drive", sb.Speed(v=speed))
    m.add("friction", sb.Guide("drive", law=law))
    return adjusted(m)


def loaded(law: Any, *, rate: float = 0.1, t_end: float = 20.0, intervals: int = 20_000) -> sb.Result:
    """Sections 2.4 and 3.2: a force on the resting mass that rises at a rate (N/s), until it slides and on.

    >>> loaded(hybrid_presliding()).crossings("mass.s", 1e-5, +1)
    """
    m = sb.Model("loaded")
    body = m.add("mass", sb.Mass(m=1.0))
    m.add("friction", sb.Guide(body, law=law))
    m.add("push", sb.Force(body, f=sb.Ramp(height=rate * t_end, duration=t_end)))
    return sb.simulate(adjusted(m), t_end=t_end, intervals=intervals, tolerance=1e-10)


def sinusoidal(
    law: Any, *, amplitude: float, f: float = 0.5, mass: float = 1.0, cycles: int = 4, samples: int = 2000
) -> sb.Result:
    """Section 3.3: the mass has a prescribed sinusoidal speed (amplitude in m/s, f in Hz); `drive.f` is the force u.

    >>> result = sinusoidal(sb.Switch(f_c=1, f_v=0.4), amplitude=1)
    >>> u, v = np.asarray(result["drive.f"]), np.asarray(result["mass.v"])
    """
    m = sb.Model("sinusoidal")
    drive, body = m.add("drive", sb.Speed(v=sb.Sine(amplitude=amplitude, f=f))), m.add("mass", sb.Mass(m=mass))
    m.connect(drive, body)
    m.add("friction", sb.Guide(body, law=law))
    half = 0.5 / (f * samples)  # samples in the middle of equal parts of the period: none where the speed is 0
    times = half + np.arange(cycles * samples) * 2 * half
    return sb.simulate(adjusted(m), times=[0.0, *times], tolerance=1e-10)
