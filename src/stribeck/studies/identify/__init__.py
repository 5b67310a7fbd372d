"""Identification: from measured files to parameters that can be trusted."""

from .estimate import Estimate, linear_fit
from .fit import fit
from .fit_result import FitResult
from .measurement import Measurement
from .prediction import Prediction, Predictions

__all__ = ["Estimate", "FitResult", "Measurement", "Prediction", "Predictions", "fit", "linear_fit"]
