"""Bliman-Sorine: friction as a linear system over the distance slid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._parameters import MU_C, MU_V, positive
from ._step_needs import StepConditions, StepNeed
from .functions import Abs, sign
from .law import BristleLaw, Expr, Flow, Param, Role, State, Values, is_number

BISECTIONS = 200
"""Halvings of the interval in which f2 is sought."""


def peak(mu_c: float, f2: float, eta: float) -> float:
    """Largest friction on the way from rest, reached after the distance epsilon eta/(1 - eta) ln(f1/(eta f2)).

    >>> peak(1.0, 1.5, 0.4)
    1.3475762
    """
    f1 = mu_c + f2
    return mu_c + f2 * (1 - eta) * (eta * f2 / f1) ** (eta / (1 - eta))


def f2_of_peak(mu_c: float, mu_s: float, eta: float) -> float:
    """The f2 whose peak is mu_s.

    >>> f2_of_peak(1.0, 1.3475762, 0.4)
    1.5
    """
    low, high = 0.0, max(mu_c, mu_s)
    while peak(mu_c, high, eta) < mu_s:
        high *= 2
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if peak(mu_c, middle, eta) >= mu_s else (middle, high)
    return high


class BlimanSorine(BristleLaw):
    """Bliman and Sorine's friction: two responses to the distance slid, a fast one up and a slow one down.

    Over the distance s = integral |v| dt friction is f1 (1 - e^-(s/(eta epsilon))) - f2 (1 - e^-(s/epsilon)) on the way
    from rest: it peaks and falls to mu_c = f1 - f2. It does not depend on the rate: a given path gives the same
    friction at any speed, so there is no Stribeck effect. With f2 = 0 it is the first-order model, which is Dahl's with
    sigma0 = mu_c/(eta epsilon).

    >>> Bearing(mass, law=BlimanSorine(tau_c=1, f2=1.5, eta=0.4, epsilon=1e-3))
    """

    source = (
        "P.-A. Bliman, M. Sorine: Easy-to-use Realistic Dry Friction Models for Automatic Control. Proceedings of the "
        "3rd European Control Conference, Rome 1995, 3788-3794"
    )

    mu_c = positive(MU_C)
    f2 = Param(1.5, "{load}", "slow response, which makes the peak", min=0, times="mu_c", role=Role.STATIC, varies=True)
    eta = Param(0.4, "1", "distance of the fast response over that of the slow one", above=0, role=Role.SHAPE)
    epsilon = Param(1e-3, "{disp}", "distance of the slow response", above=0, role=Role.SHAPE)
    mu_v = MU_V

    x = State("1", "fast response", lambda p: 1.0, bound=lambda p: 1.0)
    y = State("1", "slow response", lambda p: 1.0, bound=lambda p: 1.0)

    @staticmethod
    def flow(p: Values, v: Expr, x: Expr, y: Expr) -> Flow:
        return Flow(
            x=(v - Abs(v) * x) / (p.eta * p.epsilon),
            y=(v - Abs(v) * y) / p.epsilon,
            friction=(p.mu_c + p.f2) * x - p.f2 * y + p.mu_v * v,
        )

    @staticmethod
    def steady(p: Values, v: Expr) -> tuple[Expr, Expr]:
        return sign(v), sign(v)

    @staticmethod
    def storage(p: Values, x: Expr, y: Expr) -> Expr:
        # Over s the law is a linear system from sgn(v) to friction, positive real for f1 >= f2, so the lemma of Kalman,
        # Yakubovich and Popov gives a quadratic storage. Of its family (free b) this one has the largest margin
        f1 = p.mu_c + p.f2
        b = 2 * p.eta * (f1 - p.eta * p.f2) / (f1 * (1 - p.eta) ** 2)
        form = p.eta * f1 * (1 + b) * x**2 - 2 * b * f1 * x * y + (b * f1 / p.eta - p.f2) * y**2
        return p.epsilon * form / 2

    @classmethod
    def faults(cls, p: Values) -> list[str]:
        if p.eta >= 1:
            return [f"eta = {p.eta:g} must be below 1, or there is no peak; 0.4 is usual"]
        return super().faults(p)

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        if at.speed <= 0:
            return []
        return [
            StepNeed(
                "epsilon",
                1,
                lambda c: at.h * at.speed / (c * p.eta),
                rule="epsilon > h |v|/(c eta)",
                why="in slip the fast response relaxes at the rate |v|/(eta epsilon)",
                numbers=f", |v| = {at.speed:.4g} at {at.speed_time:g} s",
                of_states=True,
            )
        ]

    @staticmethod
    def levels(values: Mapping[str, Any]) -> dict[str, Any]:
        mu_c, f2, eta, epsilon = (values[name] for name in ("mu_c", "f2", "eta", "epsilon"))
        if not all(map(is_number, (mu_c, f2, eta, epsilon))):
            return {}
        return {"mu_s": peak(mu_c, f2, eta), "sigma0": ((mu_c + f2) / eta - f2) / epsilon}

    def in_proportion(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """f2 with the peak at mu_s, and epsilon with the stiffness sigma0 at rest, where the other law has them."""
        other: Any = Values(**({"mu_c": 0.0, "mu_s": 0.0, "sigma0": None} | dict(values)))
        if not all(map(is_number, (other.mu_c, other.mu_s, self.eta))) or min(other.mu_c, other.mu_s) <= 0:
            return super().in_proportion(values)
        f2 = f2_of_peak(other.mu_c, other.mu_s, self.eta)
        epsilon = {"epsilon": ((other.mu_c + f2) / self.eta - f2) / other.sigma0} if is_number(other.sigma0) else {}
        return {"f2": f2} | epsilon
