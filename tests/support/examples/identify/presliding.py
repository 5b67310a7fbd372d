"""Names for examples of presliding: loops of a LuGre contact at 2 and 10 Hz."""

import numpy as np
from support.examples import once

from stribeck.identify import Measurement, PreslidingFit, VirginCurve, fit_presliding
from stribeck.identify.presliding.contact import BristleContact
from stribeck.identify.presliding.from_position import Explained, explained
from stribeck.identify.presliding.position_noise import PositionCovariance

VALUES = {"sigma0": 1e5, "f": 1.5, "sigma1": 300.0}


def sigma0() -> float:
    return VALUES["sigma0"]


def values() -> dict[str, float]:
    return VALUES


def load() -> np.ndarray:
    time = 1e-3 * np.arange(2000)
    return np.where(time < 1, 0.8 * np.sin(2 * np.pi * 2 * time), 1.2 * np.sin(2 * np.pi * 10 * time))


def force(load: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return load + 0.01 * rng.normal(size=load.size)


def y(load: np.ndarray) -> np.ndarray:
    return load


def contact() -> BristleContact:
    return BristleContact(1e-3)


def path(contact: BristleContact, load: np.ndarray) -> np.ndarray:
    return contact.displacement(load, VALUES)


def loads(load: np.ndarray) -> list[np.ndarray]:
    return [load + 0.01 * np.random.default_rng(seed).normal(size=load.size) for seed in range(10)]


def perturbed(contact: BristleContact, path: np.ndarray, loads: list[np.ndarray]) -> np.ndarray:
    return np.array([contact.displacement(load, VALUES) - path for load in loads])


def x(path: np.ndarray) -> np.ndarray:
    return path


def v(path: np.ndarray) -> np.ndarray:
    return np.gradient(path, 1e-3)


def run(path: np.ndarray, force: np.ndarray) -> Measurement:
    channels = {"x": 1e-6 * np.round(path / 1e-6), "f": force}
    return Measurement(channels, sample_time="1 ms", units={"x": "m", "f": "N"}, resolution={"x": 1e-6}, name="loops")


@once
def fitted(run: Measurement) -> PreslidingFit:
    return fit_presliding(run, "x", "f")


@once
def found(run: Measurement) -> Explained:
    return explained(run, "x", "f", damping=True, mass=0.0, step=1e-6, hold=False)


def spread(found: Explained) -> PositionCovariance:
    return found.spread(found.at)


def rest(found: Explained) -> np.ndarray:
    return found.residuals


def delayed(load: np.ndarray) -> np.ndarray:
    return np.roll(load, 5)


def virgin() -> VirginCurve:
    return VirginCurve(np.array([5e4, 5e4]), np.array([1e-5, 2e-5]), 0.01, ("m", "N"))
