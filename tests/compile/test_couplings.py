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


@pytest.mark.parametrize(
    ("couplings", "named"),
    [
        ({"ab": sb.Gear("a", "b", ratio=2), "ba": sb.Gear("a", "b", ratio=3)}, "gear 'ab' and gear 'ba'"),
        (
            {
                "ab": sb.Gear("a", "b", ratio=2),
                "more": sb.Gear("c", "d", ratio=2),
                "bc": sb.Gear("b", "c", ratio=3),
                "ac": sb.Gear("a", "c", ratio=5),
            },
            "gear 'ab' and gear 'bc' and gear 'ac'",
        ),
    ],
)
def test_couplings_that_contradict_each_other_are_named(couplings, named):
    m = shafts(d=sb.Inertia(J=1), **{name: element.replace() for name, element in couplings.items()})
    m.add("drive", sb.Torque("d", tau=1))
    m.add("spring", sb.Spring("c", c=1))
    with pytest.raises(SpecError, match=f"^{named} contradict each other: together they let nothing move; make the"):
        compile_model(m)


def test_planetary_gears_in_a_circle_that_agrees():
    """Two equal sets between the same shafts; and a set whose members gears hold at one speed already."""
    m = shafts(
        one=sb.Planetary("a", "b", "c", ratio=2), two=sb.Planetary("a", "b", "c", ratio=2), drive=sb.Torque("a", tau=1)
    )
    assert compile_model(m).sizes["n_v"] == 2
    m = shafts(
        ab=sb.Gear("a", "b", ratio=1), bc=sb.Gear("b", "c", ratio=1), set=sb.Planetary("a", "b", "c", ratio=1.7),
        drive=sb.Torque("a", tau=1),
    )  # fmt: skip
    program = compile_model(m)
    assert program.sizes["n_v"] == 1
    assert program.warnings[0].startswith("gear 'ab' and gear 'bc' and planetary 'set': one of them follows")


def test_a_planetary_gear_that_is_tied_up_is_told():
    """Two gears between the members of a set, of ratios that it does not have: everything is locked."""
    m = shafts(
        set=sb.Planetary("a", "b", "c", ratio=2), ab=sb.Gear("a", "b", ratio=2), bc=sb.Gear("b", "c", ratio=3),
        d=sb.Inertia(J=1), cd=sb.Spring("c", "d", c=1),
    )  # fmt: skip
    assert "no motion" in compile_model(m).warnings[0]
    m = shafts(
        held=sb.Planetary("a", "b", ratio=2), ab=sb.Gear("a", "b", ratio=2), spring=sb.Spring("b", "c", c=1)
    )  # fmt: skip
    assert "no motion" in compile_model(m).warnings[0]


def test_what_is_held_by_the_ground_is_told():
    """A planetary gear with sun and carrier at the wall holds its ring, and a gear behind it too."""
    m = machine(
        wall=sb.Fixed(), a=sb.Inertia(J=1), b=sb.Inertia(J=1), c=sb.Inertia(J=1),
        set=sb.Planetary("wall", "wall", "a", ratio=2), ab=sb.Gear("a", "b", ratio=2), bc=sb.Spring("b", "c", c=1),
    )  # fmt: skip
    program = compile_model(m)
    assert program.state_names == ("c.w", "bc.phi_rel")
    assert program.warnings == (
        "the couplings leave no motion to the node of 'a' and 'set' and 'ab' and 1 more; its speed stays 0",
    )
    m.elements["a"].given["w0"] = 1
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
    m = shafts(
        ab=sb.Gear("a", "b", ratio=3), bc=sb.Gear("b", "c", ratio=3), ba=sb.Gear("b", "a", ratio=1 / 3)
    )  # fmt: skip
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
    with pytest.raises(
        SpecError, match=r"node of 'p' and 't' has no inertia, and torque 't' acts on it.*connect an Inertia"
    ):
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


def test_speeds_that_the_starts_leave_open_are_told():
    m = machine(s=sb.Inertia(J=1, w0=10), c=sb.Inertia(J=1), r=sb.Inertia(J=1), p=sb.Planetary("s", "c", "r", ratio=2))
    assert compile_model(m).warnings == (
        "planetary 'p': the starts leave its speeds open; taken are sun 10, carrier 0, ring -5; give the speed of one "
        "more at the start",
    )
    m = machine(a=sb.Inertia(J=1, w0=10), b=sb.Inertia(J=1), g=sb.Gear("a", "b", ratio=2))
    assert not compile_model(m).warnings


def test_a_body_may_be_the_whole_machine_and_a_vehicle_alone():
    m = machine(car=sb.Vehicle(m=1000, c_r=0.01, v0=20), j=sb.Inertia(J=1), s=sb.Spring("j", c=1))
    assert sb.simulate(m, 1.0)["car.v"][-1] == pytest.approx(20 - 0.01 * 9.80665, rel=1e-9)
    assert sb.simulate(machine(j=sb.Inertia(J=1, w0=2)), 1.0)["j.phi"][-1] == pytest.approx(2)
    with pytest.raises(SpecError, match="thermal-mass 'p': it is not connected to any other element"):
        compile_model(machine(p=sb.ThermalMass(C=1), j=sb.Inertia(J=1), s=sb.Spring("j", c=1)))
    with pytest.raises(AttributeError, match=r"in a signal it is j.sensor\('w'\), after a run result\['j.w'\]"):
        machine(j=sb.Inertia(J=1)).elements["j"].w  # noqa: B018


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
