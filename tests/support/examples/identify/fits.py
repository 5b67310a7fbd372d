"""Names for examples of fits: the body on its guide, fitted to a record of it."""

import numpy as np
from support.examples import once
from support.rigs import machine

import stribeck as sb
from stribeck.identify import FitResult, Measurement, Prediction, Predictions, Uncertainty, fit
from stribeck.identify.fits.free import Free, free_parameters
from stribeck.identify.fits.levenberg import LeastSquaresResult
from stribeck.identify.fits.problem import Block, Problem, Slope
from stribeck.identify.fits.simulation import Rig

TIES = {"outputs": {"load.s": "q"}, "inputs": {"motor.f": "f"}}
FREE = ["joint.law.mu_c", "load.m"]


def rig(model: sb.Model, run: Measurement) -> Rig:
    return Rig(model, run, **TIES, initial={}, solver="fixed")


def switch(run: Measurement) -> Rig:
    """With a law whose static friction must not be below the kinetic one."""
    return Rig(machine(sb.Switch(mu_c=0.8, mu_s=1.1)), run, **TIES, initial={}, solver="fixed")


def rigs(model: sb.Model, run: Measurement, other: Measurement) -> list[Rig]:
    return [Rig(model, record, **TIES, initial={}, solver="fixed") for record in (run, other)]


@once
def result(model: sb.Model, run: Measurement) -> FitResult:
    return fit(model, run, FREE, start={"joint.law.mu_c": 0.9}, **TIES)


@once
def vague(model: sb.Model, run: Measurement) -> FitResult:
    """A fit of parameters of which only products show."""
    free = ["joint.load", "joint.law.mu_c", "joint.law.mu_s", "joint.law.mu_v"]
    return fit(model, run, free, solver="fixed", **TIES)


def free(model: sb.Model) -> tuple[Free, ...]:
    return free_parameters(model, ["joint.law.mu_c", "joint.law.mu_s"])


def problem(result: FitResult) -> Problem:
    return result.problem


def minimum(result: FitResult) -> LeastSquaresResult:
    return result.minimum


def x(result: FitResult) -> np.ndarray:
    return result.minimum.x


def r(result: FitResult) -> np.ndarray:
    return result.minimum.residual


def residual(r: np.ndarray) -> np.ndarray:
    return r


def blocks(problem: Problem) -> list[Block]:
    return problem.blocks


@once
def slope(result: FitResult) -> Slope:
    return result.problem.central_slope(result.minimum.x, result.minimum.residual)


@once
def wrong(run: Measurement) -> FitResult:
    """A fit of a law without Stribeck effect."""
    return fit(machine(sb.Coulomb(mu_c=0.9)), run, FREE, solver="fixed", **TIES)


def known(result: FitResult) -> Uncertainty:
    return result.uncertainty


def low() -> np.ndarray:
    return np.array([-1.0, -1.0])


def high() -> np.ndarray:
    return np.array([1.0, 1.0])


def prediction(result: FitResult) -> Prediction:
    return result.predictions[0]


@once
def predictions(result: FitResult, other: Measurement) -> Predictions:
    return result.simulate(other)
