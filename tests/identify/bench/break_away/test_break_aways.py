"""Break-away tests on the virtual bench, against the friction that was put in, and on records made by hand."""

import numpy as np
import pytest
from support import servo

import stribeck as sb
from stribeck import SpecError
from stribeck.identify import Measurement, VirtualBench, break_aways
from stribeck_papers.nouailletas2010 import single_mass
from stribeck_papers.nouailletas2010.actuator import COUNT, TABLE_5


@pytest.fixture(scope="module")
def ramps() -> dict[float, Measurement]:
    """The actuator without play, up and down, at two rates (N.m/s)."""
    records = {}
    for rate in (0.4, 0.1):
        bench = VirtualBench(single_mass(0, start=4.0), "motor.tau", "rotor.phi", encoder=56, limit="2 N.m")
        records[rate] = bench.ramps(5, 60, rate, stride=2.5, start=0.03)
    return records


def off(curve, direction: int) -> np.ndarray:
    angles = np.linspace(curve.low, curve.high, 200)
    return np.asarray(curve(angles) - TABLE_5.static(angles, direction))


@pytest.mark.parametrize(("direction", "degree"), [(1, 3), (-1, 4)])
def test_the_friction_that_was_put_in_comes_back(ramps, direction, degree):
    found = break_aways(ramps[0.1])
    curve = found.curve(direction, degree)
    # within the step of the sensor in position, and 1 %
    slope = np.abs(np.diff(TABLE_5.static(np.linspace(5, 60, 1000), direction))).max() * 999 / 55
    assert np.abs(off(curve, direction)).max() < 0.5 * COUNT * slope + 0.01 * curve.mean()[0]
    assert abs(off(curve, direction).mean()) < 2.5 * curve.mean()[1]


@pytest.mark.parametrize(("direction", "degree"), [(1, 3), (-1, 4)])
def test_two_rates_give_one_curve(ramps, direction, degree):
    both = break_aways(list(ramps.values()))
    curve = both.curve(direction, degree)
    part = both.towards(direction)
    fast = part.rate > 0.2
    rest = part.drive - curve(part.position)
    # the second count is late by 10 % of the drive at the higher rate
    assert abs(rest[fast].mean() - rest[~fast].mean()) < 0.025 * curve.mean()[0]
    assert abs(off(curve, direction).mean()) < 0.015 * curve.mean()[0]
    assert 0 <= curve.delay < 0.03


def test_the_degree_is_found(ramps):
    """Table 5: 3 up and 4 down; what the sensor's delay adds may ask for one more."""
    found = break_aways(ramps[0.1])
    assert len(found.curve(1).coefficients) - 1 in (3, 4, 5)
    assert len(found.curve(-1).coefficients) - 1 in (4, 5, 6)


def record(levels=(1.0, 1.2, 1.1, 1.3), noise: float = 0.0) -> Measurement:
    """Ramps at 2 N/s made by hand, each up to a level, then a step of 1 mm; the position is known to 10 um."""
    u, q, place = [], [], 0.0
    for level in levels:
        rise = np.arange(0, abs(level), 0.002)
        u += [*np.zeros(50), *(np.sign(level) * rise)]
        q += [place] * (50 + rise.size)
        place += 1e-3 * np.sign(level)
    u, q = [*u, *np.zeros(50)], [*q, *([place] * 50)]
    random = np.random.default_rng(3)
    return Measurement(
        {"u": np.array(u) + noise * random.standard_normal(len(u)), "q": q},
        sample_time=1e-3,
        units={"u": "N", "q": "m"},
        resolution={"q": 1e-5},
    )


def test_levels_are_read_off():
    found = break_aways(record((1.0, 1.2, -1.1, -1.3)))
    assert found.drive == pytest.approx([1.0, 1.2, 1.1, 1.3], abs=0.009)  # four samples of the ramp
    assert found.direction.tolist() == [1, 1, -1, -1]
    assert found.rate == pytest.approx(2.0)
    assert found.travel == pytest.approx([0, 1e-3, 0, 1e-3])
    assert len(found.beyond(0.5e-3)) == 2


def test_noise_of_the_drive_is_averaged_by_the_line():
    levels = [1.0] * 100
    found = break_aways(record(levels, noise=0.05))
    # end of a line through 125 samples, a quarter of the ramp: 2 sigma/sqrt(125)
    assert len(found) == 100
    assert found.drive.std() == pytest.approx(0.05 * 2 / 125**0.5, rel=0.25)
    assert found.drive.mean() == pytest.approx(1.0, abs=0.005)


def test_outliers_go_and_others_stay():
    position = np.linspace(0, 10, 60)
    levels = 1 + 0.1 * np.sin(position) + 0.002 * np.random.default_rng(0).standard_normal(60)
    levels[[7, 30]] += [0.3, -0.4]
    found = break_aways(record(levels)).without_outliers()
    assert 55 <= len(found) <= 58
    assert found.drive.max() < 1.15 and found.drive.min() > 0.85


