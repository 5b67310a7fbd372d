"""What analysis asks a program for: terms of machines that are known by hand."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb


def planetary(motion: sb.Signal | float) -> sb.Program:
    """The sun is moved, carrier and ring have inertias; a clutch and a spring join ring and load."""
    model = sb.Model("planetary", t_end=1)
    model.add("sun", sb.Speed(w=motion))
    carrier, ring, load = (model.add(name, sb.Inertia(J=J)) for name, J in (("carrier", 2), ("ring", 3), ("load", 5)))
    model.add("set", sb.Planetary("sun", carrier, ring, ratio=3))
    model.add("spring", sb.SpringDamper(ring, load, c=7, d=0.5))
    model.add("clutch", sb.Clutch(ring, load, law=sb.Switch(), fn_max=1))
    return sb.compile_model(model)


def test_terms_of_a_planetary_gear() -> None:
    """w_sun + 3 w_ring = 4 w_carrier; slips are first minus second flange."""
    program = planetary(1.0)
    terms = program.mechanics
    assert dict(zip(program.bodies, terms.inertias, strict=True)) == {"carrier": 2, "ring": 3, "load": 5}
    assert terms.stiffnesses.tolist() == [7] and terms.dampings.tolist() == [0.5]
    both = np.hstack(terms.body_speeds)
    carrier, ring, load = (both[program.bodies.index(name)] for name in ("carrier", "ring", "load"))
    sun = np.array([*np.zeros(program.sizes["n_v"]), 1.0])
    assert sun + 3 * ring == pytest.approx(4 * carrier, abs=1e-15)
    for slip in np.hstack(terms.slips)[[program.branches.index(name) for name in ("spring", "clutch")]]:
        assert np.abs(slip) == pytest.approx(np.abs(ring - load), abs=1e-15)
    assert terms.rigid_branches([1]) == [program.branches.index("clutch")] and terms.rigid_branches([0]) == []


def test_what_a_motion_acts_on_and_depends_on() -> None:
    program = planetary(2 * sb.External("0 rad/s"))
    terms = program.mechanics
    behind = {program.structure.signal_ops[operation] for operation in terms.operations_behind(0)}
    assert terms.coupled_motions == [0] and not terms.is_position(0)
    assert behind == {"EXTERNAL", "SUM"}  # a multiple is a sum of one term
    assert terms.readers(0) == []
