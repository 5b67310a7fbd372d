"""Pages whose outputs are printed by their code: `python -m tools.pages.executed` brings them up to date.

A block of Python may be followed by a block of text, which is what it prints. The blocks of a page run one after the
other, in one folder.
"""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "from-file-to-model.md"]
BLOCK = re.compile(
    r"^```python\n(?P<code>.*?)^```$(?P<between>\n\n^```text\n)?(?(between).*?^```$)", re.DOTALL | re.MULTILINE
)


def executed(text: str, names: dict[str, Any] | None = None) -> str:
    """The page with what its code prints, which runs in the current folder; `names` receives what it defines.

    >>> print(executed("```python\\nprint(1 + 1)\\n```\\n\\n```text\\n```\\n"))
    """
    names = {} if names is None else names

    def run(match: re.Match[str]) -> str:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(match["code"], names)
        shown = f"{match['between']}{printed.getvalue().rstrip()}\n```" if match["between"] else ""
        return f"```python\n{match['code']}```{shown}"

    return BLOCK.sub(run, text)


def main() -> None:
    """Rewrites the pages."""
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            text = executed(page.read_text(encoding="utf-8"))
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
