"""Coulomb friction."""

from __future__ import annotations

from ._parameters import MU_C
from .law import Expr, LockingLaw, Values


class Coulomb(LockingLaw):
    """Coulomb friction: one limit for sticking and sliding, at all speeds.

    >>> Bearing(mass, law=Coulomb(tau_c=1))
    """

    source = "C. A. Coulomb: Theorie des machines simples. Memoires de mathematique et de physique 10 (1785) 161-332"

    mu_c = MU_C

    @staticmethod
    def sliding(p: Values, v: Expr) -> Expr:
        return p.mu_c

    @staticmethod
    def breakaway(p: Values) -> Expr:
        return p.mu_c
