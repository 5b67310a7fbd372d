"""The C file of all laws: per law a struct of parameters, its functions and an entry of the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

import sympy

from stribeck.laws import Law

from .c import Printer, Statement, needed, shared
from .equations import Equations

Line = tuple[str, sympy.Expr]
"""What is written, and its value: ("out[0]", expression) or ("return", expression)."""

FILE = """\
/* Friction laws, generated from src/stribeck/laws; do not edit. */

#include <stddef.h>

#include "sb_law.h"
#include "sb_law_math.h"

const char sb_laws_hash[] = "{hash}";

{laws}
const sb_law sb_laws[] = {{
{table}
}};

const int sb_n_laws = (int)(sizeof sb_laws / sizeof sb_laws[0]);
"""

IDS = """\
/* Numbers of the friction laws in this build, generated from src/stribeck/laws; do not edit. */

#ifndef SB_LAW_IDS_H
#define SB_LAW_IDS_H

#define SB_LAW_IDS(X) \\
{rows}

enum {{
#define X(id, name) SB_LAW_##id,
    SB_LAW_IDS(X)
#undef X
}};

#endif
"""

# result and arguments after the parameters, as in sb_law.h
SIGNATURES = {
    "flow": ("void", ("double v", "const double *state", "double *out")),
    "flow_jac": ("void", ("double v", "const double *state", "double *out", "double *jac")),
    "held_jac": ("void", ("double v", "double v_held", "const double *state", "double *out", "double *jac")),
    "steady": ("void", ("double v", "double *state")),
    "storage": ("double", ("const double *state", "double *grad")),
    "curvature": ("void", ("const double *state", "double *hess")),
    "breakaway": ("double", ()),
    "stick": ("void", ("double *out",)),
    "guard": ("void", ("double v", "const double *state", "double hold", "double *out")),
    "jump": ("void", ("double v", "const double *state", "double hold", "int which", "double *new_state")),
}


def c_file(laws: Iterable[type[Law]], source_hash: str) -> str:
    """The C text for these laws.

    >>> c_file(all_laws().values(), source_hash())
    """
    writers = [LawWriter(law) for law in laws]
    return FILE.format(
        hash=source_hash,
        laws="\n".join(writer.text() for writer in writers),
        table="\n".join(writer.table_entry() for writer in writers),
    )


def law_id(name: str) -> str:
    """What C data call a law, whatever its number.

    >>> law_id("lugre")
    'SB_LAW_LUGRE'
    """
    return f"SB_LAW_{name.upper()}"


def ids_file(laws: Iterable[type[Law]]) -> str:
    """The header with the numbers of these laws in the table of c_file, by their names.

    >>> ids_file(all_laws().values())
    """
    prefix = law_id("")
    rows = [f'    X({law_id(law.name).removeprefix(prefix)}, "{law.name}")' for law in laws]
    return IDS.format(rows=" \\\n".join(rows))


class LawWriter:
    """Writes the C of one law.

    >>> LawWriter(LuGre).text()
    """

    def __init__(self, law: type[Law]) -> None:
        self.law = law
        self.equations = Equations.of(law)
        self.printer = Printer(self.equations.parameters)
        self.functions = self._functions()

    def text(self) -> str:
        """Comment, struct of parameters and functions."""
        return "\n".join([self._comment(), self._struct(), *self.functions.values()])

    def table_entry(self) -> str:
        """The row of the table sb_laws."""
        law = self.law
        fields = {"name": f'"{law.name}"', "family": f"SB_{law.family.upper()}"}
        fields |= {"n_param": str(len(law.scalars)), "n_state": str(len(law.states))}
        fields |= {"n_guard": str(len(self.equations.guards)), "has_curve": str(int(bool(law.curve)))}
        fields |= {"linear": str(int(self.equations.linear))}
        fields |= {"lock": f"SB_LOCK_{getattr(law, 'lock', 'switch').upper()}"}
        fields |= {name: f"sb_{law.name}_{name}" if name in self.functions else "NULL" for name in SIGNATURES}
        return "    {" + ",\n     ".join(f".{field} = {value}" for field, value in fields.items()) + "},"

    def _functions(self) -> dict[str, str]:
        eq = self.equations
        # flow() takes the common subexpressions of flow_jac(): so both agree to the last bit
        statements, results = shared([*eq.flow, *eq.slopes])
        flow, jac = _assign("out", results[: len(eq.flow)]), _assign("jac", results[len(eq.flow) :])
        bodies = {"flow": (statements, flow), "flow_jac": (statements, flow + jac)}
        if self.law.family != "locking":
            held, held_slopes = eq.held
            bodies["held_jac"] = _body([*_assign("out", held), *_assign("jac", held_slopes)])
        if eq.z:
            bodies["steady"] = _body(_assign("state", eq.steady))
        if eq.storage is not None:
            bodies["storage"] = _body([*_assign("grad", eq.gradient), ("return", eq.storage)])
            bodies["curvature"] = _body(_assign("hess", eq.curvature))
        if eq.breakaway is not None:
            bodies["breakaway"] = _body([("return", eq.breakaway)])
        if eq.stick:
            bodies["stick"] = _body(_assign("out", eq.stick))
        if eq.guards:
            bodies["guard"] = _body(_assign("out", eq.guards))
            bodies["jump"] = _body(_assign("new_state", eq.jump))
        return {name: self._function(name, *body) for name, body in bodies.items()}

    def _function(self, name: str, statements: Sequence[Statement], lines: Sequence[Line]) -> str:
        """One C function: arguments under the names of the equations, common subexpressions, results."""
        result, arguments = SIGNATURES[name]
        statements = needed(statements, [value for _, value in lines])
        used = set().union(*(value.free_symbols for _, value in [*statements, *lines]))
        head = ", ".join(["const double *param", *arguments])
        body = self._arguments(arguments, used)
        body += [self.printer.statement(symbol, value) for symbol, value in statements]
        body += [
            f"{target}{' ' if target == 'return' else ' = '}{self.printer.doprint(value)};" for target, value in lines
        ]
        return f"static {result} sb_{self.law.name}_{name}({head})\n{{\n    " + "\n    ".join(body) + "\n}\n"

    def _arguments(self, arguments: Sequence[str], used: set[sympy.Basic]) -> list[str]:
        """Names for the parameters and the states that are used; the other arguments are marked as unused."""
        eq = self.equations
        struct = f"sb_{self.law.name}_param"
        parameters, curve = used & set(eq.parameters), used & set(eq.curve)
        lines = [f"const {struct} *p = (const {struct} *)param;"] if parameters else []
        lines += [f"const double *curve = param + {len(eq.parameters)};"] if curve else []
        lines += ["(void)param;"] if not parameters | curve else []
        single = {"double v": eq.v, "double v_held": eq.v_held, "double hold": eq.hold, "int which": eq.which}
        lines += [f"(void){x};" for argument, x in single.items() if argument in arguments and x not in used]
        if "const double *state" in arguments:
            names = [f"const double {z} = state[{i}];" for i, z in enumerate(eq.z) if z in used]
            lines += names or ["(void)state;"]
        return lines

    def _comment(self) -> str:
        """What the law is, where it comes from, and its equations."""
        law = self.law
        paragraphs = [(law.__doc__ or "").strip().splitlines()[0], f"Source: {law.source}"]
        lines = [line for paragraph in paragraphs for line in wrap(paragraph, 112)]
        for name, formula in self.equations.formulas().items():
            lines += wrap(f"{name} = {formula}", 112, initial_indent="    ", subsequent_indent="        ")
        return "/* " + "\n * ".join(lines) + " */"

    def _struct(self) -> str:
        fields = [
            f"    double {name}; /* {param.text} */"
            for name, param in self.law.params.items()
            if name in self.law.scalars
        ]
        fields = fields or ["    double unused;"]
        return "typedef struct {\n" + "\n".join(fields) + f"\n}} sb_{self.law.name}_param;\n"


def _assign(array: str, values: Sequence[sympy.Expr]) -> list[Line]:
    return [(f"{array}[{i}]", value) for i, value in enumerate(values)]


def _body(lines: Sequence[Line]) -> tuple[list[Statement], list[Line]]:
    """Lines with their common subexpressions taken out."""
    statements, values = shared([value for _, value in lines])
    return statements, [(target, value) for (target, _), value in zip(lines, values, strict=True)]
