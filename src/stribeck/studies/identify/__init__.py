"""Identification: from measured files to parameters that can be trusted."""

from .fit import fit
from .fit_result import FitResult
from .measurement import Measurement
from .prediction import Prediction, Predictions

__all__ = ["FitResult", "Measurement", "Prediction", "Predictions", "fit"]
