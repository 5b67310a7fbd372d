"""Arguments and options that several commands share."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Annotated

import typer

ModelName = Annotated[str, typer.Argument(metavar="MODEL", help="A model file (YAML) or the name of a shipped model.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="Change a value, e.g. spring.c='2 N.m/rad' or '*.law.mu_c=0.1'."),
]
Tolerance = Annotated[str | None, typer.Option(metavar="NUMBER", help="Relative tolerance of the solver.")]
Solver = Annotated[str | None, typer.Option(metavar="NAME", help="Solver, e.g. auto or scipy-lsoda.")]
EndTime = Annotated[str | None, typer.Option(metavar="TIME", help="End time, e.g. 25 or '500 ms'.")]
Intervals = Annotated[str | None, typer.Option(metavar="COUNT", help="Number of output intervals.")]

OUTSIDE: ContextVar[bool] = ContextVar("outside", default=False)
"""Whether the model file of this command may name data files outside of its folder."""
