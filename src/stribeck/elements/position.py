"""A prescribed position."""

from __future__ import annotations

from typing import Self

from ..errors import SpecError
from ..signals import Scope, Signal
from ..signals.external import External
from ..signals.named import Named
from ._network import Network
from .domains import Domain
from .element import Element, Input, course


class Position(Element):
    """A flange with a prescribed position, whatever torque or force that takes. A position from outside (`External`)
    is reached at constant speed, at the end of the task.

    >>> shaker = m.add("shaker", Position(s=Sine(amplitude="1 mm", f="20 Hz")))
    >>> table = m.add("table", Position(s=External(0)))
    """

    group = "motions"
    role = "motion"
    phi = Input(None, "{disp}", "position", aliases=("s",))

    def start(self) -> tuple[float | None, float | None]:
        """Position and speed at t = 0."""
        return self.p.phi.at(0.0), self.p.phi.rate(0.0)

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element; a position that jumps, or that is not a function of time, is refused."""
        bound = super().bind(domain, scope)
        signal = course(bound, bound.p.phi)
        if not signal.time_only and not isinstance(_behind_names(signal), External):
            raise SpecError(
                f"{self.label}: {signal!r} depends on an External; use the External itself, and set "
                "it to the desired position"
            )
        if signal.jumps():
            raise SpecError(f"{self.label}: {signal!r} jumps, and no machine can follow; use a Ramp or a Table instead")
        return bound

    def sudden(self) -> bool:
        """Whether the speed has jumps."""
        return bool(self.p.phi.kinks())

    def stamp(self, net: Network) -> None:
        net.motion(self, self.flange("a"), kind="position", signal=self.p.phi, position0=self.p.phi.at(0.0))


def _behind_names(signal: Signal) -> Signal:
    while isinstance(signal, Named):
        signal = signal.target
    return signal
