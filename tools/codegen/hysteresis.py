"""C of laws whose bristle is a hysteresis spring: one deflection z, and n elements that share it."""

from __future__ import annotations

from typing import Any, ClassVar

from stribeck.formula import derivative
from stribeck.laws._hysteresis import SLACK, HysteresisLaw

from .loops import LoopEquations, Parts

FOUND = 1e-13
"""Change of a deflection, relative to it, below which it is found: rounding of the spring force."""

KEPT = """\
    const double released = state[1 + i];
    const double side = state[1 + n + i];
"""

JAC = """\
double slope = 0.0;
const double z = state[0];
const double total = sb_{law}_spring(law, param, state, z, &slope);
{base}
{rate}
{friction}
for (int i = 0; i < 2 * n; ++i) {
    out[2 + i] = 0.0;
}
{friction_slopes}
jac[2] = rate_by_v;
jac[3] = rate_by_total * slope;
jac[0] = by_v + by_rate * jac[2];
jac[1] = by_total * slope + by_rate * jac[3];
"""

FUNCTIONS: dict[str, str] = {
    # the spring force at a deflection, and its slope
    "spring": """\
{before}
double total = 0.0;
*slope = 0.0;
for (int i = 0; i < n; ++i) {
"""
    + KEPT
    + """\
    {force}
    total += F;
    *slope += by_z;
}
return total;
""",
    # the spring force at the beginning of the present branch: see HysteresisLaw.base
    "base": """\
int found = 0;
int first = 1;
double start = 0.0;
double slope = 0.0;
const double way = sb_sign(v);
for (int i = n - 1; i >= 0 && way != 0.0; --i) {
"""
    + KEPT
    + """\
    const int passed = side == way ? way * z >= way * released : first && way * z >= -way * released;
    if (side != 0.0 && passed) {
        break;
    }
    start = side == -way ? released : start;
    found = found || side == -way;
    first = first && side == 0.0;
}
return found ? sb_{law}_spring(law, param, state, start, &slope) : 0.0;
""",
    # what releases elements when it changes its sign
    "turning": """\
double slope = 0.0;
const double total = sb_{law}_spring(law, param, state, state[0], &slope);
{turning}
""",
    "flow": """\
double slope = 0.0;
const double z = state[0];
const double total = sb_{law}_spring(law, param, state, z, &slope);
{base}
{rate}
{friction}
for (int i = 0; i < 2 * n; ++i) {
    out[2 + i] = 0.0;
}
""",
    "flow_jac": JAC,
    "held_jac": "{level}\n" + JAC,
    # On the curve of the first motion: element after element slips, in their order. Newton's method corrects rounding,
    # and arrives within n + 1 rounds from anywhere, because the curve is concave.
    "steady": """\
{before}
{level}
double z = 0.0;
double left = level;
double sticking = 0.0;
for (int i = 0; i < n; ++i) {
    {stiffness}
    sticking += k;
}
for (int i = 0; i < n; ++i) {
    {element}
    z = left / sticking;
    if (k * z <= limit || i == n - 1) {
        break;
    }
    left -= limit;
    sticking -= k;
}
for (int round = 0; round <= n; ++round) {
    left = level;
    sticking = 0.0;
    for (int i = 0; i < n; ++i) {
        {element}
        left -= k * z < limit ? k * z : limit;
        sticking += k * z < limit ? k : 0.0;
    }
    const double move = sticking > 0.0 ? left / sticking : 0.0;
    z += move;
    if (fabs(move) <= 4.0 * DBL_EPSILON * z) {
        break;
    }
}
state[0] = sb_sign(v) * z;
for (int i = 0; i < 2 * n; ++i) {
    state[1 + i] = 0.0;
}
""",
    "storage": """\
{before}
const double z = state[0];
double sum = 0.0;
grad[0] = 0.0;
for (int i = 0; i < n; ++i) {
"""
    + KEPT
    + """\
    {energy}
    grad[0] += by_z;
    grad[1 + i] = 0.0;
    grad[1 + n + i] = 0.0;
    sum += energy;
}
return sum;
""",
    "curvature": """\
{before}
const double z = state[0];
hess[0] = 0.0;
for (int i = 0; i < n; ++i) {
"""
    + KEPT
    + """\
    {curvature}
    hess[0] += twice;
}
""",
    "guard": """\
{before}
const double z = state[0];
const double turning = sb_{law}_turning(law, param, v, v, state);
for (int i = 0; i < n; ++i) {
"""
    + KEPT
    + """\
    {element}
    {guard}
}
""",
    "jump": """\
{before}
const double z = state[0];
for (int i = 0; i <= 2 * n; ++i) {
    new_state[i] = state[i];
}
const int i = which;
const double released = state[1 + i];
const double side = state[1 + n + i];
{element}
new_state[1 + i] = z;
new_state[1 + n + i] = sb_sign(loaded);
""",
    # At constant v this is one equation in z, whose rate falls with z: by the implicit rule z = z0 + h rate(z). The
    # root is between z0 and where the rate of the start leads.
    "advance": """\
{before}
enum { MOST_ROUNDS = 60 };
const double start = state[0];
double slope = 0.0;
new_state[0] = start;
const double turning = sb_{law}_turning(law, param, v, v_held, state);
double z = start;
for (int i = 0; i < n; ++i) {
"""
    + KEPT
    + """\
    {element}
    const int turns = fabs(loaded) > (1.0 + SLACK) * limit && loaded * turning < 0.0;
    new_state[1 + i] = turns ? start : released;
    new_state[1 + n + i] = turns ? sb_sign(loaded) : side;
}
{level}
double bracket[2] = {0.0, 0.0};
double rate_by_v = 0.0;
double rate_by_z = 0.0;
for (int round = 0; round < MOST_ROUNDS; ++round) {
    const double total = sb_{law}_spring(law, param, new_state, z, &slope);
    {base_of_new}
    {rate}
    rate_by_z = rate_by_total * slope;
    const double goal = start + h * rate;
    if (round == 0) {
        bracket[0] = goal < start ? goal : start;
        bracket[1] = goal < start ? start : goal;
    } else {
        bracket[goal < z] = z;
    }
    const double move = (goal - z) / (1.0 - h * rate_by_z);
    const double next = z + move;
    if (fabs(move) <= FOUND * (fabs(z) + fabs(goal - start))) {
        z = next;
        break;
    }
    z = next >= bracket[0] && next <= bracket[1] ? next : 0.5 * (bracket[0] + bracket[1]);
}
new_state[0] = z;
const double total = sb_{law}_spring(law, param, new_state, z, &slope);
const double rate = (z - start) / h;
{friction}
{friction_slopes}
const double z_by_v = rate_by_v / (1.0 - h * rate_by_z);
out[1] = by_v + by_rate * z_by_v;
out[2] = h * by_total * slope * z_by_v;
""".replace("SLACK", repr(SLACK)).replace("FOUND", repr(FOUND)),
}


