"""Torques of couplings: unique ones against the balance of every node, others against the smallest sum of squares."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.compile import GROUND, compile_model, resolve_nodes
from stribeck.compile.coordinates import choose
from stribeck.compile.layout import Layout
from stribeck.compile.network import PrimitiveNetwork

ROUNDING = 1e-11
"""Of the largest torque: dense solutions with a few ratios between 0.3 and 4 multiplied."""


def layout_of(model: sb.Model) -> Layout:
    network = PrimitiveNetwork.of(resolve_nodes(model))
    return Layout(network, choose(network))


def board(model: sb.Model) -> dict[str, float]:
    program = compile_model(model)
    machine = program.machine()
    machine.start(0.0, program.y0)
    return dict(zip(program.output_names, machine.outputs(0.0, machine.state()), strict=True))


def wheels(rng: np.random.Generator, n: int) -> sb.Model:
    """Inertias with torques on them."""
    m = sb.Model("wheels")
    for k in range(n):
        m.add(f"j{k}", sb.Inertia(J=float(rng.uniform(0.1, 10))))
        m.add(f"t{k}", sb.Torque(f"j{k}", tau=float(rng.normal())))
    return m


def add_coupling(m: sb.Model, rng: np.random.Generator, name: str, n: int, speeds: np.ndarray | None = None) -> None:
    """A gear or a planetary gear between any of n inertias; one that lets them turn at these speeds, if given."""
    a, b, c = (int(i) for i in rng.permutation(n)[:3])
    if speeds is not None or rng.random() < 0.5:
        ratio = round(float(rng.uniform(0.3, 4)), 3) if speeds is None else speeds[a] / speeds[b]
        m.add(name, sb.Gear(f"j{a}", f"j{b}", ratio=ratio))
    else:
        m.add(name, sb.Planetary(f"j{a}", f"j{b}", f"j{c}", ratio=round(float(rng.uniform(0.3, 4)), 3)))


def dense(layout: Layout, shown: dict[str, float]) -> np.ndarray:
    """Torques of the couplings with the smallest weighted sum of squares that balance every node that can move."""
    network = layout.network
    n = len(network.nodes.nodes)
    G = np.array([[float(c.row.get(node, 0)) for node in range(n)] for c in network.couplings])
    taken = np.zeros(n)
    for source in network.sources:
        taken[source.b] -= shown[f"{source.element.name}.tau"]
    for body in network.bodies:
        taken[body.node] += body.inertia * shown[f"{body.element.name}.a"]
    taken[GROUND] = 0.0
    root = np.sqrt([float(sum(r * r for r in c.flanges.values())) for c in network.couplings])
    return np.linalg.lstsq((G / root[:, None]).T, taken, rcond=1e-10)[0] / root


def torques(layout: Layout, shown: dict[str, float]) -> np.ndarray:
    first = [next(iter(c.flanges.items())) for c in layout.network.couplings]
    return np.array(
        [
            -shown[f"{c.element.name}.tau_{f}"] / float(r)
            for c, (f, r) in zip(layout.network.couplings, first, strict=True)
        ]
    )


@pytest.mark.parametrize("seed", range(10))
def test_unique_torques_balance_every_node(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m = wheels(rng, 9)
    for k in range(5):
        add_coupling(m, rng, f"c{k}", 9)
    layout, shown = layout_of(m), board(m)
    expected = dense(layout, shown)
    assert torques(layout, shown) == pytest.approx(expected, abs=ROUNDING * np.abs(expected).max())


@pytest.mark.parametrize("seed", range(10))
def test_torques_in_circles_have_the_smallest_sum_of_squares(seed: int) -> None:
    """Gears between shafts whose speeds are powers of 2 agree in every circle that they close."""
    rng = np.random.default_rng(seed)
    m = wheels(rng, 7)
    speeds = 2.0 ** rng.integers(-2, 3, 7)
    for k in range(9):
        add_coupling(m, rng, f"c{k}", 7, speeds)
    m.add("other", sb.Planetary(*(f"j{i}" for i in rng.permutation(7)[:3]), ratio=1.7))
    layout, shown = layout_of(m), board(m)
    assert len(layout.coordinates.reduction.circles) >= 9 + 1 - 7
    expected = dense(layout, shown)
    assert torques(layout, shown) == pytest.approx(expected, abs=ROUNDING * np.abs(expected).max())


def test_two_equal_gears_side_by_side_share_the_torque() -> None:
    m = sb.Model("twins")
    m.add("a", sb.Inertia(J=1))
    m.add("b", sb.Inertia(J=8))
    m.add("left", sb.Gear("a", "b", ratio=2))
    m.add("right", sb.Gear("a", "b", ratio=2))
    m.add("drive", sb.Torque("a", tau=6))
    shown = board(m)
    assert [shown["left.tau_a"], shown["right.tau_a"]] == pytest.approx([2.0, 2.0], rel=1e-15)
    assert shown["a.a"] == pytest.approx(2.0, rel=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_flat_rows_are_the_torques(seed: int) -> None:
    """The torque of a coupling over branches and bodies alone, for users who need it as an equation."""
    rng = np.random.default_rng(seed)
    m = wheels(rng, 8)
    for k in range(6):
        add_coupling(m, rng, f"c{k}", 8)
    layout, shown = layout_of(m), board(m)
    net = layout.network
    given = [-shown[f"{s.element.name}.tau"] for s in net.sources]
    given += [body.inertia * shown[f"{body.element.name}.a"] for body in net.bodies]
    found = [sum(v * given[c] for c, v in layout.reactions.row(k).items()) for k in range(len(net.couplings))]
    assert found == pytest.approx(torques(layout, shown), abs=ROUNDING * np.abs(found).max())
