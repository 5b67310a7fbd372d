"""Identification: from measured files to parameters that can be trusted."""

from .break_away import BreakAways, break_aways
from .break_away_curve import BreakAwayCurve
from .estimate import Estimate, linear_fit
from .fit import fit
from .fit_result import FitResult
from .inverse import inverse_model
from .measurement import Measurement
from .power_balance import power_balance
from .prediction import Prediction, Predictions
from .ramps import Ramps
from .signal_to_noise import SignalToNoise, signal_to_noise
from .sinusoidal import Sinusoidal, sinusoidal
from .swings import Swing, swings
from .terms import Motion, Term, harmonic_terms, position_terms, stribeck_term
from .tracking import Tracking
from .virtual import VirtualBench

__all__ = [
    "BreakAwayCurve",
    "BreakAways",
    "Estimate",
    "FitResult",
    "Measurement",
    "Motion",
    "Prediction",
    "Predictions",
    "Ramps",
    "SignalToNoise",
    "Sinusoidal",
    "Swing",
    "Term",
    "Tracking",
    "VirtualBench",
    "break_aways",
    "fit",
    "harmonic_terms",
    "inverse_model",
    "linear_fit",
    "position_terms",
    "power_balance",
    "signal_to_noise",
    "sinusoidal",
    "stribeck_term",
    "swings",
]
