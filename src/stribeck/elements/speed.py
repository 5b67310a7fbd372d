"""A prescribed speed."""

from __future__ import annotations

from typing import Self

from ..declare import Param
from ..signals import Scope
from ..traced import Number
from ._network import Network
from .domains import Domain
from .element import Element, Input, course


class Speed(Element):
    """A flange with a prescribed speed, whatever torque or force that takes. A speed from outside (`External`) is
    constant during each task.

    >>> pull = m.add("pull", Speed(w="0.1 rad/s"))
    >>> dyno = m.add("dyno", Speed(w=External("1000 rpm")))
    """

    group = "motions"
    role = "motion"
    w = Input(None, "{vel}", "speed", aliases=("v",))
    phi0 = Param(0.0, "{disp}", "initial position", aliases=("s0",))

    def start(self) -> tuple[Number | None, Number | None]:
        """The position, if given, and the speed at t = 0."""
        return self.p.phi0 if "phi0" in self.given else None, self.p.w.at(0.0)

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element; a speed that is not a function of time is refused."""
        bound = super().bind(domain, scope)
        course(bound, bound.p.w)
        return bound

    def unstated(self) -> tuple[Number | None, Number | None]:
        """The position, if it was not given."""
        return None if "phi0" in self.given else self.p.phi0, None

    def begin(self, position: Number, speed: Number) -> None:
        """Takes over the position of the node."""
        self.p.phi0 = position

    def sudden(self) -> bool:
        """Whether the speed has jumps."""
        return bool(self.p.w.jumps())

    def stamp(self, net: Network) -> None:
        net.motion(self, self.flange("a"), kind="speed", signal=self.p.w, position0=self.p.phi0)
