"""Laws as text: grammar, units, messages, and the laws of the package entered as text."""

import pickle
import subprocess
import sys
from copy import deepcopy
from math import exp, tanh
from pathlib import Path

import numpy as np
import pytest

import stribeck as sb
from stribeck.formula import COMMUTATIVE
from stribeck.laws import from_text
from stribeck.laws._equations import LawEquations
from stribeck.laws._text.evaluate import evaluate
from stribeck.laws._text.grammar import parse
from stribeck.laws._text.latex import latex

TEXTS = sb.load_laws(Path(__file__).parent / "laws_as_text.yaml")

MAKKAR = {
    "family": "smooth",
    "parameters": {
        "g1": {"default": 0.25, "unit": "{load}", "min": 0},
        "g2": {"default": 100, "unit": "s/{disp}"},
        "g3": {"default": 10, "unit": "s/{disp}"},
        "g4": {"default": 1, "unit": "{load}"},
        "g5": {"default": 100, "unit": "s/{disp}"},
        "g6": {"default": 0.1, "unit": "{load}.s/{disp}"},
    },
    "friction": "g1*(tanh(g2*v) - tanh(g3*v)) + g4*tanh(g5*v) + g6*v",
}
LUGRE = dict(TEXTS["OwnLuGre"].definition.data)
DAHL = dict(TEXTS["OwnImprovedDahl"].definition.data)


# --- the laws of the package ------------------------------------------------------------------------------------------


def operations(tape):
    """Every node of a tape as a nested tuple of what it computes: equal ones give the same bits."""
    found = []
    for node, (op, operands) in enumerate(tape.nodes):
        parts = [found[x] for x in operands]
        known = {"INPUT": tape.names.get(node), "CONSTANT": repr(tape.values.get(node))}.get(op)
        found.append(hash((op, known, *(sorted(parts) if op in COMMUTATIVE else parts))))
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_a_law_of_the_package_as_text_has_the_same_operations(name):
    """Values and derivatives of all its functions, so both give the same bits."""
    ours, shipped = LawEquations(TEXTS[name]), LawEquations(getattr(sb, name.removeprefix("Own")))
    assert list(ours.functions) == list(shipped.functions)
    mine, theirs = operations(ours.tape), operations(shipped.tape)
    for function, expected in shipped.functions.items():
        found = [mine[x.node] for x in ours.functions[function].outputs]
        assert found == [theirs[x.node] for x in expected.outputs], function


@pytest.mark.parametrize("name", TEXTS)
def test_a_law_of_the_package_as_text_has_the_same_scales(name):
    """Nominal values, characteristic speeds, passivity and defaults."""
    law, shipped = TEXTS[name], getattr(sb, name.removeprefix("Own"))
    p, q = law().resolve({}, name), shipped().resolve({}, name)
    assert vars(p) == vars(q)
    assert law.nominal_speed(p) == shipped.nominal_speed(q) or name in ("OwnElastoPlastic", "OwnFrictionTable")
    for state, expected in shipped.states.items():
        assert law.states[state].nominal(p) == expected.nominal(q)
    assert law.passive(p) == shipped.passive(q)
    assert {n: param.aliases for n, param in law.params.items() if param.aliases}.items() <= {
        n: param.aliases for n, param in shipped.params.items()
    }.items()


@pytest.mark.parametrize("name", TEXTS)
def test_a_run_has_the_bits_of_the_law_of_the_package(name):
    """Adaptive and fixed: every output, every event."""
    model = sb.load_model("stick-slip")
    friction = model.elements["friction"]
    shipped = getattr(sb, name.removeprefix("Own"))().adopt(friction.law)

    def run(law):
        model.elements["friction"] = friction.replace(law=law)
        program = sb.compile_model(model)
        return sb.simulate(program, t_end=8.0, intervals=100), sb.realtime(program, 1e-3).run(t_end=8.0)

    for ours, theirs in zip(run(TEXTS[name](**shipped.given)), run(shipped), strict=True):
        for output in theirs.names:
            np.testing.assert_array_equal(ours[output], theirs[output])
        assert list(ours.events) == list(theirs.events)


# --- grammar ----------------------------------------------------------------------------------------------------------

VALUES = {"v": 0.5, "a": 2.0, "b": 3.0, "mode": 1.0}


