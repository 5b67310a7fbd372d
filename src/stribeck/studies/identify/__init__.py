"""Identification: from measured files to parameters that can be trusted."""

from .bench_test import BenchTest, bench_test
from .break_away import BreakAways, break_aways
from .break_away_curve import BreakAwayCurve
from .curve import CurveFit, fit_curve
from .driven import driven
from .estimate import Estimate, linear_fit
from .fit import fit
from .fit_result import FitResult
from .inspect import Finding, Inspection, inspect
from .inverse import inverse_model
from .law_choice import LawChoice
from .laws import which_law
from .measurement import Measurement
from .power_balance import power_balance
from .prediction import Prediction, Predictions
from .presliding import PreslidingFit, fit_presliding
from .ramps import Ramps
from .report import report
from .signal_to_noise import SignalToNoise, signal_to_noise
from .sinusoidal import Sinusoidal, sinusoidal
from .steady_points import SteadyPoints, steady_points
from .swings import Swing, swings
from .terms import Motion, Term, harmonic_terms, position_terms, stribeck_term
from .tracking import Tracking
from .virtual import VirtualBench

__all__ = [
    "BenchTest",
    "BreakAwayCurve",
    "BreakAways",
    "CurveFit",
    "Estimate",
    "Finding",
    "FitResult",
    "Inspection",
    "LawChoice",
    "Measurement",
    "Motion",
    "Prediction",
    "Predictions",
    "PreslidingFit",
    "Ramps",
    "SignalToNoise",
    "Sinusoidal",
    "SteadyPoints",
    "Swing",
    "Term",
    "Tracking",
    "VirtualBench",
    "bench_test",
    "break_aways",
    "driven",
    "fit",
    "fit_curve",
    "fit_presliding",
    "harmonic_terms",
    "inspect",
    "inverse_model",
    "linear_fit",
    "position_terms",
    "power_balance",
    "report",
    "signal_to_noise",
    "sinusoidal",
    "steady_points",
    "stribeck_term",
    "swings",
    "which_law",
]
