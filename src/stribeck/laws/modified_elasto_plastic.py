"""Modified elasto-plastic friction: the elastic limit follows the Stribeck curve."""

from __future__ import annotations

from .elasto_plastic import elasto_plastic
from .law import Expr, Flow, Param, Role, Values
from .lugre import LuGre


class ModifiedElastoPlastic(LuGre):
    """Elasto-plastic friction for clutches: elastic up to kappa times the steady deflection at the present speed.

    So the elastic limit is below the deflection of sliding at every speed and load.

    >>> Bearing(mass, law=ModifiedElastoPlastic(sigma0=1e4, tau_c=1, tau_s=2, exponent=1, kappa=0.8))
    """

    source = (
        "T. Petrun, M. Kegl, J. Flasker: Development and validation of a friction model for simulation of friction "
        "clutch dynamics in a multi-body system, 2012; the elastic limit kappa g(v) is our reading"
    )

    kappa = Param(0.8, "1", "elastic limit over steady deflection", min=0, role=Role.SHAPE)

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr, g: Expr) -> Flow:
        return elasto_plastic(p, v, z, g, p.kappa * g / p.sigma0)

    @classmethod
    def faults(cls, p: Values) -> list[str]:
        if p.kappa >= 1:
            return [f"kappa = {p.kappa:g} must be below 1, or the bristle never slides; 0.8 is usual"]
        return super().faults(p)
