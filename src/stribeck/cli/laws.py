"""stribeck laws: which friction laws there are, and everything about one of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.markup import escape

from .. import laws
from ..analysis import Portrait
from ..elements import DOMAINS
from ..laws.functions import smooth_step
from ..results.data_table import DataTable, format_cell
from ..results.screen import Screen, screen
from ..spec import load_laws
from .targets import check_folder

SMOOTHSTEP = inspect.getdoc(smooth_step) or ""


def list_laws() -> None:
    """Prints a table of all laws."""
    rows = []
    for law in laws.all_laws().values():
        source = short_source(laws.metadata()[law.name]["source"])
        rows.append((law.__name__, law.family, ", ".join(law.params), ", ".join(law.described), source))
    console = screen()
    console.show(DataTable(["law", "family", "parameters", "states", "source"], rows))
    console.print("stribeck laws NAME shows the formulas, parameters and checks of one of them")


def show_law(name: str, out: Path | None) -> None:
    """Prints formulas, parameters, states and checks of a law, or of all laws of a file, and draws their portraits into
    a folder, if one is given.

    >>> show_law("lugre", Path("out"))
    """
    found = load_laws(name) if is_file_name(name) else {name: laws.get(name)}
    check_folder(out)
    for law in found.values():
        _show(law, out)
    if is_file_name(name):
        screen().answer(laws={word: laws.about(law) for word, law in found.items()})


def is_file_name(name: str) -> bool:
    """Whether a word of the command line means a file of laws.

    >>> is_file_name("lugre"), is_file_name("own_laws.yaml")
    (False, True)
    """
    return Path(name).suffix in (".yaml", ".yml") or len(Path(name).parts) > 1


def _show(law: type[laws.Law], out: Path | None) -> None:
    """Everything about one law."""
    about = laws.about(law)
    console = screen()
    console.print(f"\n[bold]{law.__name__}[/] ({law.family}): {escape(about['text'])}", highlight=False)
    console.print(f"{escape(about['source'])}\n", highlight=False)
    _print_formulas(console, about)
    console.show(_params_table(law), _states_table(law))
    _print_checks(console, law)
    console.answer(law=law.__name__, family=law.family, text=about["text"])
    console.answer(source=about["source"], formulas=about["plain"])
    if out is not None:
        path = out / f"{law.name}.png"
        Portrait.of(law()).plot(path)
        console.wrote(out, [path])


def short_source(source: str) -> str:
    """First authors and year of a source.

    >>> short_source("C. Canudas de Wit, H. Olsson, K. J. Astrom: A New Model. IEEE 40 (1995) 419-425")
    'Canudas de Wit, Olsson et al. 1995'
    """
    authors = [re.sub(r"^(?:\w\.[ -]?)+", "", author.strip()) for author in source.partition(":")[0].split(",")]
    year = re.search(r"\b(?:1[5-9]|20)\d\d\b", source)
    others = " et al." if len(authors) > 2 else ""
    return f"{', '.join(authors[:2])}{others} {year[0] if year else ''}".strip()


def _print_formulas(console: Screen, about: dict[str, Any]) -> None:
    """Each formula as text for the eye, with what its functions are, and as LaTeX for a paper."""
    console.print("[bold]formulas[/], friction per unit of normal load")
    _print_lines(console, about["plain"], " = ")
    if any("smoothstep(" in formula for formula in about["plain"].values()):
        console.print(f"  where smoothstep(x) goes {SMOOTHSTEP[0].lower()}{SMOOTHSTEP[1:]}", highlight=False)
    if about["formulas"]:
        console.print("\n[bold]LaTeX[/]")
        _print_lines(console, about["formulas"], " = ")
    console.print()


def _print_lines(console: Screen, lines: Mapping[str, str], between: str) -> None:
    width = max(map(len, lines))
    for name, text in lines.items():
        console.print(f"  {name:{width}}{between}{escape(text)}", highlight=False, soft_wrap=True)


def _params_table(law: type[laws.Law]) -> DataTable:
    rows = [
        (name, _shown(param.default), *_units(param.unit), param.rule, ", ".join(param.aliases), _meaning(param))
        for name, param in law.params.items()
    ]
    return DataTable(["parameter", "default", "bearing", "guide", "must be", "also", "meaning"], rows, right=[1])


def _meaning(param: laws.Param) -> str:
    return f"{param.text}; may be a signal" if param.varies else param.text


def _states_table(law: type[laws.Law]) -> DataTable:
    rows = [(name, *_units(state.unit), state.text) for name, state in law.described.items()]
    return DataTable(["state", "bearing", "guide", "meaning"], rows)


def _print_checks(console: Screen, law: type[laws.Law]) -> None:
    """What the law has to say about its default parameters."""
    p = law().resolve({}, law.__name__)
    warnings, remarks = law.checks(p), law.remarks(p)
    console.warn(warnings)
    console.answer(remarks=remarks)
    for remark in remarks:
        console.print(f"[yellow]remark:[/] {escape(remark)}", soft_wrap=True)
    if not (warnings or remarks):
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
