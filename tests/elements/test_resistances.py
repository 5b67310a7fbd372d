"""Springs with curves, contacts and eddy currents against closed forms and SciPy."""

from math import log, tan

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import stribeck as sb
from stribeck.elements import CamSpring, EddyCurrentBrake, ElastoBacklash, ElastoBacklash2, ElastoGap, NonlinearSpring
from stribeck.errors import SpecError

TIMES = np.linspace(0, 2, 101)
TOLERANCE = 1e-10


def run(element, body, times=TIMES):
    """One body on an element that is fixed at its flange a; the ledger must close and the store follow the body."""
    m = sb.Model("one body")
    wall = m.add("wall", sb.Fixed())
    mass = m.add("mass", body)
    m.add("spring", element(wall, mass))
    result = sb.simulate(m, times=times, tolerance=TOLERANCE)
    energy = result.energy
    assert abs(energy.residual) < 1e-12 * energy.throughput
    assert abs(energy.numerical) < 1e-7 * energy.throughput
    return result


def reference(force, x0, v0, m, times=TIMES):
    """m x'' = -force(x, v); steps are so short that a kink costs less than 1e-8."""
    motion = solve_ivp(
        lambda t, y: (y[1], -force(*y) / m),
        (0, times[-1]),
        (x0, v0),
        method="DOP853",
        t_eval=times,
        rtol=1e-11,
        atol=1e-12,
        max_step=1e-3,
    )
    return motion.y


def agrees(result, motion, force, turning=False):
    x, v, f = ("phi_rel", "w_rel", "tau") if turning else ("s_rel", "v_rel", "f")
    for name, expected in ((x, motion[0]), (v, motion[1]), (f, [force(*y) for y in motion.T])):
        assert result[f"spring.{name}"] == pytest.approx(np.array(expected), abs=1e-6 * np.ptp(expected)), name


def test_a_polynomial_with_damping():
    def force(x, v):
        return 30 * (x - 0.1) - 5 * (x - 0.1) ** 2 + 400 * (x - 0.1) ** 3 + 0.3 * v

    result = run(
        lambda a, b: NonlinearSpring(a, b, coefficients=[30, -5, 400], d=0.3, s_rel0=0.1), sb.Mass(m=2, s0=0.6, v0=-1)
    )
    agrees(result, reference(force, 0.6, -1, 2), force)
    heat = 0.3 * np.trapezoid(np.asarray(result["spring.v_rel"]) ** 2, TIMES)
    assert result.energy.dissipated["spring"] == pytest.approx(heat, rel=1e-2)


POINTS = [-0.5, -0.1, 0.2, 0.6], [-30.0, -2.0, 1.0, 17.0]


@pytest.mark.parametrize("start", [-0.8, -0.3, 0.9])
def test_a_table_in_both_domains(start):
    def force(x, v):
        slopes = 70.0, 10.0, 40.0
        if x < -0.1:
            return -2 + slopes[0] * (x + 0.1)
        return -2 + slopes[1] * (x + 0.1) if x < 0.2 else 1 + slopes[2] * (x - 0.2)

    for turning in (True, False):
        words = ("phi", "tau") if turning else ("s", "f")
        body = sb.Inertia(J=2, phi0=start) if turning else sb.Mass(m=2, s0=start)
        result = run(lambda a, b, w=words: NonlinearSpring(a, b, **dict(zip(w, POINTS, strict=True))), body)
        agrees(result, reference(force, start, 0, 2), force, turning)
        assert result.energy.dissipated.get("spring", 0.0) == pytest.approx(0, abs=1e-12)
        assert result.energy.initial["spring"] == pytest.approx(quad(force, 0, start, (0,), points=[-0.1])[0])


def test_a_cam():
    """F is the force of the spring, tan(alpha) goes from 0.1 to 0.8 along 0.2 m and stays there."""
    c, f0 = 500.0, 400.0

    def slope(x):
        return float(np.interp(x, [0, 0.2], [0.1, 0.8]))

    def press(x):
        inside = min(max(x, 0), 0.2)
        return f0 - c * (0.1 * x + 1.75 * inside**2 + 0.7 * max(x - 0.2, 0))

    def force(x, v):
        return -press(x) * slope(x)

    angles = [np.arctan(0.1), np.arctan(0.8)]
    body, times = sb.Mass(m=20, s0=-0.05, v0=0.1), np.linspace(0, 0.55, 56)
    result = run(lambda a, b: CamSpring(a, b, s=[0, 0.2], alpha=angles, c=c, f_0=f0), body, times)
    agrees(result, reference(force, -0.05, 0.1, 20, times), force)
    assert result["spring.s_rel"].max() > 0.25
    assert result.energy.initial["spring"] == pytest.approx(press(-0.05) ** 2 / (2 * c))
    assert tan(angles[1]) == pytest.approx(0.8)


