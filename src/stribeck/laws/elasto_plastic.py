"""Elasto-plastic friction: a bristle that does not drift."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._parameters import Z_BA
from ._single_bristle import bent
from .functions import Abs, sign, smooth_step
from .law import Expr, Flow, Values, is_number
from .lugre import LuGre


def elasto_plastic(p: Values, v: Expr, z: Expr, f: Expr, z_ba: Expr) -> Flow:
    """LuGre whose relaxation begins at the deflection z_ba and is complete at the steady deflection f/sigma0.

    The plastic share is 0 if bristle and speed have opposite signs, which sgn(v) z < z_ba includes.
    """
    z_max = f / p.sigma0
    share = smooth_step((sign(v) * z - z_ba) / (z_max - z_ba))
    return bent(p, v, z, v - share * (p.sigma0 * z * (Abs(v) / f)))


class ElastoPlastic(LuGre):
    """Elasto-plastic friction: LuGre that is purely elastic up to the deflection z_ba, so it sticks without drift.

    Sliding is complete at the steady deflection of the present speed, so the Stribeck curve is preserved.

    >>> Bearing(mass, law=ElastoPlastic(sigma0=1e4, tau_c=1, tau_s=1.5, z_ba=9e-5))
    """

    source = (
        "P. Dupont, V. Hayward, B. Armstrong, F. Altpeter: Single State Elastoplastic Friction Models. IEEE "
        "Transactions on Automatic Control 47 (2002) 787-792"
    )

    z_ba = Z_BA

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr, g: Expr) -> Flow:
        return elasto_plastic(p, v, z, g, p.z_ba)

    @classmethod
    def faults(cls, p: Values) -> list[str]:
        limit = p.mu_c / p.sigma0
        if p.z_ba >= limit:
            return [
                f"z_ba = {p.z_ba:g} must be below mu_c/sigma0 = {limit:g}, the deflection of fast sliding; lower z_ba "
                "or sigma0"
            ]
        return super().faults(p)

    def in_proportion(self, values: Mapping[str, Any]) -> dict[str, Any]:
        new = {"mu_c": self.mu_c, "sigma0": self.sigma0} | dict(values)
        if not (is_number(new["mu_c"]) and is_number(new["sigma0"])):
            return super().in_proportion(values)
        share = self.z_ba * self.sigma0 / self.mu_c
        return super().in_proportion(values) | {"z_ba": share * new["mu_c"] / new["sigma0"]}
