"""Analysis: what a machine or a law does, from more than one run or without any."""

from ..arguments import guard
from .comparison.comparison import Comparison, compare
from .comparison.oscillation import Oscillation
from .diagram.diagram import draw
from .fixed_step.amplification import stability_limit
from .fixed_step.report import RealtimeReport, check_realtime
from .fixed_step.verdict import MethodVerdict
from .laboratory.bench import LawBench
from .laboratory.portrait import Portrait
from .laboratory.properties import PropertyVerdict, friction_properties
from .linear.linearise import linearize
from .linear.model import LinearModel

__all__ = [
    "Comparison",
    "LawBench",
    "LinearModel",
    "MethodVerdict",
    "Oscillation",
    "Portrait",
    "PropertyVerdict",
    "RealtimeReport",
    "check_realtime",
    "compare",
    "draw",
    "friction_properties",
    "linearize",
    "stability_limit",
]

guard(globals(), __all__)
