"""Analysis: what a machine or a law does, from more than one run or without any."""

from ..arguments import guard
from .comparison.comparison import Comparison, compare
from .comparison.oscillation import Oscillation
from .diagram.diagram import draw
from .fixed_step.amplification import stability_limit
from .fixed_step.report import RealtimeReport, check_realtime
from .fixed_step.verdict import MethodVerdict
from .laboratory.bench import LawBench
from .laboratory.experiment import Experiment, MeasuredCurve, PropertyVerdict
from .laboratory.portrait import Portrait
from .laboratory.properties import friction_properties
from .laboratory.tribometer import TribometerReport, tribometer
from .linear.linearise import linearize
from .linear.model import LinearModel

__all__ = [
    "Comparison",
    "Experiment",
    "LawBench",
    "LinearModel",
    "MeasuredCurve",
    "MethodVerdict",
    "Oscillation",
    "Portrait",
    "PropertyVerdict",
    "RealtimeReport",
    "TribometerReport",
    "check_realtime",
    "compare",
    "draw",
    "friction_properties",
    "linearize",
    "stability_limit",
    "tribometer",
]

guard(globals(), __all__)
