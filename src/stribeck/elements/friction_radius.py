"""Geometry of clutches and brakes: the effective radius of a friction ring, and the number of surfaces."""

from __future__ import annotations

from ..declare import unknown
from ..errors import SpecError, UnknownName
from ..units import to_si

LININGS = ("worn", "new")


def friction_radius(inner: float | str, outer: float | str, lining: str = "worn") -> float:
    """Effective radius (m) of a friction ring: torque of one surface = mu fn radius.

    A worn lining has uniform wear, so pressure times radius is constant: (inner + outer)/2. A new lining has uniform
    pressure: 2/3 (outer^3 - inner^3)/(outer^2 - inner^2), which is slightly more.

    >>> friction_radius("60 mm", "100 mm")
    0.08
    >>> round(friction_radius("60 mm", "100 mm", lining="new"), 6)
    0.081667
    """
    a, b = (to_si(value, "m", "friction_radius", name) for value, name in ((inner, "inner"), (outer, "outer")))
    if not 0 <= a <= b or b == 0:
        raise SpecError(f"friction_radius: inner = {a:g} m and outer = {b:g} m; a ring needs 0 <= inner <= outer > 0")
    if lining not in LININGS:
        raise UnknownName(unknown("friction_radius: there is no lining", lining, LININGS))
    return (a + b) / 2 if lining == "worn" else 2 / 3 * (a * a + a * b + b * b) / (a + b)


def plates_cgeo(inner: float | str, outer: float | str, plates: int = 1, lining: str = "worn") -> float:
    """`cgeo` (m) of a clutch or brake whose plates have lining on both sides: 2 plates times the effective radius.

    >>> round(plates_cgeo("60 mm", "100 mm", plates=5), 9)
    0.8
    >>> Clutch(motor, gearbox, law=Coulomb(mu_c=0.1), fn_max="8 kN", cgeo=plates_cgeo("60 mm", "100 mm", plates=5))
    """
    if plates < 1 or plates != int(plates):
        raise SpecError(
            f"plates_cgeo: plates = {plates} must be a whole number above 0: the number of plates with lining"
        )
    return 2 * plates * friction_radius(inner, outer, lining)
