"""Stribeck friction whose static friction rises exponentially with a power of the time at rest."""

from __future__ import annotations

from dataclasses import replace

from ._rising import Rising
from .functions import Expr, stribeck
from .law import Param, Role, Values
from .rising_stribeck import T_RISE
from .stribeck import Stribeck


class KatoStribeck(Rising, Stribeck):
    """Stribeck friction with rising static friction as Kato measured it: mu_s - (mu_s - mu_a) e^-(t/t_rise)^m.

    It sticks truly. In the paper's notation gamma = t_rise^-m, and static friction begins at Coulomb friction:
    fresh = 0, mu_a = mu_c. Otherwise it is as `RisingStribeck`.

    >>> Bearing(mass, law=KatoStribeck(tau_c=1, tau_s=1.6, fresh=0, t_rise="2 s", m=0.5))
    """

    source = (
        "S. Kato, N. Sato, T. Matsubayashi: Some Considerations on Characteristics of Static Friction of Machine Tool "
        "Slideway. Journal of Lubrication Technology 94 (1972) 234-247"
    )

    t_rise = replace(T_RISE, text="time at rest after which 63 % of the rise is done")
    m = Param(0.5, "1", "exponent of the time; 0.36 to 0.67 for lubricated slideways", above=0, role=Role.SHAPE)

    @staticmethod
    def rise(p: Values, dwell: Expr) -> Expr:
        return 1 - stribeck(dwell, p.t_rise, p.m)