@pytest.mark.parametrize(
    ("text", "value"),
    {
        "1 + 2*3": 7,
        "-v^2": -0.25,
        "2^-1": 0.5,
        "2**3^2/64": 8,
        "a - b - 1": -2,
        "a/b/2": 2 / 3 / 2,
        "(a + b)*2": 10,
        "--v": 0.5,
        "+v": 0.5,
        "a if v < 1 else b": 2,
        "a if v > 1 else b if v > 0.4 else 7": 3,
        "1 if 0 < v <= 0.5 < 2 else 0": 1,
        "1 if not v > 1 and mode == 1 or a > 9 else 0": 1,
        "1 if v > 1 or not (mode != 1 and a < 9) else 0": 1,
        "min(a, b, v) + max(a, b)": 3.5,
        "clip(a, 0, 1) + clip(-a, 0, 1)": 1,
        "sqrt(a + 2) + abs(-b) + sign(-v)": 4,
        "tanh(v)*exp(v)": tanh(0.5) * exp(0.5),
        "stribeck(v, 1)": exp(-0.25),
        "stribeck(v, 1, 1)": exp(-0.5),
        "20 [mm/s]*50": 1,
        "1 [{vel}] + 1 [kN]": 1001,
        "a^0.5*a^1.5": 4,
        "a^11": 2048,
        "cos(2*pi)": 1,
        "saturate(a, b)": 2 / 7,
        ".5e1": 5,
    }.items(),
)
def test_values(text, value):
    assert evaluate(parse(text), VALUES) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("2 v", 3, "an operator is missing before 'v'; write 2*v"),
        ("a*(b", 3, "this ( is never closed"),
        ("a)", 2, "this ) has no ("),
        ("", 1, "the formula is empty"),
        ("   ", 1, "the formula is empty"),
        ("a +", 4, "the formula ends where a number"),
        ("tanh()", 6, "a function has at least one argument"),
        ("if(a, b, c)", 1, "write a if condition else b"),
        ("a if b", 7, "`else` is expected"),
        ("a else b", 3, "`else` comes without `if`"),
        ("|v|", 1, "write abs(...) for a magnitude"),
        ("a = b", 3, "write == to compare"),
        ("a − b", 3, "write - (this is another character)"),
        ("v²", 2, "write ^2"),
        ("0,5*v", 2, "write 0.5 for a decimal comma"),
        ("z'", 2, "write der(z)"),
        ("a [m]", 3, "a unit in brackets follows a number"),
        ("1e99", 1, "too large"),
        ("a^^2", 3, "'^' comes where a number"),
        ("a and", 6, "the formula ends"),
        ("2 []", 3, "the unit is empty"),
        ("\x07", 1, "is no part of a formula"),
    ],
)
def test_mistakes_of_the_grammar_have_a_place(text, column, words):
    with pytest.raises(sb.SpecError) as caught:
        parse(text)
    message, *shown = str(caught.value).split("\n")
    assert message.startswith(f"formula, column {column}: ") and words in message
    assert len(shown) == 2 and shown[1].index("^") == 4 + column - 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(" * 1000 + "v" + ")" * 1000, "nested deeper than"),
        ("v^" * 1000 + "v", "nested deeper than"),
        ("v if v > 0 else " * 400 + "v", "nested deeper than"),
        ("abs(" * 500 + "v" + ")" * 500, "nested deeper than"),
        ("+".join(["v"] * 500), "operations that need each other"),
        ("+".join(["v*v"] * 90) + "*(" + "+".join(["v*v"] * 4000), "characters"),
        ("v " * 20_000, "characters"),
        ("min(" + "v," * 4000 + "v)", "more than 2000 operations"),
    ],
)
def test_limits_of_the_grammar(text, words):
    with pytest.raises(sb.SpecError, match=words) as caught:
        parse(text)
    assert len(str(caught.value)) < 500


