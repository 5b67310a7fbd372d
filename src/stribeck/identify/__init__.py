"""Identification: parameters with uncertainties from measured records.

The names below are public; everything else in these folders is internal and may change.
"""

from ..arguments import guard
from .bench.bench_test import BenchTest, bench_test
from .bench.break_away.break_aways import BreakAways, break_aways
from .bench.break_away.curve import BreakAwayCurve
from .bench.ramps import Ramps
from .bench.signal_to_noise import SignalToNoise, signal_to_noise
from .bench.sinusoidal import Sinusoidal, sinusoidal
from .bench.swings import Swing, swings
from .bench.tracking import Tracking
from .bench.virtual import VirtualBench
from .curves.curve import CurveFit, fit_curve
from .curves.steady_points import SteadyPoints, steady_points
from .curves.swing_curve import schloemilch_inversion, swing_curve
from .fits.bootstrap import Bootstrap
from .fits.driven import driven
from .fits.fit import fit
from .fits.prediction import Prediction, Predictions
from .fits.profile import Profile
from .fits.report import report
from .fits.residual_tests import ResidualTest
from .fits.result import FitResult
from .fits.uncertainty import Uncertainty
from .laws.choice import Candidate, LawChoice
from .laws.selection import which_law
from .presliding.loops import PreslidingFit, fit_presliding
from .presliding.virgin import VirginCurve, virgin_curve
from .records.files import read_records
from .records.inspect import Inspection, RecordFinding, inspect
from .records.measurement import Measurement
from .regression.channel_terms import channel_term, coupled_term, gravity_terms
from .regression.drive_checks import drive_delay
from .regression.estimate import Estimate, linear_fit
from .regression.inverse import inverse_model
from .regression.pooled import PooledEstimate, pooled
from .regression.power_balance import power_balance
from .regression.terms import Motion, Term, harmonic_terms, position_terms, stribeck_term

__all__ = [
    "BenchTest",
    "Bootstrap",
    "BreakAwayCurve",
    "BreakAways",
    "Candidate",
    "CurveFit",
    "Estimate",
    "FitResult",
    "Inspection",
    "LawChoice",
    "Measurement",
    "Motion",
    "PooledEstimate",
    "Prediction",
    "Predictions",
    "PreslidingFit",
    "Profile",
    "Ramps",
    "RecordFinding",
    "ResidualTest",
    "SignalToNoise",
    "Sinusoidal",
    "SteadyPoints",
    "Swing",
    "Term",
    "Tracking",
    "Uncertainty",
    "VirginCurve",
    "VirtualBench",
    "bench_test",
    "break_aways",
    "channel_term",
    "coupled_term",
    "drive_delay",
    "driven",
    "fit",
    "fit_curve",
    "fit_presliding",
    "gravity_terms",
    "harmonic_terms",
    "inspect",
    "inverse_model",
    "linear_fit",
    "pooled",
    "position_terms",
    "power_balance",
    "read_records",
    "report",
    "schloemilch_inversion",
    "signal_to_noise",
    "sinusoidal",
    "steady_points",
    "stribeck_term",
    "swing_curve",
    "swings",
    "virgin_curve",
    "which_law",
]

guard(globals(), __all__)
