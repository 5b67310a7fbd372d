"""Torques over speed, vehicles, engines and converters against closed forms and SciPy."""

from math import asinh, atan, cos, exp, sin, sinh, sqrt, tan

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stribeck as sb
from stribeck.elements import Engine, MovingLoad, SpeedTorque, TorqueConverter, Vehicle
from stribeck.errors import SpecError

TIGHT = 1e-10


def simulate(model, t_end):
    """A run whose ledger closes."""
    result = sb.simulate(model, t_end, intervals=50, tolerance=TIGHT)
    size = result.energy.throughput + sum(abs(x) for x in result.energy.dissipated.values())
    assert abs(result.energy.residual) < 1e-12 * size
    assert abs(result.energy.numerical) < 1e-7 * size
    return result


# --- torque over speed: J w' = -4 g(w/5) from w0 = 8 with J = 2, so with k = w/5: k' = -0.4 g(k) from 1.6 -------------

COURSES = {
    "constant": lambda t: 1.6 - 0.4 * t,
    "linear": lambda t: 1.6 * exp(-0.4 * t),
    "quadratic": lambda t: 1 / (1 / 1.6 + 0.4 * t),
    "quadratic one way": lambda t: 1 / (1 / 1.6 + 0.4 * t),
    "constant power": lambda t: sqrt(1.6**2 - 0.8 * t) if t < 1.95 else 1 - 0.4 * (t - 1.95),
    "along the motion": lambda t: asinh(sinh(1.6) * exp(-0.4 * t)),
}


@pytest.mark.parametrize("form", COURSES)
def test_forms(form):
    m = sb.Model("load")
    shaft = m.add("shaft", sb.Inertia(J=2, w0=8))
    m.add("load", SpeedTorque(shaft, tau_nominal=-4, w_nominal=5, form=form))
    result = simulate(m, 3)
    expected = [5 * COURSES[form](t) for t in result.time]
    assert result["shaft.w"] == pytest.approx(np.array(expected), abs=1e-7)
    assert result.energy.input["load"] == pytest.approx(expected[-1] ** 2 - 64, rel=1e-7)
    assert result["load.tau"][0] == pytest.approx(2 * result["shaft.a"][0])


@pytest.mark.parametrize(("form", "sign"), [("quadratic", 1), ("quadratic one way", -1), ("constant power", 1)])
def test_backwards(form, sign):
    m = sb.Model("load")
    slider = m.add("slider", sb.Mass(m=2, v0=-8))
    m.add("load", SpeedTorque(slider, f_nominal=-4, v_nominal=5, form=form))
    result = sb.simulate(m, 0.1)
    size = 4 / 1.6 if form == "constant power" else 4 * 1.6**2
    assert result["load.f"][0] == pytest.approx(sign * size)


# --- a load that acts while it moves ---------------------------------------------------------------------------------


def test_a_load_that_acts_only_while_its_body_moves():
    """m v' = -f from v0: it stops after m v0/f and stays, though the load goes on and something pushes a little."""
    m = sb.Model("braked", t_end=5)
    slider = m.add("slider", sb.Mass(m=2, v0=3))
    m.add("load", MovingLoad(slider, f="4 N"))
    m.add("push", sb.Force(slider, f=sb.Step(height=3.9, start=4)))
    result = simulate(m, 5)
    assert [(e.to, round(e.time, 9)) for e in result.events] == [("Stuck", 1.5)]
    assert result["slider.v"] == pytest.approx(np.maximum(3 - 2 * np.asarray(result.time), 0), abs=1e-9)
    assert result["load.f"][25] == 0 and result["load.f"][-1] == pytest.approx(3.9)
    assert result.energy.dissipated["load"] == pytest.approx(9)


def test_a_load_below_nothing_is_refused():
    m = sb.Model("negative")
    m.add("load", MovingLoad(m.add("slider", sb.Mass(m=2)), f=-1))
    with pytest.raises(SpecError, match=r"moving-load 'load': tau = -1 N must be at least 0; magnitude of the torque"):
        sb.simulate(m, 1)


def test_a_load_that_is_a_signal_and_starts_backwards():
    """Pushed by -6 N against a load of 4 N that becomes 2 N at 1 s: m v' = -1, then -2."""
    m = sb.Model("backwards")
    slider = m.add("slider", sb.Mass(m=2))
    m.add("load", MovingLoad(slider, f=sb.Step(height=-2, offset=4, start=1)))
    m.add("push", sb.Force(slider, f=-6))
    result = simulate(m, 2)
    assert result["slider.v"][25] == pytest.approx(-1) and result["slider.v"][-1] == pytest.approx(-3)
    assert result["load.f"][10] == pytest.approx(-4) and result["load.f"][-1] == pytest.approx(-2)


