"""A prescribed position."""

from __future__ import annotations

from typing import Any, Self

from ..errors import SpecError
from ..signals import Scope
from ._declare import Element, Input, course
from .domains import Domain


class Position(Element):
    """A flange that moves along a given course, whatever torque or force that takes.

    >>> shaker = m.add("shaker", Position(s=Sine(amplitude="1 mm", f="20 Hz")))
    """

    role = "motion"
    phi = Input(None, "{disp}", "position", aliases=("s",))

    def start(self) -> tuple[float | None, float | None]:
        """Position and speed at time 0."""
        return self.p.phi.at(0.0), self.p.phi.rate(0.0)

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As every element, but a position that jumps, or that is not a function of time, is refused."""
        bound = super().bind(domain, scope)
        signal = course(bound, bound.p.phi)
        if signal.jumps():
            raise SpecError(f"{self.label}: {signal!r} jumps, and no machine can follow; use a Ramp or a Table instead")
        return bound

    def sudden(self) -> bool:
        """Whether the speed jumps."""
        return bool(self.p.phi.kinks())

    def stamp(self, net: Any) -> None:
        position0, _ = self.start()
        net.motion(self, self.flange("a"), kind="position", signal=self.p.phi, position0=position0)
