"""Running a program: the adaptive solver, solvers of others on the same equations, and fixed steps."""

from .batch import batch
from .environment import Environment
from .simulate import simulate
from .solvers import SOLVERS
from .stepper import Stepper, realtime

__all__ = ["SOLVERS", "Environment", "Stepper", "batch", "realtime", "simulate"]
