"""Reports: tables with text, Markdown, HTML and CSV views, and pages of HTML that need no other file.

>>> from stribeck import reports
>>> table = reports.DataTable(["law", "period / s"], [["LuGre", 6.36]])
>>> reports.write_page("report.html", "Stick-slip", reports.paragraphs("Three cycles."), table.html())
PosixPath('report.html')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .arguments import guard
from .results.data_table import DataTable
from .results.page import bullets, image, paragraphs, prose, tag, write_page
from .units import pretty_unit
from .writing import writable_folder

if TYPE_CHECKING:
    from .results.screen import Screen

__all__ = [
    "DataTable",
    "bullets",
    "image",
    "paragraphs",
    "pretty_unit",
    "prose",
    "screen",
    "tag",
    "writable_folder",
    "write_page",
]


def screen() -> Screen:
    """Where a command prints: tables, warnings and files, as `--json`, `--quiet` and the terminal ask for.

    >>> sb.reports.screen().show(result.statistics.table())
    """
    from .results import screen

    return screen.screen()


guard(globals(), __all__)
