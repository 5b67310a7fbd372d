"""The page on C: its code is exported, compiled, linked and run."""

import re
import shutil
from pathlib import Path

import pytest
from support.plant import FLAGS, compile_c, run_program
from typer.testing import CliRunner

import stribeck as sb
from stribeck.cli import app

PAGE = Path(__file__).parents[2] / "docs" / "deploy.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def page(tmp_path_factory, runtime_object):
    """The folder of the page, after its Python and its command."""
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        names: dict[str, object] = {}
        first, *rest = blocks("python")
        exec(first, names)
        (command,) = [line for text in blocks("sh") for line in text.splitlines()]
        arguments = re.findall(r"'[^']*'|\S+", command)[1:]
        done = CliRunner().invoke(app, [word.strip("'") for word in arguments])
        assert done.exit_code == 0, done.output
        for text in rest:
            exec(text, names)
    return folder


def speed_at_the_end() -> float:
    """The same loop in Python."""
    names: dict[str, object] = {}
    exec(blocks("python")[0].replace('m.to_yaml("servo.yaml")', ""), names)
    model = names["m"]
    assert isinstance(model, sb.Model)
    stepper = model.realtime("1 ms", energy=False)
    for _ in range(2000):
        stepper.inputs["drive.tau"] = 4.0 * (1.0 - stepper["load.w"])
        stepper.step()
    return stepper["load.w"]


def test_the_loop_in_c_has_the_bits_of_the_loop_in_python(page, runtime_object):
    loop = next(text for text in blocks("c") if "int main" in text)
    (page / "loop.c").write_text(loop)
    compile_c("-I", page / "servo", page / "loop.c", page / "servo" / "servo.c", runtime_object, "-o", page / "loop")
    assert float(run_program(page / "loop")) == speed_at_the_end()


def test_so_has_the_loop_in_cpp(page, runtime_object):
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    (loop,) = blocks("cpp")
    (page / "loop.cpp").write_text(loop)
    compile_c("-c", page / "servo" / "servo.c", "-o", page / "servo.o")
    words = ["-std=c++17", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I", page / "servo"]
    files = [page / "loop.cpp", page / "servo.o", runtime_object, "-o", page / "loop_cpp"]
    compile_c(*words, *files, flags=[], compiler=compiler)
    assert float(run_program(page / "loop_cpp")) == speed_at_the_end()


def test_the_function_for_simulink_runs(page, runtime_object):
    block = next(text for text in blocks("c") if "static servo_plant" in text)
    header = next(text for text in blocks("c") if text.startswith("void servo_block"))
    (page / "servo_block.c").write_text(block)
    (page / "servo_block.h").write_text(header)
    (page / "caller.c").write_text(
        '#include <stdio.h>\n#include "servo_block.h"\nint main(void)\n{\n    double w = 0.0;\n    double tau = 0.0;\n'
        "    for (int i = 0; i < 2000; ++i) {\n        servo_block(i == 0, 4.0 * (1.0 - w), 0.0, &w, &tau);\n    }\n"
        '    printf("%.17g\\n", w);\n    return 0;\n}\n'
    )
    files = [page / "caller.c", page / "servo_block.c", page / "servo" / "servo.c", runtime_object]
    compile_c("-I", page, "-I", page / "servo", *files, "-o", page / "caller")
    assert float(run_program(page / "caller")) == speed_at_the_end()


def test_the_joint_compiles(page):
    joint = next(text for text in blocks("c") if "joint_try" in text)
    (page / "joint_torque.c").write_text(joint)
    compile_c("-I", page / "joint", "-c", page / "joint_torque.c", "-o", page / "joint_torque.o")
    assert (page / "joint_torque.o").stat().st_size > 0


def test_every_block_of_c_is_compiled():
    assert len(blocks("c")) == 4 and len(blocks("cpp")) == 1
    assert "-Werror" in FLAGS


def test_the_table_has_the_functions_of_the_header():
    header = (PAGE.parents[1] / "kernel" / "include" / "stribeck.h").read_text(encoding="utf-8")
    functions = set(re.findall(r"^STRIBECK_API [\w *]*?(stribeck_\w+)\(", header, re.MULTILINE))
    assert functions - set(re.findall(r"stribeck_\w+", PAGE.read_text(encoding="utf-8"))) == {"stribeck_read"}
