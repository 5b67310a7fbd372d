"""A nonlinear spring."""

from __future__ import annotations

from itertools import pairwise

from ..declare import Param, Series, Values
from ..signals import Signal
from ..signals.arithmetic import Polynomial
from ..signals.lookup import Lookup
from ._resistance import Resistance, area


class NonlinearSpring(Resistance):
    """A nonlinear spring with a damper in parallel: tau = curve(x) + d w_rel, x = phi_rel - phi_rel0.

    The curve is a table of points (phi, tau), interpolated and extrapolated linearly, or a polynomial
    coefficients[0] x + coefficients[1] x^2 + ... in SI. Without b it is fixed to the ground and phi_rel = -phi_a: mind
    the sign if the curve is not odd.

    >>> m.add("stages", NonlinearSpring(hub, disc, phi=["-9 deg", "-3 deg", "3 deg", "9 deg"], tau=[-90, -9, 9, 90]))
    >>> m.add("mount", NonlinearSpring(engine, coefficients=[2e5, 0, 4e9], d="300 N.s/m"))
    """

    group = "springs"
    phi = Series(None, "{disp}", "displacements of the table, increasing", optional=True, aliases=("s",))
    tau = Series(None, "{force}", "torques of the table", optional=True, aliases=("f",))
    coefficients = Series(None, "", "stiffness, then the factors of x^2, x^3, ... in SI", optional=True)
    d = Param(0.0, "{force}.s/{disp}", "damping", min=0)
    phi_rel0 = Param(0.0, "{disp}", "relative position at which x is 0", aliases=("s_rel0",))

    @staticmethod
    def faults(p: Values) -> list[str]:
        table = p.phi is not None or p.tau is not None
        if table == (p.coefficients is not None):
            what = "both a table and a polynomial are given" if table else "the curve is missing"
            return [f"{what}; give either phi and tau (s and f along a line) or coefficients"]
        if not table:
            return [] if p.coefficients else ["coefficients = [] is empty; give at least the stiffness"]
        if p.phi is None or p.tau is None or len(p.phi) != len(p.tau):
            counts = [0 if points is None else len(points) for points in (p.phi, p.tau)]
            return [f"the table has {counts[0]} displacements and {counts[1]} torques; give one torque for each"]
        if len(p.phi) < 2:
            return ["the table has one point only; give at least two, or a polynomial"]
        for before, after in pairwise(p.phi):
            if not isinstance(before, str) and not isinstance(after, str) and after <= before:
                return [f"the table has {after:g} after {before:g}; displacements must increase: sort the points"]
        return []

    def torque(self, x: Signal, v: Signal) -> Signal:
        p, x = self.p, x - self.p.phi_rel0
        if p.coefficients is not None:
            return Polynomial(x, [0.0, *p.coefficients]) + p.d * v
        return Lookup(x, p.phi, p.tau, "extend") + p.d * v

    def damping(self, x: Signal, v: Signal) -> Signal | None:
        return self.p.d * v

    def stored(self, x: Signal) -> Signal | None:
        """The integral of the curve, 0 at x = 0."""
        p, x = self.p, x - self.p.phi_rel0
        if p.coefficients is not None:
            return Polynomial(x, [0.0, 0.0, *(c / n for n, c in enumerate(p.coefficients, start=2))])
        return area(x, p.phi, p.tau, "extend")
