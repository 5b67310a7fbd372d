"""The interface of an FMU: exports, messages, threads, Model Exchange in detail, what is inside, what is refused."""

from __future__ import annotations

import ctypes
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from support.assorted import assorted
from support.fmu import ADAPTIVE, FIXED, Plant, exported, simulated, unpacked

import stribeck as sb
from stribeck.deploy.fmi.platforms import own_platform
from stribeck.deploy.fmi.variables import MODE
from stribeck.kinds import Kind

fmpy = pytest.importorskip("fmpy", reason="FMPy is not installed: pip install fmpy")
validation = pytest.importorskip("fmpy.validation")

VERSIONS = (2, 3)


@pytest.mark.parametrize("fmi", VERSIONS)
def test_every_function_of_the_standard_is_exported(fmi):
    header = Path(fmpy.__file__).parent / "c-code" / f"fmi{fmi}Functions.h"
    functions = set(re.findall(rf"^\s*#define (fmi{fmi}[A-Z]\w+)\s+fmi{fmi}FullName", header.read_text(), re.MULTILINE))
    assert len(functions) > 40
    path, known = exported("stick-slip", fmi), own_platform()
    folder = known.fmi2 if fmi == 2 else known.fmi3
    library = ctypes.CDLL(f"{unpacked(path)[1]}/binaries/{folder}/stick_slip{known.suffix}")
    assert [name for name in sorted(functions) if not hasattr(library, name)] == []


@pytest.mark.parametrize("fmi", VERSIONS)
def test_eight_instances_in_eight_threads(fmi):
    """Each thread has another torque capacity; run one after the other, they give the same bits."""
    path = exported("coupled-clutches", fmi)

    def run(number: int) -> list[float]:
        plant = Plant(path).start(ADAPTIVE, **{"clutch1.fn_max": 15.0 + number})
        plant.step(0.01, 100)
        found = plant.get(plant.outputs())
        plant.free()
        return found

    alone = [run(number) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, range(8))) == alone
    assert len({tuple(found) for found in alone}) == 8


def blocked() -> sb.Model:
    """A free-wheel that is driven against its blocked direction from 0.5 s on."""
    m = sb.Model("blocked", t_end=1)
    drive = m.add("drive", sb.Speed(w=sb.Table(time=[0, 0.5, 1], value=[0.5, 0.5, -2.0])))
    m.add("wheel", sb.FreeWheel(m.add("ground", sb.Fixed()), drive))
    return m


@pytest.mark.parametrize("fmi", VERSIONS)
def test_a_failure_is_logged_with_its_time_and_element(fmi, tmp_path):
    log: list[str] = []
    with pytest.raises(sb.SimulationError, match="wheel"):
        blocked().simulate()
    plant = Plant(sb.deploy.fmu(blocked(), tmp_path / "blocked.fmu", fmi=fmi), log=log).start()
    with pytest.raises(Exception, match="failed with status 3"):
        plant.step(0.1, 10)
    assert any("wheel" in line and "0.6" in line and "\n" not in line for line in log), log
    plant.fmu.freeInstance()


@pytest.mark.parametrize("fmi", VERSIONS)
def test_what_is_refused_is_logged(fmi):
    log: list[str] = []
    plant = Plant(exported("car", fmi), log=log)
    for name, value, text in [
        ("crank.J", -1.0, "crank.J"),
        ("axle.w0", 3.0, "export the model again"),
        ("simulation.step", 0.0, "must be positive"),
        ("simulation.solver", 7, "1 (Adaptive) or 2 (FixedStep)"),
        ("crank.J", float("nan"), "not finite"),
    ]:
        with pytest.raises(Exception, match="failed with status 3"):
            plant.set(**{name: value})
        assert text in log[-1]
        assert "\n" not in log[-1]
    plant.start(FIXED)
    with pytest.raises(Exception, match="failed with status 3"):
        plant.step(1.5e-3)
    assert "whole number of steps" in log[-1]
    with pytest.raises(Exception, match="failed with status 3"):
        plant.set(**{"simulation.step": 1e-4})
    assert "during a run" in log[-1]
    plant.fmu.freeInstance()


@pytest.mark.parametrize("fmi", VERSIONS)
def test_another_token_is_refused(fmi):
    description, _ = unpacked(exported("car", fmi))
    kept = description.guid
    try:
        description.guid = "{0}"
        with pytest.raises(Exception, match=r"[Ff]ailed to instantiate"):
            Plant(exported("car", fmi), log=[])
    finally:
        description.guid = kept


