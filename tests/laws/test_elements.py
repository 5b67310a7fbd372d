"""Laws of elements that stick and slip: memory, Masing's rule, no drift; against a sum of play operators."""

import numpy as np
import pytest
from support.builder import Machine
from support.machine_checks import check

import stribeck as sb
from stribeck.errors import SpecError, StructureError

LAWS = [sb.MaxwellSlip, sb.GMS]
UNITS = {"load": "N", "disp": "m", "vel": "m/s"}
of_both = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)


def quasi_static(law, **values):
    """The law without damping; a GMS so slow that s(v) is mu_s."""
    slow = {"mu_s": values.get("mu_c", 1.0)} if law is sb.GMS else {}
    return law(sigma1=0.0, sigma2=0.0, **values, **slow)


def play(law, ways):
    """Sum of play operators at the end of each way: every spring follows the way up to its limit."""
    p = law.resolve(UNITS, "law")
    k, limit = p.sigma0 * np.array(p.beta), p.mu_c * np.array(p.alpha)
    force, sums = np.zeros(len(k)), []
    for way in ways:
        force = np.clip(force + k * way, -limit, limit)
        sums.append(force.sum())
    return np.array(sums)


def moved(law, ways, parts=1, **options):
    """Friction after each part of every way: speeds rise and fall linearly, one second for each way."""
    time, speed = [0.0], [0.0]
    for i, way in enumerate(ways):
        time += [i + 0.5, i + 1.0]
        speed += [2 * way, 0.0]
    m = sb.Model("moved")
    slide = m.add("slide", sb.Speed(v=sb.Table(time=time, value=speed)))
    m.add("friction", sb.Guide(slide, law=law))
    times = np.linspace(0, len(ways), len(ways) * parts + 1)
    result = sb.simulate(m, times=times, **options)
    return np.asarray(result["friction.s_rel"])[1:], np.asarray(result["friction.f"])[1:]


def nested(seed, n=12):
    """Ways of random size around the break-away displacements."""
    return np.random.default_rng(seed).uniform(-1, 1, n) * 10.0 ** np.random.default_rng(seed + 1).uniform(-6, -4, n)


@of_both
@pytest.mark.parametrize("n", [1, 4, 20])
def test_friction_is_a_sum_of_play_operators(law, n):
    given = quasi_static(law, n=n)
    ways = nested(n)
    assert moved(given, ways)[1] == pytest.approx(play(given, ways), abs=1e-9)


@of_both
def test_given_shares(law):
    given = quasi_static(law, alpha=[3, 1, 2], beta=[1, 5, 4], sigma0=2e4, mu_c=2.0)
    assert given.n == 3
    ways = nested(5)
    assert moved(given, ways)[1] == pytest.approx(play(given, ways), abs=1e-9 * 2)


@of_both
def test_inner_loops_close(law):
    """Loops within loops return to where they left, and the outer branch goes on as if they had not been."""
    given = quasi_static(law)
    deep = [3e-5, -2e-5, 1e-5, -4e-6, 4e-6, -1e-5, 2e-5, 1e-5]
    s, f = moved(given, deep)
    assert abs(f[4] - f[2]) < 1e-9 and abs(f[5] - f[1]) < 1e-9 and abs(f[6] - f[0]) < 1e-9  # from the inside out
    assert abs(f[3] - f[2]) > 0.05
    assert s[6] == pytest.approx(s[0], abs=1e-18)
    plain = moved(given, [3e-5, 1e-5])[1]
    assert abs(f[7] - plain[1]) < 1e-9


@of_both
def test_masings_rule(law):
    """After a reversal friction changes along the first curve, stretched by two."""
    given = quasi_static(law)
    p = given.resolve(UNITS, "law")
    k, limit = p.sigma0 * np.array(p.beta), p.mu_c * np.array(p.alpha)

    def first(x):
        return np.minimum(np.multiply.outer(x, k), limit).sum(axis=-1)

    s, f = moved(given, [1.5e-5, -3e-5, 3e-5], parts=40)
    up, down, again = (slice(40 * i, 40 * (i + 1)) for i in range(3))
    assert np.abs(f[up] - first(s[up])).max() < 1e-9
    assert np.abs(f[down] - (f[39] - 2 * first((s[39] - s[down]) / 2))).max() < 1e-9
    assert np.abs(f[again] - (f[79] + 2 * first((s[again] - s[79]) / 2))).max() < 1e-9


