"""A translating body."""

from ..declare import Param
from ._body import Body


class Mass(Body):
    """A rigid body in straight motion: m dv/dt = sum of the forces. Both flanges are the same node.

    >>> slider = m.add("slider", Mass(m="2 kg", v0="0.1 m/s"))
    """

    domain = "translational"
    quantities = ("m", "s0", "v0")
    m = Param(None, "kg", "mass", above=0)
    s0 = Param(0.0, "m", "initial position")
    v0 = Param(0.0, "m/s", "initial speed")
