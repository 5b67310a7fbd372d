"""The summary of a result as plain data (strict JSON: non-finite numbers become null)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .result import Result


def summary(result: Result) -> dict[str, Any]:
    """The content of summary.json.

    >>> summary(result)["energy"]["dissipated"]
    {'friction': 2.1621}
    """
    meta = result.meta
    document = {
        "model": meta.model,
        "solver": meta.solver,
        "tolerance": meta.tolerance,
        "t_end": result.time[-1] if result.time.size else None,
        "partial": bool(meta.stopped),
        "stopped": meta.stopped,
        "elements": meta.elements,
        "friction": meta.friction,
        "units": dict(zip(meta.names, meta.units, strict=True)),
        "kinds": dict(zip(meta.names, meta.kinds, strict=True)),
        "parts": {name: part for name, part in zip(meta.names, meta.parts, strict=True) if part},
        "statistics": result.statistics.to_dict(),
        "energy": result.energy.to_dict(),
        "extremes": {name: values for name, values in result.extremes.items() if not meta.is_mode(name)},
        "warnings": result.warnings,
    }
    return {key: plain(value) for key, value in document.items()}


def plain(value: Any) -> Any:
    """Python numbers, lists and dictionaries; None for non-finite numbers.

    >>> plain({"a": (np.float64(1), math.nan)})
    {'a': [1.0, None]}
    """
    if isinstance(value, str | bool | None):
        return value
    if hasattr(value, "items"):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, int) else [plain(item) for item in value]
