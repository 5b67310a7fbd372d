"""Switch: the classic stick/slip switch, rigid sticking and Coulomb plus viscous sliding."""

from __future__ import annotations

from ._parameters import MU_C, MU_S, MU_V
from .law import AtMost, Expr, LockingLaw, Values


class Switch(LockingLaw):
    """Classic stick/slip friction: sticks without creep up to mu_s, slides with mu_c + mu_v |v|.

    The defaults are the bearing of Aberger and Otter 2002, without its viscous friction.

    >>> Bearing(mass, law=Switch(tau_c=1, tau_s=1.5))
    """

    source = (
        "M. Otter, H. Elmqvist, S. E. Mattsson: Hybrid Modeling in Modelica Based on the Synchronous Data Flow "
        "Principle. IEEE International Symposium on Computer Aided Control System Design, 1999"
    )

    mu_c = MU_C
    mu_s = MU_S
    mu_v = MU_V
    orders = (AtMost("mu_c", "mu_s"),)

    @staticmethod
    def sliding(p: Values, v: Expr) -> Expr:
        return p.mu_c + p.mu_v * v

    @staticmethod
    def breakaway(p: Values) -> Expr:
        return p.mu_s