def pushed(law, amplitude, bias=0.3):
    """A mass under a constant force and a sine, both together below break-away."""
    m = sb.Model("pushed")
    mass = m.add("mass", sb.Mass(m=1.0))
    m.add("push", sb.Force(mass, f=bias + sb.Sine(amplitude=amplitude, f=5.0)))
    m.add("friction", sb.Guide(mass, law=law))
    return m


def drift(law, cycles, h=1e-3):
    """Displacement of the last cycles against the tenth, of their size."""
    plant = sb.realtime(pushed(law, 0.5), h)
    period = round(0.2 / h)
    plant.step(10 * period)
    before = plant["mass.s"]
    plant.step((cycles - 10) * period)
    return abs(plant["mass.s"] - before) / abs(before)


@of_both
def test_no_drift_below_break_away(law):
    assert drift(law(mu_c=1.0), 200) < 1e-9


@pytest.mark.slow
@of_both
def test_no_drift_in_many_cycles(law):
    assert drift(law(mu_c=1.0), 100_000) < 1e-9


@of_both
def test_fixed_steps_follow_the_adaptive_solution(law):
    """The stick-slip rig at 1 ms: the largest speed within 1 %, nothing creeps or grows."""
    m = sb.load_model("stick-slip")
    friction = m.elements["friction"]
    m.elements["friction"] = friction.replace(law=law().adopt(friction.law))
    exact, fixed = sb.simulate(m), sb.realtime(m, "1 ms").run(25.0)
    top = np.abs(np.asarray(exact["mass.w"])).max()
    assert np.abs(np.asarray(fixed["mass.w"])).max() == pytest.approx(top, rel=1e-2)


@of_both
@pytest.mark.parametrize("v", [1e-5, -3e-3, 0.2])
def test_a_long_time_is_as_many_short_ones(law, v, natives):
    """Steps at constant speed: elements reach their limits wherever they are within a step."""
    given = law(n=3, C=0.0) if law is sb.GMS else law(n=3)
    numbers, native = given.numbers(given.resolve(UNITS, "law")), natives[law.name].counted(3)
    z, parts = np.zeros(6), np.zeros(6)
    whole, out = native.advance(numbers, 1e-3, v, z)
    for _ in range(1000):
        parts, _ = native.advance(numbers, 1e-6, v, parts)
    assert whole == pytest.approx(parts, abs=1e-12)
    assert out[0] == pytest.approx(whole[:3].sum() + given.sigma1 / given.sigma0 * whole[:3].sum() / 1e-3)


def test_an_element_that_slips_relaxes_without_overshoot(natives):
    """At constant speed towards its share of the Stribeck curve; the error of a step is of third order in h C/s."""
    law = sb.GMS(n=1, C=100.0)
    numbers, native = law.numbers(law.resolve(UNITS, "law")), natives["gms"].counted(1)
    for h, error in ((1e-3, 2e-4), (1e-4, 2e-7)):
        z, _ = native.advance(numbers, h, 0.5, [1.4, 1.0])
        assert z[0] == pytest.approx(1 + 0.4 * np.exp(-100 * h), abs=0.4 * error)
    z, _ = native.advance(numbers, 10.0, 0.5, [1.4, 1.0])
    assert 1 <= z[0] < 1 + 1e-5


def test_passive_without_a_stribeck_curve(natives):
    """Elements that slip stay at their limits; those that stick store what they take."""
    law = sb.GMS(mu_s=1.0, mu_c=1.0)
    p = law.resolve(UNITS, "law")
    assert law.passive(p) and not law.remarks(p)
    numbers, native, rng = law.numbers(p), natives["gms"], np.random.default_rng(1)
    for v in 10 ** rng.uniform(-8, 3, 200):
        slip = rng.integers(0, 2, 10)
        force = np.where(slip, p.alpha, np.array(p.alpha) * rng.uniform(-1, 1, 10))
        friction, *rates = native.flow(numbers, v, [*force, *slip])
        stored = (native.storage(numbers, [*force, *slip])[1] * rates).sum()
        assert friction * v - stored >= -1e-12 * abs(friction * v)


def test_the_number_of_elements_belongs_to_the_structure():
    program = sb.compile_model(pushed(sb.GMS(n=3), 0.1))
    assert not program.parameters["friction.law.n"].tunable
    with pytest.raises(StructureError):
        program.with_values({"friction.law.n": 4})
    other = program.with_values({"friction.law.sigma0": 5e4, "friction.law.C": 10.0})
    again = sb.compile_model(pushed(sb.GMS(n=3, sigma0=5e4, C=10.0), 0.1))
    assert other.hash == again.hash


