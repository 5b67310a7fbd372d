"""Studies: experiments with laws and machines that take more than one run."""

from .comparison import Comparison, compare
from .diagram import draw
from .identify import (
    FitResult,
    Measurement,
    Tracking,
    VirtualBench,
    bench_test,
    break_aways,
    fit,
    fit_curve,
    fit_presliding,
    inspect,
    inverse_model,
    power_balance,
    signal_to_noise,
    sinusoidal,
    steady_points,
)
from .linear_model import LinearModel
from .linearise import linearize
from .oscillation import Oscillation
from .portrait import Portrait
from .realtime import RealtimeReport, check_realtime

__all__ = [
    "Comparison",
    "FitResult",
    "LinearModel",
    "Measurement",
    "Oscillation",
    "Portrait",
    "RealtimeReport",
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
    "inspect",
    "inverse_model",
    "linearize",
    "power_balance",
    "signal_to_noise",
    "sinusoidal",
    "steady_points",
]
