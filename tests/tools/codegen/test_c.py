"""C from formulas: sharing, printing, and laws that use every function there is."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from support import law_checks, native

from stribeck.errors import SpecError
from stribeck.formula import FormulaTape, derivative
from stribeck.laws import BristleLaw, Flow, Jump, LuGre, Mode, Param, Series, SmoothLaw, State
from stribeck.laws._equations import LawEquations
from stribeck.laws.functions import (
    Abs,
    Piecewise,
    exp,
    extrapolate,
    interpolate,
    larger,
    power,
    saturate,
    sign,
    smaller,
    smooth_step,
    sqrt,
    stribeck,
    tanh,
)
from tools.codegen.c import Body
from tools.codegen.emit import LawWriter
from tools.codegen.equations import Equations

ROOT = Path(__file__).parents[3]


class Kinked(SmoothLaw, registered=False):
    """Coulomb friction with a linear part around v = 0."""

    source = "tests, 2026"
    mu = Param(1.3, "{load}", "friction", min=0)
    dv = Param(0.2, "{vel}", "half width of the linear part", above=0)
    k = Param(0.1, "{load}.s/{disp}", "viscous friction", min=0)

    @staticmethod
    def friction(p, v):
        kink = Piecewise((-p.mu * (1 + p.k), v < -p.dv), (p.mu * (1 + p.k), v > p.dv), (p.mu * v / p.dv, True))
        return kink + p.k * v * sqrt(1 + v * v / p.dv**2) / (1 + (v / p.dv) ** 4)


class Decays(SmoothLaw, registered=False):
    """Stribeck decays of all exponents, one of them a parameter."""

    source = "tests, 2026"
    a = Param(1.4, "1", "exponent", above=0)
    v_s = Param(0.3, "{vel}", "Stribeck speed", above=0)

    @staticmethod
    def friction(p, v):
        parts = [stribeck(v, p.v_s, n) for n in (p.a, 1, 2, 3, 0.5)]
        return v / (1 + Abs(v)) * sum((n + 1) * part for n, part in enumerate(parts))


class TwoStates(BristleLaw, registered=False):
    """Two coupled bristles; friction does not depend on v."""

    source = "tests, 2026"
    k = Param(2.0, "{load}/{disp}", "stiffness", above=0)
    c = Param(3.0, "1/s", "rate", above=0)
    x = State("{disp}", "first", nominal=lambda p: 1 / p.k)
    y = State("{disp}", "second", nominal=lambda p: 1.0)

    @staticmethod
    def flow(p, v, x, y):
        dx = v - p.c * x**3 * exp(-p.k * y) / (1 + y**2) ** 2
        return Flow(friction=p.k * (x + y) ** 3 + sign(x) * x**2, x=dx, y=dx / sqrt(2 + x**2) - p.c * y)

    @staticmethod
    def steady(p, v):
        return v / p.k, 0

    @staticmethod
    def storage(p, x, y):
        return p.k * (x**2 + y**4) / 2


class Curved(SmoothLaw, registered=False):
    """A curve of points with a scalar beside it, and steps."""

    source = "tests, 2026"
    at = Series([-1.0, 0.0, 0.5, 2.0], "{vel}", "speeds")
    k = Param(0.3, "{load}", "height of the steps", min=0)
    mu = Series([0.7, 0.9, 1.3, 0.2], "{load}", "friction")

    @staticmethod
    def friction(p, v):
        return interpolate(v, p.at, p.mu) * tanh(v / p.k) * extrapolate(v, p.at, p.mu) + p.k * (
            smooth_step(v) - smooth_step(-v * p.k)
        )


class Counting(BristleLaw, registered=False):
    """Two discrete states around a continuous one, and three jumps."""

    source = "tests, 2026"
    k = Param(2.0, "{load}/{disp}", "stiffness", above=0)
    first = Mode("counts up", (0, 1, 2))
    x = State("{disp}", "deflection", nominal=lambda p: 1 / p.k)
    second = Mode("direction", (-1, 0, 1))

    @staticmethod
    def flow(p, v, first, x, second):
        return Flow(friction=p.k * x * (1 + first) + second, x=v * (1 + second**2))

    @staticmethod
    def jumps(p, v, first, x, second, hold):
        up = Piecewise((0, first > 1.5), (first + 1, True))
        return [
            Jump(1 - x * p.k, first=up, x=x / 2),
            Jump(larger(v, hold), second=sign(v)),
            Jump(p.k - Abs(hold), first=0, second=0, x=saturate(Abs(x), p.k)),
        ]

    @staticmethod
    def steady(p, v):
        return 0, 0, sign(v)

    @staticmethod
    def storage(p, first, x, second):
        return p.k * (1 + first) * x**2 / 2


ODD_LAWS = [Kinked, Decays, TwoStates, Curved, Counting]
odd_law = pytest.mark.parametrize("law", ODD_LAWS, ids=lambda law: law.__name__)


@pytest.fixture(scope="module")
def natives(tmp_path_factory):
    return native.build(ODD_LAWS, tmp_path_factory.mktemp("odd"))


@odd_law
def test_c_agrees_with_the_text(law, natives):
    law_checks.check_values(law, natives[law.name], n=8)


@odd_law
def test_derivatives_agree_with_differences(law, natives):
    law_checks.check_derivatives(law, natives[law.name], n=4)


@odd_law
def test_finite_everywhere(law, natives):
    law_checks.check_finite(law, natives[law.name], huge=1e30)


def test_breakpoints_are_found():
    assert law_checks.breakpoints(Equations.of(Kinked), SimpleNamespace(mu=1.3, dv=0.2, k=0.1)) == [-0.2, 0.2]


TAPE = FormulaTape()
a, b, v = (TAPE.input(name) for name in "abv")
NAMES = {a.node: "p->a", b.node: "p->b", v.node: "v"}


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (a**2, "p->a * p->a"),
        (v / a**3, "v / (p->a * p->a * p->a)"),
        (1 / sqrt(v), "1.0 / sb_sqrt(v)"),
        (v**2.5, "v * v * sb_sqrt(v)"),
        (power(v, a), "sb_pow(v, p->a)"),
        (Piecewise((1, v < a), (-v, True)), "sb_pick(v < p->a, SB_R(1.0), -v)"),
        (2 * Piecewise((1, v < a), (-v, True)), "2.0 * sb_pick(v < p->a, SB_R(1.0), -v)"),
        (
            Piecewise((1, (v < a) & (v > 0) | (a < 0)), (0, True)),
            "sb_pick(sb_or(sb_and(v < p->a, 0.0 < v), p->a < 0.0), SB_R(1.0), SB_R(0.0))",
        ),
        (v - (a - b), "v - (p->a - p->b)"),
        (v + (a + b), "v + (p->a + p->b)"),
        (v * (a / b), "v * (p->a / p->b)"),
        (-(a * v), "-(p->a * v)"),
        (v - -a, "v + p->a"),
        (v * -2.5, "v * (-2.5)"),
        (exp(-v), "sb_exp(-v)"),
        (Abs(v), "sb_abs(v)"),
        (stribeck(v, a, 2), "sb_stribeck(v, p->a, SB_R(2.0))"),
        (smooth_step(v), "sb_smooth_step(v)"),
        (saturate(v, a), "sb_saturate(v, p->a)"),
        (interpolate(v, a, b), "sb_held(curve, v)"),
        (derivative(interpolate(v, a, b), v), "sb_held_slope(curve, v)"),
        (extrapolate(v, a, b), "sb_lines(curve, v)"),
        (derivative(extrapolate(v, a, b), v), "sb_lines_slope(curve, v)"),
        (larger(v, a), "sb_pick(v < p->a, p->a, v)"),
        (smaller(v, a), "sb_pick(p->a < v, p->a, v)"),
    ],
)
def test_printing(formula, text):
    assert Body(NAMES, [("return", formula)]).statements[-1] == f"return {text};"


def test_what_is_used_twice_is_computed_once():
    body = Body(NAMES, [("out[0]", (a + v) / b), ("out[1]", (v + a) * v)])
    assert body.statements == ["const sb_real x0 = v + p->a;", "out[0] = x0 / p->b;", "out[1] = x0 * v;"]
    assert body.used == {a.node, b.node, v.node}


def test_truth_values_are_flags():
    slow = v < a
    lines = [("out[0]", Piecewise((1, slow), (2, True))), ("out[1]", Piecewise((3, slow), (4, True)))]
    assert Body(NAMES, lines).statements[0] == "const sb_flag x0 = v < p->a;"


def test_the_exponential_is_computed_once():
    for name in ("flow", "flow_jac"):
        assert LawWriter(LuGre).functions[name].count("sb_stribeck(") == 1


def test_rates_must_be_those_of_the_states():
    class Forgetful(TwoStates, registered=False):
        """A law without the rate of y."""

        @staticmethod
        def flow(p, v, x, y):
            return Flow(friction=x, x=v)

    with pytest.raises(SpecError, match=r"Forgetful: flow\(\) gives rates for \['x'\], the states are \['x', 'y'\]"):
        LawEquations(Forgetful)


def test_generator_needs_neither_the_kernel_nor_the_package(tmp_path):
    """As in an isolated build: with no import of stribeck/__init__ and of numpy."""
    block = "import sys, runpy; sys.modules['numpy'] = None; sys.argv = sys.argv[1:]; "
    code = block + "runpy.run_module('tools.codegen.generate', run_name='__main__')"
    subprocess.run([sys.executable, "-c", code, "generate", tmp_path / "out"], cwd=ROOT, check=True)
    made = {file.name for file in (tmp_path / "out").iterdir()}
    assert made == {"sb_laws.c", "sb_laws_in_lanes.h", "sb_law_ids.h", "sb_formula_ops.h", "laws.json"}


def test_laws_are_imported_without_sympy():
    code = "import sys, stribeck.laws; stribeck.laws.LuGre(); sys.exit('sympy' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
