"""Optional packages, needed by some file formats and exports: imported on use."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import StribeckError


def require(package: str, owner: str, error: type[StribeckError], extra: str = "data") -> Any:
    """The imported package, or an error that names what needs it and the extra that installs it.

    >>> parquet = require("pyarrow.parquet", "file 'run.parquet'", sb.FileError)
    """
    try:
        return import_module(package)
    except ImportError as reason:
        name = package.partition(".")[0]
        raise error(f"{owner} needs {name} ({reason}); install it with: pip install 'stribeck[{extra}]'") from None
