"""The structure of the package: which room imports which, what an import costs, what everything public shows."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from doctest import DocTestParser
from functools import cached_property
from pathlib import Path
from types import FunctionType

import pytest

import stribeck

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "stribeck"
PAPERS = ROOT / "src" / "stribeck_papers"
TOOLS = ROOT / "tools"

# stage -> the stages that it may import, all of them above it
STAGES = {
    "errors": "",
    "kinds": "",
    "traced": "",
    "formula": "errors",
    "units": "errors traced",
    "declare": "errors traced units",
    "optional": "errors",
    "registry": "errors declare",
    "arguments": "errors declare",
    "writing": "errors",
    "nesting": "errors",
    "reading": "errors",
    "tables": "errors declare optional reading units",
    "laws": "errors traced units formula declare registry",
    "signals": "errors traced declare registry tables",
    "elements": "errors traced units declare registry laws signals",
    "spec": "errors declare nesting writing laws signals elements",
    "kernel": "",
    "compile": "errors kinds traced formula units declare nesting laws signals elements spec kernel",
    "results": "errors kinds units kernel optional writing reading",
    "run": "errors kinds declare units spec kernel compile results",
    "analysis": "errors kinds arguments units declare writing laws elements signals spec compile results run",
    "identify": "errors kinds arguments units declare optional writing reading tables laws elements signals spec "
    "kernel compile results run analysis",
    "sweeps": "errors arguments declare units optional writing reading spec compile results run",
    "deploy": "errors kinds arguments declare units optional writing spec kernel compile results run",
    "reports": "arguments units writing results",
    "style": "arguments results",
    "model": "spec compile run results analysis identify",
    "cli": "errors declare writing tables laws elements spec compile results run analysis identify sweeps deploy model",
    "__main__": "cli",
}

HEAVY = {"sympy", "pandas", "xarray", "matplotlib", "pint", "scipy"}
"""Packages that are imported only by the functions that need them."""

PLAIN_C = {"float.h", "limits.h", "math.h", "stddef.h", "stdint.h", "string.h"}
"""What the kernel may include: nothing that allocates, prints or ends the program."""


def modules(tree: ast.AST, package: tuple[str, ...]) -> Iterator[list[str]]:
    """Every module that a file imports, with its full name as a list; `package` is where the file is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            name = [*base, *(node.module.split(".") if node.module else [])]
            yield from ([*name, alias.name] for alias in node.names)


def stage_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def stages_imported(file: Path) -> set[str]:
    package = ("stribeck", *file.relative_to(SOURCE).parent.parts)
    names = modules(ast.parse(file.read_text(encoding="utf-8")), package)
    return {name[1] for name in names if name[0] == "stribeck"} - {stage_of(file)}


def test_stages_stand_in_order():
    seen = set()
    for stage, imports in STAGES.items():
        assert set(imports.split()) <= seen, stage
        seen.add(stage)


FILES = [file for file in sorted(SOURCE.rglob("*.py")) if file.parent != SOURCE or file.stem != "__init__"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(SOURCE).as_posix())
def test_imports_only_stages_to_the_left(file):
    assert stages_imported(file) <= set(STAGES[stage_of(file)].split())