def test_errors_of_a_mean_are_those_of_the_scatter():
    """Levels with a known scatter: the mean of a straight line is off by no more than errors say, over 200 tests."""
    within = 0
    for seed in range(200):
        levels = 1 + 0.05 * np.random.default_rng(seed).standard_normal(12)
        mean, error = break_aways(record(levels)).curve(1, degree=1).mean()
        within += abs(mean - 1.0) < 2.2281 * error  # Student, 10 degrees of freedom
    assert 178 <= within <= 199  # binomial, 95 % of 200: beyond with 1e-3


@pytest.mark.parametrize(
    ("what", "text"),
    [
        (lambda: break_aways(record((1.0, 1.1))).curve(1), "too few"),
        (lambda: break_aways(record(), moved=1.0), "never starts to move"),
        (lambda: break_aways([]), "no records"),
    ],
)
def test_what_cannot_be_is_refused(what, text):
    with pytest.raises(SpecError, match=text):
        what()


def test_a_machine_that_does_not_move_is_named():
    m = sb.Model("jammed")
    m.add("rotor", sb.Inertia(J=1e-3))
    m.add("motor", sb.Torque("rotor", tau=0))
    m.add("brake", sb.Bearing("rotor", law=sb.Switch(tau_c=5, tau_s=6)))
    bench = VirtualBench(m, "motor.tau", "rotor.phi", encoder=56, limit="1 N.m")
    with pytest.raises(sb.SimulationError, match="nothing has moved at 0 with the largest drive, 1"):
        bench.ramps(5, 60, 1.0)


def test_the_picture_shows_both_directions(ramps, tmp_path):
    figure = break_aways(ramps[0.1]).plot(tmp_path / "break-away.png")
    (axes,) = figure.axes
    assert {text.get_text() for text in axes.get_legend().get_texts()} == {"forward", "backward"}
    assert (tmp_path / "break-away.png").stat().st_size > 10_000


# --- a servo drive ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def slow():
    """Torque and position of six ramps at 0.1 N.m/s."""
    return servo.ramps()


@pytest.mark.parametrize("noise", [0.0, 0.003])
@pytest.mark.parametrize("encoder", [500, 4096, 2**16, 2**20])
def test_a_ramp_counts_once_whatever_creeps(slow, encoder, noise):
    """Bristles creep by 0.4 mrad until they break away: from a tenth of a count to 60 counts."""
    found = break_aways(servo.record(*slow, encoder, noise))
    assert found.direction.tolist() == [1, -1] * 3
    for way in (1, -1):
        mean, error = found.curve(way, degree=0).mean()
        assert abs(mean - servo.LEVEL) < 2.5 * error
        assert error < 0.04 * servo.LEVEL


def test_ramps_as_drives_log_them(slow):
    """In A, in steps of 2 % of break-away, with a clock that jitters, and without the data of the encoder."""
    u, q = slow
    steps = 0.003 * np.round(u / 0.003)
    time = servo.STEP * (np.arange(u.size) + 0.3 * np.random.default_rng(2).uniform(-1, 1, u.size))
    logged = servo.record(steps / 0.05, q, units={"u": "A", "q": "rad"}, resolution={}, sample_time=None, time=time)
    found = break_aways(logged)
    assert len(found) == 6
    assert 0.05 * found.curve(1, degree=0).mean()[0] == pytest.approx(servo.LEVEL, rel=0.03)


def test_an_offset_shows_as_a_difference():
    found = break_aways(servo.record(*servo.ramps(offset=0.03)))
    up, down = (found.curve(way, degree=0) for way in (1, -1))
    assert 0.5 * (down.mean()[0] - up.mean()[0]) == pytest.approx(0.03, rel=0.02)


@pytest.mark.parametrize("encoder", [500, 4096, 2**16])
def test_motion_that_is_no_ramp_is_refused(encoder):
    t = servo.STEP * np.arange(6000)
    path = np.sin(2.1 * t) + 0.4 * np.sin(5.3 * t) + 0.15 * np.sin(13.7 * t)
    with pytest.raises(SpecError, match=r"too fast|never starts"):
        break_aways(servo.record(*servo.followed(path, encoder), encoder))


def test_steps_of_the_drive_are_no_ramps():
    plant, u, q = servo.Servo(), np.tile(np.repeat([0.0, 0.2, 0.0, -0.2], 500), 2), []
    for torque in u:
        q.append(plant.q)
        plant.move(torque)
    with pytest.raises(SpecError, match="100% of it until the detection: the ramps are too fast"):
        break_aways(servo.record(u, np.array(q)))


def test_a_drive_at_its_limit_is_named(slow):
    with pytest.raises(SpecError, match=r"no longer rises when 'q' starts to move, 6 times at about 0\.1 N\.m"):
        break_aways(servo.record(np.clip(slow[0], -0.1, 0.1), slow[1]))


