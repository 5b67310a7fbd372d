"""The C kernel: models from arrays, machines for outside integrators, adaptive runs, fixed steps."""

from typing import NamedTuple

from ._kernel import (
    MOST_LAW_STATES,
    MOST_REGISTERS,
    ONSET_TABLE,
    SOURCE_DRIVES,
    SOURCE_STORES_NOTHING,
    Copies,
    Fixed,
    LawRecord,
    Machine,
    Model,
    Tape,
    batch,
    board,
    csv_rows,
    fields,
    fixed_fields,
    fixed_methods,
    formula_number,
    image_layout,
    image_size,
    instructions,
    laws,
    laws_hash,
    measure_kinds,
    methods,
    modes,
    onset,
    run,
    signal_memory,
    signal_operations,
    status_codes,
    status_text,
    value_lengths,
)

__all__ = [
    "MOST_LAW_STATES",
    "MOST_REGISTERS",
    "ONSET_TABLE",
    "OPERATIONS",
    "SOURCE_DRIVES",
    "SOURCE_STORES_NOTHING",
    "Copies",
    "Fixed",
    "LawRecord",
    "Machine",
    "Model",
    "Operation",
    "Tape",
    "batch",
    "board",
    "csv_rows",
    "fields",
    "fixed_fields",
    "fixed_methods",
    "formula_number",
    "image_layout",
    "image_size",
    "instructions",
    "laws",
    "laws_hash",
    "measure_kinds",
    "methods",
    "modes",
    "onset",
    "run",
    "signal_memory",
    "status_codes",
    "status_text",
    "value_lengths",
]


class Operation(NamedTuple):
    """An operation of signals, as the kernel knows it.

    >>> OPERATIONS["MAP"].guards
    4
    """

    number: int
    guards: int
    """How many event functions it has."""
    shows_past: bool
    """Whether its value is one of the past, which does not depend on the present unknowns."""


OPERATIONS = {name: Operation(*facts) for name, facts in signal_operations().items()}
"""The operations of signals by name."""
