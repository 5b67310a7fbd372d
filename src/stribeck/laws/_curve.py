"""Curves of sliding friction that several laws share."""

from __future__ import annotations

from itertools import pairwise
from math import inf

from ..declare import Values
from .functions import Expr, stribeck


def stribeck_curve(p: Values, v: Expr) -> Expr:
    """Friction in steady sliding without the viscous part: the Stribeck curve from mu_s at rest to mu_c.

    >>> p = Values(mu_c=1.0, mu_s=1.5, v_s=0.01, exponent=2.0)
    >>> stribeck_curve(p, 0.0), stribeck_curve(p, 1.0)
    (1.5, 1.0)
    """
    return p.mu_c + (p.mu_s - p.mu_c) * stribeck(v, p.v_s, p.exponent)


def faults_of_points(p: Values) -> list[str]:
    """Faults in the lists speed and mu of a law.

    >>> faults_of_points(SimpleNamespace(speed=[0, 1, 1], mu=[1, 1, 1]))
    ['speed[2] = 1 comes after 1; speeds must increase: sort the points']
    """
    if len(p.speed) != len(p.mu):
        return [f"speed has {len(p.speed)} points and mu {len(p.mu)}; give one friction for each speed"]
    if not p.speed:
        return ["speed = [] has no points; give at least one speed and one friction"]
    for i, (before, after) in enumerate(pairwise(p.speed)):
        if after <= before:
            return [f"speed[{i + 1}] = {after:g} comes after {before:g}; speeds must increase: sort the points"]
    return []


def first_fall(p: Values) -> float:
    """The first speed of the lists above 0 if friction falls up to it, else infinity.

    >>> first_fall(SimpleNamespace(speed=[0, 0.1, 1], mu=[1.5, 1, 1]))
    0.1
    """
    speed = next((x for x in p.speed if x > 0), inf)
    return speed if at(p, speed) < p.mu[0] else inf


def at(p: Values, v: float) -> float:
    """The curve at a speed v >= 0, constant outside its points.

    >>> at(SimpleNamespace(speed=[0, 1], mu=[1, 2]), 0.5)
    1.5
    """
    for (v0, f0), (v1, f1) in pairwise(zip(p.speed, p.mu, strict=True)):
        if v0 <= v < v1:
            return f0 + (f1 - f0) * (v - v0) / (v1 - v0)
    return p.mu[0] if v < p.speed[0] else p.mu[-1]
