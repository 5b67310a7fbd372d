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


SHARES = {
    "equal": {"alpha": [1] * 10},  # all slip at one instant
    "tiny limit": {"alpha": [1e-12, 1, 1e-300]},
    "tiny stiffness": {"beta": [1e-12, 1, 1e-300]},
    "huge limit": {"alpha": [1e12, 1]},
}


@of_both
@pytest.mark.parametrize("shares", SHARES.values(), ids=SHARES)
def test_any_shares(law, shares):
    given = quasi_static(law, **shares)
    ways = nested(4)
    assert moved(given, ways)[1] == pytest.approx(play(given, ways), abs=1e-9)


@of_both
def test_a_reversal_where_an_element_reaches_its_limit(law):
    """Limits of four elements with mu_c = 1 and sigma0 = 1e5 are 2.5, 7.5, 12.5 and 17.5 um away."""
    given = quasi_static(law, n=4)
    ways = [2.5e-6, -5e-6, 5e-6, 5e-6, -1e-5, 1e-5, -1.75e-5, 1.75e-5]
    assert moved(given, ways)[1] == pytest.approx(play(given, ways), abs=1e-9)


@of_both
def test_every_element_is_located(law):
    """At a constant speed an element slips from limit/(k v) on; a share of 1e-9 before, it sticks."""
    speed, ends = 1e-5, np.array([2.5e-6, 7.5e-6, 12.5e-6, 17.5e-6]) / 1e-5
    m = sb.Model("steady")
    slide = m.add("slide", sb.Speed(v=sb.Table(time=[0, 1e-3, 3], value=[0, speed, speed])))
    m.add("friction", sb.Guide(slide, law=quasi_static(law, n=4)))
    ends += 0.5e-3  # of the way that the speed takes to rise
    for i, end in enumerate(ends, 1):
        slip = sb.simulate(m, times=[0.0, end * (1 - 1e-9), end * (1 + 1e-9)])[f"friction.slip_{i}"]
        assert list(slip) == [0, 0, 1]


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
    rates = given.sigma1 / given.sigma0 * whole[:3].sum() / 1e-3
    assert out[0] == pytest.approx(whole[:3].sum() + rates)
    half, _ = native.advance(numbers, 0.5e-3, v, z)
    end, met = native.advance(numbers, 1e-3, v, z, share=0.5)
    assert end == pytest.approx(whole) and met[0] == pytest.approx(half[:3].sum() + rates)


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
def test_shares_are_tunable(law):
    program = sb.compile_model(pushed(law(n=3), 0.1))
    other = program.with_values({"friction.law.alpha": [1, 1, 1], "friction.law.beta": [1, 2, 3]})
    assert other.hash == sb.compile_model(pushed(law(alpha=[1, 1, 1], beta=[1, 2, 3]), 0.1)).hash


@of_both
def test_a_snapshot_has_the_elements(law):
    first, second = (sb.realtime(pushed(law(n=4), 2.0), "1 ms") for _ in range(2))
    first.step(150)
    second.restore(first.snapshot())
    first.step(150)
    second.step(150)
    assert first["mass.s"] == second["mass.s"]
    assert [first[f"friction.F_{i}"] for i in range(1, 5)] == [second[f"friction.F_{i}"] for i in range(1, 5)]


# --- loads ------------------------------------------------------------------------------------------------------------


def closing(law, engage, opens=0.5, closes=1.0):
    """A slide at 1 mm/s through a clutch that opens and closes again; forces of the elements at both instants."""
    m = sb.Model("closing")
    left, right = m.add("left", sb.Speed(v=0.0)), m.add("right", sb.Speed(v=sb.Sine(1e-3, f=0.5, phase=np.pi / 2)))
    pressed = sb.Step(1.0, start=0.0) - sb.Step(1.0, start=opens) + sb.Step(1.0, start=closes)
    m.add("clutch", sb.Clutch(left, right, law=law(n=3, mu_c=0.5), fn_max=10.0, f_normalized=pressed, engage=engage))
    result = sb.simulate(m, times=[0.0, opens - 1e-7, closes - 1e-7, closes + 1e-12])
    return np.array([result[f"clutch.F_{i}"] for i in (1, 2, 3)]).T


