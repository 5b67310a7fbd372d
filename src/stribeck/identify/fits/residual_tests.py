"""Tests of residuals: do they contain anything that a better model could explain?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .prediction import Prediction

LEVEL = 0.01
"""Significance level: the probability that a test rejects an adequate model."""
LAGS = 20


@dataclass(frozen=True)
class ResidualTest:
    """One test: its statistic, p-value and meaning.

    >>> test = wrong.residual_tests[1]
    >>> test.passed, test.text
    (False, 'autocorrelated (1.00 at lag 1): the model misses something, or the sensor is coarse; the intervals ...')
    """

    output: str
    record: str
    name: str
    statistic: float
    p: float
    text: str

    @property
    def passed(self) -> bool:
        """Whether the test is passed at the 1 % level.

        >>> all(test.passed for test in wrong.residual_tests)
        False
        """
        return self.p >= LEVEL


def residual_tests(prediction: Prediction, inputs: Mapping[str, str]) -> list[ResidualTest]:
    """Mean, whiteness, independence of the inputs, and size relative to the resolution of the sensor.

    >>> residual_tests(prediction, {"motor.f": "f"})
    """
    r = prediction.residual[prediction.valid]
    centred = r - r.mean()
    spread = float(centred.std())
    if spread <= 0:
        return []
    rho = _autocorrelation(centred)
    found = [_mean(prediction, r, rho), _white(prediction, rho, r.size)]
    found += [_independent(prediction, r, rho, name, channel) for name, channel in inputs.items()]
    step = prediction.measurement.resolution.get(prediction.channel)
    if step:
        found.append(_coarse(prediction, float(np.sqrt(np.mean(r**2))), float(step)))
    return found


def _autocorrelation(r: np.ndarray) -> np.ndarray:
    lags = min(LAGS, r.size // 4)
    return np.array([float(r[k:] @ r[: r.size - k]) for k in range(lags + 1)]) / float(r @ r)


def _effective_samples(rho: np.ndarray, count: int) -> float:
    """Effective sample size, from the autocorrelation up to its first change of sign."""
    first = np.flatnonzero(rho <= 0)
    until = int(first[0]) if first.size else rho.size
    return max(count / (1 + 2 * float(rho[1:until].sum())), 3.0)


def _mean(prediction: Prediction, r: np.ndarray, rho: np.ndarray) -> ResidualTest:
    from scipy.special import ndtr

    z = float(r.mean() / r.std() * np.sqrt(_effective_samples(rho, r.size)))
    p = 2 * float(ndtr(-abs(z)))
    text = f"mean {r.mean():.3g} {prediction.unit}" + ("" if p >= LEVEL else ": not zero, an offset remains")
    return _test(prediction, "mean", z, p, text)


def _white(prediction: Prediction, rho: np.ndarray, count: int) -> ResidualTest:
    """Ljung and Box 1978: n (n + 2) sum rho_k^2 / (n - k)."""
    from scipy.special import chdtrc

    k = np.arange(1, rho.size)
    q = float(count * (count + 2) * np.sum(rho[1:] ** 2 / (count - k)))
    p = float(chdtrc(k.size, q))
    text = "white" if p >= LEVEL else f"autocorrelated ({rho[1]:.2f} at lag 1): the model misses something, or the "
    if p < LEVEL:
        text += "sensor is coarse; the intervals account for it"
    return _test(prediction, "whiteness", q, p, text)


def _independent(prediction: Prediction, r: np.ndarray, rho: np.ndarray, name: str, channel: str) -> ResidualTest:
    from scipy.special import ndtr

    u = np.asarray(prediction.measurement[channel])[prediction.valid]
    spread = float(u.std() * r.std())
    c = float(np.mean((u - u.mean()) * (r - r.mean())) / spread) if spread > 0 else 0.0
    z = c * np.sqrt(_effective_samples(rho, r.size))
    p = 2 * float(ndtr(-abs(z)))
    text = f"correlation {c:.3f} with {name}" + ("" if p >= LEVEL else ": the model misses part of its effect")
    return _test(prediction, f"independent of {name}", c, p, text)


def _coarse(prediction: Prediction, rms: float, step: float) -> ResidualTest:
    ratio = rms / (step / np.sqrt(12))
    fine = ratio < 3
    text = f"{ratio:.2f} times the quantisation noise" + ("" if fine else ": the resolution does not explain it")
    return _test(prediction, "sensor", ratio, 1.0 if fine else 0.0, text)


def _test(prediction: Prediction, name: str, statistic: float, p: float, text: str) -> ResidualTest:
    return ResidualTest(prediction.output, prediction.measurement.name, name, statistic, p, text)
