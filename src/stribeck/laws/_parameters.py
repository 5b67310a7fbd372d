"""Parameters that several laws share, each declared once."""

from __future__ import annotations

from dataclasses import replace

from ..declare import Param
from ._roles import Role


def positive(param: Param) -> Param:
    """The same parameter for a law that divides by it: it must be above 0.

    >>> mu_c = positive(MU_C)
    """
    return replace(param, min=None, above=0)


MU_C = Param(1.0, "{load}", "Coulomb friction", min=0, aliases=("tau_c", "f_c"), role=Role.COULOMB, varies=True)
MU_S = Param(
    1.5,
    "{load}",
    "static friction; default 1.5 mu_c",
    min=0,
    aliases=("tau_s", "f_s"),
    times="mu_c",
    role=Role.STATIC,
    varies=True,
)
V_S = Param(1e-3, "{vel}", "Stribeck speed", above=0, aliases=("w_s",), role=Role.SPEED, varies=True)
EXPONENT = Param(2.0, "1", "exponent of the Stribeck curve", above=0, role=Role.SHAPE)
MU_V = Param(
    0.0, "{load}.s/{disp}", "viscous friction", min=0, aliases=("tau_v", "f_v"), role=Role.DAMPING, varies=True
)

# bristles
SIGMA0 = Param(1e5, "{load}/{disp}", "bristle stiffness", above=0, role=Role.STIFFNESS, varies=True)
SIGMA1 = Param(316.22776601683796, "{load}.s/{disp}", "bristle damping", min=0, role=Role.DAMPING, varies=True)
SIGMA2 = replace(MU_V)
Z_BA = Param(9e-6, "{disp}", "deflection up to which the bristle is elastic", min=0, role=Role.SHAPE)

# curves through v = 0, and windows
V_0 = Param(1e-2, "{vel}", "width of the transition from -mu_c to mu_c", above=0, aliases=("w_0",), role=Role.SPEED)
SIGMA = Param(2e-3, "{vel}", "speed below which it is captured", above=0, role=Role.NUMERICAL)
