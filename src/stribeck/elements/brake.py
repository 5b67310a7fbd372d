"""A brake between a flange and the ground."""

from __future__ import annotations

from ._friction import Pressed
from ._network import Network
from .element import Flange


class Brake(Pressed):
    """Friction against the ground, applied by an actuator: |tau| = mu cgeo fn_max f_normalized; tau acts against w.

    >>> m.add("brake", Brake(wheel, law=Coulomb(mu_c=0.4), fn_max="2 kN", cgeo="0.12 m", f_normalized=Step(1, start=3)))
    """

    def ends(self, net: Network) -> tuple[Flange | int, Flange]:
        """The ground and its flange."""
        return net.GROUND, self.flange("a")
