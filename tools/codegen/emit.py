"""The C file of all laws: per law a struct of parameters, its functions and an entry of the table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from textwrap import wrap

from stribeck.formula import CHAINS, OPERATIONS, PAIRED, Formula, pair_name
from stribeck.laws import Law
from stribeck.laws._counted import CountedLaw
from stribeck.laws._elements import ElementLaw
from stribeck.laws._equations import LawEquations, LawFunction
from stribeck.laws._hysteresis import HysteresisLaw
from stribeck.laws.bristle import Bristle

from .c import Body
from .elements import ElementEquations, RenewalEquations
from .equations import Equations
from .hysteresis import HysteresisEquations
from .loops import LoopEquations, LoopWriter

FILE = """\
/* Friction laws, generated from src/stribeck/laws; do not edit. */

#include <float.h>
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

LANES = """\
/* Friction laws for lanes, generated from src/stribeck/laws; do not edit. In the order of sb_laws; those that are not
 * written for lanes have no functions. */

{laws}
static const sb_law sb_laws_in_lanes[] = {{
{table}
}};
"""

IN_LANES = ("flow", "flow_jac", "held_jac", "storage", "breakaway", "flow_param", "breakaway_param", "storage_param")
"""Functions of the equations; the others are called at instants."""

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

OPS = """\
/* Operations of formulas, generated from src/stribeck/formula.py; do not edit. */

#ifndef SB_FORMULA_OPS_H
#define SB_FORMULA_OPS_H

#include "sb_law_math.h"

/* name, number of operands, whether it reads the curve of the law, value for the operands A, B, C, D */
#define SB_FORMULA_OPS(X) \\
{rows}

/* Two at once: name, operands of the first and of both, both values; the second may work on the result of the first */
#define SB_FORMULA_PAIRS(X) \\
{pairs}

#endif
"""

# result and arguments after the record and the parameters, as in sb_law.h
SIGNATURES = {
    "flow": ("void", ("sb_real v", "const sb_real *state", "sb_real *out")),
    "flow_jac": ("void", ("sb_real v", "const sb_real *state", "sb_real *out", "sb_real *jac")),
    "held_jac": ("void", ("sb_real v", "sb_real v_held", "const sb_real *state", "sb_real *out", "sb_real *jac")),
    "steady": ("void", ("sb_real v", "sb_real *state")),
    "storage": ("sb_real", ("const sb_real *state", "sb_real *grad")),
    "curvature": ("void", ("const sb_real *state", "sb_real *hess")),
    "breakaway": ("sb_real", ("const sb_real *state",)),
    "change": ("void", ("sb_real v", "const sb_real *state", "sb_real turn", "sb_real *new_state")),
    "stick": ("void", ("sb_real *out",)),
    "flow_param": ("void", ("sb_real v", "const sb_real *state", "int which", "sb_real *out")),
    "breakaway_param": ("sb_real", ("const sb_real *state", "int which")),
    "storage_param": ("sb_real", ("const sb_real *state", "int which", "sb_real *grad")),
    "guard": ("void", ("sb_real v", "const sb_real *state", "sb_real hold", "sb_real *out")),
    "jump": ("void", ("sb_real v", "const sb_real *state", "sb_real hold", "int which", "sb_real *new_state")),
    "advance": (
        "void",
        (
            *("sb_real h", "sb_real share", "sb_real v", "sb_real v_from", "sb_real v_held"),
            *("const sb_real *state", "sb_real *new_state", "sb_real *out"),
        ),
    ),
}


def c_file(laws: Iterable[type[Law]], source_hash: str) -> str:
    """The C text for these laws.

    >>> c_file(all_laws().values(), source_hash())
    """
    writers = [CountedWriter(law) if issubclass(law, CountedLaw) else LawWriter(law) for law in laws]
    return FILE.format(
        hash=source_hash,
        laws="\n".join(writer.text() for writer in writers),
        table="\n".join(writer.table_entry() for writer in writers),
    )


def lanes_file(laws: Iterable[type[Law]]) -> str:
    """The same for lanes: the functions of the equations, of the laws that have no loops.

    >>> lanes_file(all_laws().values())
    """
    writers = [LawWriter(law) for law in laws if not issubclass(law, CountedLaw)]
    texts = ["\n".join([writer.struct(), *writer.chosen(IN_LANES).values()]) for writer in writers]
    known = {writer.law: writer for writer in writers}
    rows = [
        known[law].table_entry(IN_LANES) if law in known else f'    {{.name = "{law.name}", .family = SB_BRISTLE}},'
        for law in laws
    ]
    return LANES.format(laws="\n".join(texts), table="\n".join(rows))


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


