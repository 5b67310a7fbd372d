"""Models that leave Python: FMUs for other simulation programs, C libraries for control loops and real-time targets.

>>> import stribeck as sb
>>> sb.deploy.fmu(sb.load_model("car"), "car.fmu")
PosixPath('car.fmu')
>>> sb.deploy.c(sb.load_model("car"), "car", step="1 ms")[0]
PosixPath('car/car.c')
"""

from ..arguments import guard
from .fmi import fmu
from .library import c

__all__ = ["c", "fmu"]

guard(globals(), __all__)
