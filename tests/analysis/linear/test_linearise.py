"""Linear models against closed forms."""

import control
import numpy as np
import pytest
from support.machines import MACHINES

import stribeck as sb
from stribeck.analysis import linearize
from stribeck.errors import SpecError, UnknownName


def chain(n, c=50.0, J=0.2, d=0.0):
    """Equal inertias between shafts, the first one fixed to the wall."""
    m = sb.Model("chain")
    last = None
    for k in range(n):
        body = m.add(f"body{k}", sb.Inertia(J=J))
        m.add(f"shaft{k}", sb.SpringDamper(body, c=c, d=d) if last is None else sb.SpringDamper(last, body, c=c, d=d))
        last = body
    m.add("motor", sb.Torque(last, tau=0.0))
    return m


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_frequencies_of_a_chain(n):
    """2 sqrt(c/J) sin((2 k - 1) pi / (2 (2 n + 1))) for a chain with one end fixed and one free."""
    modes = linearize(chain(n)).modes()
    k = np.arange(1, n + 1)
    expected = 2 * np.sqrt(50.0 / 0.2) * np.sin((2 * k - 1) * np.pi / (2 * (2 * n + 1))) / (2 * np.pi)
    assert [mode.frequency for mode in modes] == pytest.approx(expected, rel=1e-12)
    assert [mode.damping for mode in modes] == pytest.approx(np.zeros(n), abs=1e-12)


def test_free_chain_has_a_rigid_mode_and_a_shape():
    m = sb.Model("free")
    a, b = m.add("a", sb.Inertia(J=1.0)), m.add("b", sb.Inertia(J=3.0))
    m.add("shaft", sb.Spring(a, b, c=12.0))
    *rigid, swing = linearize(m).modes()
    assert [mode.eigenvalue for mode in rigid] == [0, 0]
    assert swing.frequency == pytest.approx(np.sqrt(12.0 * (1 + 1 / 3)) / (2 * np.pi), rel=1e-12)
    assert swing.shape["b"] / swing.shape["a"] == pytest.approx(-1 / 3, rel=1e-9)
    assert swing.participants == ("a", "b")


def test_damping_ratio():
    (mode,) = linearize(chain(1, c=50.0, J=0.2, d=0.4)).modes()
    assert mode.damping == pytest.approx(0.4 / (2 * np.sqrt(50.0 * 0.2)), rel=1e-12)
    assert mode.time_constant == pytest.approx(2 * 0.2 / 0.4, rel=1e-12)
    fast, slow = sorted(m.time_constant for m in linearize(chain(1, c=1.0, J=1.0, d=4.0)).modes())
    assert [slow, fast] == pytest.approx([2 + np.sqrt(3), 2 - np.sqrt(3)], rel=1e-12)


def braked(mu_s):
    m = chain(2)
    m.add("brake", sb.Bearing("body1", law=sb.Switch(mu_c=0.9 * mu_s, mu_s=mu_s)))
    return m


def test_a_stuck_brake_removes_a_mode():
    linear = linearize(braked(5.0))
    assert linear.contacts == {"brake": "Stuck"}
    assert linear.states == ("body0.w", "body0.phi")
    (mode,) = linear.modes()
    assert mode.frequency == pytest.approx(np.sqrt(2 * 50.0 / 0.2) / (2 * np.pi), rel=1e-12)
    assert mode.participants == ("body0",)
    held = linear.C[linear.place("brake.tau", "output")] @ [0.0, 1.0]
    assert abs(held) == pytest.approx(50.0, rel=1e-8)  # the shaft pulls at the brake
    assert linear.D[linear.place("brake.tau", "output"), 0] == pytest.approx(1.0, rel=1e-12)
    assert not linear.B.any()


def test_two_stuck_brakes_on_a_body_remove_one_mode():
    m = braked(5.0)
    m.add("second", sb.Bearing("body1", law=sb.Switch(mu_c=4.0, mu_s=5.0)))
    assert len(linearize(m).modes()) == 1


