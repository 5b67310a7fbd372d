"""The C kernel: models from arrays, machines for outside integrators, adaptive runs, fixed steps."""

from ._kernel import (
    Fixed,
    Machine,
    Model,
    board,
    fixed_methods,
    law_guards,
    laws,
    laws_hash,
    methods,
    run,
    signals,
    status_codes,
    status_text,
)

__all__ = [
    "Fixed",
    "Machine",
    "Model",
    "board",
    "fixed_methods",
    "law_guards",
    "laws",
    "laws_hash",
    "methods",
    "run",
    "signals",
    "status_codes",
    "status_text",
]
