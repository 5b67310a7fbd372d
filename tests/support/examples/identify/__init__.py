"""Names for examples of identification: a body on a guide, pushed by a force, and records of it."""

from collections.abc import Callable

import numpy as np
from support.examples import once
from support.rigs import driven, machine, push

import stribeck as sb
from stribeck.identify import Measurement


def slide(name: str, phase: float) -> Measurement:
    """Force (N), position (m, in steps of 10 um) and speed (m/s) of the body, at 500 Hz."""
    result, step = driven(machine(), push(phase)), 1e-5
    channels = {"q": step * np.round(np.asarray(result["load.s"]) / step), "v": result["load.v"], "f": push(phase)}
    units = {"q": "m", "v": "m/s", "f": "N"}
    return Measurement(channels, sample_time="2 ms", units=units, resolution={"q": step}, name=name)


def model() -> sb.Model:
    return machine()


@once
def run() -> Measurement:
    return slide("run7", 3.0)


@once
def other() -> Measurement:
    return slide("run8", 2.0)


def validation(other: Measurement) -> Measurement:
    return other


def mass() -> sb.Element:
    return sb.Model("rig").add("mass", sb.Mass(m=1))


def t() -> np.ndarray:
    return 1e-3 * np.arange(4001)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def q(t: np.ndarray) -> np.ndarray:
    return 30 * np.sin(2 * np.pi * t)


def tau(t: np.ndarray) -> np.ndarray:
    return 0.5 * np.sign(np.cos(2 * np.pi * t))


def noisy(q: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return q + 0.01 * rng.normal(size=q.size)


def progress() -> Callable[[float, str], None]:
    return lambda fraction, text: None
