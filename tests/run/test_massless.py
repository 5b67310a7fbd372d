"""Nodes without inertia between springs: condensed exactly, against the springs that they amount to."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from support.machines import MACHINES

import stribeck as sb
from stribeck.errors import SpecError

SAME = 1e-9
"""Of the size of a curve: two machines that are the same but for rounding may choose different steps at 1e-11."""


def model(**elements: sb.elements.Element) -> sb.Model:
    m = sb.Model("massless")
    for name, element in elements.items():
        m.add(name, element)
    return m


def run(m: sb.Model, t_end: float = 2.0) -> sb.Result:
    result = sb.simulate(m, t_end, intervals=40, tolerance=1e-11)
    assert abs(result.energy.residual) <= 1e-12 * result.energy.throughput
    assert abs(result.energy.numerical) <= 1e-9 * result.energy.throughput
    return result


def same(result: sb.Result, other: sb.Result, *names: str) -> None:
    for name in names:
        expected = np.asarray(other[name])
        size = max(1e-3, np.abs(expected).max())  # speeds at rest are rounding
        assert np.asarray(result[name]) == pytest.approx(expected, abs=SAME * size), name


def two_bodies(**between: sb.elements.Element) -> sb.Model:
    """Two inertias, one of them driven, and what lies between them."""
    return model(
        left=sb.Inertia(J=1, phi0=0.3),
        right=sb.Inertia(J=2, w0=0.5),
        drive=sb.Torque("left", tau=sb.Sine(amplitude=3, f=0.8)),
        **between,
    )


SHOWN = ("left.phi", "right.phi", "left.w", "right.w", "right.a")


# --- what springs in series amount to ---------------------------------------------------------------------------------


def test_two_springs_in_series() -> None:
    """1/c = 1/c1 + 1/c2; the ends see the same torque, and each spring has its share of the stretch."""
    series = run(two_bodies(one=sb.Spring("left", c=30), two=sb.Spring("one.b", "right", c=60)))
    single = run(two_bodies(one=sb.Spring("left", "right", c=20)))
    same(series, single, *SHOWN, "one.tau")
    assert series["two.tau"] == pytest.approx(series["one.tau"], abs=1e-12)
    assert series["one.phi_rel"] == pytest.approx(2 * series["two.phi_rel"], abs=1e-13)


def test_springs_that_are_relaxed_at_some_length() -> None:
    """Lengths add up; the nodes start in balance."""
    series = run(
        two_bodies(
            one=sb.Spring("left", c=30, phi_rel0=0.2),
            two=sb.Spring("one.b", c=60, phi_rel0=-0.5),
            three=sb.Spring("two.b", "right", c=20, phi_rel0=0.7),
        )
    )
    single = run(two_bodies(one=sb.Spring("left", "right", c=10, phi_rel0=0.4)))
    same(series, single, *SHOWN, "one.tau")
    assert series["two.phi_rel"] == pytest.approx(-0.5 + series["two.tau"] / 60, abs=1e-13)


def test_proportional_dampers() -> None:
    """d = b c for all of them: the springs in series are one spring with the damper b c."""
    b = 0.02
    series = run(
        two_bodies(one=sb.SpringDamper("left", c=30, d=30 * b), two=sb.SpringDamper("one.b", "right", c=60, d=60 * b))
    )
    single = run(two_bodies(one=sb.SpringDamper("left", "right", c=20, d=20 * b)))
    same(series, single, *SHOWN, "one.tau")
    assert sum(series.energy.dissipated.values()) == pytest.approx(single.energy.dissipated["one"], rel=1e-8)


def test_dampers_in_series() -> None:
    """1/d = 1/d1 + 1/d2."""
    series = run(two_bodies(one=sb.Damper("left", d=3), two=sb.Damper("one.b", "right", d=6)))
    single = run(two_bodies(one=sb.Damper("left", "right", d=2)))
    same(series, single, *SHOWN, "one.tau")


def test_a_long_row_of_springs() -> None:
    n = 40
    m = two_bodies()
    for k in range(n):
        ends = ("left" if k == 0 else f"s{k - 1}.b", "right" if k == n - 1 else None)
        m.add(f"s{k}", sb.Spring(*ends, c=800 + k))
    assert len(sb.compile_model(m).state_names) == 4
    single = two_bodies(s0=sb.Spring("left", "right", c=1 / sum(1 / (800 + k) for k in range(n))))
    same(run(m), run(single), *SHOWN, "s0.tau")


def test_a_star_is_a_triangle() -> None:
    """Springs c_i from one node to three inertias and the ground: springs c_i c_j / sum of c between each two."""
    c = {"a": 20.0, "b": 35.0, "d": 45.0, "wall": 10.0}

    def bodies() -> sb.Model:
        return model(
            a=sb.Inertia(J=1),
            b=sb.Inertia(J=0.5, phi0=0.2),
            d=sb.Inertia(J=2),
            wall=sb.Fixed(),
            drive=sb.Torque("a", tau=sb.Sine(amplitude=3, f=0.8)),
        )

    star, triangle = bodies(), bodies()
    for name, stiffness in c.items():
        star.add(f"to_{name}", sb.Spring(name, c=stiffness))
    for name in list(c)[1:]:
        star.connect("to_a.b", f"to_{name}.b")
    for one, other in combinations(c, 2):
        triangle.add(f"{one}_{other}", sb.Spring(one, other, c=c[one] * c[other] / sum(c.values())))
    same(run(star), run(triangle), "a.phi", "b.phi", "d.phi", "a.w", "b.a")


def test_two_nodes_that_hang_on_each_other() -> None:
    """A ladder of springs, against a dense condensation of the stiffness matrix: K11 - K12 K22^-1 K21."""
    springs = [("left", "x", 20), ("left", "y", 30), ("x", "y", 15), ("x", "right", 40), ("y", "right", 25)]
    index = {name: i for i, name in enumerate(("left", "right", "x", "y"))}
    K = np.zeros((4, 4))
    for a, b, c in springs:
        row = np.zeros(4)
        row[[index[a], index[b]]] = 1, -1
        K += c * np.outer(row, row)
    whole = K[:2, :2] - K[:2, 2:] @ np.linalg.solve(K[2:, 2:], K[2:, :2])
    m = two_bodies(
        s0=sb.Spring("left", c=20),
        s1=sb.Spring("left", c=30),
        s2=sb.Spring("s0.b", "s1.b", c=15),
        s3=sb.Spring("s0.b", "right", c=40),
        s4=sb.Spring("s1.b", "right", c=25),
    )
    same(run(m), run(two_bodies(s0=sb.Spring("left", "right", c=-whole[0, 1]))), *SHOWN)


@pytest.mark.parametrize("seed", range(20))
def test_random_nets_of_springs(seed: int) -> None:
    """Accelerations and torques at the start of any net of springs with lengths, against a dense balance of all nodes.

    Half of the nodes have inertia; one has a prescribed position, and the last one is the ground.
    """
    rng = np.random.default_rng(seed)
    n = 10
    heavy, moved, ground = range(5), 8, 9
    ends = [(k, int(rng.integers(k + 1, n))) for k in range(n - 1)]  # each node to a later one: none hangs in the air
    ends += [(int(rng.integers(5)), k) for k in (5, 6, 7)]
    ends += [tuple(sorted(int(i) for i in rng.permutation(n)[:2])) for _ in range(8)]
    c, rel0 = rng.uniform(1, 100, len(ends)), rng.normal(size=len(ends)) * (rng.random(len(ends)) < 0.5)
    phi, J = np.zeros(n), rng.uniform(0.1, 10, 5)
    phi[heavy], phi[moved] = rng.normal(size=5), 0.7

    m = sb.Model("net")
    first: dict[int, str] = {moved: "hand", ground: "wall", **{i: f"j{i}" for i in heavy}}
    m.add("hand", sb.Position(phi=0.7))
    m.add("wall", sb.Fixed())
    for i in heavy:
        m.add(f"j{i}", sb.Inertia(J=float(J[i]), phi0=float(phi[i])))
    for k, (a, b) in enumerate(ends):
        m.add(f"s{k}", sb.Spring(c=float(c[k]), phi_rel0=float(rel0[k])))
        for node, flange in ((a, f"s{k}.a"), (b, f"s{k}.b")):
            if node in first:
                m.connect(first[node], flange)
            first.setdefault(node, flange)

    W = np.zeros((len(ends), n))
    for k, (a, b) in enumerate(ends):
        W[k, a] -= 1
        W[k, b] += 1
    light = [5, 6, 7]
    phi[light] = np.linalg.solve(W[:, light].T @ np.diag(c) @ W[:, light], W[:, light].T @ (c * (rel0 - W @ phi)))
    tau = c * (W @ phi - rel0)

    program = sb.compile_model(m)
    machine = program.machine()
    machine.start(0.0, program.y0)
    shown = dict(zip(program.output_names, machine.outputs(0.0, machine.state()), strict=True))
    scale = 1e-12 * np.abs(tau).max()
    assert [shown[f"s{k}.tau"] for k in range(len(ends))] == pytest.approx(tau, abs=scale)
    assert [shown[f"j{i}.a"] * J[i] for i in heavy] == pytest.approx(-(W.T @ tau)[heavy], abs=10 * scale)
    assert shown["hand.tau"] == pytest.approx((W.T @ tau)[moved], abs=10 * scale)


def test_a_gear_between_springs() -> None:
    """Spring c1, gear without inertia, spring c2: from the slow side c2 and c1 i^2 in series."""
    i, c1, c2 = 3.0, 10.0, 60.0
    m = model(
        fast=sb.Inertia(J=0.2, w0=1),
        slow=sb.Inertia(J=2),
        one=sb.Spring("fast", c=c1),
        gear=sb.Gear("one.b", ratio=i),
        two=sb.Spring("gear.b", "slow", c=c2),
        drive=sb.Torque("slow", tau=sb.Sine(amplitude=3, f=0.8)),
    )
    single = model(
        fast=sb.Inertia(J=0.2 * i**2, w0=1 / i),
        slow=sb.Inertia(J=2),
        two=sb.Spring("fast", "slow", c=1 / (1 / c2 + 1 / (c1 * i**2))),
        drive=sb.Torque("slow", tau=sb.Sine(amplitude=3, f=0.8)),
    )
    geared, plain = run(m), run(single)
    same(geared, plain, "slow.phi", "slow.w", "two.tau")
    assert geared["fast.w"] == pytest.approx(i * np.asarray(plain["fast.w"]), abs=1e-8)
    assert geared["gear.tau_b"] == pytest.approx(geared["two.tau"], abs=1e-12)
    assert geared["gear.tau_a"] == pytest.approx(-np.asarray(geared["one.tau"]), abs=1e-12)


def test_the_free_end_of_a_spring_follows() -> None:
    """A spring into a gear behind which a spring without stiffness leads on: no torque, no stretch."""
    m = two_bodies(s=sb.Spring("left", "right", c=20), free=sb.Spring("right", c=5), gear=sb.Gear("free.b", ratio=2))
    m.add("tail", sb.Spring("gear.b", c=3, phi_rel0=0.1))
    m.add("end", sb.Spring("tail.b", "right", c=0))
    result = run(m)
    same(result, run(two_bodies(s=sb.Spring("left", "right", c=20))), *SHOWN)
    assert result["free.phi_rel"] == pytest.approx(0.0, abs=1e-12)
    assert result["tail.phi_rel"] == pytest.approx(0.1, abs=1e-12)
    assert result["end.phi_rel"] == pytest.approx(result["right.phi"] / 2 - 0.1, abs=1e-12)


# --- machines whose springs are split ---------------------------------------------------------------------------------

KINDS = {"Spring": ("c",), "SpringDamper": ("c", "d"), "Damper": ("d",)}
"""What springs have that adds up by reciprocals in a row of them."""


def moved(thing: Any, old: str, new: str) -> Any:
    """Plain data with one reference in the place of another."""
    if isinstance(thing, dict):
        return {key: moved(value, old, new) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [moved(value, old, new) for value in thing]
    return new if thing == old else thing


def split_springs(data: dict[str, Any]) -> dict[str, Any]:
    """A model in which every linear spring is two in a row: the first has the name, the second the far end."""
    for n, name in enumerate([name for name, values in data["elements"].items() if values["type"] in KINDS]):
        data = moved(data, f"{name}.b", f"{name}_2.b")
        values, share = data["elements"][name], (0.2, 0.5, 0.8)[n % 3]
        second = {"type": values["type"], "a": f"{name}.b"} | {k: v for k, v in values.items() if k == "b"}
        second |= {key: values[key] / (1 - share) for key in KINDS[values["type"]]}
        first = {k: v for k, v in values.items() if k != "b"}
        first |= {key: values[key] / share for key in KINDS[values["type"]]}
        data["elements"] |= {name: first, f"{name}_2": second}
    return data


@pytest.mark.parametrize("name", ["driveline", "slide", "towed", "carriages", "gearbox", "twice_held", "shafting"])
def test_a_machine_with_all_its_springs_split_is_the_same(name: str) -> None:
    plain = MACHINES[name]().to_dict()
    whole, split = run(MACHINES[name](), 1.0), run(sb.Model.from_dict(split_springs(plain)), 1.0)
    same(split, whole, *(n for n in whole.names if n.endswith((".phi", ".w", ".s", ".v"))))
    assert [event.element for event in split.events] == [event.element for event in whole.events]
    assert [event.time for event in split.events] == pytest.approx([event.time for event in whole.events], abs=1e-9)


# --- motions, stick, digits -------------------------------------------------------------------------------------------


def test_between_a_prescribed_motion_and_friction() -> None:
    """Stick-slip behind two springs in series, pulled by a speed that jumps."""

    def rig(**springs: sb.elements.Element) -> sb.Model:
        return model(
            pull=sb.Speed(w=sb.Step(height=0.5, start=0.2)),
            mass=sb.Inertia(J=1),
            floor=sb.Bearing("mass", law=sb.Switch(mu_c=0.5, mu_s=0.8)),
            **springs,
        )

    series = run(rig(one=sb.Spring("pull", c=3), two=sb.Spring("one.b", "mass", c=6)), 10.0)
    single = run(rig(one=sb.Spring("pull", "mass", c=2)), 10.0)
    same(series, single, "mass.phi", "mass.w", "pull.tau")
    assert [e.time for e in series.events] == pytest.approx([e.time for e in single.events], abs=1e-9)


def test_digits_are_kept_when_the_machine_has_turned_far() -> None:
    m = model(
        a=sb.Inertia(J=1.0, w0=1e5),
        b=sb.Inertia(J=1.0, w0=1e5 + 1e-3),
        one=sb.Spring("a", c=3.0),
        two=sb.Spring("one.b", "b", c=6.0),
    )
    assert sb.compile_model(m).state_names == ("a.w", "b.w", "a.phi", "b.phi_rel")
    result = sb.simulate(m, 100.0, intervals=10, tolerance=1e-11)
    expected = 1e-3 / 2.0 * np.sin(2.0 * result.time) * 2 / 3
    assert np.asarray(result["one.phi_rel"]) == pytest.approx(expected, abs=3e-9)  # as a single spring does


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "between, message",
    [
        (
            {"one": sb.Spring("left", c=30), "two": sb.Damper("one.b", "right", d=6)},
            r"node of 'one' and 'two' has no inertia, and spring 'one' and damper 'two' on it do not all have the same "
            r"damping by stiffness, d/c; connect an Inertia or a Mass there, for instance Inertia\(J=0.001\), small "
            "beside inertia 'left'",
        ),
        (
            {
                "one": sb.Spring("left", c=30),
                "two": sb.Spring("one.b", "right", c=6),
                "push": sb.Torque("one.b", tau=1),
            },
            "and torque 'push' acts on it, so that springs alone do not determine its motion; connect an Inertia",
        ),
        (
            {"one": sb.Spring("left", c=30), "two": sb.Clutch("one.b", "right", law="Switch", fn_max=1)},
            "node of 'one' and 'two' has no inertia, and clutch 'two' acts on it",
        ),
        (
            {"one": sb.Spring("left", c=0), "two": sb.Spring("one.b", "right", c=0)},
            "node of 'one' and 'two' has no inertia, and no spring determines its motion",
        ),
    ],
)
def test_what_cannot_be_condensed_is_refused_with_the_way_out(
    between: dict[str, sb.elements.Element], message: str
) -> None:
    with pytest.raises(SpecError, match=message):
        sb.compile_model(two_bodies(**{name: element.replace() for name, element in between.items()}))