def exchange(name: str, fmi: int):
    """An instance of Model Exchange, initialised."""
    from fmpy.fmi2 import FMU2Model
    from fmpy.fmi3 import FMU3Model

    description, folder = unpacked(exported(name, fmi))
    kind = FMU2Model if fmi == 2 else FMU3Model
    fmu = kind(
        guid=description.guid,
        unzipDirectory=folder,
        modelIdentifier=description.modelExchange.modelIdentifier,
        instanceName="equations",
    )
    fmu.instantiate()
    if fmi == 2:
        fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    (fmu.newDiscreteStates if fmi == 2 else fmu.updateDiscreteStates)()
    fmu.enterContinuousTimeMode()
    return description, fmu


def vector(call, n: int) -> np.ndarray:
    values = (ctypes.c_double * n)()
    call(values, n)
    return np.array(values)


@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("name", ["coupled-clutches", "stick-slip-switch", "gearbox", "car"])
def test_indicators_are_positive_after_every_event(name, fmi):
    """An indicator that rests on 0 would be found again and again by the integrator of another program."""
    description, fmu = exchange(name, fmi)
    n = description.numberOfEventIndicators
    assert n == len(sb.compile_model(sb.load_model(name)).event_owners)
    assert vector(fmu.getEventIndicators, n).min() > 0
    fmu.terminate()
    fmu.freeInstance()


@pytest.mark.parametrize("fmi", VERSIONS)
def test_a_stuck_slip_has_no_acceleration_and_nominals_are_those_of_the_program(fmi):
    """The mass of stick-slip is at rest at first: its acceleration is exactly 0."""
    description, fmu = exchange("stick-slip-switch", fmi)
    program = sb.compile_model(sb.load_model("stick-slip-switch"))
    n = description.numberOfContinuousStates
    rates = vector(fmu.getDerivatives if fmi == 2 else fmu.getContinuousStateDerivatives, n)
    assert rates[program.state_names.index("mass.w")] == 0.0
    assert (vector(fmu.getNominalsOfContinuousStates, n) == program.nominal).all()
    fmu.terminate()
    fmu.freeInstance()


@pytest.mark.parametrize("fmi", VERSIONS)
def test_directional_derivatives_are_those_of_the_machine(fmi):
    """Columns of the Jacobian; outputs of the state are differences, good to half of the digits."""
    description, fmu = exchange("clutch-judder", fmi)
    program = sb.compile_model(sb.load_model("clutch-judder"))
    machine = program.machine()
    machine.start(0.0, program.y0)
    exact = machine.jacobian(0.0, machine.state())
    variables = {v.name: v.valueReference for v in description.modelVariables}
    known = [variables[name] for name in program.state_names]
    unknown = [variables[f"der({name})"] for name in program.state_names]
    columns = [fmu.getDirectionalDerivative(unknown, [one], [1.0]) for one in known]
    assert np.allclose(np.array(columns).T, exact, rtol=1e-12, atol=1e-12 * np.abs(exact).max())
    slip = fmu.getDirectionalDerivative([variables["clutch.w_rel"]], known[:1], [1.0])[0]
    assert abs(slip) == pytest.approx(1.0, rel=1e-7)
    fmu.terminate()
    fmu.freeInstance()


# --- what is inside ---


def test_names_units_and_types_of_variables():
    _, variables = described(exported("car", 3))
    assert variables["crank.w"].unit == "rad/s"
    assert variables["crank.w"].displayUnit == "rpm"
    assert variables["crank.w"].nominal is not None
    assert (variables["crank.J"].variability, variables["crank.w0"].variability) == ("tunable", "fixed")
    assert (variables["axle.w0"].causality, variables["axle.w0"].variability) == ("local", "constant")
    assert variables["otto.tau_map[2,3]"].start == "170.0"
    assert variables["A.mode"].declaredType.name == "Mode"
    assert {item.name: int(item.value) for item in variables["A.mode"].declaredType.items} == dict(MODE.items)
    assert variables["der(crank.w)"].derivative.name == "crank.w"


def described(path: Path):
    description, _ = unpacked(path)
    return description, {v.name: v for v in description.modelVariables}


def test_rates_of_positions_depend_on_speeds_alone():
    description, variables = described(exported("powertrain-2", 3))
    program = sb.compile_model(sb.load_model("powertrain-2"))
    speeds = set(program.state_names[: program.sizes["n_v"]])
    found = {unknown.variable.name: unknown.dependencies for unknown in description.derivatives}
    for position in program.state_names[program.sizes["n_v"] :]:
        needed = found[f"der({position})"]
        assert needed is not None
        assert {variable.name for variable in needed} <= speeds
    assert variables


