"""Options of commands that read records, declared once for all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, get_type_hints

import typer

Many = list[str] | None


def reading_options(
    unit: Annotated[Many, typer.Option(metavar="CHANNEL=UNIT", help="Unit of a channel, e.g. q=deg.")] = None,
    resolution: Annotated[Many, typer.Option(metavar="CHANNEL=STEP", help="Step of its sensor, e.g. 0.1 deg.")] = None,
    columns: Annotated[
        str | None, typer.Option(metavar="NAME,...", help="Names of all columns, - for one not needed: t,q,-,tau.")
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="TABLE", help="One of several tables of a file: its number or its name.")
    ] = None,
    time: Annotated[str | None, typer.Option(metavar="COLUMN", help="The column with the times.")] = None,
    sample_time: Annotated[str | None, typer.Option(metavar="TIME", help="Time between rows, e.g. '1 ms'.")] = None,
    gaps: Annotated[
        str, typer.Option(metavar="WAY", help="Samples that are missing: refuse, mask or fill.")
    ] = "refuse",
    start_at: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="Cut what is before this time.")
    ] = None,
    stop_at: Annotated[str | None, typer.Option("--to", metavar="TIME", help="Cut what is after this time.")] = None,
    keep: Annotated[
        Many, typer.Option(metavar="CONDITION", help="Use only samples with 'v>0.1' or 'abs(tau)<5', in SI.")
    ] = None,
    mask_outliers: Annotated[
        bool, typer.Option("--mask-outliers", help="Do not use single samples far from their neighbours.")
    ] = False,
    scale: Annotated[
        Many, typer.Option(metavar="CHANNEL=FACTOR", help="Multiply a channel: tau=-1 changes its sign.")
    ] = None,
    unwrap: Annotated[
        Many, typer.Option(metavar="CHANNEL=PERIOD", help="Make a counter that overflows continuous: q=6.2832.")
    ] = None,
    resample: Annotated[
        str | None, typer.Option(metavar="TIME", help="Constant time between samples, e.g. '1 ms'.")
    ] = None,
) -> Any:
    """The options of reading, as one object.

    >>> reading_options(unit=["q=deg"], time="t").units
    ['q=deg']
    """
    from .reading import Reading

    return Reading(
        unit or (),
        resolution or (),
        time,
        sample_time,
        gaps,
        columns,
        table,
        start_at,
        stop_at,
        keep or (),
        scale or (),
        unwrap or (),
        mask_outliers,
        resample,
    )


def reads_files(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options of reading, which it gets as one object `reading`.

    >>> reads_files(lambda data, reading: None).__signature__.parameters["unit"].default
    """
    more = signature(reading_options).parameters
    own = [parameter for name, parameter in signature(command).parameters.items() if name != "reading"]

    @wraps(command)
    def run(**arguments: Any) -> None:
        reading = reading_options(**{name: arguments.pop(name) for name in more if name in arguments})
        command(**arguments, reading=reading)

    parameters = [*own, *(p.replace(kind=Parameter.KEYWORD_ONLY) for p in more.values())]
    hints = {**get_type_hints(reading_options, include_extras=True), **get_type_hints(command, include_extras=True)}
    run.__signature__ = signature(command).replace(  # type: ignore[attr-defined]  # what typer shows
        parameters=[p.replace(annotation=hints.get(p.name, p.annotation)) for p in parameters]
    )
    run.__annotations__ = {name: hint for name, hint in hints.items() if name != "reading"}
    return run
