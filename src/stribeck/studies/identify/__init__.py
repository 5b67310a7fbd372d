"""Identification: from measured files to parameters that can be trusted."""

from .estimate import Estimate, linear_fit
from .inverse import inverse_model
from .measurement import Measurement
from .power_balance import power_balance
from .terms import Motion, Term, harmonic_terms, position_terms, stribeck_term

__all__ = [
    "Estimate",
    "Measurement",
    "Motion",
    "Term",
    "harmonic_terms",
    "inverse_model",
    "linear_fit",
    "position_terms",
    "power_balance",
    "stribeck_term",
]
