"""Exported C: compiled with all warnings, linked, and compared with Stepper."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.plant import CC, FLAGS, compile_c, run_program

import stribeck as sb
from stribeck.deploy.c_names import c_name
from stribeck.deploy.exported import runtime_files

PRINTS_BITS = """
#include <stdio.h>
{includes}

static int print_run(const stribeck_model *model, double *memory, size_t bytes, int tasks)
{{
    stribeck *plant = stribeck_new(model, memory, bytes);
    if (!plant || stribeck_start(plant, NULL)) {{
        return 1;
    }}
    for (int i = 0; i < tasks; ++i) {{
        if (stribeck_step(plant)) {{
            printf("%s\\n", stribeck_error(plant));
            return 1;
        }}
    }}
    const int n = stribeck_count(model, STRIBECK_OUTPUT);
    for (int i = 0; i < n; ++i) {{
        printf("%a ", stribeck_get(plant, STRIBECK_OUTPUT, i));
    }}
    printf("\\n");
    return 0;
}}

int main(void)
{{
    static double memory[20000];
    return {runs};
}}
"""


def compare(folder: Path, runtime_object: Path, names: list[str], tasks: int, flags: list[str] = FLAGS) -> None:
    """All models in one program, against steppers."""
    for name in names:
        sb.deploy.c(sb.load_model(name), folder, step="1 ms")
    known = [c_name(name) for name in names]
    runs = " || ".join(f"print_run(&{name}, memory, sizeof memory, {tasks})" for name in known)
    includes = "\n".join(f'#include "{name}.h"' for name in known)
    (folder / "bits.c").write_text(PRINTS_BITS.format(includes=includes, runs=runs))
    data = [folder / f"{name}.c" for name in known]
    compile_c(folder / "bits.c", *data, runtime_object, "-o", folder / "bits", flags=flags)
    for name, line in zip(names, run_program(folder / "bits").splitlines(), strict=True):
        stepper = sb.load_model(name).realtime(1e-3, energy=False)
        stepper.step(tasks)
        wanted = [stepper[output] for output in stepper.program.output_names]
        assert np.array([float.fromhex(word) for word in line.split()]).tobytes() == np.array(wanted).tobytes(), name


def test_models_in_one_program_equal_steppers(tmp_path, runtime_object):
    compare(tmp_path, runtime_object, ["clutch-judder", "stick-slip", "gear-shift"], 500)


@pytest.mark.slow
def test_all_models_in_one_program_equal_steppers(tmp_path, runtime_object):
    compare(tmp_path, runtime_object, list(sb.shipped_models()), 4000)


@pytest.mark.slow
def test_optimised_programs_are_free_of_warnings_and_equal(tmp_path):
    optimised = [flag.replace("-O0", "-O3") for flag in FLAGS]
    compile_c("-c", runtime_files()["stribeck.c"], "-o", tmp_path / "stribeck.o", flags=optimised)
    compare(tmp_path, tmp_path / "stribeck.o", list(sb.shipped_models()), 4000, optimised)


@pytest.mark.slow
def test_the_address_sanitizer_finds_nothing(tmp_path):
    checked = [*FLAGS, "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    compile_c("-c", runtime_files()["stribeck.c"], "-o", tmp_path / "stribeck.o", flags=checked)
    compare(tmp_path, tmp_path / "stribeck.o", list(sb.shipped_models()), 300, checked)


@pytest.mark.slow
def test_zig_compiles_without_warnings(tmp_path):
    pytest.importorskip("ziglang")
    files = sb.deploy.c(sb.load_model("car"), tmp_path)
    sources = [str(file) for file in files if file.suffix == ".c"]
    command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, *sources, "-o", str(tmp_path / "car"), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert "tasks of 0.001 s" in run_program(tmp_path / "car", "100")


def test_the_example_prints_task_times_and_outputs(tmp_path, runtime_object):
    files = sb.deploy.c(sb.load_model("stick-slip"), tmp_path, step="1 ms", outputs=["mass.w", "friction.*"])
    model, _, main = files[:3]
    compile_c(main, model, runtime_object, "-o", tmp_path / "stick_slip")
    shown = run_program(tmp_path / "stick_slip", "1500").splitlines()
    stepper = sb.load_model("stick-slip").realtime(1e-3, energy=False)
    stepper.step(1500)
    assert shown[0] == "1500 tasks of 0.001 s"
    assert sum(int(line.split()[3]) for line in shown if line.startswith("below")) == 1500
    values = dict(line.split(" = ") for line in shown if " = " in line)
    assert list(values)[:2] == ["mass.w", "friction.phi_rel"]
    assert float(values["mass.w"].split()[0]) == stepper["mass.w"]
    assert values["friction.tau"].split()[1] == "N.m"


def test_the_makefile_builds_the_example(tmp_path, runtime_object):
    if shutil.which("make") is None:
        pytest.skip("there is no make")
    sb.deploy.c(sb.load_model("stick-slip"), tmp_path, name="rig")
    shutil.copy(runtime_object, tmp_path / "stribeck.o")  # newer than its source
    done = subprocess.run(["make", "-C", str(tmp_path), f"CC={CC}"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "10 tasks" in run_program(tmp_path / "rig", "10")


def test_what_cannot_be_exported_is_refused(tmp_path):
    model = sb.load_model("stick-slip")
    with pytest.raises(sb.UnknownName, match=r"'pull\.w' is not an External signal, and stick-slip has none"):
        sb.deploy.c(model, tmp_path, inputs=["pull.w"])
    driven = model.varied({"pull.w": sb.External(0.1)})
    with pytest.raises(sb.UnknownName, match=r"there is no External signal 'pull\.v'; did you mean 'pull\.w'"):
        sb.deploy.c(driven, tmp_path, inputs=["pull.v"])
    with pytest.raises(sb.UnknownName, match=r"deploy: outputs: there is no output 'mass\.x'"):
        sb.deploy.c(model, tmp_path, outputs=["mass.x"])
    with pytest.raises(sb.SpecError, match=r"deploy: step = '0 ms' must be above 0"):
        sb.deploy.c(model, tmp_path, step="0 ms")
    with pytest.raises(sb.SpecError, match="deploy: name = 'my car' cannot be used in C; take for instance 'my_car'"):
        sb.deploy.c(model, tmp_path, name="my car")
    (tmp_path / "file").write_text("")
    with pytest.raises(sb.WriteError, match="cannot be written"):
        sb.deploy.c(model, tmp_path / "file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_names_in_c():
    names = {"coupled-clutches": "coupled_clutches", "Möbel": "M_bel", "3D": "m_3D", "while": "m_while", "--": "model"}
    assert {text: c_name(text) for text in names} == names


@pytest.mark.parametrize("name", ["time", "plant", "memory", "count", "log", "double", "Prüfstand */ 2"])
def test_any_name_of_a_model_compiles(tmp_path, runtime_object, name):
    plain = {**sb.load_model("stick-slip").to_dict(), "name": name}
    model, _, main = sb.deploy.c(sb.Model.from_dict(plain), tmp_path)[:3]
    compile_c(main, model, runtime_object, "-o", tmp_path / "program")
    assert "10 tasks" in run_program(tmp_path / "program", "10")


def test_inputs_that_are_not_asked_for_keep_their_values(tmp_path):
    model = sb.load_model("stick-slip").varied({"pull.w": sb.External(0.1)})
    header = sb.deploy.c(model, tmp_path, inputs=[])[1].read_text()
    assert "STICK_SLIP_IN_COUNT" in header and "IN_pull" not in header
