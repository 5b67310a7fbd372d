"""A clutch between two flanges."""

from __future__ import annotations

from typing import Any

from ._friction import Pressed


class Clutch(Pressed):
    """Friction between two flanges that an actuator presses together: |tau| = mu cgeo fn_max f_normalized.

    w_rel = w_b - w_a; a positive tau brakes b and drives a. As Modelica's Clutch: the table mu_pos = [w, mu] is
    FrictionTable(speed=[...], mu=[...], peak=...). For the drag of an open clutch put a Damper beside it.

    >>> m.add("clutch", Clutch(motor, car, law=Switch(mu_c=0.3, mu_s=0.35), fn_max="4 kN", f_normalized=Ramp(1, 0.5)))
    """

    flanges = ("a", "b")

    def stamp(self, net: Any) -> None:
        net.friction(self, self.flange("a"), self.flange("b"), self.p.law, self.normal_load(), engage=self.p.engage)
