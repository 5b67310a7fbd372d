"""Laws that are classes of a script: each mistake has one message with law, function and line, and the way out."""

import math

import numpy as np
import pytest

import stribeck as sb
from stribeck.laws import BristleLaw, Flow, Jump, LockingLaw, Mode, Param, SmoothLaw, State, Stick
from stribeck.laws.functions import Abs, sign, sqrt, tanh

MU, V_R = Param(1.0, "{load}", "friction", above=0), Param(0.01, "{vel}", "speed", above=0)
SMOOTH = {"mu": MU, "v_r": V_R, "friction": lambda p, v: p.mu * tanh(v / p.v_r)}
BRISTLE = {
    "mu": MU,
    "k": Param(1e3, "{load}/{disp}", "stiffness", above=0),
    "z": State("{disp}", "deflection", lambda p: p.mu / p.k),
    "flow": lambda p, v, z: Flow(p.k * z, z=v - Abs(v) * p.k * z / p.mu),
    "storage": lambda p, z: p.k * z**2 / 2,
}
MODED = BRISTLE | {
    "fast": Mode("1 or 0", (0, 1)),
    "flow": lambda p, v, z, fast: Flow(p.k * z, z=v - Abs(v) * p.k * z / p.mu),
    "steady": lambda p, v: (sign(v) * p.mu / p.k, 0),
    "storage": lambda p, z, fast: p.k * z**2 / 2,
    "jumps": lambda p, v, z, fast, hold: [Jump(1.0 + fast, fast=1 - fast)],
}
LOCKING = {"mu": MU, "sliding": lambda p, v: p.mu, "breakaway": lambda p: p.mu}
FAMILIES = {"smooth": SmoothLaw, "bristle": BristleLaw, "moded": BristleLaw, "locking": LockingLaw}
MEMBERS = {"smooth": SMOOTH, "bristle": BRISTLE, "moded": MODED, "locking": LOCKING}


def law(family, **changes):
    """A law with some members changed or, with None, removed; functions are static as in a class body."""
    members = {name: value for name, value in (MEMBERS[family] | changes).items() if value is not None}
    body = {name: staticmethod(x) if type(x) is type(law) else x for name, x in members.items()}
    return type("Own", (FAMILIES[family],), {**body, "__module__": __name__}, registered=False)


def compiled(kind):
    model = sb.Model("rig")
    model.add("mass", sb.Inertia(J=1.0, w0=1.0))
    model.add("friction", sb.Bearing("mass", law=kind()))
    return sb.compile_model(model)