def test_a_smooth_load_lets_creep():
    """J w' = -tau tanh(w/w_0): sinh(w/w_0) falls as exp(-tau t/(J w_0))."""
    m = sb.Model("smooth")
    shaft = m.add("shaft", sb.Inertia(J=2, w0=3))
    m.add("load", MovingLoad(shaft, tau=sb.Step(height=0, offset=4, start=1), w_0=0.5))
    result = simulate(m, 2)
    expected = 0.5 * np.arcsinh(sinh(6) * np.exp(-4 * np.asarray(result.time)))
    assert result["shaft.w"] == pytest.approx(expected, abs=1e-8)
    assert result["load.tau"] == pytest.approx(4 * np.tanh(2 * expected), abs=1e-7)


# --- vehicles --------------------------------------------------------------------------------------------------------


def test_coasting_to_a_stop():
    """m v' = -R - D v^2: atan(v sqrt(D/R)) falls by sqrt(R D)/m per second; then it rests."""
    m = sb.Model("coast")
    m.add("car", Vehicle(m=1200, c_w=0.6, A=5, rho=1.2, c_r=0.03, v0=12))
    m.add("road", sb.Force("car", f=0))
    result = simulate(m, 60)
    R, D = 0.03 * 1200 * 9.80665, 0.5 * 1.2 * 3
    stop = 1200 / sqrt(R * D) * atan(12 * sqrt(D / R))
    expected = [sqrt(R / D) * tan(sqrt(R * D) / 1200 * max(stop - t, 0)) for t in result.time]
    assert stop < 50
    assert result["car.v"] == pytest.approx(np.array(expected), abs=1e-6)
    assert result["car.f_drag"] == pytest.approx(D * np.array(expected) ** 2, abs=1e-6)
    assert result["car.f_roll"][0] == pytest.approx(R)
    assert result["car.s"][-1] == pytest.approx(600 / D * np.log(1 + D / R * 144), rel=1e-8)
    assert result.energy.dissipated["car"] == pytest.approx(0.5 * 1200 * 144, rel=1e-8)


@pytest.mark.parametrize(("slope", "moves"), [(0.0199, False), (-0.0199, False), (0.03, True), (-0.03, True)])
def test_rolling_resistance_holds_on_a_small_slope(slope, moves):
    m = sb.Model("parked")
    m.add("car", Vehicle(m=1000, c_r=0.02, slope=slope))
    m.add("road", sb.Force("car", f=0))
    result = simulate(m, 4) if moves else sb.simulate(m, 4)
    weight = 1000 * 9.80665
    pull = -np.sign(slope) * (abs(sin(slope)) - 0.02 * cos(slope)) * 9.80665 if moves else 0.0
    assert result["car.s"] == pytest.approx(0.5 * pull * np.asarray(result.time) ** 2, abs=1e-8)
    assert result["car.f_grade"] == pytest.approx(weight * sin(slope))
    if moves:
        assert result.energy.stored["car"] == pytest.approx(
            weight * sin(slope) * result["car.s"][-1] + 500 * result["car.v"][-1] ** 2, rel=1e-8
        )
    else:
        assert result["car.s"] == pytest.approx(0, abs=1e-14)  # rounding of the holding force
        assert result["car.f_roll"] == pytest.approx(-weight * sin(slope))


def test_a_headwind_and_a_road_that_rises():
    """The slope is a function of the position; the height is stored."""
    m = sb.Model("hill")
    m.add("car", Vehicle(m=800, c_w=0.4, A=2, v_wind="-5 m/s", slope=0.002 * sb.Sensor("car.s"), v0=15))
    m.add("road", sb.Force("car", f=300))
    result = simulate(m, 8)
    motion = solve_ivp(
        lambda t, y: (
            y[1],
            (300 - 0.48 * (y[1] + 5) * abs(y[1] + 5)) / 800 - 9.80665 * sin(0.002 * y[0]),
        ),
        (0, 8),
        (0, 15),
        method="DOP853",
        t_eval=np.asarray(result.time),
        rtol=1e-12,
        atol=1e-12,
    )
    assert result["car.s"] == pytest.approx(motion.y[0], abs=1e-6)
    assert result["car.v"] == pytest.approx(motion.y[1], abs=1e-6)
    height = (1 - cos(0.002 * motion.y[0, -1])) / 0.002
    lifted = 800 * 9.80665 * height + 400 * (motion.y[1, -1] ** 2 - 225)
    assert result.energy.stored["car"] == pytest.approx(lifted, rel=1e-7)


