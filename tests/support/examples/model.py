"""Names for examples of the public model: an axis with a motor, and a record of it."""

import numpy as np

import stribeck as sb


def model() -> sb.Model:
    m = sb.Model("axis", t_end=1)
    mass = m.add("mass", sb.Inertia(J=1))
    m.add("motor", sb.Torque(mass, tau=sb.External("3 N.m")))
    m.add("friction", sb.Bearing(mass, law=sb.LuGre(sigma0=1e3, sigma1=10)))
    return m


def record(model: sb.Model) -> sb.identify.Measurement:
    """A run of it, as a sensor sees it."""
    result = model.simulate(times=np.arange(0, 0.5, 0.01))
    speed = result["mass.w"] + 1e-3 * np.random.default_rng(1).normal(size=result.time.size)
    return sb.identify.Measurement({"torque": np.full(speed.size, 3.0), "speed": speed}, sample_time=0.01)
