"""Friction of something that turns."""

from ._friction import Support


class Bearing(Support):
    """Friction between something that turns and the ground; tau acts against w.

    >>> m.add("friction", Bearing(mass, law=LuGre(tau_c=1, tau_s="1.5 N.m")))
    """

    domain = "rotational"
