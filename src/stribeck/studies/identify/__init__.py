"""Identification: from measured files to parameters that can be trusted."""

from .estimate import Estimate, linear_fit
from .fit import fit
from .fit_result import FitResult
from .inverse import inverse_model
from .measurement import Measurement
from .power_balance import power_balance
from .prediction import Prediction, Predictions
from .terms import Motion, Term, harmonic_terms, position_terms, stribeck_term

__all__ = [
    "Estimate",
    "FitResult",
    "Measurement",
    "Motion",
    "Prediction",
    "Predictions",
    "Term",
    "fit",
    "harmonic_terms",
    "inverse_model",
    "linear_fit",
    "position_terms",
    "power_balance",
    "stribeck_term",
]
