"""Names for examples of ramps as they are evaluated, as for the onset of sliding."""

from support.examples.identify.bench.onset import at, drive, place, spread, time, windows

__all__ = ["at", "drive", "place", "spread", "time", "windows"]
