"""Which positions are integrated: relative ones where parts hang together, absolute ones at the roots."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import stribeck as sb


def positions(model: sb.Model) -> list[str]:
    """Names of the states that are positions."""
    names = sb.compile_model(model).state_names
    return [name for name in names if name.partition(".")[2] in ("phi", "s", "phi_rel", "s_rel")]


def shaft(*inertias: str, grounded: bool = False) -> sb.Model:
    m = sb.Model("shaft")
    bodies = [m.add(name, sb.Inertia(J=1.0, phi0=0.1 * k)) for k, name in enumerate(inertias)]
    for k, (a, b) in enumerate(pairwise(bodies)):
        m.add(f"shaft{k}", sb.Spring(a, b, c=1.0))
    if grounded:
        m.add("mount", sb.Spring(bodies[-1], c=1.0))
    return m


def test_a_free_chain_has_one_absolute_angle() -> None:
    assert positions(shaft("a", "b", "c")) == ["a.phi", "shaft0.phi_rel", "shaft1.phi_rel"]


def test_a_chain_on_the_ground_starts_there() -> None:
    assert positions(shaft("a", "b", "c", grounded=True)) == ["c.phi", "shaft1.phi_rel", "shaft0.phi_rel"]


def test_masses_have_lengths() -> None:
    m = sb.Model("train")
    a, b = m.add("a", sb.Mass(m=1.0)), m.add("b", sb.Mass(m=1.0))
    m.add("hook", sb.Spring(a, b, c=1.0))
    assert positions(m) == ["a.s", "hook.s_rel"]


def test_parts_that_do_not_touch_have_a_root_each() -> None:
    m = shaft("a", "b")
    for name in ("c", "d"):
        m.add(name, sb.Inertia(J=1.0))
    m.add("other", sb.Spring("c", "d", c=1.0))
    assert positions(m) == ["a.phi", "shaft0.phi_rel", "c.phi", "other.phi_rel"]


@pytest.mark.parametrize("grounded", [False, True])
def test_starts_and_outputs_are_those_of_the_bodies(grounded: bool) -> None:
    """Whatever is integrated: every body shows its own angle, every spring its own stretch."""
    program = sb.compile_model(shaft("a", "b", "c", grounded=grounded))
    machine = program.machine()
    machine.start(0.0, program.y0)
    shown = dict(zip(program.output_names, machine.outputs(0.0, machine.state()), strict=True))
    assert [shown[f"{name}.phi"] for name in "abc"] == pytest.approx([0.0, 0.1, 0.2], abs=1e-15)
    assert [shown[f"shaft{k}.phi_rel"] for k in range(2)] == pytest.approx([0.1, 0.1], abs=1e-15)


def test_a_ring_closes() -> None:
    """Three springs between three bodies: two stretches are states, the third follows from them."""
    m = shaft("a", "b", "c")
    m.add("chord", sb.Spring("a", "c", c=1.0))
    program = sb.compile_model(m)
    assert len(positions(m)) == 3
    machine = program.machine()
    rng = np.random.default_rng(0)
    machine.start(0.0, rng.normal(size=len(program.y0)))
    shown = dict(zip(program.output_names, machine.outputs(0.0, machine.state()), strict=True))
    assert shown["chord.phi_rel"] == pytest.approx(shown["shaft0.phi_rel"] + shown["shaft1.phi_rel"], abs=1e-14)
    assert shown["chord.phi_rel"] == pytest.approx(shown["c.phi"] - shown["a.phi"], abs=1e-14)


def test_a_machine_that_has_turned_far_keeps_its_digits() -> None:
    """The stretch of the shaft is a separate state, so 1e7 rad of turning cost nothing but a few last digits of w."""
    m = sb.Model("spinning")
    a, b = m.add("a", sb.Inertia(J=1.0, w0=1e5)), m.add("b", sb.Inertia(J=1.0, w0=1e5 + 1e-3))
    m.add("shaft", sb.Spring(a, b, c=2.0))
    result = sb.simulate(m, 100.0, intervals=10, tolerance=1e-11)
    expected = 1e-3 / 2.0 * np.sin(2.0 * result.time)
    assert np.asarray(result["shaft.phi_rel"]) == pytest.approx(expected, abs=3e-9)  # 4e-10 without turning
    assert result["a.phi"][-1] == pytest.approx(1e7, rel=1e-8)
