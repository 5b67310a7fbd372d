"""stribeck elements: which elements there are, and everything about one of them."""

from __future__ import annotations

from rich.markup import escape

from ..declare import unknown
from ..elements import all_elements
from ..elements.description import HEAD, about, connections, parameters
from ..errors import UnknownName
from ..results.data_table import DataTable
from ..results.screen import screen


def list_elements() -> None:
    """Prints a table of all elements."""
    rows = [(name, about(kind)[0].partition("\n")[0]) for name, kind in all_elements().items()]
    console = screen()
    console.show(DataTable(["element", "what it is"], rows))
    console.print("stribeck elements NAME shows flanges, parameters and an example of one of them")


def show_element(name: str) -> None:
    """Prints text, example, flanges and parameters of an element.

    >>> show_element("clutch")
    """
    known = {kind.lower(): element for kind, element in all_elements().items()}
    key = name.lower().replace("-", "").replace("_", "")
    if key not in known:
        raise UnknownName(unknown("there is no element", name, all_elements()))
    kind = known[key]
    text, example = about(kind)
    console = screen()
    console.print(f"\n[bold]{kind.__name__}[/]: {escape(text)}\n", highlight=False)
    console.print(f"{escape(example)}\n", highlight=False, soft_wrap=True)
    console.print(f"{escape(connections(kind))}\n", highlight=False)
    console.answer(element=kind.__name__, text=text, example=example, connections=connections(kind))
    console.show(DataTable(HEAD, parameters(kind)))
