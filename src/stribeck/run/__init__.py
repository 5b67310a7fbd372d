"""Running a program: the adaptive solver, and solvers of others on the same equations."""

from .simulate import simulate
from .solvers import SOLVERS

__all__ = ["SOLVERS", "simulate"]
