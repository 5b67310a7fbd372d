"""C of counted laws: the equations of one element, written once, in a loop over all elements of a contact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from stribeck.declare import Values
from stribeck.formula import Formula, FormulaTape
from stribeck.laws._counted import CountedLaw

from .c import Body, Line

# what every function begins with; unused names are left out
NAMES = {
    "p": "const sb_{law}_param *p = (const sb_{law}_param *)param;",
    "n": "const int n = law->count;",
}

Parts = dict[str, dict[str, list[Line]]]
"""Function by function what stands for the places of its template."""


class LoopEquations:
    """A counted law at formulas: what its templates in C need. Subclasses have the templates of a kind of laws."""

    functions: dict[str, str]
    """Templates of the functions, with places in braces."""
    helpers: ClassVar[dict[str, tuple[str, tuple[str, ...]]]] = {}
    """Functions that only the others call: result, and arguments after the record and the parameters."""
    behind: ClassVar[tuple[str, ...]] = ("friction", "friction_slopes")
    """Places outside of loops."""

    def __init__(self, law: type[CountedLaw]) -> None:
        self.law = law
        self.tape = tape = FormulaTape()
        self.scalars = {name: tape.input(name) for name in law.scalars}
        self.each = {name: tape.input(name) for name in law.each}
        n = tape.input("n")
        self.p, self.e = Values(**self.scalars, n=n), Values(**self.each)
        self.v, self.v_held = tape.input("v"), tape.input("v_held")
        self.of_element = {x.node for x in self.each.values()}
        self.names = dict(tape.names)
        """What inputs are called in C, by their nodes."""
        self.names |= {x.node: f"p->{name}" for name, x in self.scalars.items()}
        self.names |= {x.node: f"{name}[i]" for name, x in self.each.items()} | {n.node: "(double)n"}

    def input(self, name: str, of_element: bool = False) -> Formula:
        """A variable of the templates."""
        x = self.tape.input(name)
        self.names[x.node] = name
        if of_element:
            self.of_element.add(x.node)
        return x

    def lines(self, values: Mapping[str, Any]) -> list[Line]:
        """Assignments of a place."""
        return [(target, self.tape.formula(value)) for target, value in values.items()]

    @property
    def parts(self) -> Parts:
        """Function by function what stands for its places."""
        raise NotImplementedError


class LoopWriter:
    """Bodies of the functions of a counted law.

    >>> LoopWriter(ElementEquations(GMS)).bodies["guard"]
    """

    def __init__(self, equations: LoopEquations) -> None:
        self.law = equations.law
        self.equations = equations
        self.bodies = {name: self._body(name, parts) for name, parts in self.equations.parts.items()}

    def arguments(self, text: str) -> list[str]:
        """Names of parameters for a body."""
        start = f"param + {len(self.law.scalars)}"
        known = {name: text.format(law=self.law.name) for name, text in NAMES.items()}
        for i, name in enumerate(self.law.each):
            known[name] = f"const double *{name} = {start}{f' + {i} * law->count' if i else ''};"
        return [line for name, line in known.items() if _has(text, name)]

    def _body(self, function: str, parts: Mapping[str, list[Line]]) -> str:
        """The template of a function with its places filled; what is the same for all elements is in front of it."""
        eq = self.equations
        in_loop = [line for place, lines in parts.items() if place not in eq.behind for line in lines]
        names, before = dict(eq.names), list[str]()
        constants = self._constants([value.node for _, value in in_loop])
        if constants:
            lines = [(f"const double c{i}", Formula(eq.tape, node)) for i, node in enumerate(constants)]
            before = Body(names, lines).statements
            names |= {node: f"c{i}" for i, node in enumerate(constants)}
        text = eq.functions[function].replace("{before}\n", "".join(f"{line}\n" for line in before))
        for place, lines in parts.items():
            text = _filled(text, place, Body(names, lines).statements)
        return _without_unused(text)

    def _constants(self, results: Iterable[int]) -> list[int]:
        """The largest parts of some results that do not depend on the element."""
        tape, of_element = self.equations.tape, set(self.equations.of_element)
        for node, (_, operands) in enumerate(tape.nodes):
            if of_element.intersection(operands):
                of_element.add(node)
        found, waiting, seen = list[int](), list(results), set[int]()
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            if node in of_element:
                waiting += tape.nodes[node][1]
            elif tape.nodes[node][1]:
                found.append(node)
        return sorted(found)


def _filled(text: str, place: str, statements: Iterable[str]) -> str:
    """A template with statements at a place, with its indentation."""
    lines = []
    for line in text.splitlines():
        indent, mark, _ = line.partition(f"{{{place}}}")
        lines += [f"{indent}{statement}" for statement in statements] if mark else [line]
    return "\n".join(lines) + "\n"


def _without_unused(text: str) -> str:
    """A function without the variables of its template that nothing uses."""
    for name in ("F", "mode", "released", "side"):
        if len(re.findall(rf"\b{name}\b", text)) == 1:
            text = re.sub(rf".*double {name} = .*\n", "", text)
    return text


def _has(text: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None
