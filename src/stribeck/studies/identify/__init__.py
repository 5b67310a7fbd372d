"""Identification: from measured files to parameters that can be trusted."""

from .curve import CurveFit, fit_curve
from .estimate import Estimate, linear_fit
from .fit import fit
from .fit_result import FitResult
from .inspect import Finding, Inspection, inspect
from .inverse import inverse_model
from .measurement import Measurement
from .power_balance import power_balance
from .prediction import Prediction, Predictions
from .steady_points import SteadyPoints, steady_points
from .terms import Motion, Term, harmonic_terms, position_terms, stribeck_term

__all__ = [
    "CurveFit",
    "Estimate",
    "Finding",
    "FitResult",
    "Inspection",
    "Measurement",
    "Motion",
    "Prediction",
    "Predictions",
    "SteadyPoints",
    "Term",
    "fit",
    "fit_curve",
    "harmonic_terms",
    "inspect",
    "inverse_model",
    "linear_fit",
    "position_terms",
    "power_balance",
    "steady_points",
    "stribeck_term",
]
