"""Nodes without inertia between springs: where they are follows from the balance of the springs on them.

Let u be a motion of the machine that moves no body. The torques tau of the branches do no work on it:

    sum of s_k tau_k = 0,   s_k: slip of branch k in the motion u.

For springs tau_k = c_k (e_k - e0_k) this is an equation between positions. Its time derivative, the sum of s_k c_k e'_k
= 0, is one between speeds with constant factors, like that of a gear: it is eliminated with the gears, exactly, and the
springs stay what they are. The same holds with dampers d_k = b c_k beside the springs, where y + b y' = 0 for the
imbalance y, which starts at 0, and for dampers alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..errors import SpecError
from ..traced import exact, is_close, rounded
from .elimination import Elimination, ExactRow, add_row
from .network import Branch, PrimitiveNetwork, SpringBranch
from .topology import GROUND

PROPORTIONAL = 1e-12
"""Relative difference of d/c that is attributed to rounding of computed values."""

SMALL = 1e-3
"""Share of its neighbours' inertia that is proposed where some is needed."""


@dataclass(frozen=True)
class Condensed:
    """A motion that moves no body, and the balance of the springs in its way."""

    motion: ExactRow
    """The speeds of all nodes in it."""
    row: ExactRow
    """The sum of factor * position over these nodes ..."""
    constant: Fraction
    """... has this value."""


def condense(network: PrimitiveNetwork, rows: Mapping[int, ExactRow]) -> list[Condensed]:
    """The balance of each motion that moves no body, of nodes with these rows over the nodes that stay.

    A SpecError names what else prevents such a motion.

    >>> condense(network, {})[0].row  # node 3 between springs of 3 and 1 N.m/rad to nodes 1 and 2
    {3: Fraction(4, 1), 1: Fraction(-3, 1), 2: Fraction(-1, 1)}
    """
    motions = _motions(network, rows)
    if not motions:
        return []
    on: dict[int, list[Branch]] = {}
    for branch in network.branches:
        for node in (branch.a, branch.b):
            on.setdefault(node, []).append(branch)
    users: dict[int, list[int]] = {}
    for node, row in rows.items():
        for stay in row:
            users.setdefault(stay, []).append(node)
    found = []
    for node, motion in motions.items():
        whole = dict(motion)
        for stay, speed in motion.items():
            for user in users.get(stay, ()):
                add_row(whole, speed, {user: rows[user][stay]})
        found.append(_balance(network, node, whole, on))
    return found


def _motions(network: PrimitiveNetwork, rows: Mapping[int, ExactRow]) -> dict[int, ExactRow]:
    """Motions of the nodes that stay which move no body, each by a node that only it moves."""
    bodies = {body.node for body in network.bodies}
    given = {GROUND, *(motion.node for motion in network.motions)}
    free = set(range(len(network.nodes.nodes))) - given - set(rows)
    if free <= bodies:
        return {}
    solver: Elimination[int] = Elimination(lambda n: n not in bodies if n in free else None)
    for node in dict.fromkeys(body.node for body in network.bodies):
        solver.add({n: v for n, v in rows.get(node, {node: Fraction(1)}).items() if n in free})
    motions: dict[int, ExactRow] = {node: {node: Fraction(1)} for node in sorted(free - set(solver.expr))}
    for node, row in solver.expr.items():
        for other, value in row.items():
            motions[other][node] = value
    return motions


