"""Analysis: what a machine or a law does, from more than one run or without any."""

from ..arguments import guard
from .comparison.comparison import Comparison, compare
from .comparison.oscillation import Oscillation
from .diagram.diagram import draw
from .fixed_step.report import RealtimeReport, check_realtime
from .laboratory.portrait import Portrait
from .linear.linearise import linearize
from .linear.model import LinearModel

__all__ = [
    "Comparison",
    "LinearModel",
    "Oscillation",
    "Portrait",
    "RealtimeReport",
    "check_realtime",
    "compare",
    "draw",
    "linearize",
]

guard(globals(), __all__)
