"""docs/adding-a-law.md: laws of users, run; a law of the package, done in a copy of the tree: one file, the build, the
registered tests, a simulation."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_docs import commands, run_command, run_session

import stribeck as sb
from stribeck.laws._text.description import EQUATIONS
from stribeck.laws._text.functions import CONSTANTS, DER, FUNCTIONS
from stribeck.laws._text.grammar import KEYWORDS

ROOT = Path(__file__).parents[2]
USERS, PAGE = (ROOT / "docs" / "adding-a-law.md").read_text(encoding="utf-8").split("\n## Add a law to the package\n")
FILE = re.compile(r"\*\*(src/stribeck/laws/\w+\.py)\*\*:\n\n```python")
BUILDERS = ("scikit_build_core", "nanobind", "sympy")
MODELS = ("stick-slip", "stick-slip-switch", "gearbox")
"""With laws all over the alphabet."""
HASHES = f"import stribeck as sb; print(*(sb.compile_model(sb.load_model(name)).hash for name in {MODELS}))"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def run_users_block(language, text, named, names):
    """A block of the part for users; the page names the files that blocks of YAML are."""
    match language:
        case "python":
            exec(text, names)
        case "pycon":
            run_session(text, names)
        case "yaml":
            Path(named).write_text(text, encoding="utf-8")
            for law in sb.load_laws(named).values():
                assert sb.laws.check(law).passed, str(sb.laws.check(law))
        case "sh":
            for command in commands(text):
                run_command(command)


def test_the_part_for_users_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    registry = sb.laws.Law.registry
    monkeypatch.setattr(registry, "_kinds", dict(registry._kinds))  # its laws are not known to other tests
    monkeypatch.setattr(registry, "_ordered", [])
    names = {"__name__": "__main__"}
    found = re.findall(r"(?:\*\*(\w+\.yaml)\*\*\n\n)?^```(\w+)\n(.*?)^```$", USERS, re.DOTALL | re.MULTILINE)
    assert len(found) == 9
    for named, language, text in found:
        run_users_block(language, text, named, names)
    same = [sb.laws.LawEquations(law).friction.text for law in (names["Makkar"], sb.load_laws("rig.yaml")["Makkar"])]
    assert same[0] == same[1]
    assert 1.1 < names["result"]["friction.tau"].max() < 1.3
    assert sb.laws.check(names["Bent"]).passed and sb.laws.check(names["BentToo"]).passed


def test_the_page_names_every_function_and_entry():
    for name in (*FUNCTIONS, *CONSTANTS, *KEYWORDS, DER):
        assert re.search(rf"`[^`]*\b{name}\b[^`]*`", USERS), name
    for name in {entry for family in EQUATIONS.values() for entry in family}:
        assert f"`{name}`" in USERS, name


def run(*command, folder, packages):
    """A command of this interpreter with these packages before its own, without the hooks of an editable install."""
    paths = [str(packages), *(path for path in sys.path if path)]
    unoptimised = {"SKBUILD_CMAKE_BUILD_TYPE": "Debug"}  # compiles in half the time
    environment = os.environ | unoptimised | {"PYTHONPATH": os.pathsep.join(paths), "PIP_NO_INDEX": "1"}
    done = subprocess.run(
        [sys.executable, "-S", *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_page_adds_a_law(tmp_path):
    for builder in BUILDERS:
        pytest.importorskip(builder)
    law, use = blocks("python")
    (commands,) = blocks("sh")
    install, test = (line.split() for line in commands.splitlines())
    (name,) = FILE.findall(PAGE)

    tree, packages = tmp_path / "stribeck", tmp_path / "packages"
    skipped = shutil.ignore_patterns(".*", "build", "__pycache__", "*.so")
    shutil.copytree(ROOT, tree, ignore=skipped)
    assert not (tree / name).exists()
    (tree / name).write_text(law, encoding="utf-8")
    first = tree / Path(name).with_name("aardvark.py")  # a law in front of all others
    first.write_text(law.replace("Makkar", "Aardvark"), encoding="utf-8")

    assert install[:2] == ["pip", "install"] and test[0] == "pytest"
    run("-m", *install, "-q", "--target", str(packages), folder=tree, packages=packages)
    report = run("-m", *test, "-p", "no:cacheprovider", "-p", "no:xdist", "-vv", folder=tree, packages=packages)
    assert re.search(r"\b\d{2} passed", report) and "test_c_agrees_with_the_text[Makkar] PASSED" in report, report

    # other laws have other numbers now, and nothing that holds them has changed
    header = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/kernel/test_models_header.py")
    run(*header, folder=tree, packages=packages)
    hashes = run("-c", HASHES, folder=tmp_path, packages=packages).split()
    assert hashes == [sb.compile_model(sb.load_model(model)).hash for model in MODELS]

    peak = run("-c", use + '\nprint(result["friction.tau"].max())', folder=tmp_path, packages=packages)
    assert 1.4 < float(peak) < 1.5


def test_a_program_knows_its_laws_by_name():
    program = sb.compile_model(sb.load_model("gearbox"))
    assert program.laws == ("coulomb",) * len(program.frictions)
    assert "fr_law" not in program.arrays


def test_the_new_file_is_a_law_that_we_do_not_have():
    (name,) = FILE.findall(PAGE)
    assert not (ROOT / name).exists()
    compile(blocks("python")[0], name, "exec")
