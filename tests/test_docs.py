"""What the documents say is so: examples run, commands exist, links lead somewhere."""

import doctest
import re
import runpy
import shlex
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stribeck.cli import app
from stribeck.spec import Model

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
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


def test_the_gallery_shows_the_examples():
    """`python docs/gallery.py` writes the page and the pictures."""
    gallery = runpy.run_path(str(ROOT / "docs" / "gallery.py"))
    shown = [name for names in gallery["SECTIONS"].values() for name in names]
    assert sorted(shown) == [example.stem for example in EXAMPLES]
    assert gallery["PAGE"].read_text(encoding="utf-8") == gallery["page"]()
    pictures = sorted(gallery["PICTURES"].iterdir())
    assert [picture.name for picture in pictures] == [f"{example.stem}.png" for example in EXAMPLES]
    assert max(picture.stat().st_size for picture in pictures) < 100_000


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


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_that_are_named_exist(document):
    """Paths in `code` that begin with a folder of the project; NAME and the law of the worked example are new."""
    folders = "|".join(re.escape(path.name) for path in ROOT.iterdir() if path.is_dir() and path.name != "build")
    for name in re.findall(rf"`((?:{folders})/[\w./-]*)`", document.read_text(encoding="utf-8")):
        assert (ROOT / name).exists() or "NAME" in name or name == "src/stribeck/laws/makkar.py", name
