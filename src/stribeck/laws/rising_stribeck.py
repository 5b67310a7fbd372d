"""Stribeck friction whose static friction rises with the time at rest."""

from __future__ import annotations

from ._rising import Rising
from .functions import Abs, Expr
from .law import Param, Role, Values
from .stribeck import Stribeck

T_RISE = Param(1.0, "s", "time at rest after which half of the rise is done", above=0, role=Role.SHAPE)


class RisingStribeck(Rising, Stribeck):
    """Stribeck friction with rising static friction: mu_a + (mu_s - mu_a) t/(t + t_rise) after the time t at rest.

    It sticks truly. The time at rest begins when it stops and ends when it slides, where friction drops to the Stribeck
    curve from mu_a = mu_c + fresh (mu_s - mu_c) to mu_c. A force that rises fast meets a lower break-away than one that
    rises slowly, because it leaves less time. t_rise is gamma of the paper; mu_a and mu_s are its F_s,a and F_s,inf,
    with Coulomb friction in them.

    >>> Bearing(mass, law=RisingStribeck(tau_c=1, tau_s=1.6, fresh=0.2, t_rise="2 s"))
    """

    source = (
        "B. Armstrong-Helouvry, P. Dupont, C. Canudas de Wit: A Survey of Models, Analysis Tools and Compensation "
        "Methods for the Control of Machines with Friction. Automatica 30 (1994) 1083-1138, (14)"
    )

    t_rise = T_RISE

    @staticmethod
    def rise(p: Values, dwell: Expr) -> Expr:
        return Abs(dwell) / (Abs(dwell) + p.t_rise)
