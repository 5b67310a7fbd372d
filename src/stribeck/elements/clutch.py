"""A clutch between two flanges."""

from __future__ import annotations

from ._friction import Pressed


class Clutch(Pressed):
    """Friction between two flanges that an actuator presses together: |tau| = mu cgeo fn_max f_normalized.

    w_rel = w_b - w_a; a positive tau brakes b and drives a. Equivalent to Modelica's Clutch: its table
    mu_pos = [w, mu] is FrictionTable(speed=[...], mu=[...], peak=...).

    Results: phi_rel, w_rel, tau, mode, fn, f_normalized, and tau_drag if drag is given.

    >>> m.add("clutch", Clutch(motor, shaft, law=Switch(mu_c=0.3, mu_s=0.35), fn_max="4 kN", f_normalized=Ramp(1, 0.5)))
    """

    flanges = ("a", "b")