LOADERS = {"import_module", "__import__", "spec_from_file_location", "run_module", "run_path", "find_loader"}
"""What imports a module by a text that is not checked until it runs."""
BY_TEXT = {
    "registry.py": "files of the folder of a registry",
    "optional.py": "packages of others",
    "tables/_columns.py": "formats",
}
"""Files that may, and what they import."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(SOURCE).as_posix())
def test_nothing_is_imported_by_a_text(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    }
    assert not names & LOADERS or file.relative_to(SOURCE).as_posix() in BY_TEXT


def reachable(stage: str) -> set[str]:
    """A stage and all that it may load, directly or through others."""
    return {stage}.union(*(reachable(other) for other in STAGES[stage].split()))


ALONE = """
import sys, types
from pathlib import Path
package = types.ModuleType("stribeck")  # without its __init__, which loads every room
package.__path__ = {path!r}
sys.modules["stribeck"] = package
import stribeck.{stage}
{work}
print(*sys.modules)
"""

MODEL = "from stribeck.spec import Model, find_model; model = Model.from_yaml(find_model('stick-slip'));"
WORK = {
    "laws": "stribeck.laws.all_laws()",
    "signals": "stribeck.signals.all_signals()",
    "elements": "stribeck.elements.all_elements()",
    "spec": f"{MODEL} model.varied({{'mass.J': 2}}).to_yaml()",
    "compile": f"{MODEL} stribeck.compile.check_model(model, 1e-3); stribeck.compile.compile_model(model)",
    "run": f"{MODEL} stribeck.run.simulate(model, 0.1); stribeck.run.realtime(model, 1e-3).step()",
    "analysis": f"{MODEL} stribeck.analysis.linearize(model)",
    "model": "stribeck.model.load_model('stick-slip').simulate(0.1)",
}
"""What a room is there for, where that is cheap."""


@pytest.mark.parametrize("stage", STAGES)
def test_a_room_loads_and_works_without_those_to_its_right(stage):
    code = ALONE.format(path=list(stribeck.__path__), stage=stage, work=WORK.get(stage, ""))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = {name.split(".")[1] for name in done.stdout.split() if name.startswith("stribeck.")}
    assert loaded <= reachable(stage)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(SOURCE).as_posix())
def test_the_package_knows_neither_papers_nor_tools(file):
    """Papers come by their entry point; what builds and documents is not installed."""
    text = file.read_text(encoding="utf-8")
    package = ("stribeck", *file.relative_to(SOURCE).parent.parts)
    assert not {"stribeck_papers", "tools"} & {name[0] for name in modules(ast.parse(text), package)}
    assert "stribeck_papers" not in text


OWN_ARRAYS = {"results/end.py": {"self", "end"}}
"""Files of other things that have `arrays`, and how these are called there: an end has what the kernel has kept."""


def array_uses(code: str) -> set[str]:
    """Whose `arrays` a code uses, in its examples too."""
    tree = ast.parse(code)
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    examples = [ast.parse(example.source) for text in texts for example in DocTestParser().get_examples(text)]
    nodes = [node for part in (tree, *examples) for node in ast.walk(part)]
    return {ast.unparse(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr == "arrays"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(SOURCE).as_posix())
def test_raw_arrays_are_for_compile_and_kernel(file):
    """Others ask a program for what they need, as `program.mechanics`; papers have no access either, see below."""
    if stage_of(file) not in ("compile", "kernel"):
        own = OWN_ARRAYS.get(file.relative_to(SOURCE).as_posix(), set())
        assert array_uses(file.read_text(encoding="utf-8")) <= own


EXAMPLE_OF_ARRAYS = "'''Text.\n\n>>> program.arrays\n'''"


@pytest.mark.parametrize("code", ["program.arrays['w_ptr']", "a = program.arrays", EXAMPLE_OF_ARRAYS])
def test_raw_arrays_are_found(code):
    assert array_uses(code) == {"program"}


NAMESPACES = ("analysis", "deploy", "identify", "laws", "reports", "style")
"""Public packages of tools; what is public in each is its `__all__`."""
PUBLIC = {f"stribeck.{name}": set(getattr(stribeck, name).__all__) for name in NAMESPACES}
PUBLIC["stribeck"] = {*stribeck.__all__, *NAMESPACES, "__version__"}
INNER_ATTRIBUTES = {"arrays"}
"""Attributes of public objects that are not public, without an underscore."""


def inner_uses(code: str) -> set[str]:
    """What a client uses of the package that is not public: modules and names, private attributes, imports by text."""
    tree = ast.parse(code)
    imported, found = imports_of(tree)

    def space(node: ast.AST) -> str:
        """The public namespace that an expression is, if it is one."""
        if isinstance(node, ast.Name):
            return imported.get(node.id, "")
        name = f"{space(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""
        return name if name in PUBLIC else ""

    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = space(node.value)
            if owner and node.attr not in PUBLIC[owner]:
                found.add(f"{owner}.{node.attr}")
            if not owner and is_private(node):
                found.add(f".{node.attr}")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
            found |= {f"getattr({owner}, ...)" for owner in [space(node.args[0])] if owner}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= inner_texts(node.value)
        if isinstance(node, ast.Name | ast.Attribute):
            found |= {node.id if isinstance(node, ast.Name) else node.attr} & LOADERS
    return found


def imports_of(tree: ast.AST) -> tuple[dict[str, str], set[str]]:
    """The names that a file has for public namespaces, and what it imports that is not public."""
    imported, found = {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            own = [alias for alias in node.names if alias.name.split(".")[0] == "stribeck"]
            imported |= {alias.asname or "stribeck": alias.name if alias.asname else "stribeck" for alias in own}
            found |= {alias.name for alias in own if alias.name not in PUBLIC}
        elif isinstance(node, ast.ImportFrom) and not node.level and str(node.module).split(".")[0] == "stribeck":
            names = {f"{node.module}.{alias.name}": alias for alias in node.names}
            public = PUBLIC.get(str(node.module), set())
            found |= {name for name, alias in names.items() if alias.name not in public}
            imported |= {alias.asname or alias.name: name for name, alias in names.items() if name in PUBLIC}
    return imported, found


def is_private(node: ast.Attribute) -> bool:
    """Whether it is a private attribute of another object."""
    own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
    hidden = node.attr.startswith("_") and not node.attr.startswith("__")
    return (hidden and not own) or node.attr in INNER_ATTRIBUTES


def inner_texts(text: str) -> set[str]:
    """What is not public in a text: a module by its name, or code in an example."""
    if re.fullmatch(r"stribeck(\.\w+)+", text):
        return {text} - {f"{space}.{name}" for space, names in PUBLIC.items() for name in names}
    examples = (example.source for example in DocTestParser().get_examples(text))
    return set().union(*map(inner_uses, examples))


PAPER_FILES = sorted(PAPERS.rglob("*.py"))
FINDS_PAPERS = PAPERS / "__init__.py"
"""It imports the folders beside it by their names."""


@pytest.mark.parametrize("file", PAPER_FILES, ids=lambda file: file.relative_to(PAPERS).as_posix())
def test_papers_use_the_public_interface_only(file):
    found = inner_uses(file.read_text(encoding="utf-8"))
    assert found == ({"import_module"} if file == FINDS_PAPERS else set())


@pytest.mark.parametrize(
    ("code", "found"),
    {
        "import stribeck as sb; sb.simulate(sb.analysis.draw, sb.laws.Law, sb.__version__)": "",
        "from stribeck import LuGre, analysis; analysis.linearize": "",
        "from stribeck.style import COLORS": "",
        "import stribeck.writing": "stribeck.writing",
        "from stribeck.results import Result": "stribeck.results.Result",
        "from stribeck import results": "stribeck.results",
        "from stribeck.analysis import linear": "stribeck.analysis.linear",
        "def late():\n    from stribeck.compile import Program": "stribeck.compile.Program",
        "import stribeck as sb; sb.compile": "stribeck.compile",
        "import stribeck as sb; sb.analysis.laboratory.bench": "stribeck.analysis.laboratory",
        "from stribeck import analysis as tools; tools.fixed_step": "stribeck.analysis.fixed_step",
        "import stribeck as sb; getattr(sb.analysis, name)": "getattr(stribeck.analysis, ...)",
        "load('stribeck.kernel')": "stribeck.kernel",
        "import importlib; importlib.import_module(name)": "import_module",
        "program.arrays": ".arrays",
        "result._curve": "._curve",
        "'''Text.\n\n>>> from stribeck.units import to_si\n'''": "stribeck.units.to_si",
    }.items(),
)
def test_what_is_not_public_is_found(code, found):
    assert inner_uses(code) == ({found} if found else set())


def test_the_package_names_its_public_namespaces():
    assert set(re.findall(r"`stribeck\.(\w+)`", stribeck.__doc__)) == set(NAMESPACES)


def test_the_wheel_has_the_packages_and_no_tools():
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["scikit-build"]
    assert built["wheel"]["packages"] == ["src/stribeck", "src/stribeck_papers"]
    assert (TOOLS / "codegen" / "generate.py").exists() and "tools" not in built["sdist"]["exclude"]


@pytest.mark.parametrize(
    "code",
    [
        "stribeck; stribeck.simulate(stribeck.load_model('stick-slip'))",
        "stribeck.cli, stribeck_papers.command",  # what `stribeck --help` loads
    ],
)
def test_light(code):
    loaded = subprocess.run(
        [sys.executable, "-c", f"import {code}; import sys; print(*sys.modules)"],
        capture_output=True,
        check=True,
        text=True,
    )
    assert not HEAVY & set(loaded.stdout.split())


@pytest.mark.parametrize("name", stribeck.__all__)
def test_public_things_show_an_example(name):
    assert ">>> " in (getattr(stribeck, name).__doc__ or "")


SHOWN = [(space, name) for space in NAMESPACES if space != "laws" for name in sorted(PUBLIC[f"stribeck.{space}"])]


@pytest.mark.parametrize(("space", "name"), SHOWN)
def test_tools_show_an_example_of_every_member(space, name):
    thing = getattr(getattr(stribeck, space), name)
    if not isinstance(thing, type | FunctionType):
        return  # colours and settings of pictures
    members = vars(thing).items() if isinstance(thing, type) else ()
    shown = [thing] + [member for word, member in members if word[0] != "_" and is_documented(member)]
    assert not [member for member in shown if ">>> " not in (member.__doc__ or "")]


def is_documented(member: object) -> bool:
    ours = getattr(member, "__module__", "").partition(".")[0] == "stribeck"
    return (callable(member) and ours) or isinstance(member, property | cached_property | classmethod | staticmethod)


# --- the kernel -------------------------------------------------------------------------------------------------------

KERNEL = ROOT / "kernel"
FOLDERS = ("model", "linear", "signals", "network", "stick", "adaptive", "fixed", "runtime", "lanes", "onset")
"""Each may include and call those to its left, and the public headers in include/."""

IN_LANES = (KERNEL / "lanes" / "wide.c", KERNEL / "lanes" / "wide_plants.c")

KERNEL_FILES = sorted(file for folder in ("include", *FOLDERS) for file in (KERNEL / folder).glob("*.[ch]"))
KINDS = ("spring", "source", "friction", "lock", "loss", "heat")
"""What the network asks through its table of kinds, and never by name."""


def c_code(file: Path) -> str:
    """The text of a C file without comments."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)


