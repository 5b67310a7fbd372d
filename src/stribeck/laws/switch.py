"""Switch: the classic stick/slip switch, rigid sticking and Coulomb plus viscous sliding."""

from __future__ import annotations

from .law import Expr, LockingLaw, Param, Values, static_below_kinetic


class Switch(LockingLaw):
    """Classic stick/slip friction: sticks without creep up to mu_s, slides with mu_c + mu_v |v|.

    The defaults are the bearing of Aberger and Otter 2002, without its viscous friction.

    >>> Bearing(mass, law=Switch(tau_c=1, tau_s=1.5))
    """

    source = (
        "M. Otter, H. Elmqvist, S. E. Mattsson: Hybrid Modeling in Modelica Based on the Synchronous Data Flow "
        "Principle. IEEE International Symposium on Computer Aided Control System Design, 1999"
    )

    mu_c = Param(1.0, "{load}", "Coulomb friction", min=0, aliases=("tau_c", "f_c"))
    mu_s = Param(1.5, "{load}", "static friction; 1.5 mu_c unless given", min=0, aliases=("tau_s", "f_s"), times="mu_c")
    mu_v = Param(0.0, "{load}.s/{disp}", "viscous friction", min=0, aliases=("tau_v", "f_v"))

    @staticmethod
    def sliding(p: Values, v: Expr) -> Expr:
        return p.mu_c + p.mu_v * v

    @staticmethod
    def breakaway(p: Values) -> Expr:
        return p.mu_s

    faults = staticmethod(static_below_kinetic)