def test_signs_and_negations_of_any_number():
    assert evaluate(parse("-" * 5001 + "v"), VALUES) == -0.5
    assert evaluate(parse("1 if " + "not " * 2001 + "v > 1 else 0"), VALUES) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "mu_c*tanh(2*v/v_0)": r"\mu_{c} \tanh\left(\frac{2 v}{v_{0}}\right)",
        "sigma0*z + sigma1*der(z)": r"\sigma_{0} z + \sigma_{1} \dot{z}",
        "a - (b - c)": r"a - \left(b - c\right)",
        "(-a)^2": r"\left(- a\right)^{2}",
        "stribeck(v, v_s)": r"e^{-\left|v/v_{s}\right|^{2}}",
        "a if v < 1 else b": r"\begin{cases} a & \text{if}\: v < 1 \\ b & \text{otherwise} \end{cases}",
        "interpolate(abs(v), speed, mu)": r"\mu\left(\left|v\right|\right)",
    }.items(),
)
def test_latex(text, expected):
    assert latex(text) == expected


# --- mistakes in laws -------------------------------------------------------------------------------------------------


def law(base, name="Own", /, **changes):
    """A law with some entries changed or, with None, removed."""
    data = {key: value for key, value in {**deepcopy(base), **changes}.items() if value is not None}
    return from_text(name, **data)