def judder(speed):
    """A body on a belt: the spring holds it while the belt slides beneath it."""
    m = sb.Model("judder")
    law = sb.Stribeck(mu_c=0.3, mu_s=0.5, v_s=0.1, mu_v=0.02)
    m.add("body", sb.Mass(m=2.0, v0=speed))
    m.add("spring", sb.Spring("body", c=200.0))
    m.add("guide", sb.Guide("body", law=law, load=10.0))
    return m


def test_falling_friction_is_negative_damping():
    speed, h = 0.07, 1e-6
    linear = linearize(judder(speed), at={"body.v": speed})
    curve = [10.0 * (0.3 + 0.2 * np.exp(-((v / 0.1) ** 2)) + 0.02 * v) for v in (speed - h, speed + h)]
    slope = (curve[1] - curve[0]) / (2 * h)
    row, column = linear.place("guide.f", "output"), linear.states.index("body.v")
    assert linear.C[row, column] == pytest.approx(slope, rel=1e-6)
    assert linear.A[column, column] == pytest.approx(-slope / 2.0, rel=1e-6)
    (mode,) = linear.modes()
    assert mode.damping == pytest.approx(slope / (2 * np.sqrt(200.0 * 2.0)), rel=1e-6)
    assert mode.damping < 0 > mode.time_constant
    assert linear.contacts == {"guide": "Forward"}


def test_bristles_at_rest_are_a_spring():
    m = sb.Model("bristle")
    m.add("body", sb.Mass(m=0.5))
    m.add("guide", sb.Guide("body", law=sb.LuGre(sigma0=1e4, sigma1=10.0, sigma2=0.4, mu_c=1.0, mu_s=1.5, v_s=0.01)))
    swing = linearize(m).modes()[-1]
    assert swing.frequency == pytest.approx(np.sqrt(1e4 / 0.5) / (2 * np.pi), rel=1e-9)
    assert swing.damping == pytest.approx(10.4 / (2 * np.sqrt(1e4 * 0.5)), rel=1e-9)


def test_pid_loop():
    m = sb.Model("loop")
    cart = m.add("cart", sb.Mass(m=2.0))
    control_law = sb.PID(0.0, cart.sensor("s"), Kp=8.0, Ki=3.0, Kd=1.5, T_f=0.05)
    m.add("drive", sb.Force(cart, f=control_law))
    linear = linearize(m)
    # m s^2 + Kp + Ki/s + Kd s/(T s + 1) = 0
    T, Kp, Ki, Kd = 0.05, 8.0, 3.0, 1.5
    polynomial = [2.0 * T, 2.0, Kp * T + Kd, Kp + Ki * T, Ki]
    found = np.linalg.eigvals(linear.A)
    assert np.sort_complex(found) == pytest.approx(np.sort_complex(np.roots(polynomial)), rel=1e-9)
    f = 0.7
    s = 2j * np.pi * f
    expected = 1 / (2.0 * s**2 + Kp + Ki / s + Kd * s / (T * s + 1))
    answer = linear.frequency_response(f)[0, linear.place("cart.s", "output"), 0]
    assert answer == pytest.approx(expected, rel=1e-8)


def test_step_response_as_python_control_has_it():
    stepped = chain(2, d=0.3)
    linear = linearize(stepped, outputs=["body1.w", "body1.a", "shaft0.tau"])
    sb.set_parameter(stepped, "motor.tau", 1.0)
    result = sb.simulate(stepped, t_end=1.0, intervals=200, tolerance=1e-10)
    response = control.step_response(linear.to_control(), result.time)
    for k, name in enumerate(linear.outputs):
        scale = np.abs(result[name]).max()
        assert response.outputs[k].ravel() == pytest.approx(np.asarray(result[name]), abs=1e-6 * scale)


def test_at_a_time_the_modes_are_those_of_the_run():
    program = sb.compile_model(sb.load_model("stick-slip-switch"))
    stuck, sliding = linearize(program, at=1.0), linearize(program, at="8 s")
    assert stuck.contacts == {"friction": "Stuck"}
    assert stuck.states == ()
    assert len(stuck.modes()) == 0
    assert sliding.contacts == {"friction": "Forward"}
    assert "pull.phi" not in sliding.states
    result = sb.simulate(program, times=[0.0, 8.0])
    assert sliding.point["mass.w"] == pytest.approx(result["mass.w"][-1], rel=1e-5)
    assert "LinearModel of stick-slip-switch at 8 s" in repr(sliding)


