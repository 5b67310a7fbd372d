"""The C kernel: models from arrays, machines for outside integrators, adaptive runs."""

from ._kernel import Machine, Model, board, law_guards, laws, laws_hash, methods, run, signals, status_codes

__all__ = [
    "Machine",
    "Model",
    "board",
    "law_guards",
    "laws",
    "laws_hash",
    "methods",
    "run",
    "signals",
    "status_codes",
]
