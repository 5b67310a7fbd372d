"""stribeck laws: which friction laws there are, and everything about one of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from .. import laws
from ..analysis import Portrait
from ..elements import DOMAINS
from ..laws._math import smooth_step
from ..results.data_table import DataTable, format_cell
from ..writing import make_folder
from .report import print_tables, print_warnings

SMOOTHSTEP = inspect.getdoc(smooth_step) or ""


def list_laws() -> None:
    """Prints a table of all laws."""
    rows = []
    for law in laws.all_laws().values():
        source = short_source(laws.metadata()[law.name]["source"])
        rows.append((law.__name__, law.family, ", ".join(law.params), ", ".join(law.states), source))
    console = Console()
    print_tables(console, DataTable(["law", "family", "parameters", "states", "source"], rows))
    console.print("stribeck laws NAME shows the formulas, parameters, checks and a picture of one of them")


def show_law(name: str, out: Path | None) -> None:
    """Prints formulas, parameters, states and checks of a law, and writes its portrait into a folder.

    >>> show_law("lugre", Path("out"))
    """
    law = laws.get(name)
    about = laws.metadata()[law.name]
    console = Console()
    console.print(f"\n[bold]{law.__name__}[/] ({law.family}): {escape(about['text'])}", highlight=False)
    console.print(f"{escape(about['source'])}\n", highlight=False)
    _print_formulas(console, about)
    print_tables(console, _params_table(law), _states_table(law))
    _print_checks(console, law)
    folder = out or Path()
    make_folder(folder)
    path = folder / f"{law.name}.png"
    Portrait.of(law()).plot(path)
    console.print(f"[green]picture written to {escape(str(path))}[/]", highlight=False, soft_wrap=True)


def short_source(source: str) -> str:
    """First authors and year of a source.

    >>> short_source("C. Canudas de Wit, H. Olsson, K. J. Astrom: A New Model. IEEE 40 (1995) 419-425")
    'Canudas de Wit, Olsson et al. 1995'
    """
    authors = [re.sub(r"^(?:\w\.[ -]?)+", "", author.strip()) for author in source.partition(":")[0].split(",")]
    year = re.search(r"\b(?:1[5-9]|20)\d\d\b", source)
    others = " et al." if len(authors) > 2 else ""
    return f"{', '.join(authors[:2])}{others} {year[0] if year else ''}".strip()


def _print_formulas(console: Console, about: dict[str, Any]) -> None:
    """Each formula as text for the eye, with what its functions are, and as LaTeX for a paper."""
    console.print("[bold]formulas[/], friction per unit of normal load")
    _print_lines(console, about["plain"], " = ")
    if any("smoothstep(" in formula for formula in about["plain"].values()):
        console.print(f"  where smoothstep(x) goes {SMOOTHSTEP[0].lower()}{SMOOTHSTEP[1:]}", highlight=False)
    console.print("\n[bold]LaTeX[/]")
    _print_lines(console, about["formulas"], " = ")
    console.print()


def _print_lines(console: Console, lines: Mapping[str, str], between: str) -> None:
    width = max(map(len, lines))
    for name, text in lines.items():
        console.print(f"  {name:{width}}{between}{escape(text)}", highlight=False, soft_wrap=True)


def _params_table(law: type[laws.Law]) -> DataTable:
    rows = [
        (name, _shown(param.default), *_units(param.unit), param.rule, ", ".join(param.aliases), param.text)
        for name, param in law.params.items()
    ]
    return DataTable(["parameter", "default", "bearing", "guide", "must be", "also", "meaning"], rows, right=[1])


def _states_table(law: type[laws.Law]) -> DataTable:
    rows = [(name, *_units(state.unit), state.text) for name, state in law.states.items()]
    return DataTable(["state", "bearing", "guide", "meaning"], rows)


def _print_checks(console: Console, law: type[laws.Law]) -> None:
    """What the law has to say about its default parameters."""
    p = law().resolve({}, law.__name__)
    warnings = [*law.checks(p), *law.remarks(p)]
    if warnings:
        print_warnings(console, warnings)
    else:
        console.print("no warnings about the default parameters")
    console.print()


def _units(template: str) -> Iterable[str]:
    """The unit in a bearing and in a guide; none for plain numbers."""
    units = [template.format_map(domain.units) for domain in DOMAINS.values()]
    return ["" if unit == "1" else unit for unit in units]


def _shown(default: Any) -> str:
    """A default: a number, or the numbers of a series."""
    if default is None:
        return "must be given"
    if isinstance(default, list | tuple):
        return ", ".join(format_cell(float(value)) for value in default)
    return format_cell(default)
