"""Studies: experiments with laws and machines that take more than one run."""

from .comparison import Comparison, compare
from .oscillation import Oscillation
from .portrait import Portrait

__all__ = ["Comparison", "Oscillation", "Portrait", "compare"]
