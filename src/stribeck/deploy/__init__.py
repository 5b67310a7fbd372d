"""Models for other programs: FMUs."""

from ..arguments import guard
from .fmi import fmu

__all__ = ["fmu"]

guard(globals(), __all__)
