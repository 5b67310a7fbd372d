"""C of laws whose elements have a force each: those that stick and slip, and bristles that are renewed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stribeck.declare import Values
from stribeck.formula import Formula, derivative
from stribeck.laws._elements import ElementLaw, SeparateLaw
from stribeck.laws.bristle import Bristle

from .c import Line
from .loops import LoopEquations, Parts

FUNCTIONS: dict[str, str] = {
    "flow": """\
{before}
double total = 0.0;
double rates = 0.0;
for (int i = 0; i < n; ++i) {
    const double F = state[i];
    const double mode = state[n + i];
    {rate}
    out[1 + n + i] = 0.0;
    total += F;
    rates += out[1 + i];
}
(void)rates;
{friction}
""",
    "flow_jac": """\
{before}
double total = 0.0;
double rates = 0.0;
double rates_by_v = 0.0;
for (int i = 0; i < n; ++i) {
    const double F = state[i];
    const double mode = state[n + i];
    {rate}
    {slopes}
    out[1 + n + i] = 0.0;
    total += F;
    rates += out[1 + i];
    rates_by_v += jac[1 + n + i];
}
(void)rates;
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
    const double mode = state[n + i];
    {guard}
}
""",
    "jump": """\
{before}
for (int i = 0; i < 2 * n; ++i) {
    new_state[i] = state[i];
}
const int i = which;
const double F = state[i];
const double mode = state[n + i];
{jump}
""",
}

SLIPPING = FUNCTIONS | {
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

# Bristles at constant v: each is bent to its limit and renewed, again and again, but no further than MOST_WAYS times
# its deflection: what a step passes beyond that is left out. Friction is the mean over twice the share of the time,
# which is its value there where nothing snaps; it is continuous in v, and its slope is (force at the end - mean)/|v|.
RENEWED = FUNCTIONS | {
    "advance": """\
{before}
enum { MOST_WAYS = 16 };
const double direction = v < 0.0 ? -1.0 : 1.0;
double total = 0.0;
double slopes = 0.0;
for (int i = 0; i < n; ++i) {
    {element}
    const double most = (double)MOST_WAYS * limit;
    const double way = h * k * fabs(v) < most ? h * k * fabs(v) : most;
    for (int end = 0; end < 2; ++end) {
        double mode = state[n + i];
        double forward = direction * state[i];
        double left = end ? way : 2.0 * share * way;
        double area = 0.0;
        while (left > limit - forward) {
            area += (limit - forward) * 0.5 * (limit + forward);
            left -= limit - forward;
            {renewed}
            mode = next;
            forward = mode * limit;
        }
        area += left * (forward + 0.5 * left);
        forward += left;
        if (end) {
            new_state[i] = direction * forward;
            new_state[n + i] = mode;
        } else {
            const double mean = way > 0.0 ? 0.5 * area / (share * way) : forward;
            total += direction * mean;
            slopes += way > 0.0 ? (forward - mean) / fabs(v) : share * h * k;
        }
    }
}
{friction}
{friction_slopes}
out[1] = by_v;
out[2] = by_total * slopes;
""",
}


class SeparateEquations(LoopEquations):
    """One element with a force and a mode."""

    functions = FUNCTIONS

    def __init__(self, law: type[SeparateLaw]) -> None:
        super().__init__(law)
        p, e, v = self.p, self.e, self.v
        self.F, self.mode = self.input("F", of_element=True), self.input("mode", of_element=True)
        self.total, self.rates = self.input("total"), self.input("rates")
        g = law.curves(p, v)
        self.rate = law.rate(p, e, v, self.F, self.mode, *g)
        self.friction = law.friction(p, v, self.total, self.rates)
        alone = Values(**vars(p), **{name: [x] for name, x in self.each.items()})
        self.steady = law.steady(alone, v)
        self.energy = law.energy(p, e, self.F)
        self.guard = law.guard(p, e, v, self.F, self.mode, *g)
        self.turned = law.turned(p, e, v, self.F, self.mode)

    @property
    def parts(self) -> Parts:
        """Function by function what stands for its places."""
        F, v, rate, lines = self.F, self.v, self.rate, self.lines
        rates = lines({"out[1 + i]": rate})
        slope = lines({"jac[1 + n + i]": derivative(rate, v), "jac[1 + 2 * n + i]": derivative(rate, F)})
        gradient = derivative(self.energy, F)
        return {
            "flow": {"rate": rates, "friction": self.friction_lines},
            "flow_jac": {"rate": rates, "slopes": slope} | self.friction_parts,
            "steady": {"steady": lines(dict(zip(("state[i]", "state[n + i]"), self.steady, strict=True)))},
            "storage": {"energy": lines({"const double energy": self.energy, "grad[i]": gradient})},
            "curvature": {"curvature": lines({"hess[i]": derivative(gradient, F)})},
            "guard": {"guard": lines({"out[i]": self.guard})},
            "jump": {"jump": lines(dict(zip(("new_state[i]", "new_state[n + i]"), self.turned, strict=True)))},
            "advance": self.friction_parts | self.advance,
        }

    @property
    def friction_lines(self) -> Any:
        """Friction from the sums over all elements."""
        return self.lines({"out[0]": self.friction})

    @property
    def friction_parts(self) -> Any:
        """Friction and its slopes."""
        by = {"by_v": self.v, "by_total": self.total, "by_rates": self.rates}
        return {"friction": self.friction_lines, "friction_slopes": self.slopes_by(by)}

    def slopes_by(self, by: Mapping[str, Formula]) -> list[Line]:
        """Derivatives of friction, by name."""
        return self.lines({f"const double {name}": derivative(self.friction, x) for name, x in by.items()})

    @property
    def advance(self) -> Any:
        """What stands for the places of the function advance."""
        raise NotImplementedError


class ElementEquations(SeparateEquations):
    """One element that sticks and slips.

    >>> ElementEquations(MaxwellSlip).rate
    Formula(|mode| < 0.5 ? sigma0*beta*v : 0)
    """

    functions = SLIPPING
    law: type[ElementLaw]

    @property
    def advance(self) -> Any:
        """What stands for the places of the function advance."""
        law, p, e = self.law, self.p, self.e
        held, forward = law.curves(p, self.v_held), self.input("forward", of_element=True)
        slipping = self.tape.formula(law.slipping(p, e, forward, *held))
        begins = law.curves(p, self.input("v_from"))
        element = {"const double k": law.stiffness(p, e), "const double limit": law.limit(p, e, *begins)}
        slip = {"const double rate": slipping, "const double relaxation": -derivative(slipping, forward)}
        return {"element": self.lines(element), "slip": self.lines(slip)}


class RenewalEquations(SeparateEquations):
    """One bristle that snaps and is renewed.

    >>> RenewalEquations(Bristle).rate
    Formula(1.5*mu_c/(n*delta)*v)
    """

    functions = RENEWED
    law: type[Bristle]

    @property
    def advance(self) -> Any:
        """What stands for the places of the function advance."""
        law, p, e = self.law, self.p, self.e
        element = {"const double k": law.stiffness(p, e), "const double limit": law.limit(p, e)}
        return {
            "element": self.lines(element),
            "renewed": self.lines({"const double next": law.renewed(e, self.mode)}),
            "friction_slopes": self.slopes_by({"by_v": self.v, "by_total": self.total}),
        }