def _balance(network: PrimitiveNetwork, node: int, motion: ExactRow, on: Mapping[int, list[Branch]]) -> Condensed:
    """The balance of the springs that a motion stretches."""
    touched = {id(branch): branch for moved in motion for branch in on.get(moved, ())}
    slips = [
        (branch, slip)
        for branch in touched.values()
        if (slip := motion.get(branch.b, Fraction(0)) - motion.get(branch.a, Fraction(0)))
    ]
    springs = [(branch, slip) for branch, slip in slips if isinstance(branch, SpringBranch)]
    if len(springs) < len(slips):
        labels = _labels(branch for branch, _ in slips if not isinstance(branch, SpringBranch))
        act = "act" if " and " in labels else "acts"
        raise _refused(network, node, f"{labels} {act} on it, so that springs alone do not determine its motion")
    stiff = [spring for spring, _ in springs if spring.c > 0]
    if stiff and not all(is_close(s.d * stiff[0].c, stiff[0].d * s.c, rel_tol=PROPORTIONAL) for s, _ in springs):
        labels = _labels(spring for spring, _ in springs)
        raise _refused(network, node, f"{labels} on it do not all have the same damping by stiffness, d/c")
    row: ExactRow = {}
    constant = Fraction(0)
    for spring, slip in springs:
        factor = slip * exact(spring.c if stiff else spring.d)
        add_row(row, factor, {spring.b: Fraction(1)})
        add_row(row, -factor, {spring.a: Fraction(1)})
        constant += factor * exact(spring.rel0) if stiff else 0
    row.pop(GROUND, None)
    return Condensed(motion, row, constant)


def undetermined(network: PrimitiveNetwork, node: int) -> SpecError:
    """What to say of a node that moves against nothing.

    >>> undetermined(network, 3)
    SpecError("the node of 'p' and 't' has no inertia, and no spring determines its motion; ...")
    """
    return _refused(network, node, "no spring determines its motion")


def _refused(network: PrimitiveNetwork, node: int, reason: str) -> SpecError:
    """With the way out: how much inertia to add there."""
    names = " and ".join(f"'{name}'" for name in network.nodes.nodes[node].elements)
    domain = network.nodes.nodes[node].domain
    kind, letter = ("Mass", "m") if domain is not None and domain.name == "translational" else ("Inertia", "J")
    near = {n for branch in network.branches if node in (branch.a, branch.b) for n in (branch.a, branch.b)}
    near |= {n for coupling in network.couplings if node in coupling.row for n in coupling.row}
    bodies = [body for body in network.bodies if body.node in near and body.element.kind == kind.lower()]
    small = min(bodies, key=lambda body: body.inertia, default=None)
    way_out = f"connect an Inertia or a Mass there, for instance {kind}({letter}=...)"
    if small is not None:
        value = f"{kind}({letter}={SMALL * small.inertia:.3g})"
        way_out = f"connect an Inertia or a Mass there, for instance {value}, small beside {small.element.label}"
    return SpecError(f"the node of {names} has no inertia, and {reason}; {way_out}, or fix it")


def _labels(branches: Iterable[Branch]) -> str:
    return " and ".join(dict.fromkeys(branch.element.label for branch in branches))


def settle(condensed: Iterable[Condensed], position0: Mapping[int, float]) -> dict[int, float]:
    """Positions at the start of the nodes that have no inertia: in balance with the others, exactly.

    >>> settle(condense(network, {}), {1: 0.0, 2: 1.0, 3: 0.0})
    {3: 0.25}
    """
    listed = list(condensed)
    one = len(listed)
    solver: Elimination[int] = Elimination(lambda column: None if column >= one else 0)
    constants: list[Fraction] = []
    touching: dict[int, list[int]] = {}
    for j, other in enumerate(listed):
        for node in other.motion:
            touching.setdefault(node, []).append(j)
    for k, item in enumerate(listed):
        equation = {one + k: Fraction(1)}
        for node, factor in item.row.items():
            for j in touching.get(node, ()):
                add_row(equation, factor, {j: listed[j].motion[node]})
        solver.add(equation)
        constants.append(sum((v * exact(position0[n]) for n, v in item.row.items()), -item.constant))
    moved: dict[int, Fraction] = {}
    for j, item in enumerate(listed):
        way = sum((v * constants[n - one] for n, v in solver.expr.get(j, {}).items()), Fraction(0))
        for node, speed in item.motion.items():
            moved[node] = moved.get(node, Fraction(0)) + way * speed
    return {node: rounded(exact(position0[node]) + way) for node, way in moved.items()}
