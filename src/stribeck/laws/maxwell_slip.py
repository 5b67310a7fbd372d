"""Maxwell slip: springs in parallel, each with a slider of constant friction."""

from __future__ import annotations

from ._elements import ElementLaw
from ._parameters import MU_C, positive
from .law import Expr, Values


class MaxwellSlip(ElementLaw):
    """Maxwell slip: n springs in parallel, each of which slides at its share of the Coulomb friction.

    The friction in presliding remembers all turning points of the displacement that no larger motion has erased
    (nonlocal memory): inner loops are closed, and follow Masing's rule.

    >>> Bearing(mass, law=MaxwellSlip(n=4, sigma0=1e4, tau_c=1))
    >>> Bearing(mass, law=MaxwellSlip(beta=[5, 3, 2], alpha=[1, 2, 4], sigma0=1e4))
    """

    source = (
        "W. D. Iwan: A Distributed-Element Model for Hysteresis and Its Steady-State Dynamic Response. Journal of "
        "Applied Mechanics 33 (1966) 893-900; as friction: F. Al-Bender, V. Lampaert, J. Swevers: The Generalized "
        "Maxwell-Slip Model. IEEE Transactions on Automatic Control 50 (2005) 1883-1887"
    )

    mu_c = positive(MU_C)

    @staticmethod
    def limit(p: Values, e: Values) -> Expr:
        return p.mu_c * e.alpha

    rest_limit = limit

    @staticmethod
    def slipping(p: Values, e: Values, F: Expr) -> Expr:
        return 0.0