def test_flat_names_are_identifiers(tmp_path):
    path = sb.deploy.fmu(sb.load_model("car"), tmp_path / "car.fmu", names="flat", fmi=2)
    _, variables = described(path)
    assert all(re.fullmatch(r"[A-Za-z_]\w*", name) for name in variables)
    assert "crank_w" in variables
    assert "der_crank_w" in variables


def test_a_parameter_with_the_name_of_an_output_gets_a_longer_one():
    _, variables = described(exported("stick-slip", 3))
    assert variables["pull.w"].causality == "output"
    assert variables["pull.w_value"].causality == "parameter"


def test_chosen_inputs_and_outputs(tmp_path):
    m = sb.Model("two inputs")
    mass = m.add("mass", sb.Inertia(J=1))
    m.add("left", sb.Torque(mass, tau=sb.External("1 N.m")))
    m.add("right", sb.Torque(mass, tau=sb.External("0 N.m")))
    path = sb.deploy.fmu(m, tmp_path / "two.fmu", inputs=["right.tau"], outputs=["mass.w", "*.a"], types="cs")
    description, variables = described(path)
    assert [name for name, v in variables.items() if v.causality == "input"] == ["right.tau"]
    assert {name for name, v in variables.items() if v.causality == "output"} == {"mass.w", "mass.a"}
    assert description.modelExchange is None
    plant = Plant(path).start(FIXED, **{"right.tau": 2.0})
    plant.step(1e-3, 100)
    assert plant.get("mass.w") == pytest.approx(0.3, rel=1e-12)  # 3 N.m on 1 kg.m2 for 0.1 s
    assert plant.get("mass.a") == pytest.approx(3.0, rel=1e-12)
    plant.free()


def test_the_model_and_its_results_are_inside(tmp_path):
    path = exported("stick-slip", 3)
    with zipfile.ZipFile(path) as archive:
        text = archive.read("resources/model.yaml").decode()
        rows = archive.read("documentation/reference.csv").decode().splitlines()
        assert b"<html>" in archive.read("documentation/index.html")
    copy = tmp_path / "copy.yaml"
    copy.write_text(text)
    again = sb.Model.from_yaml(copy)
    assert sb.compile_model(again).hash == sb.compile_model(sb.load_model("stick-slip")).hash
    assert rows[0].startswith("time,pull.phi,")
    assert len(rows) == 202


def test_equal_models_give_equal_files(tmp_path):
    paths = [sb.deploy.fmu(sb.load_model("gearbox"), tmp_path / f"{i}.fmu") for i in range(2)]
    assert paths[0].read_bytes() == paths[1].read_bytes()


# --- what is refused ---


def delayed() -> sb.Model:
    m = sb.Model("delayed")
    mass = m.add("mass", sb.Inertia(J=1))
    m.add("motor", sb.Torque(mass, tau=sb.Delay(sb.Sine(amplitude=1, f=1), 0.1)))
    return m


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fmi": 1}, "fmi = 1 is not a version of FMI; write 2 or 3"),
        ({"types": "me,xx"}, "there is no type 'xx'"),
        ({"types": ()}, "types is empty"),
        ({"names": "modelica"}, "no naming convention 'modelica'"),
        ({"platforms": "linux"}, "no platform 'linux'; did you mean 'linux64'"),
        ({"inputs": ["mass.w"]}, "'mass.w' is not an External signal"),
        ({"outputs": ["mass.x"]}, "outputs: there is no output 'mass.x'"),
        ({"step": "0 s"}, "must be above 0"),
        ({"step": "3 N"}, "not in units of s"),
    ],
)
def test_wrong_options_are_refused_in_one_line(options, message, tmp_path):
    with pytest.raises(sb.StribeckError) as error:
        sb.deploy.fmu(sb.load_model("stick-slip"), tmp_path / "x.fmu", **options)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_a_delay_cannot_be_model_exchange(tmp_path):
    with pytest.raises(sb.SpecError, match=r"delayed has a Delay.*types='cs'"):
        sb.deploy.fmu(delayed(), tmp_path / "x.fmu")
    plant = Plant(sb.deploy.fmu(delayed(), tmp_path / "x.fmu", types="cs")).start(FIXED)
    stepper = delayed().realtime(h="1 ms")
    plant.step(1e-3, 300)
    stepper.step(300)
    assert plant.get("mass.w") == stepper["mass.w"] != 0.0
    plant.free()


def test_a_path_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(sb.WriteError, match="cannot be written"):
        sb.deploy.fmu(sb.load_model("stick-slip"), tmp_path / "file" / "x.fmu")


# --- names, sizes and machines of all kinds ---