# --- engines ---------------------------------------------------------------------------------------------------------

MAP = {"w_map": [0, 100, 600], "throttle_map": [0, 1], "tau_map": [[0, 100], [-10, 150], [-60, 100]]}


def test_an_engine_idles_revs_up_and_is_cut_off():
    """At rest the governor is fully open; idle is where the map gives 0, and so is the speed of the cut-off."""
    m = sb.Model("engine")
    crank = m.add("crank", sb.Inertia(J=0.2, w0=20))
    m.add("engine", Engine(crank, u=sb.Step(height=1, start=3), **MAP, w_idle=90, w_max=500, band=20))
    result = simulate(m, 8)

    # bilinear: drag -0.1 w below 100 rad/s, span of the throttle 100 + 0.6 w
    def balance(w, opening):
        low, high = (np.interp(w, MAP["w_map"], [row[j] for row in MAP["tau_map"]]) for j in (0, 1))
        return low + opening * (high - low)

    idle, top = result["crank.w"][18], result["crank.w"][-1]
    assert 70 < idle < 90 and balance(idle, (90 - idle) / 20) == pytest.approx(0, abs=1e-6)
    assert 480 < top < 500 and balance(top, (500 - top) / 20) == pytest.approx(0, abs=1e-6)
    assert result["engine.tau"][0] == pytest.approx(100 + 0.5 * 20)


def test_an_engine_brakes():
    """Throttle 0 from 300 rad/s: J w' = -0.1 w on the way down."""
    m = sb.Model("overrun")
    crank = m.add("crank", sb.Inertia(J=0.2, w0=300))
    m.add("engine", Engine(crank, u=-0.5, **MAP))
    result = simulate(m, 2)
    assert result["crank.w"] == pytest.approx(300 * np.exp(-0.5 * np.asarray(result.time)), abs=1e-6)


# --- converters ------------------------------------------------------------------------------------------------------

TABLES = {"nu": [0, 0.5, 0.85, 1], "capacity": [4e-3, 3.6e-3, 2.5e-3, 0], "ratio": [2.1, 1.5, 1, 1]}
COAST = [1e-3, 1e-3, 5e-4, 0]


def converter(wa, wb):
    """Torques of pump and turbine, case by case."""
    if wb <= wa:
        nu = max(wb / wa, 0)
        pump = np.interp(nu, TABLES["nu"], TABLES["capacity"]) * wa**2
        return pump, pump * np.interp(nu, TABLES["nu"], TABLES["ratio"])
    pump = -np.interp(max(wa / wb, 0), TABLES["nu"], COAST) * wb**2
    return pump, pump


def test_a_converter_drives_and_coasts():
    m = sb.Model("converter")
    engine = m.add("engine", sb.Inertia(J=0.3, w0=80))
    turbine = m.add("turbine", sb.Inertia(J=1.2))
    m.add("converter", TorqueConverter(engine, turbine, **TABLES, coast=COAST))
    m.add("motor", sb.Torque(engine, tau=sb.Step(height=-160, offset=130, start=2)))
    result = simulate(m, 4)

    def rate(t, y):
        pump, turbine = converter(y[0], y[1])
        return ((130 if t < 2 else -30) - pump) / 0.3, turbine / 1.2

    times, start, found = np.asarray(result.time), (80.0, 0.0), []
    for span in ((0, 2), (2, 4)):
        inside = times[(times >= span[0]) & (times < span[1] + (span[1] == 4))]
        motion = solve_ivp(
            lambda t, y, first=span[0]: rate(1 if first == 0 else 3, y),
            span,
            start,
            method="DOP853",
            t_eval=[*inside, span[1]] if span[1] == 2 else inside,
            rtol=1e-11,
            atol=1e-11,
            max_step=1e-3,
        )
        start = motion.y[:, -1]
        found.append(motion.y[:, : len(inside)])
    wa, wb = np.hstack(found)
    assert np.any(wb > wa + 1) and np.any(wb < wa - 1)
    assert result["engine.w"] == pytest.approx(wa, abs=1e-5)
    assert result["turbine.w"] == pytest.approx(wb, abs=1e-5)
    torques = np.array([converter(*w) for w in zip(wa, wb, strict=True)]).T
    assert result["converter.tau_pump"] == pytest.approx(torques[0], abs=1e-4)
    assert result["converter.tau_turbine"] == pytest.approx(torques[1], abs=1e-4)
    assert result.energy.dissipated["converter"] > 0


