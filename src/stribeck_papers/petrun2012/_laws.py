"""The laws that are compared with the modified elasto-plastic one, on the same Stribeck curve."""

from __future__ import annotations

from functools import cache

import stribeck as sb

from .belt import BRISTLE, CURVE, modified_law

Z_BA = 0.9 * CURVE["mu_c"] / BRISTLE["sigma0"]
"""Elastic limit (m) of the original law, a constant: 0.9 of the smallest steady deflection."""
Z_MAX = CURVE["mu_s"] / BRISTLE["sigma0"]
"""Deflection (m) at which break-away begins, if that is taken as a constant too."""

BRISTLED = {
    "Dahl": sb.Dahl(mu_c=CURVE["mu_c"], sigma0=BRISTLE["sigma0"]),
    "LuGre": sb.LuGre(**CURVE, **BRISTLE),
    "elasto-plastic": sb.ElastoPlastic(**CURVE, **BRISTLE, z_ba=Z_BA),
    "modified elasto-plastic": modified_law(),
}
LOCKING = {"Karnopp": sb.Karnopp(mu_c=1.0, mu_s=2.0), "switch": sb.Switch(mu_c=1.0, mu_s=2.0)}


@cache
def properties() -> dict[str, dict[str, bool | None]]:
    """Which of seven properties of friction the original and the modified law can have, by experiment.

    With their default parameters: bristles of 1e-5 m and a narrow Stribeck curve show all that there is.
    """
    laws = {"elasto-plastic": sb.ElastoPlastic(), "modified elasto-plastic": sb.ModifiedElastoPlastic()}
    found = {name: sb.analysis.friction_properties(law) for name, law in laws.items()}
    return {name: {key: verdict.has for key, verdict in verdicts.items()} for name, verdicts in found.items()}
