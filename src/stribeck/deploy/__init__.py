"""Models that leave Python: C libraries for control loops and real-time targets.

>>> import stribeck as sb
>>> sb.deploy.c(sb.load_model("car"), "car", step="1 ms")[0]
PosixPath('car/car.c')
"""

from ..arguments import guard
from .library import c

__all__ = ["c"]

guard(globals(), __all__)