def headers(folder: str) -> list[str]:
    return [file.name for file in sorted((KERNEL / folder).glob("*.h"))]


@pytest.mark.parametrize("file", KERNEL_FILES, ids=lambda file: file.name)
def test_the_kernel_is_plain_c(file):
    assert set(re.findall(r"#include <(.+)>", file.read_text(encoding="utf-8"))) <= PLAIN_C


def test_the_kernel_has_these_folders():
    assert {path.name for path in KERNEL.iterdir()} == {"include", "tests", *FOLDERS}
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"set(kernel_folders {' '.join(FOLDERS)})" in text
    names = [file.name for file in KERNEL_FILES]
    assert len(names) == len(set(names))


def test_architecture_lists_every_file_of_the_kernel():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for folder in FOLDERS:
        (row,) = re.findall(rf"^\| `{folder}/` .*$", text, re.MULTILINE)
        files = {file.name for file in (KERNEL / folder).glob("*.[ch]")}
        assert set(re.findall(r"`([\w.]+\.[ch])`", row)) - {"sb_laws.c"} == files


TOLERANCES = KERNEL / "model" / "sb_tolerance.h"
"""All tolerances of the kernel, with their reasons."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_has_one_internal_header(folder):
    assert len(set(headers(folder)) - {TOLERANCES.name}) == 1


@pytest.mark.parametrize("file", KERNEL_FILES, ids=lambda file: file.name)
def test_tolerances_are_in_one_header(file):
    if file != TOLERANCES:
        assert not re.findall(r"\b[\d.]+[eE][-+]?\d+|\bDBL_EPSILON\b", c_code(file))


def test_tolerances_have_a_reason_and_are_used():
    text = TOLERANCES.read_text(encoding="utf-8")
    groups = re.findall(r"/\*(.*?)\*/\n((?:#define SB_\w+ .+\n)+)", text, re.DOTALL)
    names = [name for _, lines in groups for name in re.findall(r"#define (SB_\w+)", lines)]
    assert names == re.findall(r"#define (SB_\w+) ", text) and len(names) == len(set(names))
    code = "".join(c_code(file) for file in KERNEL_FILES if file != TOLERANCES) + c_code(TOLERANCES)
    unused = [name for name in names if len(re.findall(rf"\b{name}\b", code)) < 2]
    assert not unused


@pytest.mark.parametrize("file", KERNEL_FILES, ids=lambda file: file.name)
def test_a_kernel_file_includes_folders_to_its_left(file):
    place = FOLDERS.index(file.parent.name) if file.parent.name in FOLDERS else -1
    own = [f"{folder}/{name}" for folder in FOLDERS[: place + 1] for name in headers(folder)]
    generated = ["sb_formula_ops.h", "sb_laws_in_lanes.h"]
    included = set(re.findall(r'#include "(.+)"', file.read_text(encoding="utf-8")))
    if file in IN_LANES:  # the files of the equations, compiled once more
        included = {name for name in included if not name.endswith(".c")}
    assert included <= {*own, *headers("include"), *generated}


def test_no_folder_calls_one_to_its_right():
    """Through its tables (kinds of elements, parts that check themselves) it may: they put the names together."""
    used: dict[str, str] = {}
    for folder in FOLDERS:
        code = {file.name: c_code(file) for file in sorted((KERNEL / folder).glob("*.[ch]"))}
        text = "".join(code[name] for name in code if name.endswith(".c"))
        defined = re.findall(r"^(?!static|extern)[a-z][\w *]*?\b(sb_\w+)(?:\(|\[| = )", text, re.MULTILINE)
        early = {name: used[name] for name in defined if name in used}
        assert not early, f"{folder} defines what folders to its left call: {early}"
        for name, text in code.items():
            used |= dict.fromkeys(re.findall(r"\bsb_\w+", text), name)


def test_the_network_knows_no_kind_by_name():
    names = re.findall(r"\b[Ss][Bb]_([A-Za-z]+)_", c_code(KERNEL / "network" / "network.c"))
    assert not set(KINDS) & {name.lower() for name in names}


def test_clients_see_public_headers_only():
    for file in sorted((SOURCE / "kernel").glob("*.[ch]*")):
        assert set(re.findall(r'#include "(sb_.+)"', file.read_text(encoding="utf-8"))) <= set(headers("include"))


# --- names ------------------------------------------------------------------------------------------------------------

SAME_NAME = {"Model": "the public one is that of spec/ with the methods of the other rooms: to everybody they are one"}
"""Names of classes that are defined more than once, and why that is one thing."""


def test_a_name_of_a_class_means_one_thing():
    places: dict[str, list[str]] = {}
    for file in [*sorted(SOURCE.rglob("*.py")), *sorted(PAPERS.rglob("*.py"))]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(file.relative_to(ROOT).as_posix())
    twice = {name: files for name, files in places.items() if len(files) > 1}
    assert {name: files for name, files in twice.items() if name not in SAME_NAME} == {}
    assert set(SAME_NAME) <= set(twice)


# --- the tests --------------------------------------------------------------------------------------------------------


def test_one_place_knows_the_folder_of_reference_data():
    """Its fixture skips only where the folder is missing, so no test can be skipped beside it."""
    tests = [file for file in sorted((ROOT / "tests").rglob("*.py")) if file != Path(__file__)]
    knowing = [file.name for file in tests if re.search(r"""["'/]shared["'/]""", file.read_text(encoding="utf-8"))]
    assert knowing == ["conftest.py"]


OTHER_TESTS = {"support", "fuzz"}
"""Folders of tests without a counterpart: what tests share, and broken inputs for all."""


def test_tests_mirror_the_source_tree():
    """tests/papers has one file per paper or part of it, without folders."""
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        parts = file.relative_to(ROOT / "tests").parent.parts
        if not parts or parts[0] in OTHER_TESTS:
            continue
        folder = {"papers": PAPERS, "tools": TOOLS}.get(parts[0], SOURCE / parts[0]).joinpath(*parts[1:])
        assert folder.is_dir() or (SOURCE / f"{parts[0]}.py").exists(), file
