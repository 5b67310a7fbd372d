"""Packages that only some exports need: imported when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import ResultError


def require(package: str, extra: str = "data") -> Any:
    """The imported package, or an error that says which extra of ours brings it.

    >>> frame = require("pandas").DataFrame()
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise ResultError(
            f"this needs {package.partition('.')[0]} ({error}); install it with: pip install 'stribeck[{extra}]'"
        ) from None
