"""A rotating body."""

from ..declare import Param
from ._body import Body


class Inertia(Body):
    """A rigid rotating body: J dw/dt = sum of the torques. Both flanges are the same node.

    >>> mass = m.add("mass", Inertia(J="1 kg.m2", w0="500 rpm"))
    """

    domain = "rotational"
    quantities = ("J", "phi0", "w0")
    J = Param(None, "kg.m2", "moment of inertia", above=0)
    phi0 = Param(0.0, "rad", "initial angle")
    w0 = Param(0.0, "rad/s", "initial speed")