@of_both
def test_elements_engage_as_the_clutch_says(law):
    """Slip is 0 at the opening and -1 mm/s at the closing: steady elements are at their limits backwards."""
    steady, frozen, zero = (closing(law, engage) for engage in ("steady", "frozen", "zero"))
    assert steady[3] == pytest.approx(-np.abs(steady[3])) and np.abs(steady[3]).sum() >= 0.5 - 1e-9
    assert frozen[3] == pytest.approx(frozen[1], abs=1e-6) and frozen[1].sum() > 0.4
    assert zero[3] == pytest.approx(np.zeros(3), abs=1e-6)
    assert steady[0].sum() >= 0.5 - 1e-9 and zero[0] == pytest.approx(np.zeros(3), abs=1e-12)


LOADS = {
    "ends and returns": {"load": sb.Step(1.0) - sb.Step(1.0, start=1.0) + sb.Step(1.0, start=2.0)},
    "touches zero": {"load": sb.Sine(1.0, f=0.5, offset=1.0)},
    "pair": {"load": sb.Sine(0.5, f=0.7, offset=1.0), "load_backward": 0.5},
}


@of_both
@pytest.mark.parametrize("loads", LOADS.values(), ids=LOADS)
def test_loads_that_change(law, loads):
    """The balance closes, and a fixed step of 1 ms stays within 1 % of the largest speed."""
    m = sb.Model("loads")
    mass = m.add("mass", sb.Mass(m=1.0, v0=0.1))
    m.add("friction", sb.Guide(mass, law=law(n=4), **loads))
    m.add("spring", sb.SpringDamper(mass, c=50.0, d=1.0))
    m.add("push", sb.Force(mass, f=sb.Sine(3.0, f=1.3)))
    fixed = m.realtime("1 ms").run(4.0)
    exact = sb.simulate(m, times=np.asarray(fixed.time), tolerance=1e-8)
    assert abs(exact.energy.residual) < 1e-12 * exact.energy.throughput
    assert abs(exact.energy.numerical) < 1e-7 * exact.energy.throughput
    assert abs(fixed.energy.residual) < 1e-12 * fixed.energy.throughput
    assert fixed["mass.v"] == pytest.approx(exact["mass.v"], abs=1e-2 * np.abs(exact["mass.v"]).max())


# --- analysis and fits ------------------------------------------------------------------------------------------------


def test_a_fit_finds_stiffness_and_both_levels():
    """A record with presliding and sliding, of an encoder with steps of 0.5 um: the levels to 0.1 %, the
    stiffness, which the steps of the bench of 0.25 ms blur, to 1 %."""

    def actuator(**values):
        m = sb.Model("actuator")
        slide = m.add("slide", sb.Mass(m=2.0))
        m.add("motor", sb.Force(slide, f=sb.External(0)))
        m.add("guide", sb.Guide(slide, law=sb.GMS(v_s=2e-3, sigma1=2e3, sigma2=50.0, **values)))
        return m

    truth = {"sigma0": 8e5, "mu_c": 9.0, "mu_s": 13.0}
    t = 1e-3 * np.arange(1500)
    push = np.where(t < 0.5, 6 * np.sin(4 * np.pi * t), 16 * np.sin(4 * np.pi * t))
    bench = sb.identify.VirtualBench(
        actuator(**truth), "motor.f", "slide.s", resolution="0.5 um", sample_time="1 ms", substeps=4
    )
    free = [f"guide.law.{name}" for name in truth]
    ties = {"inputs": {"motor.f": "u"}, "outputs": {"slide.s": "q"}}
    fit = sb.identify.fit(actuator(sigma0=7e5, mu_c=8.5, mu_s=14.0), bench.record(push), free, **ties)
    for (name, expected), error in zip(truth.items(), (1e-2, 1e-3, 1e-3), strict=True):
        assert fit.values[f"guide.law.{name}"] == pytest.approx(expected, rel=error)


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
