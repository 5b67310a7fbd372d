"""Names for examples of records."""

import numpy as np

from stribeck.identify import Measurement


def x(rng: np.random.Generator) -> np.ndarray:
    return np.cumsum(rng.normal(size=1000))


def servo(x: np.ndarray) -> Measurement:
    return Measurement({"q": x}, sample_time="1 ms", name="servo")


def torque_sensor(x: np.ndarray) -> Measurement:
    channels = {"encoder": x[100:], "torque": 0.1 * x[100:]}
    return Measurement(channels, sample_time="1 ms", name="torque sensor")
