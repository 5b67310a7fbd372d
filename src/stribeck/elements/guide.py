"""Friction of a sliding body."""

from ._friction import Support


class Guide(Support):
    """Friction between a sliding body and the ground; f acts against v.

    >>> m.add("friction", Guide(slider, law=LuGre(f_c=1, f_s="1.5 N")))
    """

    domain = "translational"
