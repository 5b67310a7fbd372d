"""The shipped powertrains with any command, damping and clutch model."""

from __future__ import annotations

from typing import Any

import stribeck as sb
from stribeck import set_parameter

CLUTCHES: dict[str, Any] = {
    "Switch": sb.Switch(mu_c=0.25, mu_s=0.3),
    "without stick-slip": sb.Coulomb(mu_c=0.25),
    "Karnopp": sb.Karnopp(mu_c=0.25, mu_s=0.3, w_s=5, dw=1),
    "Tanh": sb.Tanh(mu_c=0.25, w_0=6.5),
    "CoulombViscous": sb.CoulombViscous(mu_c=0.25, w_0=6.5),
    "Stribeck": sb.Stribeck(mu_c=0.25, mu_s=0.3, w_s=5),
    "LuGre": sb.LuGre(mu_c=0.25, mu_s=0.3, w_s=5, sigma1=1),
    "Hybrid": sb.Hybrid(mu_c=0.25, mu_s=0.3, w_s=5),
}
"""Clutch models of bataus2011 and of the other papers, with parameters that are stable at a step of 1 ms."""


def powertrain(n: int, command: str = "launch", b1: float = 0.0, b2: float = 0.0, clutch: str = "Switch") -> sb.Model:
    """n degrees of freedom, launch or lockup.

    >>> sb.simulate(powertrain(3, "lockup", clutch="Karnopp"))
    """
    m = sb.load_model(f"powertrain-{n}")
    for path, value in (("b1.d", b1), ("b2.d", b2), ("clutch.f_normalized", command), ("clutch.law", CLUTCHES[clutch])):
        set_parameter(m, path, value)
    return m
