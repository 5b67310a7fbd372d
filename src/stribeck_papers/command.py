"""The command `stribeck papers` and its options; the work is imported when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def papers(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="One paper, e.g. aberger2002, or all; without it, a list.")
    ] = None,
    out: Annotated[
        Path, typer.Option(file_okay=False, help="Folder for the report, its pictures and scorecard.csv.")
    ] = Path("papers"),
    figure: Annotated[
        list[str] | None, typer.Option(metavar="NUMBER", help="Only this figure; may be given several times.")
    ] = None,
    table: Annotated[
        list[str] | None, typer.Option(metavar="NUMBER", help="Only this table; may be given several times.")
    ] = None,
    item: Annotated[
        list[str] | None, typer.Option(metavar="LABEL", help='Only this item of the list, e.g. "Section III".')
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="PATH=VALUE", help='Another value in the models of the items, e.g. "guide.law.sigma0=1e6".'
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Thinner scans, the same claims: seconds.")] = False,
) -> None:
    """Reproduce the source papers: every figure, table and claim, with a verdict on each."""
    from .reproduce import list_papers, of_which, reproduce

    labels = [*(f"Figure {n}" for n in figure or []), *(f"Table {n}" for n in table or []), *(item or [])]
    if name is not None:
        reproduce(name, out, labels, quick, set_ or [])
    elif labels:
        raise of_which(labels[0])
    else:
        list_papers()
