"""Writes docs/laws.md and its pictures: what the laws declare, and what experiments with them show.

`python -m tools.pages.laws` draws all laws, `python -m tools.pages.laws lugre gms` those two; the page has always all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Any

import stribeck as sb
from stribeck.analysis.laboratory.properties import EXPERIMENTS, PROBES, friction_properties
from stribeck.laws import Law, all_laws, metadata
from stribeck.style import COLORS, Picture, label, legend_above, styled

from .markdown import table
from .pictures import shrink

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "laws.md"
PICTURES = DOCS / "pictures" / "laws"
RISING = DOCS / "pictures" / "rising.png"
WIDTH = 1380
"""Of the pictures, in pixels: three experiments side by side."""
COMPARED = "RisingStribeck", "KatoStribeck", "SevenParameter", "LuGre"
"""Laws whose break-away after rest is compared; that of the last does not rise."""

WORDS = {True: "yes", False: "", None: "?"}
"""A verdict in the table."""

INTRODUCTION = """\
# Friction laws

Written by `python -m tools.pages.laws` from the laws and from experiments with them; `stribeck laws NAME` shows the
same about one law, `stribeck laws NAME --page out.html` with all pictures on one page.

## Properties

The seven properties of friction of R. Nouailletas, E. Mendes, D. Koenig (Hybrid modeling and identification of dry
friction systems, application to a clutch actuator, Control Engineering Practice 18, 2010), each found by an experiment
with the default parameters: *yes*, or empty for no, or *?* where a law could not undergo it. Below are the experiments
and their numbers, and for each law the pictures that the verdicts follow from.
"""

PROBING = """\
## Experiments

All on a guide with normal load 1. A body on it, if any, has the mass (kg) of the sliding friction (N),
which is the largest one in steady sliding up to a tenth of the highest speed; the spring that tows it reaches that
friction within 0.1 m. *Break-away* is the largest friction while the body is towed from rest at 0.01 m/s until it has
moved by 0.05 m.
"""

Verdicts = Mapping[str, Mapping[str, sb.analysis.PropertyVerdict]]


def all_properties() -> Verdicts:
    """The verdicts on every law with its default parameters, by the name of its class.

    >>> all_properties()["LuGre"]["nonlocal memory"].has
    False
    """
    return {law.__name__: friction_properties(law()) for law in all_laws().values()}


def page(found: Verdicts) -> Iterator[str]:
    """The page, piece by piece.

    >>> print(*page(all_properties()), sep="\\n")
    """
    yield INTRODUCTION
    yield property_table(found)
    yield PROBING
    for experiment in EXPERIMENTS:
        yield f"### {_capital(experiment.name)}\n"
        yield _paragraph(experiment.text)
        for name, criterion in experiment.criteria.items():
            yield _paragraph(f"*{_capital(name)}:* {criterion}")
            rows = ([law, WORDS[verdicts[name].has], verdicts[name].reason] for law, verdicts in found.items())
            yield table(["law", name, "measured"], rows)
        if experiment.name == "time at rest":
            names = f"{', '.join(COMPARED[:-1])} and {COMPARED[-1]}"
            yield f"![Break-away friction over the time at rest: {names}](pictures/{RISING.name})\n"
    yield "## Laws\n"
    for law in all_laws().values():
        yield section(law)


def property_table(found: Verdicts) -> str:
    """Which law has which property.

    >>> print(property_table(all_properties()))
    """
    rows = (
        [f"[{law}](#{law.lower()})", *(WORDS[verdict.has] for verdict in verdicts.values())]
        for law, verdicts in found.items()
    )
    return table(["law", *PROBES], rows)


def section(law: type[Law]) -> str:
    """Text, source, formulas, parameters and picture of a law.

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
    parts += [f"![{law.__name__} in all experiments](pictures/laws/{law.name}.png)\n"]
    return "\n".join(parts)


def draw(names: Iterable[str]) -> None:
    """Draws the pictures of these laws.

    >>> draw(["lugre"])
    """
    PICTURES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        large = Path(folder, "law.png")
        for name in names:
            sb.analysis.tribometer(name).plot(large)
            shrink(large, PICTURES / f"{name}.png", WIDTH)
        draw_rising(large)
        shrink(large, RISING, WIDTH // 2)


@styled
def draw_rising(path: Path) -> None:
    """Break-away over the time at rest, of laws with rising static friction and of one without.

    >>> draw_rising(Path("rising.png"))
    """
    picture = Picture(5.4, 3.2)
    axes = picture.subplots()
    for law, color in zip(COMPARED, COLORS, strict=False):
        curve = sb.analysis.tribometer(law)["time at rest"].curves[0]
        axes.plot(curve.x, curve.y, "o-", color=color, label=law)
    axes.set(xscale="log", xlabel=label("s", "time at rest until break-away"), ylabel=label("N", "break-away friction"))
    axes.set_ylim(bottom=1.0)
    legend_above(axes)
    picture.finish("Static friction that rises with the time at rest", path)


def _symbol(name: str) -> str:
    """The left side of a formula in LaTeX."""
    if name.endswith("dot"):
        return rf"\dot{{{name.removesuffix('dot')}}}"
    return rf"\text{{{name}}}"


def _default(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(f"{x:g}" for x in value)
    return "must be given" if value is None else f"{value:g}"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _paragraph(text: str) -> str:
    """Prose in lines of 120 characters, with an empty line behind it."""
    return fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def main() -> None:
    """Writes the page, and the pictures of the laws that are named, or of all."""
    draw(sys.argv[1:] or all_laws())
    PAGE.write_text("\n".join(page(all_properties())), encoding="utf-8")


if __name__ == "__main__":
    main()
