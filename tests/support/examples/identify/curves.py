"""Names for examples of curves: points of friction, one of them an outlier where that is asked for."""

from collections.abc import Mapping

import numpy as np
from support.examples import once
from support.examples.identify.bench import records as sines

from stribeck.identify import CurveFit, Measurement, SteadyPoints, fit_curve
from stribeck.identify.curves.curve import _through
from stribeck.identify.curves.form import CurveForm
from stribeck.identify.curves.search import grids_of
from stribeck.identify.regression.estimate import Estimate
from stribeck.identify.regression.separable import Separated, separable_fit


def v() -> np.ndarray:
    pace = np.geomspace(0.01, 10, 15)
    return np.concatenate([-pace[::-1], pace])


def f(v: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.sign(v) * (0.11 + 0.03 * np.exp(-((v / 0.2) ** 2))) + 0.002 * v + 1e-3 * rng.normal(size=v.size)


def tau(f: np.ndarray) -> np.ndarray:
    return f + 0.01


def points(v: np.ndarray, f: np.ndarray) -> SteadyPoints:
    return SteadyPoints.of(v, f, units=("rad/s", "N.m"))


def form() -> CurveForm:
    return CurveForm()


def grids(points: SteadyPoints, form: CurveForm) -> dict[str, np.ndarray]:
    return grids_of(points, form)


def best(points: SteadyPoints, form: CurveForm, grids: Mapping[str, np.ndarray]) -> Separated:
    return separable_fit(lambda x: form.columns(points.speed, x), points.friction, grids, points.weight)


def plain(points: SteadyPoints) -> CurveFit:
    return fit_curve(points, stribeck=False)


def estimate(points: SteadyPoints) -> Estimate:
    return fit_curve(points).estimate


def found(v: np.ndarray, f: np.ndarray) -> CurveFit:
    off = np.where(np.arange(v.size) == 3, 0.02, 0.0)
    return fit_curve(v, f + off, units=("rad/s", "N.m"))


@once
def records() -> list[Measurement]:
    return sines()


def through() -> object:
    return _through


def run(rng: np.random.Generator) -> Measurement:
    """A torque that turns a shaft at four speeds, one second each, seen by an encoder."""
    speed = np.repeat([-2.0, -1.0, 1.0, 2.0], 1000)
    torque = 0.1 * np.sign(speed) + 0.01 * speed + 1e-3 * rng.normal(size=speed.size)
    channels = {"q": 1e-3 * np.round(np.cumsum(speed)), "tau": torque}
    return Measurement(
        channels, sample_time="1 ms", units={"q": "rad", "tau": "N.m"}, resolution={"q": 1e-3}, name="run7"
    )
