"""Writes src/stribeck/__init__.pyi: the public names and where each one comes from, for type checkers and editors.

The package itself takes elements, laws and signals from their registries, so that adding one is adding a file.

python -m tools.stub
"""

from __future__ import annotations

from pathlib import Path

import stribeck

FILE = Path(__file__).parents[1] / "src" / "stribeck" / "__init__.pyi"
ROOMS = ("analysis", "elements", "identify", "laws", "reports", "signals", "style")
"""Packages that users enter by `stribeck.NAME`."""
HEAD = '"""Written by `python -m tools.stub` from the registries; do not edit."""\n'


def stub() -> str:
    """The text of the stub.

    >>> "from .elements.spring import Spring as Spring" in stub()
    True
    """
    lines = [f"from . import {name} as {name}" for name in ROOMS]
    for name in vars(stribeck)["__all__"]:
        thing = getattr(stribeck, name)
        lines.append(f"from {thing.__module__.removeprefix('stribeck')} import {thing.__name__} as {name}")
    return "\n".join([HEAD, *sorted(lines), "", "__version__: str", ""])


if __name__ == "__main__":
    FILE.write_text(stub(), encoding="utf-8")