def test_a_hertzian_impact():
    """m x'' = -c x^1.5 from x = 0 with v0: depth (5 m v0^2/(4 c))^(2/5), duration 2 x/v0 int_0^1 du/sqrt(1 - u^2.5)."""
    m, c, v0, gap = 0.3, 2e5, 1.5, 0.2
    depth = (5 * m * v0**2 / (4 * c)) ** 0.4
    # u = 1 - s^2 takes the root out of the integrand
    integral = quad(lambda s: 2 * s / np.sqrt(1 - (1 - s**2) ** 2.5) if s else 2 / np.sqrt(2.5), 0, 1)[0]
    duration = 2 * depth / v0 * integral
    t_end = 0.1 + duration + 0.05
    start = sb.Mass(m=m, s0=gap + 0.15, v0=-v0)
    result = run(lambda a, b: ElastoGap(a, b, c=c, n=1.5, s_rel0=gap), start, np.linspace(0, t_end, 11))
    assert gap - result.extremes["mass.s"]["min"] == pytest.approx(depth, rel=1e-6)
    assert result["mass.v"][-1] == pytest.approx(v0, rel=1e-8)
    assert result["mass.s"][-1] == pytest.approx(gap + v0 * (t_end - 0.1 - duration), abs=1e-7)
    assert result.extremes["spring.f"]["min"] == pytest.approx(-c * depth**1.5, rel=1e-5)


@pytest.mark.parametrize("d", [0.0, 4.0, 60.0])
def test_a_damped_contact_never_pulls(d):
    def force(x, v):
        push = 300 * max(0.1 - x, 0.0)
        return min(max(d * v, -push), push) - push

    result = run(lambda a, b: ElastoGap(a, b, c=300, d=d, s_rel0=0.1), sb.Mass(m=1.5, s0=0.3, v0=-2))
    agrees(result, reference(force, 0.3, -2, 1.5), force)
    assert result.extremes["spring.f"]["max"] < 1e-9


def backlash(c, d, play, limited):
    def force(x, v):
        x = x - 0.05
        if abs(x) <= play / 2:
            return 0.0
        side = np.sign(x)
        push, damp = c * (abs(x) - play / 2), side * d * v
        return 0.0 if push + damp <= 0 else side * (push + (min(push, damp) if limited else damp))

    return force


@pytest.mark.parametrize("d", [0.0, 3.0])
@pytest.mark.parametrize("kind", [ElastoBacklash, ElastoBacklash2])
def test_play(kind, d):
    """The jumps of the second kind cost the reference its order: it takes contact by contact."""
    force = backlash(400, d, 0.2, kind is ElastoBacklash)
    result = run(lambda a, b: kind(a, b, c=400, d=d, play=0.2, phi_rel0=0.05), sb.Inertia(J=2, phi0=0.4))
    if kind is ElastoBacklash or d == 0:
        agrees(result, reference(force, 0.4, 0, 2), force, turning=True)
        return
    motion = np.array([result["spring.phi_rel"], result["spring.w_rel"]])
    assert result["spring.tau"] == pytest.approx(np.array([force(*y) for y in motion.T]), abs=1e-9)
    assert motion == pytest.approx(piecewise(force, (0.4, 0.0), 2, (-0.05, 0.15)), abs=1e-6)


def piecewise(force, start, J, edges):
    """As `reference`, but with a fresh start at both edges of the play and where the contact force vanishes."""

    def touch(t, y):
        return (y[0] - edges[0]) * (y[0] - edges[1])

    def push(t, y):
        x = max(y[0] - edges[1], edges[0] - y[0])
        return 400 * x + 3 * np.sign(y[0]) * y[1]

    touch.terminal = push.terminal = True
    t, y, found = 0.0, np.array(start), {}
    while t < TIMES[-1]:
        span = (t, TIMES[-1])
        mid = y + 1e-9 * np.array([y[1], 0.0])
        frozen = "contact" if touch(t, mid) > 0 and push(t, mid) > 0 else "free"
        contact = np.sign(mid[0] - 0.05)

        def rate(_, y, frozen=frozen, side=contact):
            x = side * (y[0] - 0.05) - 0.1
            return y[1], (-side * (400 * x + 3 * side * y[1]) / J if frozen == "contact" else 0.0)

        motion = solve_ivp(rate, span, mid, "DOP853", rtol=1e-11, atol=1e-12, events=(touch, push), dense_output=True)
        for k, time in enumerate(TIMES):
            if t <= time <= motion.t[-1]:
                found[k] = motion.sol(time)
        t, y = motion.t[-1], motion.y[:, -1]
    return np.array([found[k] for k in range(len(TIMES))]).T


