"""C of counted laws: the equations of one element, written once, in a loop over all elements of a contact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from stribeck.declare import Values
from stribeck.formula import Formula, FormulaTape, derivative
from stribeck.laws._elements import ElementLaw

from .c import Body, Line

# what every function begins with; unused names are left out
NAMES = {
    "p": "const sb_{law}_param *p = (const sb_{law}_param *)param;",
    "n": "const int n = law->count;",
}

FUNCTIONS = {
    "flow": """\
{before}
double total = 0.0;
double rates = 0.0;
for (int i = 0; i < n; ++i) {
    const double F = state[i];
    const double slip = state[n + i];
    {rate}
    out[1 + n + i] = 0.0;
    total += F;
    rates += out[1 + i];
}
{friction}
""",
    "flow_jac": """\
{before}
double total = 0.0;
double rates = 0.0;
double rates_by_v = 0.0;
for (int i = 0; i < n; ++i) {
    const double F = state[i];
    const double slip = state[n + i];
    {rate}
    {slopes}
    out[1 + n + i] = 0.0;
    total += F;
    rates += out[1 + i];
    rates_by_v += jac[1 + n + i];
}
{friction}
{friction_slopes}
jac[0] = by_v + by_rates * rates_by_v;
for (int i = 0; i < n; ++i) {
    jac[1 + i] = by_total + by_rates * jac[1 + 2 * n + i];
}
""",
    "steady": """\
{before}
for (int i = 0; i < n; ++i) {
    {steady}
}
""",
    "storage": """\
{before}
double sum = 0.0;
for (int i = 0; i < n; ++i) {
    const double F = state[i];
    {energy}
    grad[n + i] = 0.0;
    sum += energy;
}
return sum;
""",
    "curvature": """\
{before}
for (int i = 0; i < n; ++i) {
    const double F = state[i];
    {curvature}
}
""",
    "guard": """\
{before}
for (int i = 0; i < n; ++i) {
    const double F = state[i];
    const double slip = state[n + i];
    {guard}
}
""",
    "jump": """\
{before}
for (int i = 0; i < 2 * n; ++i) {
    new_state[i] = state[i];
}
const double F = state[which];
const double slip = state[n + which];
{jump}
""",
    # At constant v an element sticks until its force reaches the limit. One that slips relaxes from F by the rational
    # function (1 + x/2)/(1 + x + x^2/2) of x = h times its relaxation: that of (1 - e^-x)/x to second order, and
    # without overshoot for any x.
    "advance": """\
{before}
const double direction = sb_sign(v);
const double h_met = share * h;
double total = 0.0;
double gained = 0.0;
double stiffness = 0.0;
double stiffness_met = 0.0;
for (int i = 0; i < n; ++i) {
    const double F = state[i];
    const double forward = direction * F;
    {element}
    const int slips = direction != 0.0 && state[n + i] == direction;
    double met = F + h_met * k * v;
    new_state[i] = F + h * k * v;
    new_state[n + i] = 0.0;
    if (slips || forward > limit) {
        {slip}
        const double x = h * relaxation;
        const double x_met = h_met * relaxation;
        met = F + direction * (h_met * rate * (1.0 + 0.5 * x_met) / (1.0 + x_met * (1.0 + 0.5 * x_met)));
        new_state[i] = F + direction * (h * rate * (1.0 + 0.5 * x) / (1.0 + x * (1.0 + 0.5 * x)));
        new_state[n + i] = direction;
    } else if (direction * new_state[i] > limit) {
        const int later = direction * met <= limit;
        met = later ? met : direction * limit;
        stiffness_met += later ? k : 0.0;
        new_state[i] = direction * limit;
        new_state[n + i] = direction;
    } else {
        stiffness += k;
        stiffness_met += k;
    }
    total += met;
    gained += new_state[i] - F;
}
const double rates = gained / h;
{friction}
{friction_slopes}
out[1] = by_v + by_rates * stiffness;
out[2] = h_met * by_total * stiffness_met;
""",
}


class ElementEquations:
    """One element of a counted law at formulas for its parameters, speed, force and mode.

    >>> ElementEquations(MaxwellSlip).rate
    Formula(|slip| < 0.5 ? sigma0*beta*v : 0)
    """

    def __init__(self, law: type[ElementLaw]) -> None:
        self.tape = tape = FormulaTape()
        self.scalars = {name: tape.input(name) for name in law.scalars}
        self.p = p = Values(**self.scalars)
        each = {name: tape.input(name) for name in law.each}
        self.e = e = Values(**each)
        self.v = v = tape.input("v")
        self.F = F = tape.input("F")
        self.forward = forward = tape.input("forward")
        self.total, self.rates = tape.input("total"), tape.input("rates")
        v_from, v_held, slip = tape.input("v_from"), tape.input("v_held"), tape.input("slip")
        self.of_element = {x.node for x in [*each.values(), F, slip, forward]}
        self.names = dict(tape.names)
        """What inputs are called in C, by their nodes."""
        self.names |= {x.node: f"p->{name}" for name, x in self.scalars.items()}
        self.names |= {x.node: f"{name}[i]" for name, x in each.items()}

        g, held = law.curves(p, v), law.curves(p, v_held)
        self.rate = law.rate(p, e, v, F, slip, *g)
        self.friction = law.friction(p, v, self.total, self.rates)
        alone = Values(**vars(p), **{name: [x] for name, x in each.items()})
        self.steady, self.side = law.steady(alone, v)
        self.energy = law.energy(p, e, F)
        self.guard, self.turned = law.guard(p, e, v, F, slip, *g), law.turned(F, slip)
        self.k, self.limit = law.stiffness(p, e), law.limit(p, e, *law.curves(p, v_from))
        self.slipping = law.slipping(p, e, forward, *held)

    @property
    def parts(self) -> dict[str, dict[str, list[Line]]]:
        """Function by function what stands for its places: in loops, and behind them."""
        F, rate, friction, forward = self.F, self.rate, self.friction, self.forward

        def lines(values: Mapping[str, Any]) -> list[Line]:
            return [(target, self.tape.formula(value)) for target, value in values.items()]

        by = {"by_v": self.v, "by_total": self.total, "by_rates": self.rates}
        slopes = lines({f"const double {name}": derivative(friction, x) for name, x in by.items()})
        rates = lines({"out[1 + i]": rate})
        slope = lines({"jac[1 + n + i]": derivative(rate, self.v), "jac[1 + 2 * n + i]": derivative(rate, F)})
        total = lines({"out[0]": friction})
        gradient = derivative(self.energy, F)
        relaxation = -derivative(self.slipping, forward)
        return {
            "flow": {"rate": rates, "friction": total},
            "flow_jac": {"rate": rates, "slopes": slope, "friction": total, "friction_slopes": slopes},
            "steady": {"steady": lines({"state[i]": self.steady, "state[n + i]": self.side})},
            "storage": {"energy": lines({"const double energy": self.energy, "grad[i]": gradient})},
            "curvature": {"curvature": lines({"hess[i]": derivative(gradient, F)})},
            "guard": {"guard": lines({"out[i]": self.guard})},
            "jump": {"jump": lines({"new_state[n + which]": self.turned})},
            "advance": {
                "element": lines({"const double k": self.k, "const double limit": self.limit}),
                "slip": lines({"const double rate": self.slipping, "const double relaxation": relaxation}),
                "friction": total,
                "friction_slopes": slopes,
            },
        }


class LoopWriter:
    """Bodies of the functions of a counted law.

    >>> LoopWriter(GMS).bodies["guard"]
    """

    def __init__(self, law: type[ElementLaw]) -> None:
        self.law = law
        self.equations = ElementEquations(law)
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
        in_loop = [line for place, lines in parts.items() if "friction" not in place for line in lines]
        names, before = dict(eq.names), list[str]()
        constants = self._constants([value.node for _, value in in_loop])
        if constants:
            lines = [(f"const double c{i}", Formula(eq.tape, node)) for i, node in enumerate(constants)]
            before = Body(names, lines).statements
            names |= {node: f"c{i}" for i, node in enumerate(constants)}
        text = FUNCTIONS[function].replace("{before}\n", "".join(f"{line}\n" for line in before))
        for place, lines in parts.items():
            text = _filled(text, place, Body(names, lines).statements)
        return text if len(re.findall(r"\bF\b", text)) > 1 else re.sub(r".*double F = .*\n", "", text)

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


def _has(text: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None
