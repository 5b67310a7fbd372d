"""Export as a Functional Mock-up Unit (FMI 2.0 and 3.0)."""

from .archive import fmu

__all__ = ["fmu"]
