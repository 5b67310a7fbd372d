"""Names for examples of runs: a clutch with inputs from outside, as a plant."""

import numpy as np

import stribeck as sb
from stribeck.run.environment import Environment
from stribeck.run.vector_environment import VectorEnvironment


def model() -> sb.Model:
    m = sb.Model("launch", t_end=2)
    throttle = m.signal("throttle", sb.External(0))
    engine = m.add("engine", sb.Inertia(J=0.2, w0=100))
    wheel = m.add("wheel", sb.Inertia(J=2))
    m.add("motor", sb.Torque(engine, tau=sb.External("5 N.m")))
    m.add("driver", sb.Torque(engine, tau=100 * throttle))
    m.add("clutch", sb.Clutch(engine, wheel, law=sb.Coulomb(mu_c=0.3), fn_max=100, f_normalized=sb.External(1)))
    return m


def s(model: sb.Model) -> sb.Stepper:
    return model.realtime(h="1 ms")


def stepper(s: sb.Stepper) -> sb.Stepper:
    return s


def fixed(s: sb.Stepper) -> object:
    """The machine of the kernel behind it."""
    return s._fixed


def values() -> np.ndarray:
    return np.linspace(0, 1, 100)


def env(model: sb.Model) -> Environment:
    return Environment(
        model,
        h="1 ms",
        every=10,
        actions={"clutch.f_normalized": (0, 1)},
        observations=["engine.w", "clutch.w_rel"],
        reward=lambda s: -abs(s["clutch.w_rel"]),
    )


def environment(env: Environment) -> Environment:
    return env


def plants(model: sb.Model) -> sb.Copies:
    return model.realtime(h="1 ms", copies=64)


def envs(model: sb.Model) -> VectorEnvironment:
    return VectorEnvironment(
        model,
        "1 ms",
        64,
        actions={"clutch.f_normalized": (0, 1)},
        observations=["engine.w"],
        reward=lambda plants: -abs(plants["clutch.w_rel"]),
    )