LINE = r"\(line \d+ of test_mistakes_of_classes\.py\)"
MISTAKES = {
    "unknown symbol": (
        "smooth",
        {"friction": lambda p, v: p.mu_x * v},
        f"Own, friction {LINE}: there is no parameter 'mu_x'; did you mean 'mu'",
    ),
    "if": (
        "smooth",
        {"friction": lambda p, v: p.mu if v > 0 else -p.mu},
        f"Own, friction {LINE}: the equations of a law are recorded once, .* cannot decide on 0 < v; use Piecewise",
    ),
    "min": ("smooth", {"friction": lambda p, v: min(p.mu, v)}, "cannot decide on v < mu; .*smaller"),
    "math": (
        "smooth",
        {"friction": lambda p, v: math.exp(v)},
        f"{LINE}: v is a formula, not a number: use the functions of stribeck.laws.functions",
    ),
    "numpy": (
        "smooth",
        {"friction": lambda p, v: p.mu * np.heaviside(v, 0)},
        "v is a formula, not a number: use the functions",
    ),
    "floor": (
        "smooth",
        {"friction": lambda p, v: p.mu * (v // 2)},
        "v cannot be rounded: .* have no derivative; write the pieces",
    ),
    "nothing": ("smooth", {"friction": lambda p, v: None}, "Own, friction: it returns NoneType; return one formula"),
    "arguments": (
        "smooth",
        {"friction": lambda p: p.mu},
        r"Own, friction: it takes \(p\); write @staticmethod def friction\(p, v\)",
    ),
    "no friction": (
        "smooth",
        {"friction": None},
        r"Own: friction\(p, v\) is missing; write @staticmethod def friction",
    ),
    "not a number at rest": (
        "smooth",
        {"friction": lambda p, v: p.mu * v / Abs(v)},
        "bearing 'friction': Own is not finite at v = 0: friction; keep what is divided by",
    ),
    "slope at rest": (
        "smooth",
        {"friction": lambda p, v: p.mu * sqrt(Abs(v / p.v_r)) * sign(v)},
        "not finite at v = 0: a derivative of friction",
    ),
    "jump at rest": (
        "smooth",
        {"friction": lambda p, v: p.mu * sign(v)},
        "Own jumps at v = 0, from -1 to 1; for true stick write a LockingLaw",
    ),
    "active": ("smooth", {"friction": lambda p, v: -p.mu * v}, "Own drives the motion: .* turn the sign"),
    "no flow": ("bristle", {"flow": None}, r"Own: flow\(p, v, z\) is missing"),
    "no storage": ("bristle", {"storage": None}, r"Own: storage\(p, z\) is missing; .* the energy in the states"),
    "no steady": (
        "bristle",
        {"flow": lambda p, v, z: Flow(p.k * z, z=v - v * p.k * p.k * z * z)},
        r"Own, steady\(p, v\): it is missing; the rate of z is not linear in z alone",
    ),
    "no rate": (
        "bristle",
        {"flow": lambda p, v, z: Flow(p.k * z)},
        r"Own: flow\(\) gives rates for \[\], the states are \['z'\]",
    ),
    "no flow returned": ("bristle", {"flow": lambda p, v, z: p.k * z}, r"Own, flow: it returns Formula; return Flow\("),
    "two steady": (
        "bristle",
        {"steady": lambda p, v: (0.0, 0.0)},
        "Own, steady: it returns float, float; return one formula",
    ),
    "no jumps": ("moded", {"jumps": None}, r"Own: jumps\(p, v, z, fast, hold\) is missing"),
    "jump of no state": (
        "moded",
        {"jumps": lambda p, v, z, fast, hold: [Jump(1.0 + v, fats=1)]},
        "Own, jumps: there is no state 'fats'; did you mean 'fast'",
    ),
    "jumps without end": (
        "moded",
        {"jumps": lambda p, v, z, fast, hold: [Jump(0.05 - Abs(v), fast=1 - fast)]},
        "Own jumps without end at v = 0.1 .*: guard 0 stays negative; a guard is positive after its jump",
    ),
    "no break-away": ("locking", {"breakaway": None}, r"Own: breakaway\(p\) is missing; .* the static limit"),
    "no sliding": ("locking", {"sliding": None}, r"Own: sliding\(p, v\) is missing"),
    "low break-away": (
        "locking",
        {"breakaway": lambda p: p.mu / 2},
        "has the static limit 0.5 below the sliding friction 1 at v = 0",
    ),
    "lock": ("locking", {"lock": "karnop"}, "Own: lock cannot be 'karnop'; did you mean 'karnopp'"),
    "no window": ("locking", {"lock": "karnopp"}, r"Own: stick\(p\) is missing; .*Stick\(window=p.dv\)"),
    "window without lock": (
        "locking",
        {"stick": lambda p: Stick(window=1e-3)},
        'Own: lock = "switch" has no window; write lock = "karnopp"',
    ),
    "word of a law": (
        "smooth",
        {"states": Param(1.0, "1", "number")},
        "Own: 'states' is a word of every law; choose another name, such as states_0",
    ),
    "reserved": (
        "bristle",
        {"hold": State("1", "x", lambda p: 1.0)},
        "Own: 'hold' is the holding friction; choose another name",
    ),
    "placeholder": (
        "smooth",
        {"d": Param(1.0, "{laod}", "d")},
        r"Own, d: unit: '\{laod\}' is not known; write \{load\}",
    ),
    "unit": ("smooth", {"d": Param(1.0, "mm", "d")}, "Own, d: unit: 'mm' is not SI"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_has_one_message_with_place_and_way_out(case):
    family, changes, message = MISTAKES[case]
    with pytest.raises(sb.SpecError, match=message):
        compiled(law(family, **changes))


@pytest.mark.parametrize("family", FAMILIES)
def test_without_mistake_they_run(family):
    assert compiled(law(family)).hash


def test_a_class_is_no_law_yet():
    with pytest.raises(sb.SpecError, match=r"law = Own is a class; write law=Own\(\)"):
        sb.Bearing("mass", law=law("smooth"))


def test_a_name_of_the_package_is_refused():
    with pytest.raises(TypeError, match=r"friction law LuGre is defined in stribeck\.laws\.lugre; choose another name"):
        type("LuGre", (SmoothLaw,), {**SMOOTH, "__module__": __name__})