@pytest.mark.parametrize("fmi", VERSIONS)
def test_names_that_are_no_identifiers_are_quoted(fmi, tmp_path):
    m = sb.Model("ein Prüfstand", t_end=0.1)
    wheel = m.add("wheel-1", sb.Inertia(J=1, w0=2))
    m.add("größe", sb.Bearing(wheel, law=sb.Coulomb(mu_c=1)))
    path = sb.deploy.fmu(m, tmp_path / "names.fmu", fmi=fmi)
    assert validation.validate_fmu(str(path)) == []
    plant = Plant(path).start(FIXED)
    plant.step(1e-3, 100)
    assert plant.get("'wheel-1'.w") == pytest.approx(1.9, rel=1e-12)  # 1 N.m on 1 kg.m2 for 0.1 s
    plant.free()


@pytest.mark.parametrize("fmi", VERSIONS)
@pytest.mark.parametrize("outputs", [["drive.w"], []])
def test_almost_nothing_is_fine_too(fmi, outputs, tmp_path):
    """A motion that is prescribed, against a friction without modes: no speeds, no events, perhaps no outputs."""
    m = sb.Model("still", t_end=1)
    m.add("friction", sb.Bearing(m.add("drive", sb.Speed(w=2)), law=sb.Tanh(mu_c=1, v_0=0.1)))
    path = sb.deploy.fmu(m, tmp_path / "still.fmu", fmi=fmi, outputs=outputs)
    assert validation.validate_fmu(str(path)) == []
    plant = Plant(path).start(ADAPTIVE)
    plant.step(0.1, 3)
    assert [plant.get(name) for name in outputs] == [2.0] * len(outputs)
    assert plant.outputs() == outputs
    plant.free()
    simulated(path, "me", 1.0, outputs)


@pytest.mark.parametrize("seed", [3, 8, 14, 53, 229])
def test_random_machines(seed, tmp_path):
    """Every element, signal and law: fixed steps to the last bit; motion by CVODE at 1e-8 within 1e-3 of its range,
    which leaves room for machines whose range is small. Seed 53 has a law with discrete states, which CVODE's rounding
    must not change; 229 has a filter whose state has the name of an output."""
    m = sb.Model.from_dict(assorted(seed))
    program = sb.compile_model(m)
    path = sb.deploy.fmu(m, tmp_path / "machine.fmu", fmi=2 + seed % 2)
    assert validation.validate_fmu(str(path)) == []
    plant, stepper = Plant(path).start(FIXED), m.realtime(h="1 ms")
    plant.step(1e-3, 40)
    stepper.step(40)
    names = plant.outputs()
    assert plant.get(names) == [stepper[name] for name in names]
    plant.free()
    end = float(m.simulation.resolve({}, "").t_end)
    kinds = dict(zip(program.output_names, program.output_kinds, strict=True))
    moving = [name for name in program.state_names if kinds.get(name) in (Kind.SPEED, Kind.POSITION)]
    truth = m.simulate(intervals=200, tolerance=1e-10)
    found = simulated(path, "me", end, moving, relative_tolerance=1e-8)
    for name in moving:
        exact = np.asarray(truth[name])
        assert np.abs(found[name] - exact).max() <= 1e-3 * max(np.ptp(exact), 1e-3), name


@pytest.mark.parametrize("fmi", VERSIONS)
def test_folders_with_spaces_and_umlauts(fmi, tmp_path):
    """FMI 2 gives the folder as an URI, with % and numbers; FMI 3 as a path."""
    folder = tmp_path / "eine Übung, 100 %"
    folder.mkdir()
    with zipfile.ZipFile(exported("stick-slip", fmi)) as archive:
        archive.extractall(folder)
    result = fmpy.simulate_fmu(str(folder), fmi_type="CoSimulation", stop_time=0.1, output=["mass.phi"])
    assert result["mass.phi"][-1] > 0


@pytest.mark.parametrize("fmi", VERSIONS)
def test_a_damaged_model_is_refused(fmi, tmp_path):
    log: list[str] = []
    whole = exported("stick-slip", fmi)
    changes = {
        "short": lambda data: data[:-9],
        "other": lambda data: b"x" + data[1:],
        "flipped": lambda data: data[:900] + bytes([data[900] ^ 4]) + data[901:],
        "none": None,
    }
    for name, change in changes.items():
        path = tmp_path / f"{name}.fmu"
        with zipfile.ZipFile(whole) as old, zipfile.ZipFile(path, "w") as new:
            for entry in old.namelist():
                data = old.read(entry)
                if entry.endswith("model.sb"):
                    if change is None:
                        continue
                    data = change(data)
                new.writestr(entry, data)
        with pytest.raises(Exception, match=r"[Ff]ailed to instantiate"):
            Plant(path, log=log)
        assert "model.sb" in log[-1]
