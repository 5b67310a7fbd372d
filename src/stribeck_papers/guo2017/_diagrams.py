"""The simplified model and LuGre as block diagrams: Figure 8, drawn, counted and run."""

from __future__ import annotations

import math

from ..blocks import Diagram, DiagramBlock

SIGMA0, SIGMA1, SIGMA2, COULOMB, STATIC, LIMIT, V_S = 1e5, 1e5**0.5, 0.5, 1.0, 1.5, 0.01, 1e-3


def _table(speed: float) -> float:
    """s(|v|)/F_s of (4): one table with straight pieces."""
    ratio = STATIC / COULOMB
    if speed <= LIMIT:
        return (1 + speed / LIMIT * (ratio - 1)) / STATIC
    return (ratio - SIGMA2 / COULOMB * (speed - LIMIT)) / STATIC


def _ends(row: float, column: float) -> dict[str, DiagramBlock]:
    """What both have: an integrator for z, three gains and their sum."""
    return {
        "z": DiagramBlock("1/s", (column, row), ("dz",)),
        "spring": DiagramBlock("gain\n$\\sigma_0$", (column + 1, row), ("z",), lambda z: SIGMA0 * z),
        "damper": DiagramBlock("gain\n$\\sigma_1$", (column + 1, row + 1), ("dz",), lambda dz: SIGMA1 * dz),
        "viscous": DiagramBlock("gain\n$\\sigma_2$", (column + 1, row + 2), ("v",), lambda v: SIGMA2 * v),
        "F": DiagramBlock(
            "sum\n$F$", (column + 2, row + 1), ("spring", "damper", "viscous"), lambda a, b, c: a + b + c
        ),
    }


SIMPLIFIED: Diagram = {
    "v": DiagramBlock("$v$", (0, -0.5)),
    "speed": DiagramBlock("$|u|$", (1, 1), ("v",), abs),
    "share": DiagramBlock("table\n$s/F_s$", (2, 0.6), ("speed",), _table),
    "loss": DiagramBlock("product", (3, 1), ("share", "speed", "F"), lambda s, v, f: s * v * f),
    "dz": DiagramBlock("sum\n+ -", (4, 0.3), ("v", "loss"), lambda v, loss: v - loss),
    **_ends(0.3, 5),
}
"""(4): the whole friction F goes back into the rate, an algebraic loop."""

LUGRE: Diagram = {
    "v": DiagramBlock("$v$", (0, -0.5)),
    "ratio": DiagramBlock("gain\n$1/v_s$", (1, 1.8), ("v",), lambda v: v / V_S),
    "square": DiagramBlock("$-u^2$", (2, 1.8), ("ratio",), lambda u: -u * u),
    "power": DiagramBlock("$e^u$", (3, 1.8), ("square",), math.exp),
    "fall": DiagramBlock("gain\n$F_s-F_c$", (4, 1.8), ("power",), lambda u: (STATIC - COULOMB) * u),
    "curve": DiagramBlock("bias\n$+F_c$", (5, 1.8), ("fall",), lambda u: COULOMB + u),
    "speed": DiagramBlock("$|u|$", (4, 0.6), ("v",), abs),
    "bent": DiagramBlock("gain\n$\\sigma_0$", (5, 0.8), ("z",), lambda z: SIGMA0 * z),
    "loss": DiagramBlock("product\n* * /", (6, 1), ("speed", "bent", "curve"), lambda v, z, g: v * z / g),
    "dz": DiagramBlock("sum\n+ -", (7, 0.3), ("v", "loss"), lambda v, loss: v - loss),
    **_ends(0.3, 8),
}
"""(3), the exponential written out."""

TABLED: Diagram = {name: block for name, block in LUGRE.items() if name not in ("ratio", "square", "power", "fall")} | {
    "curve": DiagramBlock(
        "table\n$\\sigma_0 g$",
        (5, 1.8),
        ("v",),
        lambda v: COULOMB + (STATIC - COULOMB) * math.exp(-((v / V_S) ** 2)),
    )
}
"""(3) with a table for the Stribeck curve."""
