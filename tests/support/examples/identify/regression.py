"""Names for examples of regression."""

from collections.abc import Callable, Mapping

import numpy as np
from support.examples import once

from stribeck.identify import Estimate, Measurement, inverse_model, linear_fit
from stribeck.identify.regression.equation import Equation, RegressionSetup, equation_of
from stribeck.identify.regression.separable import Separated, separable_fit
from stribeck.identify.regression.terms import Motion, resolved


def v(t: np.ndarray) -> np.ndarray:
    return 0.2 * np.cos(7 * t)


def a(t: np.ndarray) -> np.ndarray:
    return -1.4 * np.sin(7 * t)


def force(a: np.ndarray, v: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return 95 * a + 200 * v + 20 * np.sign(v) + 3 * rng.normal(size=a.size)


def estimate(a: np.ndarray, v: np.ndarray, force: np.ndarray) -> Estimate:
    return linear_fit({"M": a, "Fv": v, "Fc": np.sign(v)}, force, units={"M": "kg", "Fv": "N.s/m", "Fc": "N"})


def x(t: np.ndarray) -> np.ndarray:
    return t


def matrix(a: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.column_stack([a, v, np.sign(v)])


def target(force: np.ndarray) -> np.ndarray:
    return force


def rest(matrix: np.ndarray, force: np.ndarray) -> np.ndarray:
    return np.asarray(force - matrix @ np.linalg.lstsq(matrix, force, rcond=None)[0])


def columns(t: np.ndarray) -> Callable[[Mapping[str, float]], Mapping[str, np.ndarray]]:
    return lambda nonlinear: {"a": np.exp(-t / nonlinear["T"])}


def y(t: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return 2 * np.exp(-t / 0.3) + 0.01 * rng.normal(size=t.size)


def grid() -> np.ndarray:
    return np.geomspace(0.01, 10, 20)


def found(
    columns: Callable[[Mapping[str, float]], Mapping[str, np.ndarray]], y: np.ndarray, grid: np.ndarray
) -> Separated:
    return separable_fit(columns, y, {"T": grid})


def motion(run: Measurement) -> Motion:
    return Motion.of(run, "q", 50.0)


def setup(run: Measurement) -> RegressionSetup:
    return RegressionSetup(run, "f", "q", resolved(["inertia", "viscous", "coulomb"]), 0.0, None, None)


@once
def equation(run: Measurement) -> Equation:
    return equation_of(run, "f", "q", ["inertia", "viscous", "coulomb"])


@once
def inverse(run: Measurement) -> Estimate:
    return inverse_model(run, "f", "q")
