"""The search for a minimum, on problems with known residuals."""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import numpy as np
import pytest

from stribeck.identify.fits.levenberg import minimise
from stribeck.identify.fits.losses import LOSSES
from stribeck.identify.fits.problem import Slope
from stribeck.identify.fits.sums import combined, gram, length

TIME = np.linspace(0, 3, 400)
NOISE = np.random.default_rng(0).normal(size=TIME.size)
LOGARITHMIC = SimpleNamespace(log=True)


@dataclass
class Decay:
    """Residuals of a exp(-b t) in units of the noise; counts how often they and their slopes are asked for."""

    stiffness: float = 1.0
    count: int = TIME.size
    free: tuple = (LOGARITHMIC, LOGARITHMIC)
    asked: dict = field(default_factory=lambda: {"residuals": 0, "slope": 0, "central": 0})

    def residuals(self, points):
        self.asked["residuals"] += len(points)
        return [
            100 * (np.exp(a) * np.exp(-self.stiffness * np.exp(b) * TIME) - np.exp(-TIME)) + NOISE for a, b in points
        ]

    def slope(self, x, r, kind="slope"):
        self.asked[kind] += 1
        a, b = np.exp(x)
        wave = 100 * a * np.exp(-self.stiffness * b * TIME)
        jacobian = np.column_stack([wave, -self.stiffness * b * TIME * wave])
        return Slope(jacobian, np.ones(2, bool), np.zeros(2))

    def central_slope(self, x, r):
        return self.slope(x, r, "central")

    def accurate_slope(self, x, r, other):
        return self.slope(x, r, "central")

    def limits_at(self, x):
        return np.full(2, -np.inf), np.full(2, np.inf)

    def projected(self, x, active=None):
        return x


def test_a_borrowed_jacobian_ends_at_the_same_minimum_with_fewer_of_its_own():
    """That of a model whose rate is 5 % off: its steps are nearly right, and the last Jacobian is that of the model."""
    start = np.array([0.3, -0.2])
    plain, helped = Decay(), Decay()
    alone = minimise(plain, start, LOSSES["linear"])
    borrowed = minimise(helped, start, LOSSES["linear"], borrowed=Decay(1.05).slope(start, NOISE))
    assert borrowed.converged and borrowed.accurate
    assert borrowed.x == pytest.approx(alone.x, abs=1e-5)
    assert helped.asked["slope"] < plain.asked["slope"]
    exact = Decay().slope(borrowed.x, NOISE).jacobian
    # for uncertainties: at most a tenth of a standard error, of about 1 %, away from the minimum
    np.testing.assert_allclose(borrowed.slope.jacobian, exact, rtol=1e-2, atol=1e-2)


def test_a_wrong_borrowed_jacobian_is_dropped():
    start = np.array([0.3, -0.2])
    right = Decay().slope(start, NOISE)
    wrong = replace(right, jacobian=-right.jacobian)
    found = minimise(Decay(), start, LOSSES["linear"], borrowed=wrong)
    assert found.converged and found.x == pytest.approx(minimise(Decay(), start, LOSSES["linear"]).x, abs=1e-5)


def test_sums_over_samples():
    rng = np.random.default_rng(1)
    a, b, x = rng.normal(size=(1000, 3)), rng.normal(size=(1000, 2)), rng.normal(size=3)
    np.testing.assert_allclose(gram(a, b), a.T @ b, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(gram(a, b[:, 0]), a.T @ b[:, 0], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(combined(a, x), a @ x, rtol=1e-12, atol=1e-12)
    assert length(x) == pytest.approx(np.linalg.norm(x), rel=1e-14)
