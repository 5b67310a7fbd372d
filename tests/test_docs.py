"""What the documents say is so: examples run, commands exist, links lead somewhere."""

import doctest
import re
import runpy
import shlex
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stribeck import Model
from stribeck.cli import app
from stribeck.elements import all_elements
from stribeck.laws import all_laws

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FAMILIES = ("locking", "bristle", "smooth")
"""Of laws, in the order of the README."""
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(language: str) -> list[str]:
    """The code blocks of the README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


LINES = [line for block in blocks("sh") for line in block.splitlines()]
SETUP = [line for line in LINES if "venv" in line]
COMMANDS = [line.rpartition("&& .venv/bin/")[2] for line in LINES if "stribeck" in line]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run_and_draw(example, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(example))
    assert [path.suffix for path in tmp_path.iterdir()] == [".png"]
    assert capsys.readouterr().out


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_short_and_use_what_is_public(example):
    lines = example.read_text(encoding="utf-8").splitlines()
    imports = [line for line in lines if re.match(r"(from|import) ", line)]
    assert len(lines) <= 60
    assert "import stribeck as sb" in imports
    assert set(imports) <= {"import stribeck as sb", "import numpy as np"}


def test_the_example_of_the_readme():
    first = blocks("python")[0]
    assert first == (ROOT / "examples" / "stick_slip.py").read_text(encoding="utf-8")
    assert len(first.splitlines()) <= 15


def test_the_gearbox_of_the_readme():
    example = (ROOT / "examples" / "gearbox.py").read_text(encoding="utf-8")
    assert example == f"import stribeck as sb\n\n{blocks('python')[1]}"


def test_the_other_examples_of_the_readme_run_and_draw(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec("import stribeck as sb", names)
    for number, example in enumerate(blocks("python")[1:], 1):
        exec(example, names)
        assert len(list(tmp_path.glob("*.png"))) == number


def test_sessions_of_the_readme(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks("pycon")), {}, "README", "README.md", 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert session.examples
    assert not runner.run(session, out=report.append).failed, "".join(report)


def test_the_model_file_of_the_readme():
    """It says the same as the Python example beside it."""
    (text,) = blocks("yaml")
    python = blocks("python")[0]
    described: dict[str, Model] = {}
    exec(python.partition("\nresult")[0], described)
    assert Model.from_yaml(text) == described["model"]


def test_set_up_commands():
    """A virtual environment, the package with extras that there are, an entry point: one for the job, one for tests."""
    ends = []
    for line in SETUP:
        make, install, run = line.split(" && ")
        assert make == "python3 -m venv .venv"
        target = re.fullmatch(r"\.venv/bin/pip install -q '?\.(?:\[(\w+)\])?'?", install)
        assert target and (target[1] is None or target[1] in PROJECT["optional-dependencies"])
        ends.append(run.removeprefix(".venv/bin/"))
    assert ends == ["stribeck run stick-slip --out out", "pytest -n auto --dist loadgroup"]
    assert "stribeck" in PROJECT["scripts"]
    assert {"pytest", "pytest-xdist"} <= set(PROJECT["optional-dependencies"]["test"])


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, *arguments = shlex.split(command)
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links(document):
    text = document.read_text(encoding="utf-8")
    for target, heading in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", text):
        path = (document.parent / target) if target else document
        assert path.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings], heading


FOLDERS = ["src", "kernel", "tools", "tests", "benchmarks", "examples", "docs", ".ci"]
TEXTS = [
    *DOCUMENTS,
    *(ROOT / name for name in ("pyproject.toml", "CMakeLists.txt", ".ci/run")),
    *(
        file
        for folder in FOLDERS
        for suffix in ("py", "[ch]", "cpp")
        for file in sorted((ROOT / folder).rglob(f"*.{suffix}"))
    ),
]
TO_COME = {"src/stribeck/laws/makkar.py"}
"""The law of the worked example."""


def test_the_folders_of_the_project():
    """A folder that is added is looked for in the texts below."""
    tracked = [ROOT / ".ci", *(path for path in ROOT.iterdir() if path.is_dir() and path.name[0] != ".")]
    assert {path.name for path in tracked} - {"build", "dist"} == set(FOLDERS)


def named_files(text: str) -> set[str]:
    """Paths from the root that a text names, and the files of programs that it calls as `python -m MODULE`.

    >>> named_files("`tests/support` is for tests: python -m tools.schema")
    {'tests/support', 'tools/schema.py'}
    """
    folders = "|".join(map(re.escape, FOLDERS))
    paths = re.findall(rf"(?<![\w/.$}}-])((?:{folders})/[\w./-]*\w)(?!\w|\*[^*])", text)
    modules = re.findall(r"python -m ((?:stribeck|stribeck_papers|tools|tests)(?:\.\w+)*)", text)
    files = [f"{'src/' * module.startswith('stribeck')}{module.replace('.', '/')}.py" for module in modules]
    return {*paths, *files}


def test_files_that_are_named_exist():
    """In documents, and in the code with its comments; NAME stands for what is new."""
    named = {(file, name) for file in TEXTS for name in named_files(file.read_text(encoding="utf-8"))}
    missing = [f"{file.relative_to(ROOT)}: {name}" for file, name in named if not (ROOT / name).exists()]
    assert len(named) > 100
    assert not [line for line in missing if "NAME" not in line and line.partition(": ")[2] not in TO_COME]


def table_of(heading):
    """The rows of the table that a section of the README begins with."""
    table = README.split(f"\n## {heading}\n")[1].strip().split("\n\n")[0]
    return [re.findall(r"`(\w+)`", row) for row in table.splitlines()[2:]]


def test_the_readme_has_every_element_once():
    listed = [name for row in table_of("Machines") for name in row]
    assert sorted(listed) == sorted(kind.__name__ for kind in all_elements().values())


def test_the_readme_has_every_law_once_in_its_family():
    families = [{law.__name__ for law in all_laws().values() if law.family == name} for name in FAMILIES]
    assert [set(row) for row in table_of("Friction laws")] == families
