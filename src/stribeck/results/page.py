"""Self-contained HTML pages: texts, tables and pictures in one file."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from ..writing import write_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


GREEK = {
    "alpha": "α",
    "beta": "β",
    "delta": "δ",
    "eta": "η",
    "kappa": "κ",
    "mu": "μ",
    "omega": "ω",
    "pi": "π",
    "sigma": "σ",
    "Sigma": "Σ",
    "tau": "τ",
    "theta": "θ",
    "zeta": "ζ",
}
_LETTER = re.compile(
    rf"(?<![\w.])({'|'.join(GREEK)}|[A-Za-z])(?:_(\w{{1,3}})|(\d))(?!\w)|(?<![\w.])({'|'.join(GREEK)})(?![\w.])"
)


def prose(text: str) -> str:
    """Text as HTML, with formulas typeset.

    >>> prose("sigma0 z < F_c")
    'σ<sub>0</sub> z &lt; F<sub>c</sub>'
    """
    return _LETTER.sub(_letter, escape(text, quote=False))


def _letter(found: re.Match[str]) -> str:
    name, word, digit, alone = found.groups()
    if alone:
        return GREEK[alone]
    if name not in GREEK and digit:  # C1, B2, Q3: names, not formulas
        return found[0]
    return f"{GREEK.get(name, name)}<sub>{word or digit}</sub>"


def page(title: str, *parts: str, style: str = "") -> str:
    """A whole page; `style` is CSS beside that of all pages.

    >>> page("Stick-slip", paragraphs("Three cycles.")).splitlines()[-2:]
    ['<p>Three cycles.</p>', '</body></html>']
    """
    from importlib.resources import files

    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8") + style
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    lines = ["<!doctype html>", '<html lang="en">', f"<head>{head}", "<style>", f"{style}</style></head>"]
    return "\n".join([*lines, "<body>", *parts, "</body></html>", ""])


def tag(kind: str, inside: str, /, **attributes: str) -> str:
    """An element of HTML around text that is HTML already; `class_` and `for_` give the attributes `class` and `for`.

    >>> tag("p", prose("a < b"), class_="note")
    '<p class="note">a &lt; b</p>'
    """
    given = "".join(f' {name.rstrip("_")}="{escape(value)}"' for name, value in attributes.items())
    return f"<{kind}{given}>{inside}</{kind}>"


def paragraphs(text: str, **attributes: str) -> str:
    """Text with an empty line between paragraphs.

    >>> paragraphs("one")
    '<p>one</p>'
    """
    return "".join(tag("p", prose(part.strip()), **attributes) for part in text.split("\n\n") if part.strip())


def bullets(texts: Iterable[str]) -> str:
    """A list of points.

    >>> bullets(["one"])
    '<ul><li>one</li></ul>'
    """
    return tag("ul", "".join(tag("li", prose(text)) for text in texts))


def image(source: Figure | Path, text: str) -> str:
    """An embedded picture, from a figure or a PNG file; the text is its alternative description.

    >>> image(result.plot("mass.w"), "speed of the mass over time")
    """
    data = b64encode(source.read_bytes() if isinstance(source, Path) else _png(source)).decode()
    return f'<img src="data:image/png;base64,{data}" alt="{escape(text)}">'


def write_page(path: str | Path, title: str, *parts: str, style: str = "") -> Path:
    """Writes a page of HTML with its pictures in one file and returns its path; `style` is CSS beside that of all
    pages.

    >>> write_page("report.html", "Stick-slip", paragraphs("Three cycles."))
    PosixPath('report.html')
    """
    return write_text(path, page(title, *parts, style=style))


def _png(figure: Figure) -> bytes:
    buffer = BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()
