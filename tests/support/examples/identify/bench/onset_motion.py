"""Names for examples of the motion of ramps."""

from support.examples.identify.bench.onset import windows

__all__ = ["windows"]
