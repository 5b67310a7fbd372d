"""Examples in docstrings: found, run and compared.

Every `>>>` of the package runs. What an example shows must be true:

- numbers to the digits that are shown (`0.37` is true for 0.3698), `...` for any text;
- an error as `SpecError: its message`;
- no output shown: the example must run, and its value is not compared.

`# doctest: +SKIP` marks what cannot run here; a test limits how many there are.

An example may use the names of its module, the public names of `stribeck`, and names that functions make on first use:
those of `support.examples.common`, and of the module here that is named like the package of the example. Arguments of
such a function are other names, as with fixtures of pytest. What `@once` marks is made once per process.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import stribeck as sb
from stribeck.elements import Element
from stribeck.laws import Law
from stribeck.signals import Signal

SOURCES = Path(sb.__file__).parents[1]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PACKAGES = ("stribeck", "stribeck_papers")
"""Installed, they have other packages beside them."""
TOOLS = (sb, sb.analysis, sb.identify)
"""What an example may name without an import."""

NUMBER = r"[+-]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?j?"
TOKEN = re.compile(rf"(?P<gap>\.\.\.)|(?P<space>\s+)|(?P<number>(?<![\w.]){NUMBER})|(?P<text>[^\d\s.+-]+|.)", re.DOTALL)
RAISES = re.compile(r"(\w*(?:Error|Unknown\w+|Warning|Exit)|KeyboardInterrupt)(: |\s*$)")


def sources() -> list[Path]:
    """The files of both packages that have examples."""
    files = [path for package in PACKAGES for path in sorted((SOURCES / package).rglob("*.py"))]
    return [path for path in files if ">>> " in path.read_text(encoding="utf-8")]


def module_name(path: Path) -> str:
    """As it is imported.

    >>> module_name(SOURCES / "stribeck" / "laws" / "__init__.py")
    'stribeck.laws'
    """
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """All of a file with their first lines, those of attributes as well."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, inspect.cleandoc(node.value.value)


def doctests(path: Path) -> list[doctest.DocTest]:
    """One per docstring with examples."""
    parser = doctest.DocTestParser()
    found = [
        parser.get_doctest(text, {}, f"{module_name(path)}:{line}", str(path), line - 1)
        for line, text in sorted(docstrings(path))
    ]
    for test in found:
        for example in test.examples:
            if RAISES.match(example.want):
                example.exc_msg = example.want
    return [test for test in found if test.examples]


class Checker(doctest.OutputChecker):
    """Numbers by the digits that are shown."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        got = re.sub(r"np\.(True|False)_", r"\1", re.sub(r"np\.\w+\(([^()]*)\)", r"\1", got))  # scalars of NumPy
        got = re.sub(r"^[\w.]+\.(\w+:? ?)", r"\1", got) if RAISES.match(want) else got  # their module
        return not want or super().check_output(want, got, optionflags) or same(want, got)


def same(want: str, got: str) -> bool:
    """Equal text, and numbers that round to those wanted.

    >>> same("0.37 N, ...", "0.3698 N, then slips"), same("0.37", "0.38")
    (True, False)
    """
    want, got = (re.sub(r"(?<=[\[(])\s+|\s+(?=[\])])", "", text.strip()) for text in (want, got))
    pattern, numbers = "", []
    for token in TOKEN.finditer(want):
        if token["number"]:
            numbers.append(token["number"])
            pattern += f"({NUMBER})"
        else:
            pattern += ".*?" if token["gap"] else r"\s+" if token["space"] else re.escape(token["text"])
    match = re.fullmatch(pattern, got, re.DOTALL)
    return match is not None and all(map(rounds_to, match.groups(), numbers))


def rounds_to(got: str, want: str) -> bool:
    """The number, or one that is written so when fewer digits are shown.

    >>> rounds_to("0.3698", "0.37"), rounds_to("671", "670"), rounds_to("1.04e-5", "1e-05")
    (True, False, True)
    """
    mantissa, _, exponent = want.lower().rstrip("j").partition("e")
    digits = len(mantissa.partition(".")[2])
    whole = not exponent and not digits
    slack = 0.0 if whole else 0.500001 * 10.0 ** (int(exponent or 0) - digits)
    return abs(complex(got) - complex(want)) <= slack


def once(make: Callable[..., Any]) -> Callable[..., Any]:
    """Made once per process: dear things that no example changes."""
    make.once = True  # type: ignore[attr-defined]
    return make


MADE: dict[Callable[..., Any], Any] = {}
"""What such makers have made."""


class Names(dict[str, Any]):
    """What an example sees: missing names are made by functions of the same name."""

    def __init__(self, known: dict[str, Any], makers: dict[str, Callable[..., Any]]) -> None:
        super().__init__(known)
        self.makers = makers

    def copy(self) -> Names:
        """DocTest copies what it gets; and what one docstring makes is gone in the next."""
        return Names(dict(self), self.makers)

    def __missing__(self, name: str) -> Any:
        if name not in self.makers:
            raise KeyError(name)
        make = self.makers[name]
        if make not in MADE:
            value = make(*(self[argument] for argument in inspect.signature(make).parameters))
            if not hasattr(make, "once"):
                self[name] = value
                return value
            MADE[make] = value
        self[name] = MADE[make]
        return MADE[make]


@cache
def public() -> dict[str, Any]:
    """The names that need no import."""
    names = {name: getattr(tool, name) for tool in TOOLS for name in tool.__all__}
    bases = {"Element": Element, "Law": Law, "Signal": Signal}
    others = {"Path": Path, "SimpleNamespace": SimpleNamespace, "np": np, "numpy": np, "sb": sb, "stribeck": sb}
    return names | bases | others


@cache
def makers(module: str) -> dict[str, Callable[..., Any]]:
    """What makes names for examples of a module: those of all, then those of its room and of the folders in it."""
    parts = module.removeprefix("stribeck.").split(".")
    places = ["common", *(".".join(parts[:depth]) for depth in range(1, len(parts) + 1))]
    found: dict[str, Callable[..., Any]] = {}
    for place in places:
        path = Path(__file__).parent.joinpath(*place.split("."))
        if path.is_dir() or path.with_suffix(".py").is_file():
            names = vars(import_module(f"{__name__}.{place}"))
            own = {name: f for name, f in names.items() if inspect.isfunction(f) and f.__module__.startswith(__name__)}
            found |= own | names.get("BODIES", {})
    return found


def write_files(module: str, source: str) -> None:
    """Those that examples read, into the working directory."""
    for name, write in import_module(f"{__name__}.files").FILES.items():
        if f'"{name}"' in source:
            write(Path(name))


def run(path: Path) -> tuple[int, list[str]]:
    """The number of examples of a file that ran, and what failed."""
    name = module_name(path)
    module = import_module(name)
    write_files(name, path.read_text(encoding="utf-8"))
    made = makers(name)
    known = {word: value for word, value in public().items() if word not in made}  # a room may call other things so
    names = Names(known | vars(module), made)
    runner = doctest.DocTestRunner(Checker(), optionflags=FLAGS)
    report: list[str] = []
    for test in doctests(path):
        test.globs = names.copy()
        runner.run(test, out=report.append, clear_globs=True)
    return runner.tries, report
