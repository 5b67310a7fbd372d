"""What the documents say is so: examples run, commands exist, links lead somewhere."""

import doctest
import re
import runpy
import shlex
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

import stribeck as sb
from stribeck import Model
from stribeck.cli import app
from stribeck.elements import all_elements
from stribeck.laws import all_laws
from stribeck.signals import all_signals

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ELSEWHERE = {
    "fmu.md": "tests/deploy/test_fmu_page.py",  # it needs FMPy
    "identification.md": "tests/identify/test_page.py",
    "from-file-to-model.md": "tests/identify/test_tutorial.py",
    "adding-a-law.md": "tests/laws/test_adding_a_law.py",
    "emps.md": "tests/identify/emps/test_emps.py",  # the page reads files that are not part of the project
}
"""Pages whose code is run by a test that also checks what comes out."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(page: Path, language: str = r"python|pycon|yaml|sh") -> list[tuple[str, str]]:
    """Language and text of the code blocks of a page, in their order."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```({language})\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def commands(shell: str) -> list[str]:
    """The calls of stribeck in a block of shell commands."""
    return re.findall(r"^(?:.*\.venv/bin/)?(stribeck .*)$", shell.replace("\\\n", " "), re.MULTILINE)


def run_session(text: str, names: dict[str, object]) -> None:
    session = doctest.DocTestParser().get_doctest(text, {}, "session", None, 0)
    session.globs = names
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert session.examples
    assert not runner.run(session, out=report.append, clear_globs=False).failed, "".join(report)


def run_command(command: str) -> None:
    _, *arguments = shlex.split(command)
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in ELSEWHERE and blocks(page)], ids=name_of)
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    """In the order of the page, in one folder, with one set of names."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for language, text in blocks(page):
        match language:
            case "python":
                exec(text, names)
            case "pycon":
                run_session(text, names)
            case "yaml":
                Model.from_yaml(text).check()
            case "sh":
                for command in commands(text):
                    run_command(command)


def test_pages_that_are_run_elsewhere_exist():
    assert all((ROOT / "docs" / page).exists() and (ROOT / test).exists() for page, test in ELSEWHERE.items())


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


def test_the_readme_is_short_and_begins_with_an_example():
    """The one of the gallery; the model file in docs/machines.md describes the same machine."""
    assert len(README.splitlines()) <= 110
    ((_, first),) = blocks(ROOT / "README.md", "python")
    assert first == (ROOT / "examples" / "stick_slip.py").read_text(encoding="utf-8")
    assert len(first.splitlines()) <= 15
    ((_, file),) = blocks(ROOT / "docs" / "machines.md", "yaml")
    described: dict[str, Model] = {}
    exec(first.partition("\nresult")[0], described)
    assert Model.from_yaml(file) == described["model"]


def test_the_gearbox_is_the_one_of_the_gallery():
    example = (ROOT / "examples" / "gearbox.py").read_text(encoding="utf-8")
    assert example.removeprefix("import stribeck as sb\n\n") in [t for _, t in blocks(ROOT / "docs" / "machines.md")]


def test_what_the_readme_names_exists():
    table = README.split("\n## What is in it\n")[1].split("\n## ")[0]
    assert set(re.findall(r"`([A-Z]\w+)`", table)) <= set(dir(sb))
    counts = {what: int(count) for count, what in re.findall(r"\[(\d+) ([\w ]+)\]", table)}
    offered = [signal for signal in all_signals().values() if signal.group != "expressions"]
    assert counts == {"elements": len(all_elements()), "friction laws": len(all_laws()), "signals": len(offered)}


def test_set_up_commands():
    """A virtual environment, the package with extras that there are, an entry point: one for the job, one for tests."""
    ends = []
    for line in (line for _, block in blocks(ROOT / "README.md", "sh") for line in block.splitlines()):
        make, install, run = line.split(" && ")
        assert make == "python3 -m venv .venv"
        target = re.fullmatch(r"\.venv/bin/pip install -q '?\.(?:\[(\w+)\])?'?", install)
        assert target and (target[1] is None or target[1] in PROJECT["optional-dependencies"])
        ends.append(run.removeprefix(".venv/bin/"))
    assert ends == ["stribeck run stick-slip --out out", "pytest -n auto --dist loadgroup"]
    assert "stribeck" in PROJECT["scripts"]
    needed = {re.split(r"[=<>~!]", package)[0] for package in PROJECT["optional-dependencies"]["test"]}
    assert {"pytest", "pytest-xdist"} <= needed


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links(document):
    text = document.read_text(encoding="utf-8")
    for target, heading in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", text):
        path = (document.parent / target) if target else document
        assert path.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings], heading


FOLDERS = ["src", "kernel", "fmi", "tools", "tests", "benchmarks", "examples", "docs", ".ci"]
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
    """A folder that is added is looked for in the texts below; those that git ignores, such as `out`, are not part."""
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()}
    tracked = [ROOT / ".ci", *(path for path in ROOT.iterdir() if path.is_dir() and path.name[0] != ".")]
    assert {path.name for path in tracked} - ignored == set(FOLDERS)


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


def test_the_index_leads_to_every_page():
    """Of the documentation, and of its decisions and notes."""
    for folder in (ROOT / "docs", ROOT / "docs" / "decisions", ROOT / "docs" / "notes"):
        index = (folder / "README.md").read_text(encoding="utf-8")
        pages = {page.name for page in folder.glob("*.md")} - {"README.md"}
        assert pages <= set(re.findall(r"\]\(([\w.-]+)", index))
