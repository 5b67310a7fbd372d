"""The battery as a public function: laws of the package pass, and each check finds the mistake that it is for."""

import pytest

import stribeck as sb
from stribeck.errors import SpecError
from stribeck.laws import BristleLaw, Flow, Jump, LockingLaw, Mode, Param, SmoothLaw, State, check
from stribeck.laws.functions import Abs, Piecewise, sign, sqrt, tanh

LAWS = [law for law in sb.laws.all_laws().values() if not law().count or law.separate]
MU = {"default": 1.0, "unit": "{load}", "text": "friction"}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_laws_of_the_package_pass(law):
    report = check(law)
    assert report.passed, str(report)


@pytest.mark.parametrize("law", [sb.Leuven, sb.Leuven2000])
def test_a_law_that_decides_by_reversals_is_checked_as_c_only(law):
    with pytest.raises(SpecError, match=f"{law.__name__} decides by its reversals"):
        check(law)


def test_the_report_is_readable():
    text = str(check(sb.LuGre(sigma0=1e4)))
    assert text.startswith("LuGre: passes\n")
    assert "passes  storage" in text and "steady states are steady" in text


def smooth(friction, **members):
    body = {"mu": Param(1.0, "{load}", "friction"), "v_r": Param(0.01, "{vel}", "speed", above=0)}
    return type("Own", (SmoothLaw,), {**body, "friction": staticmethod(friction), **members}, registered=False)


def bristle(**members):
    body = {
        "sigma0": Param(1e5, "{load}/{disp}", "stiffness"),
        "mu": Param(1.0, "{load}", "friction"),
        "z": State("{disp}", "deflection", lambda p: p.mu / p.sigma0, bound=lambda p: p.mu / p.sigma0),
        "flow": staticmethod(lambda p, v, z: Flow(p.sigma0 * z, z=v - Abs(v) * p.sigma0 * z / p.mu)),
        "steady": staticmethod(lambda p, v: sign(v) * p.mu / p.sigma0),
        "storage": staticmethod(lambda p, z: p.sigma0 * z**2 / 2),
    }
    return type("Own", (BristleLaw,), {**body, **members}, registered=False)


def locking(sliding, breakaway):
    body = {"mu": Param(1.0, "{load}", "friction"), "sliding": staticmethod(sliding)}
    return type("Own", (LockingLaw,), {**body, "breakaway": staticmethod(breakaway)}, registered=False)


def with_mode(guard, after):
    return bristle(
        fast=Mode("1 or 0", (0, 1)),
        flow=staticmethod(lambda p, v, z, fast: Flow(p.sigma0 * z, z=v - Abs(v) * p.sigma0 * z / p.mu)),
        steady=staticmethod(lambda p, v: (sign(v) * p.mu / p.sigma0, Piecewise((1, Abs(v) > 1), (0, True)))),
        storage=staticmethod(lambda p, z, fast: p.sigma0 * z**2 / 2),
        jumps=staticmethod(lambda p, v, z, fast, hold: [Jump(guard(v, fast), fast=after)]),
    )


WRONG = {
    "units": smooth(lambda p, v: p.mu * v),
    "units of an argument": smooth(lambda p, v: p.mu * tanh(v)),
    "units of a sum": smooth(lambda p, v: p.mu * tanh(v / p.v_r) + v),
    "units of a rate": bristle(
        flow=staticmethod(lambda p, v, z: Flow(p.sigma0 * z, z=v * p.mu - Abs(v) * p.sigma0 * z))
    ),
    "finite": smooth(lambda p, v: p.mu * v / Abs(v)),
    "finite slope": smooth(lambda p, v: p.mu * sign(v) * sqrt(Abs(v / p.v_r))),
    "odd": smooth(lambda p, v: p.mu * tanh(v / p.v_r) + 0.1 * p.mu * tanh(v / p.v_r) ** 2),
    "passive": smooth(lambda p, v: -p.mu * tanh(v / p.v_r)),
    "scales": smooth(lambda p, v: p.mu * tanh(v / p.v_r), nominal_speed=staticmethod(lambda p: 0.0)),
    "steady": bristle(steady=staticmethod(lambda p, v: 0.9 * sign(v) * p.mu / p.sigma0)),
    "bounds": bristle(
        z=State("{disp}", "deflection", lambda p: 0.5 * p.mu / p.sigma0, bound=lambda p: 0.5 * p.mu / p.sigma0)
    ),
    "storage": bristle(storage=staticmethod(lambda p, z: p.sigma0 * z**2 / 2 + 1)),
    "passive bristle": bristle(storage=staticmethod(lambda p, z: 2 * p.sigma0 * z**2)),
    "break-away": locking(lambda p, v: p.mu, lambda p: 0.5 * p.mu),
}


@pytest.mark.parametrize("case", WRONG)
def test_each_check_finds_its_mistake(case):
    report = check(WRONG[case])
    assert not report.passed
    assert case.split()[0] in [entry.name for entry in report.checks if entry.fault], str(report)


def test_a_jump_to_no_mode_is_found():
    endless = with_mode(lambda v, fast: Abs(v) - 1e9, 1)
    assert "jumps do not end" in str(check(endless))
    nowhere = with_mode(lambda v, fast: Piecewise((-1, fast < 0.5), (1, True)), 7)
    assert "fast jumps to 7" in str(check(nowhere))


def test_laws_from_text_are_checked_too():
    own = sb.laws.from_text("Own", family="smooth", parameters={"mu": MU}, friction="mu*tanh(v/0.1 [{vel}])")
    assert check(own(mu=2)).passed


@pytest.mark.parametrize("law", [sb.GMS(n=3), sb.GMS(n=20, mu_s=1.0), sb.MaxwellSlip(n=1)], ids=str)
def test_laws_of_equal_elements_pass_with_any_number_of_them(law):
    report = check(law)
    assert report.passed, str(report)


def test_an_element_that_gains_energy_is_found():
    class Gaining(sb.MaxwellSlip, registered=False):
        @staticmethod
        def slipping(p, e, F, *g):
            return -2.0 * F * p.sigma0

    assert "it gives the power" in str(check(Gaining(n=2)))