def ops_file() -> str:
    """The header with the operations of formulas, for the kernel that runs them.

    >>> "X(ADD, 2, 0, A + B)" in ops_file()
    True
    """
    letters = dict(zip("abcd", "ABCD", strict=True))
    rows = [
        f"    X({name}, {op.arity}, {int(op.curve)}, {op.c.format(**letters)})"
        for name, op in (OPERATIONS | CHAINS).items()
    ]
    pairs = [_pair_row(first, second) for first in PAIRED for second in PAIRED]
    return OPS.format(rows=" \\\n".join(rows), pairs=" \\\n".join(pairs))


def _pair_row(first: str, second: str) -> str:
    a, b = OPERATIONS[first], OPERATIONS[second]
    places = "ABCD"[: a.arity], "ABCD"[a.arity : a.arity + b.arity]
    values = (op.c.format(**dict(zip("abcd", place, strict=False))) for op, place in zip((a, b), places, strict=True))
    return f"    X({pair_name(first, second)}, {a.arity}, {a.arity + b.arity}, {', '.join(values)})"


class LawWriter:
    """Writes the C of one law.

    >>> LawWriter(LuGre).text()
    """

    signatures = SIGNATURES
    """Results and arguments of its functions."""

    def __init__(self, law: type[Law]) -> None:
        self.law = law
        self.equations = LawEquations(law)
        self.functions = {
            name: self._rows(name, function) if "int which" in SIGNATURES[name][1] else self._function(name, function)
            for name, function in self.equations.functions.items()
        }

    def text(self) -> str:
        """Comment, struct of parameters and functions."""
        return "\n".join([self._comment(), self.struct(), *self.functions.values()])

    def chosen(self, names: Sequence[str]) -> dict[str, str]:
        """Some of its functions."""
        return {name: text for name, text in self.functions.items() if name in names}

    def table_entry(self, names: Sequence[str] = tuple(SIGNATURES)) -> str:
        """The row of the table sb_laws, with some of its functions."""
        law = self.law
        fields = {"name": f'"{law.name}"', "family": f"SB_{law.family.upper()}"}
        fields |= {"n_param": str(len(law.scalars)), "n_state": str(len(law.states))} | self._sizes()
        fields |= {"lock": f"SB_LOCK_{getattr(law, 'lock', 'switch').upper()}"}
        fields |= {name: f"sb_{law.name}_{name}" if name in self.functions else "NULL" for name in names}
        return "    {" + ",\n     ".join(f".{field} = {value}" for field, value in fields.items()) + "},"

    def _sizes(self) -> dict[str, str]:
        equations = self.equations
        return {
            "n_guard": str(len(equations.jumps)),
            "n_moving": str(len(self.law.states)),
            "has_curve": str(int(bool(self.law.curve))),
            "linear": str(int(equations.linear)),
        }

    def _function(self, name: str, function: LawFunction) -> str:
        """One C function: arguments under the names of the equations, what is used several times, results."""
        lines = [
            ("return" if array == "return" else f"{array}[{i}]", value)
            for array, values in function.results.items()
            for i, value in enumerate(values)
        ]
        body = self._body(lines)
        return self._wrapped(name, self._arguments(SIGNATURES[name][1], [body]) + body.statements)

    def _rows(self, name: str, function: LawFunction) -> str:
        """One row of results for each jump, or for each parameter that can vary."""
        states = range(len(self.law.states))
        places = {
            "jump": [f"new_state[{i}]" for i in states],
            "flow_param": ["out[0]", *(f"out[{1 + i}]" for i in states)],
            "breakaway_param": ["return"],
            "storage_param": [*(f"grad[{i}]" for i in states), "return"],
        }[name]
        n, scalars = len(places), self.law.scalars
        numbers = range(len(function.outputs) // n)
        asked = numbers if name == "jump" else [i for i in numbers if scalars[i] in self.law.variable]
        rows = [list(zip(places, function.outputs[n * i : n * i + n], strict=True)) for i in asked]
        bodies = [self._body(row) for row in rows]
        text = self._arguments(SIGNATURES[name][1], bodies)
        for which, body in zip(asked, bodies, strict=True):
            text += [f"if (which == {which}) {{", *(f"    {line}" for line in body.statements), "}"]
        return self._wrapped(name, text + (["return SB_R(0.0);"] if "return" in places else []))

    def _body(self, lines: list[tuple[str, Formula]]) -> Body:
        eq = self.equations
        names = {x.node: f"p->{name}" for name, x in eq.scalars.items()}
        names |= {eq.v.node: "v", eq.v_held.node: "v_held", eq.hold.node: "hold", eq.turn.node: "turn"}
        return Body(names | {z.node: name for name, z in zip(self.law.states, eq.z, strict=True)}, lines)

    def _wrapped(self, name: str, lines: Sequence[str]) -> str:
        result, arguments = self.signatures[name]
        head = ", ".join(["const sb_law *law", "const sb_real *param", *arguments])
        return (
            f"static {result} sb_{self.law.name}_{name}({head})\n{{\n    "
            + "\n    ".join(["(void)law;", *lines])
            + "\n}\n"
        )

    def _arguments(self, arguments: Sequence[str], bodies: Sequence[Body]) -> list[str]:
        """Names for the parameters and the states that are used; the other arguments are marked as unused."""
        eq = self.equations
        used = set().union(*(body.used for body in bodies))
        curve = any(body.reads_curve for body in bodies)
        struct = f"sb_{self.law.name}_param"
        parameters = any(x.node in used for x in eq.scalars.values())
        lines = [f"const {struct} *p = (const {struct} *)param;"] if parameters else []
        lines += [f"const sb_real *curve = param + {len(eq.scalars)};"] if curve else []
        lines += ["(void)param;"] if not parameters and not curve else []
        single = {f"sb_real {x}": getattr(eq, x) for x in ("v", "v_held", "hold", "turn")}
        lines += [
            f"(void){argument.split()[-1]};"
            for argument, x in single.items()
            if argument in arguments and x.node not in used
        ]
        if "const sb_real *state" in arguments:
            names = [
                f"const sb_real {name} = state[{i}];"
                for i, (name, z) in enumerate(zip(self.law.states, eq.z, strict=True))
                if z.node in used
            ]
            lines += names or ["(void)state;"]
        return lines

    def _comment(self) -> str:
        """What the law is, where it comes from, and its equations."""
        law = self.law
        paragraphs = [(law.__doc__ or "").strip().splitlines()[0], f"Source: {law.source}"]
        lines = [line for paragraph in paragraphs for line in wrap(paragraph, 112)]
        for name, formula in Equations.of(law).formulas().items():
            lines += wrap(f"{name} = {formula}", 112, initial_indent="    ", subsequent_indent="        ")
        return "/* " + "\n * ".join(lines) + " */"

    def struct(self) -> str:
        """Its parameters."""
        fields = [
            f"    sb_real {name}; /* {param.text} */"
            for name, param in self.law.params.items()
            if name in self.law.scalars
        ]
        fields = fields or ["    sb_real unused;"]
        return "typedef struct {\n" + "\n".join(fields) + f"\n}} sb_{self.law.name}_param;\n"


class CountedWriter(LawWriter):
    """Writes the C of a counted law.

    >>> CountedWriter(GMS).text()
    """

    law: type[CountedLaw]

    def __init__(self, law: type[CountedLaw]) -> None:
        self.law = law
        loops = LoopWriter(loop_equations(law))
        self.signatures = loops.equations.helpers | SIGNATURES
        self.functions = {name: self._loop(name, body, loops) for name, body in loops.bodies.items()}

    def _loop(self, name: str, body: str, loops: LoopWriter) -> str:
        lines = [*loops.arguments(body), *body.splitlines()]
        given = [argument.split()[-1].lstrip("*") for argument in self.signatures[name][1]]
        text = "\n".join(lines)
        unused = [f"(void){word};" for word in ("param", *given) if not re.search(rf"\b{word}\b", text)]
        return self._wrapped(name, [*unused, *lines])

    def _sizes(self) -> dict[str, str]:
        law = self.law()
        return {
            "n_guard": str(law.count),
            "count": str(law.count),
            "separate": str(int(law.separate)),
            "n_moving": str(law.moving),
            "n_each": str(len(law.each)),
        }


def loop_equations(law: type[CountedLaw]) -> LoopEquations:
    """The equations of a counted law, with the templates of its kind.

    >>> loop_equations(GMS).functions["guard"]
    """
    if issubclass(law, HysteresisLaw):
        return HysteresisEquations(law)
    if issubclass(law, ElementLaw):
        return ElementEquations(law)
    assert issubclass(law, Bristle)
    return RenewalEquations(law)
