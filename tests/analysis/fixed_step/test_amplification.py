"""Stability of the explicit methods against closed forms, and against their steps themselves."""

import numpy as np
import pytest

import stribeck as sb
from stribeck.analysis.fixed_step.amplification import (
    EXPLICIT,
    GROWTH,
    System,
    excess,
    growth,
    largest_step,
    resolvent_swing,
    stability_limit,
)
from stribeck.analysis.fixed_step.limits import state_letters


def shaft(omega, zeta=0.0):
    return System(np.array([[-2 * zeta * omega, -(omega**2)], [1.0, 0.0]]), "vq")


@pytest.mark.parametrize(
    ("method", "limit"),
    [("ode1", 2), ("ode2", 2), ("ode3", 2.513), ("ode4", 2.785), ("ode5", 3.307), ("semi-implicit", 2), ("mixed", 2)],
)
def test_limits_on_the_real_axis(method, limit):
    assert stability_limit(method) == pytest.approx(limit, abs=5e-4)
    decay = System(np.array([[-40.0]]), "v")
    assert largest_step(method, decay, 1e3) == pytest.approx(stability_limit(method) / 40, rel=1e-4)


def test_growth_of_an_undamped_shaft():
    """|1 + i h omega| = exp(h^2 omega^2/2) and |1 + z + z^2/2| = exp(h^4 omega^4/8), to leading order."""
    h, omega = 1e-3, 36.0
    assert excess("ode1", shaft(omega), np.array([h]))[0] == pytest.approx(h * omega**2 / 2, rel=1e-3)
    assert excess("ode2", shaft(omega), np.array([h]))[0] == pytest.approx(h**3 * omega**4 / 8, rel=1e-3)
    for method in ("ode3", "ode4", "semi-implicit"):
        assert excess(method, shaft(omega), np.array([h]))[0] < 1e-9


@pytest.mark.parametrize(("method", "multiple"), [("ode3", 3**0.5), ("ode4", 8**0.5), ("semi-implicit", 2.0)])
def test_limits_on_the_imaginary_axis(method, multiple):
    assert largest_step(method, shaft(100.0), 1e3) == pytest.approx(multiple / 100, rel=1e-4)


def test_euler_with_an_undamped_shaft_may_grow_by_what_is_allowed():
    span, omega = 4.0, 10.0
    assert largest_step("ode1", shaft(omega), span) == pytest.approx(2 * np.log1p(GROWTH) / (omega**2 * span), rel=1e-2)


def test_semi_implicit_euler_with_damping():
    """Jury's conditions of x'' + 2 zeta omega x' + omega^2 x: (omega h)^2 + 4 zeta omega h < 4."""
    omega, zeta = 50.0, 0.3
    limit = (np.sqrt(4 * zeta**2 + 4) - 2 * zeta) / omega
    assert largest_step("semi-implicit", shaft(omega, zeta), 1e3) == pytest.approx(limit, rel=1e-4)


def test_a_motion_that_grows_by_itself_is_not_held_against_a_method():
    assert largest_step("ode4", shaft(20.0, -0.05), 10.0) > 0.01


def test_nothing_moves():
    assert largest_step("ode1", System(np.zeros((0, 0)), ""), 1.0) == np.inf
    assert growth("mixed", System(np.zeros((0, 0)), ""), np.array([1e-3]))[0] == 0


def step_matrix(model, method, h, y):
    """Derivatives of one step of the kernel at y by central differences, and the machine as it is linearised there."""
    program = sb.compile_model(model)
    size = 1e-6 * program.nominal

    def after(start):
        stepper = sb.realtime(program.with_start(start), h, method=method)
        stepper.step()
        return stepper.state

    columns = [(after(y + e) - after(y - e)) / (2 * np.abs(e).sum()) for e in np.diag(size)]
    return np.array(columns).T


@pytest.mark.parametrize("method", EXPLICIT)
def test_the_kernel_steps_as_the_analysis_says(method):
    """On a linear machine the derivative of a step has the largest eigenvalue that `growth` gives."""
    m = sb.Model("chain")
    a, b = m.add("a", sb.Inertia(J=0.1)), m.add("b", sb.Inertia(J=0.3))
    m.add("first", sb.SpringDamper(a, c=20.0, d=0.2))
    m.add("second", sb.SpringDamper(a, b, c=50.0, d=0.1))
    h, program, linear = 0.02, sb.compile_model(m), sb.analysis.linearize(m)
    step = step_matrix(m, method, h, program.y0)
    factor = np.abs(np.linalg.eigvals(step)).max()
    assert growth(method, System(linear.A, state_letters(program, linear)), np.array([h]))[0] == pytest.approx(
        factor, rel=1e-6
    )


@pytest.mark.parametrize("zeta", [0.0, 0.05, 0.3, 0.6])
@pytest.mark.parametrize("x", [0.05, 0.1, 0.2, 0.4])
def test_what_the_resolvent_step_makes_of_an_oscillation(x, zeta):
    """Pole of the samples v(k+2) = a v(k+1) + b v(k) of a shaft between 1 and 3 kg.m2, against the formula."""
    h = 1e-3
    m = sb.Model("swing")
    a, b = m.add("a", sb.Inertia(J=1.0, w0=1.0)), m.add("b", sb.Inertia(J=3.0))
    m.add("shaft", sb.SpringDamper(a, b, c=0.75 * (x / h) ** 2, d=0.75 * 2 * zeta * x / h))
    v = np.asarray(m.realtime(h).run(n=round(15 / x))["shaft.w_rel"])
    forward = np.linalg.lstsq(np.column_stack([v[1:-1], v[:-2]]), v[2:], rcond=None)[0]
    pole = np.log(np.roots([1, *-forward])[0].astype(complex)) / h
    true = complex(-zeta, np.sqrt(1 - zeta**2)) * x / h
    slower, damping = resolvent_swing(true, h)
    assert 1 - abs(pole.imag) / true.imag == pytest.approx(slower, rel=1e-3, abs=1e-8)
    assert -pole.real / abs(pole) - zeta == pytest.approx(damping, rel=1e-3, abs=1e-8)


def test_short_steps_are_not_lost_in_rounding():
    """A double integrator with a controller that integrates: three eigenvalues 0 in one chain, and nothing grows."""
    chain = System(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, -300.0]]), "vqu")
    for method in ("semi-implicit", "mixed"):
        assert largest_step(method, chain, 10.0) == pytest.approx(2 / 300, rel=1e-3)
