"""Dahl: a bristle without break-away."""

from __future__ import annotations

from ._math import Abs, sign
from .law import BristleLaw, Expr, Flow, Param, State, Values


class Dahl(BristleLaw):
    """Dahl's solid friction: a spring that yields at the Coulomb friction; hysteresis, but no static peak.

    The rate is read as dF/dt = sigma0 (v - |v| F/mu_c) with F = sigma0 z.

    >>> Bearing(mass, law=Dahl(sigma0=1e4, tau_c=1))
    """

    source = "P. R. Dahl: A Solid Friction Model. Report TOR-0158(3107-18)-1, The Aerospace Corporation, 1968"

    sigma0 = Param(1e5, "{load}/{disp}", "stiffness", above=0)
    mu_c = Param(1.0, "{load}", "Coulomb friction", above=0, aliases=("tau_c", "f_c"))

    z = State("{disp}", "elastic deflection", lambda p: p.mu_c / p.sigma0, bound=lambda p: p.mu_c / p.sigma0)

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr) -> Flow:
        return Flow(z=v - p.sigma0 * Abs(v) / p.mu_c * z, friction=p.sigma0 * z)

    @staticmethod
    def steady(p: Values, v: Expr) -> Expr:
        return sign(v) * p.mu_c / p.sigma0

    @staticmethod
    def storage(p: Values, z: Expr) -> Expr:
        return p.sigma0 * z**2 / 2
