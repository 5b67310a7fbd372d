"""Parameters and states of a law as tables: units in a bearing and in a guide, defaults, bounds and meaning."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...elements import DOMAINS
from ...laws import Law, Param
from ...results.data_table import DataTable, format_cell


def parameter_table(law: type[Law]) -> DataTable:
    """The parameters of a law.

    >>> parameter_table(LuGre).heads
    ['parameter', 'default', 'bearing', 'guide', 'must be', 'also', 'meaning']
    """
    rows = [
        (name, _shown(param.default), *_units(param.unit), param.rule, ", ".join(param.aliases), _meaning(param))
        for name, param in law.params.items()
    ]
    return DataTable(["parameter", "default", "bearing", "guide", "must be", "also", "meaning"], rows, right=[1])


def state_table(law: type[Law]) -> DataTable:
    """The states of a law.

    >>> state_table(LuGre).rows
    [('z', 'rad', 'm', 'mean bristle deflection')]
    """
    rows = [(name, *_units(state.unit), state.text) for name, state in law.described.items()]
    return DataTable(["state", "bearing", "guide", "meaning"], rows)


def _meaning(param: Param) -> str:
    return f"{param.text}; may be a signal" if param.varies else param.text


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