class HysteresisEquations(LoopEquations):
    """A hysteresis spring and the rate of its deflection.

    >>> HysteresisEquations(Leuven).force
    Formula(x0 < -(alpha*reserve*mu_s) ? -(alpha*reserve*mu_s) : x0)
    """

    functions = FUNCTIONS
    helpers: ClassVar[dict[str, tuple[str, tuple[str, ...]]]] = {
        "spring": ("double", ("const double *state", "double z", "double *slope")),
        "base": ("double", ("double v", "const double *state", "double z")),
        "turning": ("double", ("double v", "double v_held", "const double *state")),
    }
    behind = (
        "friction",
        "friction_slopes",
        "rate",
        "turning",
        "level",
    )
    law: type[HysteresisLaw]

    def __init__(self, law: type[HysteresisLaw]) -> None:
        super().__init__(law)
        functions = {name: text for name, text in FUNCTIONS.items() if law.based or name != "base"}
        if law.based:
            functions["turning"] = "{turning}\n"
        self.functions = {name: self._filled(text) for name, text in functions.items()}
        p, e, v = self.p, self.e, self.v
        kept = [self.input(name, of_element=True) for name in ("released", "side")]
        self.z, self.loaded = self.input("z"), self.input("loaded", of_element=True)
        self.of_element.add(self.z.node)
        self.total, self.base, self.rate = (self.input(name) for name in ("total", "base", "rate"))
        self.turning = self.input("turning")
        self.of_element.add(self.turning.node)
        self.force = law.force(p, e, self.z, *kept)
        self.element = law.loaded(p, e, self.z, *kept)
        self.drive = law.drive(p, v, self.total, self.base, *law.curves(p, v))
        self.s = self.input("s")
        self.held = law.drive(p, v, self.total, self.base, self.s)
        self.friction = law.friction(p, v, self.total, self.rate)

    def _filled(self, text: str) -> str:
        """A template with the name of the law, and with the base if the rate depends on it."""
        call = f"const double base = sb_{self.law.name}_base(law, param, v, {{}}, z);"
        for place, state in (("base", "state"), ("base_of_new", "new_state")):
            line = call.format(state) if self.law.based else ""
            text = "\n".join(
                row.replace(f"{{{place}}}", line) for row in text.split("\n") if line or f"{{{place}}}" not in row
            )
        return text.replace("{law}", self.law.name)

    @property
    def parts(self) -> Parts:
        """Function by function what stands for its places."""
        law, p, e, v, lines = self.law, self.p, self.e, self.v, self.lines
        s = law.curves(p, v)
        energy = law.energy(p, e, self.force)
        gradient = derivative(energy, self.z)
        spring = {"const double k": law.stiffness(p, e), "const double limit": law.limit(p, e)}
        loaded = lines({"const double loaded": self.element})
        limited = lines({"const double loaded": self.element, "const double limit": law.limit(p, e)})
        friction = {"friction": lines({"out[0]": self.friction})}
        rate = {"const double rate": self.drive, "out[1]": self.rate}
        held = law.curves(p, self.v_held)
        level = {"level": lines({"const double s": held[0]})}
        turning = law.turning(v, law.drive(p, v, self.total, self.base, *held))
        parts: Parts = {
            "spring": {
                "force": lines({"const double F": self.force, "const double by_z": derivative(self.force, self.z)})
            },
            "base": {},
            "turning": {"turning": lines({"return": turning})},
            "flow": {"rate": lines(rate)} | friction,
            "flow_jac": {"rate": lines(rate | self._rate_slopes(self.drive))} | friction | self._friction_slopes(),
            "held_jac": level
            | {"rate": lines({"const double rate": self.held, "out[1]": self.rate} | self._rate_slopes(self.held))}
            | friction
            | self._friction_slopes(),
            "steady": {"level": lines({"const double level": s[0]}), "element": lines(spring)}
            | {"stiffness": lines({"const double k": law.stiffness(p, e)})},
            "storage": {"energy": lines({"const double energy": energy, "const double by_z": gradient})},
            "curvature": {"curvature": lines({"const double twice": derivative(gradient, self.z)})},
            "guard": {
                "element": loaded,
                "guard": lines({"out[i]": law.guard(p, e, v, self.loaded, self.turning)}),
            },
            "jump": {"element": loaded},
            "advance": {
                "element": limited,
                "rate": lines({"const double rate": self.held} | self._rate_slopes(self.held, "rate_by_v")),
            }
            | level
            | friction
            | self._friction_slopes(),
        }
        return {name: parts[name] for name in self.functions}

    def _rate_slopes(self, rate: Any, by_v: str = "const double rate_by_v") -> Any:
        return {by_v: derivative(rate, self.v), "const double rate_by_total": derivative(rate, self.total)}

    def _friction_slopes(self) -> Any:
        by = {"by_v": self.v, "by_total": self.total, "by_rate": self.rate}
        slopes = {f"const double {name}": derivative(self.friction, x) for name, x in by.items()}
        return {"friction_slopes": self.lines(slopes)}
