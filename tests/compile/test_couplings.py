"""What couplings leave free, which ones are refused, and the starts that follow from them."""

import pytest

import stribeck as sb
from stribeck.compile import compile_model
from stribeck.errors import SpecError


def machine(**elements):
    m = sb.Model("couplings")
    for name, element in elements.items():
        m.add(name, element)
    return m


def shafts(**more):
    return machine(a=sb.Inertia(J=1), b=sb.Inertia(J=2), c=sb.Inertia(J=3), **more)


# --- redundancy and conflicts -----------------------------------------------------------------------------------------


def test_couplings_that_follow_from_others_are_accepted_and_told():
    m = shafts(
        ab=sb.Gear("a", "b", ratio=0.1),
        bc=sb.Gear("b", "c", ratio=0.7),
        ac=sb.Gear("a", "c", ratio=0.07),
        drive=sb.Torque("a", tau=1),
    )
    program = compile_model(m)
    assert program.sizes["n_v"] == 1
    assert program.warnings == (
        "gear 'ab' and gear 'bc' and gear 'ac': one of them follows from the others, so that their torques are not "
        "unique; shown are those with the smallest sum of squares",
    )
    result = sb.simulate(m, 1.0)
    assert result["b.w"] == pytest.approx(10 * result["a.w"])


def test_couplings_that_lock_are_told():
    m = shafts(ab=sb.Gear("a", "b", ratio=2), ba=sb.Gear("a", "b", ratio=3), bc=sb.Spring("b", "c", c=1))
    program = compile_model(m)
    assert program.state_names == ("c.w", "bc.phi_rel")
    assert program.warnings == (
        "the couplings leave no motion to the node of 'a' and 'ab' and 'ba' and 1 more; its speed stays 0",
    )


def test_a_lock_refuses_a_speed_at_the_start():
    m = machine(
        a=sb.Inertia(J=1, w0=1), b=sb.Inertia(J=2), ab=sb.Gear("a", "b", ratio=2), ba=sb.Gear("a", "b", ratio=3)
    )
    with pytest.raises(SpecError, match=r"node of 'a' .* starts with speed 1, but the couplings .* make it 0"):
        compile_model(m)


def test_a_lock_refuses_a_motion():
    m = machine(
        a=sb.Speed(w=1),
        b=sb.Inertia(J=2),
        c=sb.Inertia(J=1),
        bc=sb.Gear("b", "c", ratio=1),
        ab=sb.Gear("a", "b", ratio=2),
        ba=sb.Gear("a", "b", ratio=3),
    )
    with pytest.raises(
        SpecError, match="speed 'a' cannot move as prescribed because of gear 'ab' and gear 'ba'; remove"
    ):
        compile_model(m)


def test_two_motions_through_a_gear_are_a_conflict():
    m = machine(a=sb.Speed(w=1), b=sb.Speed(w=2), ab=sb.Gear("a", "b", ratio=2))
    with pytest.raises(SpecError, match="speed 'a' and speed 'b' cannot move as prescribed because of gear 'ab'"):
        compile_model(m)


def test_ratios_that_nearly_agree_are_refused():
    m = shafts(ab=sb.Gear("a", "b", ratio=3), ba=sb.Gear("b", "a", ratio=1 / 3), drive=sb.Torque("c", tau=0))
    with pytest.raises(SpecError, match="gear 'ab' and gear 'ba' close a circle in which the ratios nearly agree"):
        compile_model(m)


def test_a_coupling_of_nothing_that_moves():
    m = machine(wall=sb.Fixed(), a=sb.Inertia(J=1), s=sb.Spring("a", c=1), g=sb.Gear("wall", "wall", ratio=2))
    with pytest.raises(SpecError, match="gear 'g': nothing that it is connected to can move"):
        compile_model(m)


# --- inertia ----------------------------------------------------------------------------------------------------------