def test_no_play_is_a_spring_and_a_damper():
    for kind in (ElastoBacklash, ElastoBacklash2, sb.SpringDamper):
        result = run(lambda a, b, kind=kind: kind(a, b, c=40, d=1), sb.Inertia(J=2, phi0=1))
        w, z = np.sqrt(20 - 0.0625), 0.25
        expected = np.exp(-z * TIMES) * (np.cos(w * TIMES) + z / w * np.sin(w * TIMES))
        assert result["mass.phi"] == pytest.approx(expected, abs=1e-7)


def test_eddy_currents():
    """J w' = -2 tau k/(1 + k^2), k = w/w_n: J w_n (ln k + k^2/2) falls by 2 tau per second."""
    m = sb.Model("eddy", t_end=1)
    shaft = m.add("shaft", sb.Inertia(J=2, w0=40))
    m.add("brake", EddyCurrentBrake(shaft, tau_nominal="15 N.m", w_nominal=10, u=2, T=303.15, alpha=0.004))
    result = sb.simulate(m, tolerance=TOLERANCE)
    w_n, k0 = 10 * 1.04, 40 / 10.4
    k = np.asarray(result["shaft.w"]) / w_n
    left = 2 * w_n * (np.log(k) + k**2 / 2)
    assert left == pytest.approx(2 * w_n * (log(k0) + k0**2 / 2) - 2 * 15 * 4 * np.asarray(result.time), abs=1e-6)
    assert result["brake.tau"] == pytest.approx(2 * 60 * k / (1 + k**2), abs=1e-9)
    assert result.energy.dissipated["brake"] == pytest.approx(40**2 - result["shaft.w"][-1] ** 2, rel=1e-8)
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput


def test_a_spring_can_be_sensed_as_it_is_shown():
    m = sb.Model("sensed", t_end=1)
    mass = m.add("mass", sb.Inertia(J=1, phi0=1))
    m.add("spring", NonlinearSpring(mass, coefficients=[9, 0, 1]))
    for quantity in ("phi_rel", "w_rel", "tau"):
        m.signal(f"sensed_{quantity}", sb.Sensor(f"spring.{quantity}"))
    result = sb.simulate(m)
    assert result["spring.phi_rel"] == pytest.approx(-np.asarray(result["mass.phi"]))
    for quantity in ("phi_rel", "w_rel", "tau"):
        assert result[f"sensed_{quantity}"] == pytest.approx(np.asarray(result[f"spring.{quantity}"]), abs=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NonlinearSpring("m"), "NonlinearSpring: the curve is missing; give either phi and tau"),
        (lambda: NonlinearSpring("m", coefficients=[1], phi=[0, 1], tau=[0, 1]), "both a table and a polynomial"),
        (lambda: NonlinearSpring("m", coefficients=[]), "give at least the stiffness"),
        (lambda: NonlinearSpring("m", phi=[0, 1], tau=[0]), "2 displacements and 1 torques; give one torque for each"),
        (lambda: NonlinearSpring("m", phi=[0, 1]), "2 displacements and 0 torques"),
        (lambda: NonlinearSpring("m", phi=[0, 0], tau=[0, 1]), "sort the points"),
        (lambda: CamSpring("m", s=[0, 1], alpha=[0, 1.56], c=1, f_0=1), "make the slope less steep"),
        (lambda: CamSpring("m", s=[0, 1], alpha=[0], c=1, f_0=1), "give one angle for each position"),
        (lambda: ElastoGap("m", c=1, n=0.5), "n = 0.5 must be at least 1; exponent of the contact force"),
        (lambda: ElastoBacklash("m", c=1, play=-1), "play = -1 must be at least 0; total play"),
        (lambda: EddyCurrentBrake("m", tau_nominal=1, w_nominal=0), "w_nominal = 0 rad/s must be above 0"),
    ],
)
def test_faults(make, message):
    with pytest.raises(SpecError) as error:
        make()
    assert message in str(error.value)