MISTAKES = {
    "unknown symbol": (MAKKAR, {"friction": "g1*tanh(g33*v)"}, "friction, column 9: there is no symbol 'g33'; did you"),
    "unknown function": (MAKKAR, {"friction": "g1*tanhh(g2*v)"}, "no function with a derivative called 'tanhh'; did"),
    "no derivative": (MAKKAR, {"friction": "g1*floor(g2*v)"}, "no function with a derivative called 'floor'"),
    "a symbol as function": (MAKKAR, {"friction": "g1(v)"}, "g1 is no function; write g1*(...)"),
    "a function as symbol": (MAKKAR, {"friction": "g1*tanh"}, "tanh is a function; write tanh(x)"),
    "arguments": (MAKKAR, {"friction": "g1*tanh(g2*v, 1)"}, "tanh has the arguments (x), not 2"),
    "unknown entry": (MAKKAR, {"frictoin": "g1"}, "a smooth law has no entry 'frictoin'; did you mean 'friction'"),
    "entry of another family": (MAKKAR, {"rates": {}}, "a smooth law has no entry 'rates'"),
    "missing": (MAKKAR, {"friction": None}, "friction is missing; write for instance friction:"),
    "family": (MAKKAR, {"family": "smoth"}, "family cannot be 'smoth'; did you mean 'smooth'"),
    "no family": (MAKKAR, {"family": None}, "family is missing"),
    "unit of friction": (MAKKAR, {"friction": "g1*v"}, "it has the unit {load}.{disp}/s, it must have the unit {load}"),
    "unit of an argument": (MAKKAR, {"friction": "g1*tanh(v)"}, "the argument of tanh must have no unit, v has the"),
    "unit of a sum": (MAKKAR, {"friction": "g1 + v"}, "both sides of + must have one unit; g1 has the unit {load}"),
    "a bare number": (MAKKAR, {"friction": "g1*tanh(g2*(v + 0.1))"}, "write 0.1 [{vel}], or make it a parameter"),
    "unknown unit": (MAKKAR, {"parameters": {"d": {"default": 1, "unit": "foo"}}}, "the unit 'foo' is not known"),
    "unit that is not SI": (MAKKAR, {"parameters": {"d": {"default": 1, "unit": "mm"}}}, "'mm' is not SI"),
    "placeholder": (MAKKAR, {"parameters": {"d": {"default": 1, "unit": "{laod}"}}}, "'{laod}' is not known"),
    "not a number at rest": (MAKKAR, {"friction": "g4*v/abs(v)"}, "at v = 0 g4*v/abs(v) is nan; for a sign write sign"),
    "infinite at rest": (MAKKAR, {"friction": "g4/(g2*v)"}, "at v = 0 g4/(g2*v) is inf"),
    "slope at rest": (MAKKAR, {"friction": "g4*sign(v)*sqrt(abs(g2*v))"}, "its slope at v = 0 is not finite"),
    "jump at rest": (MAKKAR, {"friction": "g4*sign(v)"}, "it jumps at v = 0, from -1 to 1"),
    "active": (MAKKAR, {"friction": "-g4*tanh(g5*v)"}, "drives the motion (power"),
    "negative base": (MAKKAR, {"friction": "g4*(g2*v)^0.3"}, "must not be negative; write abs(...)^0.3"),
    "exponent": (MAKKAR, {"friction": "g4*(g2*v)^99"}, "the exponent is beyond 64"),
    "equality": (MAKKAR, {"friction": "g4 if v == 1 else g1"}, "== compares whole numbers"),
    "condition as number": (MAKKAR, {"friction": "g4*(v > 0)"}, "needs a number, this is a condition"),
    "number as condition": (MAKKAR, {"friction": "g4 if v else g1"}, "`if` needs a condition, this is a number"),
    "a bound": (MAKKAR, {"parameters": {"d": {"default": -1, "min": 0}}, "friction": "0"}, "with its defaults: Own: d"),
    "default": (MAKKAR, {"parameters": {"d": {"unit": "1"}}}, "default = None must be a number in SI units"),
    "entry of a parameter": (MAKKAR, {"parameters": {"d": {"defualt": 1}}}, "a parameter has no entry 'defualt'; did"),
    "reserved": (MAKKAR, {"parameters": {"v": 1}}, "'v' is the slip speed"),
    "word of the grammar": (MAKKAR, {"parameters": {"tanh": 1}}, "'tanh' is a word of the formulas"),
    "word of a law": (MAKKAR, {"parameters": {"name": 1}}, "'name' is a word of every law"),
    "role": (MAKKAR, {"parameters": {"d": {"default": 1, "role": "sped"}}}, "there is no role 'sped'; did you mean"),
    "one list": (MAKKAR, {"parameters": {"x": [0, 1]}}, "a law has no lists, or two"),
    "not a formula": (MAKKAR, {"friction": ["g1"]}, "must be a formula: a text or a number"),
    "not a mapping": (MAKKAR, {"parameters": 3}, "parameters: 3 must be a mapping"),
    "twice": (LUGRE, {"let": {"g": "mu_c"}}, "'g' is in let and curves; rename one of them"),
    "circle": (MAKKAR, {"let": {"a": "b", "b": "a"}}, "it depends on itself (circle of a, b)"),
    "own rate": (LUGRE, {"rates": {"z": "der(z)"}}, "it depends on itself"),
    "a rate too many": (LUGRE, {"rates": {"z": "v", "y": "v"}}, "a rate is given for a state that is not there, 'y'"),
    "a rate missing": (LUGRE, {"rates": {}}, "the rate of the state z is missing"),
    "unit of a rate": (LUGRE, {"rates": {"z": "sigma0*z"}}, "rates, z, column 1: it has the unit {load}, it must have"),
    "rate of what": (LUGRE, {"friction": "sigma1*der(y)"}, "there is no rate of 'y' (known: z)"),
    "unit of the storage": (LUGRE, {"storage": "sigma0*z"}, "it must have the unit {load}.{disp}"),
    "a state in steady": (LUGRE, {"steady": {"z": "z"}}, "z cannot be used here; write it with the parameters and v"),
    "through a name": (LUGRE, {"let": {"a": "z"}, "steady": {"z": "a"}}, "a depends on z, which cannot be used here"),
    "no steady": (
        TEXTS["OwnElastoPlastic"].definition.data,
        {"steady": None},
        "the rate of z is not linear in z alone",
    ),
    "unit of a state": (LUGRE, {"states": {"z": {}}}, "states, z: unit is missing"),
    "no jumps": (DAHL, {"jumps": None}, "jumps are missing; fast never changes"),
    "unknown mode": (DAHL, {"jumps": [{"guard": "v", "fast": 3}]}, "fast has no value 3; write one of 0, 1, 2"),
    "mode in a choice": (DAHL, {"jumps": [{"guard": "v", "fast": "1 if z > 0 else -1"}]}, "fast has no value -1"),
    "jump of no state": (DAHL, {"jumps": [{"guard": "v", "fats": 1}]}, "there is no state 'fats'; did you mean 'fast'"),
    "no guard": (DAHL, {"jumps": [{"fast": 1}]}, "guard is missing: positive before the jump"),
    "rate of a mode": (DAHL, {"rates": {"z": "v", "fast": "1 [1/s]"}}, "fast is discrete and changes by jumps only"),
    "values of a mode": (DAHL, {"states": {"fast": [0.5, 1]}}, "must be two or more whole numbers"),
    "window": (TEXTS["OwnKarnopp"].definition.data, {"stick": {"widow": "dv"}}, "no entry 'widow'; did you mean"),
    "lock": (TEXTS["OwnKarnopp"].definition.data, {"lock": "switch"}, "lock: switch sticks at v = 0 and has no window"),
    "break-away": (TEXTS["OwnSwitch"].definition.data, {"breakaway": "mu_c/2"}, "is below the sliding friction 1 at"),
    "friction of a lock": (
        TEXTS["OwnSwitch"].definition.data,
        {"friction": "mu_c"},
        "states `sliding` and `breakaway`",
    ),
    "condition": (LUGRE, {"require": ["mu_c"]}, "it needs a condition, this is a number"),
    "speed in a condition": (LUGRE, {"require": ["v < v_s"]}, "v cannot be used here"),
    "truth": (MAKKAR, {"odd": "yes"}, "odd = 'yes' must be true or false"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_has_one_message_with_place_and_way_out(case):
    base, changes, words = MISTAKES[case]
    with pytest.raises(sb.SpecError) as caught:
        law(base, **changes)
    assert str(caught.value).startswith("law 'Own'")
    assert words in str(caught.value)


def test_a_name_of_the_package_is_refused_with_the_way_out():
    with pytest.raises(sb.SpecError, match="the package has a law LuGre already; choose another name, such as Mylugre"):
        law(LUGRE, "lugre")


def test_values_are_checked_by_the_conditions():
    own = TEXTS["OwnElastoPlastic"]
    with pytest.raises(sb.SpecError, match=r"z_ba < mu_c/sigma0 is required, but .*z_ba = 1; lower z_ba or sigma0"):
        own(z_ba=1)
    with pytest.raises(sb.SpecError, match="mu_s = 1 must not be below mu_c = 2"):
        own(mu_c=2, mu_s=1)
    p = TEXTS["OwnHybrid"](Sigma_2=1).resolve({}, "law")
    assert "2 % of Sigma is usual" in TEXTS["OwnHybrid"].checks(p)[0]


# --- what follows from the formulas -----------------------------------------------------------------------------------


def test_steady_states_follow_from_linear_rates():
    derived, given = law(LUGRE, steady=None), law(LUGRE)
    p = given().resolve({}, "law")
    for v in (1e-9, -1e-3, 0.1, 10.0, 0.0):
        assert derived.steady(p, v)[0] == pytest.approx(given.steady(p, v)[0], rel=1e-12)


def test_sizes_and_speeds_follow_from_the_units():
    derived = law(LUGRE, states={"z": {"unit": "{disp}"}})
    p = derived().resolve({}, "law")
    assert derived.states["z"].nominal(p) == pytest.approx(1.5e-5, rel=1e-6)
    assert derived.nominal_speed(p) == derived.peak_speed(p) == 1e-3
    makkar = law(MAKKAR)
    assert makkar.nominal_speed(makkar().resolve({}, "law")) == 0.01


def test_needs_of_a_fixed_step_follow_from_the_slopes():
    own, p = TEXTS["OwnLuGre"], TEXTS["OwnLuGre"]().resolve({}, "law")
    at = sb.laws.StepConditions(h=1e-3, inertia=0.04, load=1, speed=2.0)
    ours, theirs = own.step_needs(p, at), sb.LuGre.step_needs(p, at)
    found = {need.parameter: need.bound(2.0) for need in ours}
    assert found == pytest.approx({need.parameter: need.bound(2.0) for need in theirs}, rel=1e-6)


def test_roles_follow_from_names_and_units():
    roles = {name: str(param.role) for name, param in law(LUGRE).params.items()}
    assert roles == {name: str(param.role) for name, param in sb.LuGre.params.items()}


def test_a_model_with_a_text_law_reaches_other_processes():
    model = sb.load_model("stick-slip").varied({"friction.law": from_text("Own", **MAKKAR)()})
    there = pickle.loads(pickle.dumps(model))
    assert type(there.elements["friction"].given["law"]) is type(model.elements["friction"].given["law"])
    assert there.to_yaml() == model.to_yaml()
    words = "import pickle, sys; print(pickle.load(sys.stdin.buffer).to_yaml(), end='')"
    other = subprocess.run([sys.executable, "-c", words], input=pickle.dumps(model), capture_output=True, check=True)
    assert other.stdout.decode() == model.to_yaml()
