"""Running a program: the adaptive solver, solvers of others on the same equations, and fixed steps."""

from .batch import batch
from .copies import Copies
from .environment import Environment
from .simulate import simulate
from .solvers import SOLVERS
from .stepper import Stepper, realtime
from .vector_environment import VectorEnvironment

__all__ = ["SOLVERS", "Copies", "Environment", "Stepper", "VectorEnvironment", "batch", "realtime", "simulate"]
