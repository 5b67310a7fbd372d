"""Studies: experiments with laws and machines that take more than one run."""

from .comparison import Comparison, compare
from .diagram import draw
from .identify import (
    FitResult,
    LawChoice,
    Measurement,
    SteadyPoints,
    Tracking,
    VirtualBench,
    bench_test,
    break_aways,
    fit,
    fit_curve,
    fit_presliding,
    harmonic_terms,
    inspect,
    inverse_model,
    position_terms,
    power_balance,
    signal_to_noise,
    sinusoidal,
    steady_points,
    stribeck_term,
    which_law,
)
from .linear_model import LinearModel
from .linearise import linearize
from .oscillation import Oscillation
from .portrait import Portrait
from .realtime import RealtimeReport, check_realtime

__all__ = [
    "Comparison",
    "FitResult",
    "LawChoice",
    "LinearModel",
    "Measurement",
    "Oscillation",
    "Portrait",
    "RealtimeReport",
    "SteadyPoints",
    "Tracking",
    "VirtualBench",
    "bench_test",
    "break_aways",
    "check_realtime",
    "compare",
    "draw",
    "fit",
    "fit_curve",
    "fit_presliding",
    "harmonic_terms",
    "inspect",
    "inverse_model",
    "linearize",
    "position_terms",
    "power_balance",
    "signal_to_noise",
    "sinusoidal",
    "steady_points",
    "stribeck_term",
    "which_law",
]
