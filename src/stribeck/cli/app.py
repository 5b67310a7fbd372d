"""The commands and their options; the work is imported by the command that does it, so that the start is quick."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ..errors import StribeckError


class Commands(TyperGroup):
    """Commands whose errors are one line on stderr and exit code 1."""

    def invoke(self, ctx: Any) -> Any:
        """Runs the command; a traceback would only hide what the message says."""
        try:
            return super().invoke(ctx)
        except (StribeckError, OSError) as error:
            typer.echo(f"error: {error}", err=True)
            raise typer.Exit(1) from None


app = typer.Typer(
    cls=Commands,
    help="Friction, clutches and drivelines: simulate a machine from a model file.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

ModelName = Annotated[str, typer.Argument(metavar="MODEL", help="A model file (YAML) or the name of a shipped model.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="PATH=VALUE", help="Change a value, e.g. friction.law.sigma0=1e4 or spring.c='2 N.m/rad'."
    ),
]


def show_version(asked: bool) -> None:
    """Prints the version and ends."""
    if asked:
        from importlib.metadata import version

        typer.echo(f"stribeck {version('stribeck')}")
        raise typer.Exit


@app.callback()
def stribeck(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and end.")
    ] = False,
) -> None:
    """Friction, clutches and drivelines: simulate a machine from a model file."""


@app.command()
def run(
    model: ModelName,
    settings: Settings = None,
    out: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="Folder for result.csv, events.csv, summary.json and pictures."),
    ] = None,
    tol: Annotated[str | None, typer.Option(metavar="NUMBER", help="Relative tolerance of the solver.")] = None,
    solver: Annotated[str | None, typer.Option(metavar="NAME", help="Solver, e.g. auto or scipy-lsoda.")] = None,
    t_end: Annotated[str | None, typer.Option(metavar="TIME", help="End time, e.g. 25 or '500 ms'.")] = None,
    intervals: Annotated[str | None, typer.Option(metavar="COUNT", help="Number of output intervals.")] = None,
) -> None:
    """Simulate a model and print a summary; with --out, write everything into a folder."""
    from .run import run_model

    short = {"tolerance": tol, "solver": solver, "t_end": t_end, "intervals": intervals}
    longer = [f"simulation.{name}={value}" for name, value in short.items() if value is not None]
    run_model(model, [*(settings or []), *longer], out)


@app.command()
def check(model: ModelName, settings: Settings = None) -> None:
    """Check a model without simulating it: show its elements, states and warnings."""
    from .check import check_model

    check_model(model, settings or [])


@app.command()
def models() -> None:
    """List the models that come with the package."""
    from .models import list_models

    list_models()
