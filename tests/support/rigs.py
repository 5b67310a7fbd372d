"""A body on a guide under an alternating force, and sensor records of it with known parameters."""

import numpy as np

import stribeck as sb

SAMPLE = 2e-3
COUNT = 1501
TIES = {"outputs": {"load.s": "s"}, "inputs": {"motor.f": "f"}}


def push(phase=3.0):
    """A force (N) that alternates and moves a body of 1 kg against 1 N of friction."""
    time = SAMPLE * np.arange(COUNT)
    return 2.2 * np.sin(2 * np.pi * 0.9 * time) + 0.9 * np.sin(2 * np.pi * 0.37 * time + phase)


def machine(law=None, m=1.0):
    model = sb.Model("rig")
    mass = model.add("load", sb.Mass(m=m))
    model.add("joint", sb.Guide(mass, law=law or sb.Stribeck(mu_c=0.8, mu_s=1.1, v_s=0.05, mu_v=0.3)))
    model.add("motor", sb.Force(mass, f=sb.External(0)))
    return model


def driven(model, force, between="hold"):
    """The model with the force as a table: what `simulate` runs without any of the code that is tested."""
    time = SAMPLE * np.arange(force.size)
    twin = model.copy()
    table = sb.Table(time=time.tolist(), value=force.tolist(), between=between)
    twin.elements["motor"] = twin.elements["motor"].replace(f=table)
    return sb.simulate(twin, times=time, tolerance=1e-9)


def record(model, force, noise=1e-5, seed=0, name="run", step=0.0):
    """What a position sensor with this noise (m), and steps (m) if it has some, sees of the driven model."""
    result = driven(model, force)
    rng = np.random.default_rng(seed)
    s, v = (np.asarray(result[quantity]) for quantity in ("load.s", "load.v"))
    s = s + noise * rng.normal(size=s.size)
    if step:
        s = step * np.round(s / step)
    v = v + 100 * noise * rng.normal(size=v.size)
    units = {"s": "m", "v": "m/s", "f": "N"}
    return sb.identify.Measurement({"f": force, "s": s, "v": v}, sample_time=SAMPLE, units=units, name=name)
