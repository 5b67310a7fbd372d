"""Friction of a rotating body."""

from ._friction import Support


class Bearing(Support):
    """Friction between a rotating body and the ground; tau acts against w.

    >>> m.add("friction", Bearing(mass, law=LuGre(tau_c=1, tau_s="1.5 N.m")))
    """

    domain = "rotational"