def test_wrong_lists_are_refused():
    with pytest.raises(SpecError, match="alpha has 2 numbers for n = 3 elements"):
        sb.GMS(n=3, alpha=[1, 2])
    with pytest.raises(SpecError, match="n = 21 must be at least 1 and at most 20"):
        sb.MaxwellSlip(n=21)


@of_both
def test_model_files_keep_the_elements(law, tmp_path):
    m = pushed(law(alpha=[1, 2, 4], beta=[3, 2, 1]), 0.1)
    m.to_yaml(tmp_path / "m.yaml")
    assert sb.load_model(tmp_path / "m.yaml").elements["friction"].law == m.elements["friction"].law


@of_both
def test_linearised_at_rest_it_is_a_spring_with_a_damper(law):
    swing = pushed(law(), 0.0, bias=0.0).linearize(at=0.0).modes()[-1]
    assert abs(swing.eigenvalue) == pytest.approx(np.sqrt(1e5), rel=1e-6)


def test_elements_rest_beside_a_contact_that_is_stuck():
    """The sign of a slip that another contact keeps at 0 is rounding: forces on their limits keep their directions."""
    m = sb.Model("two clutches")
    b, a = m.add("b", sb.Inertia(J=1)), m.add("a", sb.Inertia(J=0.0979, w0=0.11))
    m.add("stuck", sb.Clutch(a, b, law=sb.Coulomb(mu_c=0.118), fn_max=29.2))
    law = sb.GMS(n=4, sigma0=2656.25, sigma1=0.64546875, sigma2=0.0099875, mu_c=0.425, mu_s=0.425, v_s=0.169, C=4.4625)
    m.add("elements", sb.Clutch(a, b, law=law, fn_max=1))
    switch = sb.Switch(mu_c=0.101, mu_s=0.202, mu_v=0.012524)
    m.add("bearing", sb.Bearing(b, law=switch, load=sb.Step(0.7, start=0.0891, offset=0.3)))
    for tolerance in (1e-7, 1e-9, 1e-11):
        result = sb.simulate(m, t_end=1, intervals=100, tolerance=tolerance)
        stuck = result["stuck.mode"] == 0
        for i, share in enumerate(np.array([1, 3, 5, 7]) / 16, start=1):
            assert np.asarray(result[f"elements.F_{i}"])[stuck] == pytest.approx(-0.425 * share, abs=1e-5)


def test_elements_at_rest_hide_no_break_away():
    """Wheels behind differentials, each with elements beside a contact that sticks: breaking away is found in any order
    of the names, though elements on their limits see a slip of rounding."""
    wheels = ["L0", "R0", "L1", "R1", "L2"]
    gms = {"type": "GMS", "n": 10, "sigma0": 564.448, "sigma1": 0.10442288, "sigma2": 0.0, "mu_c": 0.569, "mu_s": 0.569}
    laws = {
        "pad": {"type": "CoulombViscous", "mu_c": 0.398, "v_0": 0.0423, "mu_v": 0.0},
        "pad1": gms | {"v_s": 0.0155, "exponent": 1.0, "C": 1.37129},
        "pad2": {"type": "Switch", "mu_c": 0.828, "mu_s": 1.24, "mu_v": 0.0645012},
    }
    push = {"type": "Table", "time": [0.0, 0.31, 0.62, 1.0], "value": [0.0, -17.7, 17.7, -8.85]}
    bodies = {name: {"type": "Inertia", "J": 1.0, "w0": -0.01} for name in ["hub", *(f"body0_{w}" for w in wheels)]}
    ends = {k: {"left": f"body0_L{k}", "right": f"body0_R{k}"} for k in (0, 1)}
    axles = {f"rear{k}": {"type": "Differential", "drive": "hub"} | sides for k, sides in ends.items()}
    places = [(pad, wheel) for pad in laws for wheel in wheels]
    pads = {f"{pad}_{wheel}": {"type": "Bearing", "a": f"body0_{wheel}", "law": laws[pad]} for pad, wheel in places}
    drive = {"push0": {"type": "Torque", "a": "hub", "tau": push}}
    assert not check(Machine({"name": "axles", "elements": bodies | axles | pads | drive}), compare=True).faults
