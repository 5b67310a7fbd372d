"""Models for other programs: FMUs."""

from .fmi import fmu

__all__ = ["fmu"]
