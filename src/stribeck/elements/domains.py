"""The rotational and translational domains, which differ in names and units only, and the thermal domain."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Domain:
    """Names of quantities (as in Modelica), and the units for the templates of the declarations.

    >>> ROTATIONAL.units["force"]
    'N.m'
    """

    name: str
    position: str
    speed: str
    force: str
    units: dict[str, str]
    acceleration: str = "a"


ROTATIONAL = Domain(
    name="rotational",
    position="phi",
    speed="w",
    force="tau",
    units={
        "disp": "rad",
        "vel": "rad/s",
        "acc": "rad/s2",
        "force": "N.m",
        "torque": "N.m",
        "load": "N.m",
        "inertia": "kg.m2",
        "arm": "m",
    },
)

TRANSLATIONAL = Domain(
    name="translational",
    position="s",
    speed="v",
    force="f",
    units={
        "disp": "m",
        "vel": "m/s",
        "acc": "m/s2",
        "force": "N",
        "torque": "N",
        "load": "N",
        "inertia": "kg",
        "arm": "1",
    },
)

THERMAL = Domain(
    name="thermal",
    position="",
    speed="T",
    force="Q_flow",
    units={"temperature": "K", "heat": "W"},
    acceleration="",
)
"""The thermal domain: no positions, no motion."""

DOMAINS = {domain.name: domain for domain in (ROTATIONAL, TRANSLATIONAL)}
"""The two mechanical domains by name."""