def test_a_stalled_converter():
    m = sb.Model("stall", t_end=1)
    pump, brake = m.add("pump", sb.Speed(w=200)), m.add("brake", sb.Speed(w=0))
    m.add("wheel", sb.Inertia(pump, J=1))
    m.add("hub", sb.Inertia(brake, J=1))
    m.add("converter", TorqueConverter(pump, brake, **TABLES))
    result = sb.simulate(m)
    assert result["converter.tau_pump"] == pytest.approx(160)
    assert result["converter.tau_turbine"] == pytest.approx(336)
    assert result.energy.dissipated["converter"] == pytest.approx(160 * 200)


LOCKUP = {"law": sb.Coulomb(mu_c=0.1), "fn_max": "5 kN", "cgeo": 0.4}


def test_a_lock_up_clutch():
    """Locked, both turn as one: 150 N.m on 0.3 + 1.2 kg.m2 less what the turbine's load takes; the oil carries nothing,
    the clutch what the turbine needs. Until then the clutch slides with mu cgeo fn_max lockup = 200 N.m lockup."""
    m = sb.Model("lockup")
    m.add("engine", sb.Inertia(J=0.3, w0=200))
    m.add("turbine", sb.Inertia(J=1.2, w0=180))
    m.add("converter", TorqueConverter("engine", "turbine", **TABLES, lockup=sb.Ramp(1, 0.5, start=0.2), **LOCKUP))
    m.add("motor", sb.Torque("engine", tau=150))
    m.add("road", sb.Torque("turbine", tau=-90))
    result = simulate(m, 2)
    (closes, locks) = result.events
    assert (closes.element, closes.to, closes.time) == ("converter", "Backward", pytest.approx(0.2))
    assert locks.to == "Stuck" and 0.2 < locks.time < 0.7
    after = np.asarray(result.time) > locks.time
    assert result["engine.a"][after] == pytest.approx(60 / 1.5)
    assert result["converter.tau_lockup"][after] == pytest.approx(-(90 + 1.2 * 40))
    assert result["converter.tau_pump"][after] == pytest.approx(0, abs=1e-9)
    assert result["converter.fn"][-1] == 5000
    assert result["engine.w"][after] == pytest.approx(result["turbine.w"][after], rel=1e-14)
    before = np.asarray(result.time) < locks.time
    torques = [converter(*w)[1] for w in zip(result["engine.w"][before], result["turbine.w"][before], strict=True)]
    pressed = 200 * np.clip((np.asarray(result.time)[before] - 0.2) / 0.5, 0, 1)
    assert 1.2 * result["turbine.a"][before] == pytest.approx(np.array(torques) + pressed - 90, abs=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SpeedTorque("m", tau_nominal=1, form="cubic"), "form cannot be 'cubic'"),
        (lambda: Vehicle(m=0), "m = 0 kg must be above 0; mass"),
        (lambda: TorqueConverter("m", "n", **TABLES, lockup=1, fn_max=3), "give law too, or none of them"),
        (lambda: Engine("m", u=1, **{**MAP, "w_map": [0, 100]}), "tau_map has 3 x 2 torques for a grid of 2 x 2"),
        (lambda: Engine("m", u=1, **{**MAP, "w_map": [0, 0, 1]}), "w_map must increase: sort the points"),
        (lambda: Engine("m", u=1, **MAP, w_idle=100, w_max=105), "w_idle = 100 rad/s must be below w_max - band = 95"),
        (lambda: TorqueConverter("m", "n", nu=[0, 0.9], capacity=[1, 0], ratio=[2, 1]), "must begin with 0 and end"),
        (lambda: TorqueConverter("m", "n", nu=[0, 1], capacity=[1, 1], ratio=[2, 1]), "capacity[1] = 1 must be 0"),
        (lambda: TorqueConverter("m", "n", nu=[0, 1], capacity=[1], ratio=[2, 1]), "capacity has 1 values for 2"),
        (
            lambda: TorqueConverter("m", "n", nu=[0, 0.8, 1], capacity=[1, 1, 0], ratio=[2, 1.5, 1]),
            "ratio = 1.5 at nu = 0.8 gives out more power than it takes",
        ),
    ],
)
def test_faults(make, message):
    with pytest.raises(SpecError) as error:
        make()
    assert message in str(error.value)
