"""Static friction that rises with the time at rest."""

from __future__ import annotations

from ._roles import Role
from .functions import Abs, Piecewise
from .law import AtMost, Expr, Flow, LockingLaw, Param, State, Values


class Rising(LockingLaw, registered=False):
    """What makes the static friction of a locking law rise to mu_s while it is stuck; `rise` says how.

    It comes before a law with mu_c and mu_s, whose curve then begins at mu_a = mu_c + fresh (mu_s - mu_c): class
    RisingKarnopp(Rising, Karnopp). Static friction rises from the beginning of that curve.
    """

    fresh = Param(
        0.4, "1", "static friction without rest: share of the way from mu_c to mu_s", min=0, max=1, role=Role.SHAPE
    )
    orders = (AtMost("mu_c", "mu_s"),)

    dwell = State("s", "time at rest", nominal=lambda p: p.t_rise, directed=False)

    @staticmethod
    def rise(p: Values, dwell: Expr) -> Expr:
        """Share of the rise that is done after this time at rest."""
        raise NotImplementedError

    @classmethod
    def breakaway(cls, p: Values, *states: Expr) -> Expr:
        begins = cls.sliding(p, 0, *states)
        return begins + (p.mu_s - begins) * cls.rise(p, states[-1])

    @classmethod
    def sliding(cls, p: Values, v: Expr, *states: Expr) -> Expr:
        mu_a = p.mu_c + p.fresh * (p.mu_s - p.mu_c)
        return super().sliding(Values(**(vars(p) | {"mu_s": mu_a})), v, *states[:-1])

    @classmethod
    def flow(cls, p: Values, v: Expr, *states: Expr) -> Flow:
        return Flow(cls.sliding(p, v, *states), dwell=Piecewise((0, Abs(v) > 0), (1, True)))

    @staticmethod
    def steady(p: Values, v: Expr) -> Expr:
        return 0
