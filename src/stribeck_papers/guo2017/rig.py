"""The experiments: four friction models on a prescribed path, and under a mass on a spring."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import stribeck as sb

from ..choice import choose
from ..settings import adjusted

PULL = 0.1
"""Speed at which the spring is pulled (m/s)."""


def laws(*, sigma2: float = 0.5, dv: float = 0.01, v_s: float = 1e-3, **bristle: float) -> dict[str, sb.laws.Law]:
    """The four models with the same parameters as far as they share them: (1) to (4) of the paper.

    The paper prints no parameters; those of the bristle are the usual ones, `sigma2` (N.s/m) and the speed limit `dv`
    (m/s) fit two of its periods.

    >>> laws()["LuGre"]
    LuGre(sigma0=100000.0, sigma1=316.23, mu_c=1.0, mu_s=1.5, sigma2=0.5, v_s=0.001)
    """
    shared: dict[str, Any] = {"sigma0": 1e5, "sigma1": 1e5**0.5, "mu_c": 1.0, "mu_s": 1.5} | bristle
    return {
        "Dahl": sb.Dahl(sigma0=shared["sigma0"], mu_c=shared["mu_c"]),
        "improved Dahl": sb.ImprovedDahl(**shared, sigma2=sigma2, dv=dv),
        "LuGre": sb.LuGre(**shared, sigma2=sigma2, v_s=v_s),
        "simplified LuGre": sb.SimplifiedLuGre(**shared, sigma2=sigma2, dv=dv),
    }


def rig(law: str | sb.laws.Law = "LuGre", *, m: float = 1.0, k: float = 2.0, v_p: float = PULL) -> sb.Model:
    """A mass (kg) on a guide with friction, on a spring (N/m) whose far end is pulled at a speed (m/s): Figure 3.

    >>> rig("simplified LuGre").check_realtime("1 ms")
    """
    model = sb.Model("stick-slip", t_end=25.0, intervals=5000)
    pull, mass = model.add("pull", sb.Speed(v=v_p)), model.add("mass", sb.Mass(m=m))
    model.add("spring", sb.Spring(pull, mass, c=k))
    model.add("friction", sb.Guide(mass, law=_law(law)))
    return adjusted(model)


def stick_slip(law: str | sb.laws.Law = "LuGre", *, t_end: float = 25.0, **options: Any) -> sb.Result:
    """25 s of the rig with one of the four models, or with any law: Figures 4 to 7.

    `options` are those of `rig` and of `simulate`.

    >>> stick_slip("simplified LuGre").plot("mass.s", "friction.f", path="stick-slip.png")
    >>> stick_slip(sb.LuGre(sigma0=1e4), v_p=0.05, solver="scipy-radau")
    """
    machine = {name: options.pop(name) for name in ("m", "k", "v_p") if name in options}
    return sb.simulate(rig(law, **machine), t_end=t_end, intervals=round(200 * t_end), **options)


def period(result: sb.Result, v_p: float = PULL) -> float:
    """Time (s) from one slip to the next: between the last two instants at which the mass overtakes the pull.

    >>> period(stick_slip("LuGre"))
    6.17056
    """
    slips = result.crossings("mass.v", v_p, direction=+1)
    if slips.size < 2:
        raise sb.SpecError(f"guo2017: a period takes two slips, the run has {slips.size}; give it a longer t_end")
    return float(slips[-1] - slips[-2])


def friction_curve(law: str | sb.laws.Law, speeds: Iterable[float]) -> np.ndarray:
    """Friction (N) after a long distance at each of the constant speeds (m/s): Figure 2.

    >>> friction_curve("simplified LuGre", [0.005, 0.01, 0.2])
    array([1.2       , 1.        , 1.06761566])
    """
    return sb.analysis.LawBench(_law(law)).steady_friction(speeds)


def hysteresis(law: str | sb.laws.Law = "Dahl", *, way: float = 8e-5, cycles: int = 2) -> sb.Result:
    """A guide moved from rest by a small distance (m) to both sides, one cycle per second: Figure 1.

    >>> hysteresis().plot_displacement("guide", path="loop.png")
    """
    once = sb.Sine(amplitude=np.pi * way, f=1.0)
    speed = once + sb.Where(sb.Time() >= 0.5, once, 0)  # 0.5 s to one end, then from end to end
    return sb.analysis.LawBench(_law(law)).at_speed(speed, np.linspace(0, cycles + 0.5, 1000 * cycles + 501))


def _law(law: str | sb.laws.Law) -> sb.laws.Law:
    if isinstance(law, sb.laws.Law):
        return law
    return choose("guo2017: there is no model", law, laws())
