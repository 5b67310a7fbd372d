"""Geometry of clutches and brakes: where on a ring friction acts, and how many surfaces rub."""

from __future__ import annotations

from ..declare import unknown
from ..errors import SpecError, UnknownName
from ..units import to_si

LININGS = ("worn", "new")


def friction_radius(inner: float | str, outer: float | str, lining: str = "worn") -> float:
    """Mean radius (m) of the friction on a ring between two radii: torque of one surface = mu fn radius.

    A worn lining has worn evenly, so pressure times radius is the same everywhere: (inner + outer)/2. A new one is
    pressed evenly: 2/3 (outer^3 - inner^3)/(outer^2 - inner^2), which is a little more.

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
    """`cgeo` (m) of a clutch or brake whose plates rub on both sides: 2 plates times the friction radius.

    >>> round(plates_cgeo("60 mm", "100 mm", plates=5), 9)
    0.8
    >>> Clutch(motor, car, law=Coulomb(mu_c=0.1), fn_max="8 kN", cgeo=plates_cgeo("60 mm", "100 mm", plates=5))
    """
    if plates < 1 or plates != int(plates):
        raise SpecError(f"plates_cgeo: plates = {plates} must be a whole number above 0: those that carry the lining")
    return 2 * plates * friction_radius(inner, outer, lining)