def test_massless_nodes_that_couplings_carry():
    m = machine(
        a=sb.Inertia(J=1), b=sb.Inertia(J=1), g=sb.Gear("a", ratio=2), s=sb.Spring("g.b", "b", c=3)
    )  # fmt: skip
    assert compile_model(m).state_names == ("a.w", "b.w", "a.phi", "s.phi_rel")


def test_inertia_may_be_anywhere_on_a_planetary_gear():
    m = machine(
        s=sb.Inertia(J=1), c=sb.Inertia(J=1), p=sb.Planetary("s", "c", ratio=2), d=sb.Torque("p.ring", tau=1)
    )  # fmt: skip
    assert compile_model(m).sizes["n_v"] == 2


def test_a_speed_without_inertia_is_refused():
    m = machine(
        s=sb.Inertia(J=1), p=sb.Planetary("s", ratio=2), t=sb.Torque("p.ring", tau=1), d=sb.Damper("p.carrier", d=1)
    )
    with pytest.raises(SpecError, match=r"node of 'p' and '[td]' moves without moving any inertia.*connect an Inertia"):
        compile_model(m)


def test_a_speed_that_jumps_must_not_move_a_body_through_a_gear():
    m = machine(pull=sb.Speed(w=sb.Step(height=1, start=1)), a=sb.Inertia(J=1), g=sb.Gear("pull", "a", ratio=2))
    with pytest.raises(SpecError, match="speed 'pull': its speed jumps, and inertia 'a', which couplings tie to it"):
        compile_model(m)


# --- starts -----------------------------------------------------------------------------------------------------------


def starts(m):
    result = sb.simulate(m, 0.0 + 1e-6)
    return lambda *names: [result[name][0] for name in names]


def test_starts_follow_through_couplings():
    m = machine(a=sb.Inertia(J=1), b=sb.Inertia(J=1, w0=2, phi0=0.3), ab=sb.Gear("a", "b", ratio=4))
    assert starts(m)("a.w", "a.phi") == pytest.approx([8, 1.2])


def test_starts_must_fulfil_the_couplings():
    m = machine(a=sb.Inertia(J=1, w0=7), b=sb.Inertia(J=1, w0=2), ab=sb.Gear("a", "b", ratio=4))
    with pytest.raises(SpecError, match=r"node of 'b' and 'ab' starts with speed 2, but .* make it 1.75; leave one"):
        compile_model(m)


def test_positions_at_the_start_are_how_the_parts_are_mounted():
    m = machine(a=sb.Inertia(J=1, phi0=1, w0=4), b=sb.Inertia(J=1, phi0=2), ab=sb.Gear("a", "b", ratio=4))
    result = sb.simulate(m, 1.0)
    assert result["a.phi"][-1] == pytest.approx(5)
    assert result["b.phi"][-1] == pytest.approx(3)


def test_what_couplings_leave_open_starts_at_0_in_the_order_of_the_model():
    m = machine(s=sb.Inertia(J=1, w0=6), r=sb.Inertia(J=1), c=sb.Inertia(J=1), p=sb.Planetary("s", "c", "r", ratio=2))
    assert starts(m)("s.w", "r.w", "c.w") == pytest.approx([6, 0, 2])


# --- domains ----------------------------------------------------------------------------------------------------------


def test_a_rack_needs_something_that_turns_and_something_that_does_not():
    m = machine(a=sb.Inertia(J=1), b=sb.Inertia(J=1), r=sb.RackPinion("a", "b", ratio=1))
    with pytest.raises(SpecError, match=r"rack-pinion 'r': flange b is translational, but .* inertia 'b'"):
        compile_model(m)


def test_domains_do_not_leak_through_a_rack():
    m = machine(
        a=sb.Inertia(J=1), b=sb.Mass(m=1), r=sb.RackPinion("a", ratio=2), s=sb.Spring("r.b", "b", c=1)
    )  # fmt: skip
    program = compile_model(m)
    assert dict(zip(program.output_names, program.output_units, strict=True))["r.f_b"] == "N"
    assert program.state_names == ("a.w", "b.v", "a.phi", "s.s_rel")
