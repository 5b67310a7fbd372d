"""The ground."""

from __future__ import annotations

from ._network import Network
from .element import Element


class Fixed(Element):
    """A flange that stays at position 0.

    >>> wall = m.add("wall", Fixed())
    >>> m.add("spring", Spring(wall, mass, c=2))
    """

    group = "bodies"
    role = "ground"

    def start(self) -> tuple[float | None, float | None]:
        """At rest at position 0."""
        return 0.0, 0.0

    def stamp(self, net: Network) -> None:
        net.ground(self, self.flange("a"))
