"""The page about all friction laws: python -m tools.pages.laws > docs/laws.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import fill
from typing import Any

from stribeck.analysis.laboratory.properties import PROBES, PropertyVerdict, all_properties
from stribeck.laws import Law, all_laws, metadata

from .markdown import table

WORDS = {True: "yes", False: "", None: "?"}
"""A verdict in the table."""

INTRODUCTION = """\
# Friction laws

Written by `python -m tools.pages.laws > docs/laws.md` from the laws and from experiments with
them; `stribeck laws NAME` shows the same about one law, with a picture.

## Properties

The seven properties of friction of R. Nouailletas, E. Mendes, D. Koenig (Hybrid modeling and identification of dry
friction systems, application to a clutch actuator, Control Engineering Practice 18, 2010), each found by an experiment
with the default parameters: *yes*, or empty for no, or *?* where a law could not undergo it. The experiments and their
numbers are below.
"""

PROBING = """\
## Experiments

All on a guide with normal load 1. A body on it, if any, has the mass (kg) of the sliding friction (N),
which is the largest one in steady sliding up to a tenth of the highest speed; the spring that tows it reaches that
friction within 0.1 m. *Break-away* is the largest friction while the body is towed from rest at 0.01 m/s until it has
moved by 0.05 m.
"""


def page() -> Iterator[str]:
    """The page, piece by piece.

    >>> print(*page(), sep="\\n")
    """
    found = all_properties()
    yield INTRODUCTION
    yield property_table(found)
    yield PROBING
    for name, probe in PROBES.items():
        yield f"### {name[0].upper()}{name[1:]}\n"
        yield _paragraph(probe.experiment)
        yield _paragraph(f"*It has it:* {probe.criterion[0].lower()}{probe.criterion[1:]}")
        rows = ([law, WORDS[verdicts[name].has], verdicts[name].reason] for law, verdicts in found.items())
        yield table(["law", "has it", "measured"], rows)
    yield "## Laws\n"
    for law in all_laws().values():
        yield section(law)


def property_table(found: Mapping[str, Mapping[str, PropertyVerdict]]) -> str:
    """Which law has which property.

    >>> print(property_table(all_properties()))
    """
    lines = ([law, *(WORDS[verdict.has] for verdict in verdicts.values())] for law, verdicts in found.items())
    return table(["law", *PROBES], lines)


def section(law: type[Law]) -> str:
    """Text, source, formulas and parameters of a law.

    >>> print(section(LuGre))
    """
    about = metadata()[law.name]
    params = ([f"`{name}`", _default(param.default), param.rule, param.text] for name, param in law.params.items())
    parts = [f"### {law.__name__}\n", _paragraph(f"{about['text']} Family: {law.family}.")]
    parts += [_paragraph(f"Source: {about['source']}.")]
    parts += [f"$${_symbol(name)} = {formula}$$\n" for name, formula in about["formulas"].items()]
    parts += [table(["parameter", "default", "must be", "meaning"], params)]
    if law.states:
        states = ([f"`{name}`", state.text] for name, state in law.described.items())
        parts += [table(["state", "meaning"], states)]
    return "\n".join(parts)


def _symbol(name: str) -> str:
    """The left side of a formula in LaTeX."""
    if name.endswith("dot"):
        return rf"\dot{{{name.removesuffix('dot')}}}"
    return rf"\text{{{name}}}"


def _default(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(f"{x:g}" for x in value)
    return "must be given" if value is None else f"{value:g}"


def _paragraph(text: str) -> str:
    """Prose in lines of 120 characters, with an empty line behind it."""
    return fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def main() -> None:
    """Prints the page."""
    print("\n".join(page()), end="")


if __name__ == "__main__":
    main()