def test_pictures_and_file(tmp_path):
    linear = linearize(chain(3, d=0.1))
    linear.plot(path=tmp_path / "modes.png")
    linear.plot("body2.w", "motor", path=tmp_path / "bode.png")
    linear.save(tmp_path / "linear.json")
    assert all((tmp_path / name).stat().st_size > 1000 for name in ("modes.png", "bode.png", "linear.json"))


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"at": {"body9.w": 1.0}}, UnknownName, "no state 'body9.w'"),
        ({"inputs": ["motr"]}, UnknownName, "did you mean 'motor'"),
        ({"outputs": ["body0.q"]}, UnknownName, "no output 'body0.q'"),
        ({"outputs": ["brake.mode"]}, SpecError, "has steps"),
        ({"at": -1.0}, SpecError, "-1"),
    ],
)
def test_wrong_words_are_refused(options, error, text):
    with pytest.raises(error, match=text):
        linearize(braked(5.0), **options)


@pytest.mark.parametrize("name", MACHINES)
def test_every_machine(name):
    """Accelerations as outputs, by differences, are the exact rates of the speeds."""
    linear = linearize(MACHINES[name](), at=0.43)
    n = len(linear.states)
    assert linear.A.shape == (n, n)
    assert linear.C.shape == (len(linear.outputs), n)
    assert np.isfinite(linear.A).all() and np.isfinite(linear.B).all()
    assert np.isfinite(linear.C).all() and np.isfinite(linear.D).all()
    assert sum(1 + (mode.eigenvalue.imag > 0) for mode in linear.modes()) == n
    for i, state in enumerate(linear.states):
        body, _, quantity = state.partition(".")
        if quantity in ("w", "v") and f"{body}.a" in linear.outputs:
            row = linear.C[linear.place(f"{body}.a", "output")] * linear.nominal
            exact = linear.A[i] * linear.nominal
            assert row == pytest.approx(exact, abs=1e-5 * np.abs(exact).max())


def test_a_drag_as_an_input_has_the_unit_of_a_force():
    model = sb.Model("car")
    model.add("car", sb.Vehicle(m=1000, A=2, c_w=0.3, v0=20))
    assert sb.analysis.linearize(model, inputs=["car"]).input_units == ("N",)


# --- prescribed motions as inputs ------------------------------------------------------------------------------------


def response(linear, output, frequency):
    return linear.frequency_response(frequency)[0, linear.place(output, "output"), 0]


def test_a_shaken_mass():
    """(d s + c)/(m s^2 + d s + c) from the position of the shaker to that of the mass, 1/s^2 from its acceleration."""
    m = sb.Model("shaker")
    shaker, mass = m.add("shaker", sb.Position(s=0.0)), m.add("mass", sb.Mass(m=2.0))
    m.add("mount", sb.SpringDamper(shaker, mass, c=50.0, d=3.0))
    linear = m.linearize(inputs=["shaker"])
    assert linear.inputs == ("shaker.a",)
    assert linear.input_units == ("m/s2",)
    assert set(linear.states) == {"mass.v", "mass.s", "shaker.v", "shaker.s"}
    s = 2j * np.pi * 0.9
    passed = (3.0 * s + 50.0) / (2.0 * s**2 + 3.0 * s + 50.0) / s**2
    assert response(linear, "mass.s", 0.9) == pytest.approx(passed, rel=1e-8)
    assert response(linear, "shaker.f", 0.9) == pytest.approx(2.0 * s**2 * passed, rel=1e-8)


