"""Reports: tables with text, Markdown, HTML and CSV views, and pages of HTML that need no other file.

>>> from stribeck import reports
>>> table = reports.DataTable(["law", "period / s"], [["LuGre", 6.36]])
>>> reports.write_page("report.html", "Stick-slip", reports.paragraphs("Three cycles."), table.html())
PosixPath('report.html')
"""

from .arguments import guard
from .results.data_table import DataTable
from .results.page import bullets, image, paragraphs, prose, tag, write_page
from .units import pretty_unit
from .writing import writable_folder

__all__ = [
    "DataTable",
    "bullets",
    "image",
    "paragraphs",
    "pretty_unit",
    "prose",
    "tag",
    "writable_folder",
    "write_page",
]

guard(globals(), __all__)