def test_a_wrong_sign_is_named(slow):
    with pytest.raises(SpecError, match="starts to move against 'u', 6 times; change the sign"):
        break_aways(servo.record(-slow[0], slow[1]))


def test_friction_that_falls_gently_is_no_surprise():
    """A Stribeck joint seen in steps of 0.11 rad moves for a while before it shows: drives at the second count are 9
    and 25 % too high at two rates. The motion shows where it began."""
    model = sb.Model("joint")
    arm = model.add("arm", sb.Inertia(J=0.015))
    model.add("motor", sb.Torque(arm, tau=sb.External(0)))
    model.add("joint", sb.Bearing(arm, law=sb.Stribeck(mu_c=0.45, mu_s=0.7, v_s=0.3, mu_v=0.04)))
    bench = VirtualBench(model, "motor.tau", "arm.phi", encoder=56, limit="6 N.m")
    records = [bench.ramps(0, 20, rate, stride=1.0) for rate in (1.2, 0.3)]
    found = break_aways(records).without_outliers()
    assert found.late.max() > 0.1 * 0.7
    assert np.unique(found.rate.round(2)).tolist() == [0.3, 1.2]  # the faster ramps are no outliers
    for way in (1, -1):
        mean, error = found.curve(way, 0).mean()
        assert abs(mean - 0.7) < 2 * error
        assert error < 0.04 * 0.7


# --- presliding, several records, a weight ----------------------------------------------------------------------------


@pytest.mark.parametrize("encoder", [4096, 2**20])
def test_a_bench_test_waits_for_sliding(encoder):
    """Bristles of 0.4 mrad: two counts of the finer encoder are passed at 4 % of break-away."""
    model = sb.Model("servo")
    rotor = model.add("rotor", sb.Inertia(J=2e-3))
    model.add("motor", sb.Torque(rotor, tau=sb.External(0)))
    law = sb.LuGre(mu_c=0.11, mu_s=0.15, v_s=0.3, sigma0=400, sigma1=0.6, sigma2=0.004)
    model.add("joint", sb.Bearing(rotor, law=law))
    bench = VirtualBench(model, "motor.tau", "rotor.phi", encoder=encoder, limit="1 N.m")
    found = break_aways([bench.ramps(0, 0.2, rate, stride=0.05) for rate in (0.05, 0.2)])
    for way in (1, -1):
        mean, error = found.curve(way, 0).mean()
        assert mean == pytest.approx(0.15, rel=0.02)
        assert error > 1e-4  # the model of the onset is not exact


def test_one_bad_record_does_not_refuse_the_set(slow):
    u, q = slow
    good, idle = servo.record(u, q), servo.record(u, 0 * q + 1e-3 * np.sign(np.sin(np.arange(q.size))))
    found = break_aways([good, idle])
    assert len(found) == 6
    assert "not used: " in str(found) and len(found.notes) == 1
    with pytest.raises(SpecError, match="1 other records fail as well"):
        break_aways([idle, idle])


def test_few_counts_have_no_polynomial(slow):
    """Positions of rest within twenty counts: a constant, whatever the scatter asks for."""
    found = break_aways([servo.record(*servo.ramps(count=12), encoder=128)])
    assert np.ptp(found.position) < 20 * found.step
    assert len(found.curve(1).coefficients) == 1


# --- an arm -----------------------------------------------------------------------------------------------------------

ANGLES = np.linspace(-1.2, 1.4, 9)


@pytest.mark.parametrize("gravity", ["known", "fit"])
@pytest.mark.parametrize(
    ("weight", "free"), [(0.6, False), (0.08, True)], ids=["held by the drive", "held by friction"]
)
def test_an_arm_with_a_weight(weight, free, gravity):
    """Friction of 0.15 N.m forwards and 0.195 N.m backwards, under a weight of up to four times as much."""
    records = [servo.record(u, q) for u, q in servo.lifted(ANGLES, weight, from_rest=free)]
    found = break_aways(records, gravity=(weight, 0.0) if gravity == "known" else "fit")
    assert len(found) >= 14  # of 18
    assert found.gravity == pytest.approx((weight, 0.0), abs=0.002)
    for way, level in ((1, 0.15), (-1, 0.195)):
        mean, error = found.curve(way, 0).mean()
        assert mean == pytest.approx(level, rel=0.03)
        assert found.towards(way).drive.std() < 0.01 * level  # no scatter was put in
        assert abs(mean - level) < 4 * error < 0.06 * level
    assert "weight: " in str(found)


def test_a_weight_that_is_not_determined():
    records = [servo.record(u, q) for u, q in servo.lifted([0.50, 0.51, 0.52], 0.08, from_rest=True)]
    with pytest.raises(SpecError, match="do not determine the weight of the arm; record ramps in both directions"):
        break_aways(records, gravity="fit")
    with pytest.raises(SpecError, match="must be 'fit' or the factors of sin q and cos q"):
        break_aways(records, gravity="guess")