@pytest.mark.parametrize(("at", "mode"), [(0.5, "Backward"), (2.9, "Stuck")])
def test_a_shaft_behind_a_clutch_on_a_prescribed_speed(at, mode):
    """While the clutch slips, the speed of the engine acts through the slope of friction; a stuck one makes it the
    speed of the disc."""
    linear = sb.load_model("clutch-judder").linearize(at=at, inputs=["engine.a"])
    assert linear.contacts == {"clutch": mode}
    slope, J, c, d, vehicle, s = -0.001 * 600 * 0.24, 0.01, 30.0, 0.05, 0.643, 2j * np.pi * 3.0
    shaft = d + c / s
    behind = 1 / (1 / shaft + 1 / (vehicle * s))  # torque of shaft and vehicle by the speed of the disc
    disc = slope / (slope + J * s + behind) if mode == "Backward" else 1.0
    assert response(linear, "disc.w", 3.0) == pytest.approx(disc / s, rel=1e-7)
    assert response(linear, "engine.tau", 3.0) == pytest.approx((J * s + behind) * disc / s, rel=1e-7)
    assert ("disc.w" in linear.states) == (mode == "Backward")


def test_a_planetary_set_between_a_prescribed_ring_and_bodies():
    """The carrier is held by the sun and the ring: 1 + r = 2.7 times its speed is that of the sun and 1.7 that of the
    ring, so that an acceleration of the ring acts on both bodies at once."""
    m = sb.Model("set")
    ring, sun, carrier = (
        m.add("ring", sb.Speed(w=2.0)),
        m.add("sun", sb.Inertia(J=0.3)),
        m.add("body", sb.Inertia(J=0.2)),
    )
    m.add("set", sb.Planetary(sun, carrier, ring, ratio=1.7))
    m.add("oil", sb.Damper(carrier, d=0.4))
    linear = m.linearize(inputs=["ring"])
    s, k = 2j * np.pi * 0.5, 1 / 2.7
    # J_sun w_sun' + k (J_body w_body' + d w_body) = 0 with w_body = k (w_sun + 1.7 w_ring)
    load = k * (0.2 * s + 0.4)
    sun_by_ring = -1.7 * k * load / (0.3 * s + k * load)
    assert response(linear, "sun.w", 0.5) == pytest.approx(sun_by_ring / s, rel=1e-8)
    assert response(linear, "body.w", 0.5) == pytest.approx(k * (sun_by_ring + 1.7) / s, rel=1e-8)


def test_a_changed_motion_in_a_run():
    """The linear model predicts what a small step of the acceleration of the belt does to a run."""
    m = sb.Model("belt")
    belt, body = m.add("belt", sb.Speed(w=0.5)), m.add("body", sb.Inertia(J=0.4))
    law = sb.LuGre(sigma0=200.0, sigma1=2.0, sigma2=0.3, mu_c=1.0, mu_s=1.5, v_s=0.3)
    m.add("pad", sb.Clutch(belt, body, law=law, fn_max=1.0))
    m.add("spring", sb.SpringDamper(body, c=20.0, d=2.0))
    at, small, times = 20.0, 1e-5, np.linspace(0.0, 0.3, 31)
    linear = m.linearize(at=at, inputs=["belt"], outputs=["body.w", "pad.tau"])
    assert max(map(abs, linear.rate.values())) == pytest.approx(0.5, abs=1e-6)  # steady but for the angle of the belt
    answer = control.forced_response(linear.to_control(), times, np.full(31, small)).outputs
    runs = []
    for sign in (1, -1):
        sb.set_parameter(m, "belt.w", sb.Ramp(height=sign * small, duration=1.0, start=at, offset=0.5))
        run = sb.simulate(m, times=np.array([0.0, *(at + times)]), tolerance=1e-11)
        runs.append(np.stack([np.asarray(run[name])[1:] for name in linear.outputs]))
    found = (runs[0] - runs[1]) / 2
    assert answer == pytest.approx(found, abs=1e-4 * np.abs(found).max())


def test_a_motion_that_a_signal_reads_is_no_input():
    m = sb.Model("read")
    pull, mass = m.add("pull", sb.Speed(w=1.0)), m.add("mass", sb.Inertia(J=1.0))
    m.add("belt", sb.Damper(pull, mass, d=0.1))
    m.add("drive", sb.Torque(mass, tau=2.0 * (pull.sensor("w") - mass.sensor("w"))))
    with pytest.raises(SpecError, match="'pull' is read by a signal of 'drive'"):
        m.linearize(inputs=["pull"])
    with pytest.raises(UnknownName, match="no prescribed motion 'pul'; did you mean 'pull'"):
        m.linearize(inputs=["pul"])
