"""The compiled program: names, units, nominal sizes, hash, and what it owes the kernel."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support.machines import MACHINES

import stribeck as sb
from stribeck.kernel import LawRecord
from stribeck.kernel import Model as KernelModel
from stribeck.units import to_si

ROTATIONAL = {
    "phi": "rad",
    "w": "rad/s",
    "a": "rad/s2",
    "phi_rel": "rad",
    "w_rel": "rad/s",
    "tau": "N.m",
    "z": "rad",
    "mode": "1",
    "F": "N.m",
}
THERMAL = {"T": "K", "dT": "K", "T_rise": "K", "Q_flow": "W", "heat": "W"}
LAWS = {"rad": {"load": "N.m", "disp": "rad", "vel": "rad/s"}, "m": {"load": "N", "disp": "m", "vel": "m/s"}}
"""What the units of a law stand for in bearings and guides, by the unit of displacement."""
TRANSLATIONAL = {
    "s": "m",
    "v": "m/s",
    "a": "m/s2",
    "s_rel": "m",
    "v_rel": "m/s",
    "f": "N",
    "F": "N",
    "z": "m",
    "mode": "1",
}


def test_outputs_of_the_shipped_rig() -> None:
    program = sb.compile_model(sb.load_model("stick-slip"))
    assert program.output_names == (
        *("pull.phi", "pull.w", "pull.tau"),
        *("mass.phi", "mass.w", "mass.a"),
        *("spring.phi_rel", "spring.w_rel", "spring.tau"),
        *("friction.phi_rel", "friction.w_rel", "friction.tau", "friction.z"),
    )
    assert "friction.mode" in sb.compile_model(sb.load_model("stick-slip-switch")).output_names


def of_laws(model: sb.Model, domain: dict[str, str]) -> dict[str, str]:
    """Units of the states of laws in bearings and guides, as their declarations have them."""
    rubs = [(name, x.law) for name, x in model.elements.items() if isinstance(x, sb.Bearing | sb.Guide)]
    states = [(f"{name}.{state}", kind) for name, law in rubs for state, kind in law.states.items()]
    return {name: kind.unit.format(**domain) for name, kind in states}


@pytest.mark.parametrize("name", MACHINES)
def test_units_of_outputs_and_states(name: str) -> None:
    model = MACHINES[name]()
    program, signals = sb.compile_model(model), model.signals
    kinds = set(program.elements.values())
    along = kinds & {"Mass", "Vehicle"}
    units = TRANSLATIONAL if along else ROTATIONAL
    mixed = along and "Inertia" in kinds
    if mixed:
        units = ROTATIONAL | TRANSLATIONAL
    units = units | THERMAL | {"fn": "N", "f_normalized": "1"}
    states = {} if mixed else of_laws(model, LAWS["m" if along else "rad"])
    for names, found in [
        (program.output_names, program.output_units),
        (program.state_names, program.state_units),
    ]:
        assert len(names) == len(found) == len(set(names))
        for full, unit in zip(names, found, strict=True):
            element, _, signal = full.partition(".")
            assert element in program.elements or element in signals
            if mixed and signal in ("a", "z"):
                continue  # of either domain
            if full in states:
                assert unit == states[full], full
                continue
            if signal not in units:
                signal = signal.partition("_")[0]  # tau_a is the torque at flange a, f_drag one of several forces
            assert unit == units.get(signal, "1"), full  # signals, their states and discrete states have none
            assert to_si(1.0, unit, "test", full) == 1.0


@pytest.mark.parametrize("name", MACHINES)
def test_outputs_and_states_know_what_they_belong_to(name: str) -> None:
    program = sb.compile_model(MACHINES[name]())
    for names, owners in [
        (program.output_names, program.output_owners),
        (program.state_names, program.state_owners),
    ]:
        assert owners == tuple(name.partition(".")[0].partition("~")[0] for name in names)


def test_a_body_on_the_ground_has_a_position() -> None:
    model = sb.Model("fixed")
    model.add("disc", sb.Inertia(J=1))
    model.add("frame", sb.Fixed("disc"))
    model.add("wheel", sb.Inertia(J=2, w0=3))
    model.add("spring", sb.Spring("disc", "wheel", c=8))
    result = sb.simulate(model, 1.0)
    assert (result["disc.phi"] == 0).all()
    assert (result["disc.w"] == 0).all()
    assert result["wheel.phi"] == pytest.approx(1.5 * np.sin(2 * result.time), abs=1e-5)  # the default tolerance


@pytest.mark.parametrize("name", MACHINES)
def test_equal_models_make_equal_programs(name: str) -> None:
    first, second = sb.compile_model(MACHINES[name]()), sb.compile_model(MACHINES[name]())
    assert first.hash == second.hash
    assert first.hash == sb.compile_model(sb.Model.from_yaml(MACHINES[name]().to_yaml())).hash
    assert len(first.hash) == 64


def test_every_number_counts_in_the_hash() -> None:
    base = sb.compile_model(sb.load_model("stick-slip")).hash
    hashes = {base}
    for path, value in [
        ("mass.J", 2),
        ("spring.c", 3),
        ("pull.w", 0.2),
        ("friction.law.sigma0", 2e5),
        ("friction.load", 2),
    ]:
        model = sb.set_parameter(sb.load_model("stick-slip"), path, value)
        hashes.add(sb.compile_model(model).hash)
    assert len(hashes) == 6


def test_the_start_counts_in_the_hash() -> None:
    """Programs that are called equal must give equal results."""
    model = sb.set_parameter(sb.load_model("stick-slip"), "mass.w0", 0.01)
    assert sb.compile_model(model).hash != sb.compile_model(sb.load_model("stick-slip")).hash


def test_nominal_sizes() -> None:
    """The lowest speeds that the laws resolve, the deflection of bristles; 1 where nothing gives a size."""
    program = sb.compile_model(sb.load_model("stick-slip"))
    nominal = dict(zip(program.state_names, program.nominal.tolist(), strict=True))
    assert nominal["mass.w"] == pytest.approx(1e-3)
    assert nominal["friction.z"] == pytest.approx(1.5e-5)
    free = sb.Model("free")
    free.add("spring", sb.Spring(free.add("mass", sb.Inertia(J=1.0)), c=1.0))
    assert sb.compile_model(free).nominal.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("name", MACHINES)
def test_programs_are_immutable_and_serve_many_runs(name: str) -> None:
    program = sb.compile_model(MACHINES[name]())
    before = program.hash
    first = sb.simulate(program, 0.5, intervals=5)
    second = sb.simulate(program, 0.5, intervals=5)
    assert np.array_equal(first.data, second.data)
    again = sb.compile_model(MACHINES[name]())
    assert again.hash == before == program.hash
    with pytest.raises(ValueError, match="read-only"):
        program.values[0] = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        program.structure.laws = ()  # type: ignore[misc]


def test_one_program_in_several_threads() -> None:
    """The kernel releases the interpreter while it runs, and runs share nothing but the constant arrays."""
    program = sb.compile_model(sb.load_model("stick-slip-switch"))
    alone = sb.simulate(program)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: sb.simulate(program), range(16)))
    assert all(np.array_equal(alone.data, result.data) for result in together)


def test_the_kernel_refuses_arrays_that_do_not_fit() -> None:
    program = sb.compile_model(sb.load_model("stick-slip-switch"))
    arrays, sizes, laws = (
        dict(program.structure.arrays),
        dict(program.sizes),
        [LawRecord(name) for name in program.laws],
    )
    values = program.values[len(program.state_names) :]
    model = KernelModel(sizes, arrays, values, laws)
    KernelModel(model, values)
    with pytest.raises(ValueError, match="fr_load: wrong length"):
        KernelModel(sizes, arrays | {"fr_load": np.array([0, 0], np.int32)}, values, laws)
    with pytest.raises(ValueError, match="inconsistent"):
        KernelModel(sizes, arrays | {"fr_load": np.array([99], np.int32)}, values, laws)
    with pytest.raises(KeyError, match="fr_load"):
        KernelModel(sizes, {name: a for name, a in arrays.items() if name != "fr_load"}, values, laws)
    with pytest.raises(ValueError, match="laws: wrong length"):
        KernelModel(sizes, arrays, values, [*laws, LawRecord("lugre")])
    with pytest.raises(ValueError, match="built without the law NoSuchLaw"):
        LawRecord("NoSuchLaw")
    with pytest.raises(ValueError, match="not as many"):
        KernelModel(model, values[:-1])
    with pytest.raises(ValueError, match="not as many"):
        KernelModel(model, np.append(values, 1.0))


def test_a_machine_refuses_states_of_the_wrong_length() -> None:
    program = sb.compile_model(sb.load_model("stick-slip"))
    machine = program.machine()
    machine.start(0.0, program.y0)
    with pytest.raises(ValueError, match="expected 4 values"):
        machine.rhs(0.0, np.zeros(3))
    with pytest.raises(IndexError):
        machine.update_modes(0.0, program.y0, [0])
