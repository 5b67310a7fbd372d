"""Losses of gears: the loss table, and friction that depends on the transmitted torque."""

from __future__ import annotations

from itertools import pairwise

from ..declare import Param, Values
from ..laws.coulomb import Coulomb
from ..signals import Matrix
from ._network import Network
from .domains import DOMAINS
from .element import Element

COLUMNS = ("w", "eta1", "eta2", "tbf1", "tbf2")
"""Speed, efficiency where a drives, where b drives, and bearing torque in these cases."""

EFFICIENCY = Param(
    None, "1", "output power over input power, for both directions of power", above=0, max=1, optional=True
)
LOSS_TABLE = Matrix(
    None,
    "",
    "rows of |w| of a, efficiency where a drives, where b drives, bearing torque where a drives, where b drives",
    min=0,
    aliases=("lossTable",),
    optional=True,
)


def loss_faults(p: Values) -> list[str]:
    """Faults in the losses of a gear.

    >>> loss_faults(SimpleNamespace(efficiency=None, loss_table=[[0, 1.2, 1, 0, 0]]))
    ['loss_table[0] = [0, 1.2, 1, 0, 0]: the efficiency 1.2 must be above 0 and at most 1']
    """
    if p.efficiency is not None and p.loss_table is not None:
        return ["both efficiency and loss_table are given; give one of them"]
    rows = p.loss_table or []
    for i, row in enumerate(rows):
        if len(row) != len(COLUMNS):
            return [f"loss_table[{i}] has {len(row)} numbers and must have five: {', '.join(COLUMNS)}"]
        if not 0 < row[1] <= 1:
            return [f"loss_table[{i}] = {row}: the efficiency {row[1]:g} must be above 0 and at most 1"]
        if row[2] > 1:
            return [
                f"loss_table[{i}] = {row}: the efficiency {row[2]:g} where b drives must be at most 1; "
                "0 is a self-locking gear"
            ]
    if rows and rows[0][0] != 0:
        return [f"loss_table[0] = {rows[0]} must be for the speed 0: give the losses at rest as the first row"]
    for before, after in pairwise(rows):
        if after[0] <= before[0]:
            return [f"loss_table has the speed {after[0]:g} after {before[0]:g}; speeds must increase: sort the rows"]
    return []


def stamp_loss(net: Network, element: Element, a: str, support: str) -> None:
    """Adds losses to the coupling that was stamped last; none if the gear is ideal. Needs `.p`."""
    p = element.p
    eta = 1.0 if p.efficiency is None else p.efficiency
    table = p.loss_table or [[0.0, eta, eta, 0.0, 0.0]]
    if all(row[1:] == [1.0, 1.0, 0.0, 0.0] for row in table):
        return
    law = Coulomb(mu_c=0.0).bind(DOMAINS["rotational"].units, element.label)  # only says that the gear can stick
    net.loss(element, a, support, table, law)
