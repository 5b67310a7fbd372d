"""The gearbox of aberger2002: its equations written here, the limits of explicit steps, what is read off its curves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stribeck as sb
from stribeck_papers import aberger2002
from stribeck_papers.aberger2002._gearbox_runs import LAWS, STANDARD
from stribeck_papers.aberger2002._measures import last_above, overshoot, peak, shift_time, turning_points
from stribeck_papers.aberger2002._reconstructions import FACTS, Boxes, run, shifts
from stribeck_papers.aberger2002._reconstructions import peak as trace_peak
from stribeck_papers.aberger2002.codes import best_code
from stribeck_papers.aberger2002.dassl_model import by_dassl
from stribeck_papers.aberger2002.gearbox import HEAVY, PRESSED

R, TORQUE, DRAG, FORCE = 2.2, 2.0, 0.05, 10.0
MEMBERS = {
    "engine": [1.0, 0.0, 0.0],
    "ring1": [0.0, -1 / R, (1 + R) / R],
    "sun": [0.0, 1.0, 0.0],
    "carrier2": [0.0, 1 / (1 + R), R / (1 + R)],
    "load": [0.0, 0.0, 1.0],
}
"""Speeds of the bodies over those of engine, sun and load, from (1 + r) carrier = sun + r ring."""

ELEMENTS = {"C1": ("engine", "ring1"), "C2": ("engine", "sun"), "B1": (None, "carrier2"), "B2": (None, "sun")}


def pressed(name: str, t: float) -> float:
    closes, opens = PRESSED[name]
    return 0.0 if t < closes or t >= opens else min((t - closes) / 0.1, 1.0)


class ByHand:
    """M q' = E T - O d w - W tau with (12)-(15) as printed; bristles rest while an element is open."""

    def __init__(self, sigma0: float, sigma1: float) -> None:
        self.sigma0, self.sigma1 = sigma0, sigma1
        rows = {name: np.array(row) for name, row in MEMBERS.items()}
        self.mass = sum(HEAVY[name] * np.outer(row, row) for name, row in rows.items())
        self.slips = np.array([rows[b] - (0 if a is None else rows[a]) for a, b in ELEMENTS.values()])

    def rates(self, t: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        w, z = x[:3], x[3:] * 1e-5
        u = np.array([pressed(name, t) for name in ELEMENTS])
        slip = self.slips @ w
        dz = np.where(u > 0, slip - np.abs(slip) * self.sigma0 / 0.5 * z, 0.0)
        tau = FORCE * u * (self.sigma0 * z + self.sigma1 * dz)
        push = np.array([TORQUE, 0, -DRAG * w[2]]) - self.slips.T @ tau
        return np.concatenate([np.linalg.solve(self.mass, push), dz * 1e5]), tau

    def run(self, times: np.ndarray) -> dict[str, np.ndarray]:
        x, parts = np.zeros(7), []
        for a, b in pairwise([0.0, 0.1, 1.5 - 1e-12, 1.6, times[-1]]):
            inside = times[(times >= a) & (times < b)]
            found = solve_ivp(
                lambda t, x: self.rates(t, x)[0], (a, b), x, "Radau", t_eval=[*inside, b], rtol=1e-7, atol=1e-9
            )
            x = found.y[:, -1]
            parts += list(zip(inside, found.y[:, :-1].T, strict=True))
        rates, torques = zip(*(self.rates(t, y) for t, y in parts), strict=True)
        return {"load.a": np.array(rates)[:, 2], **dict(zip(ELEMENTS, np.array(torques).T, strict=True))}


@pytest.mark.parametrize("sigma0", [1e5, 1e4])
def test_as_equations_by_hand(sigma0: float) -> None:
    """Softer bristles let C1 rise higher and the load accelerate more; the paper says the latter the other way."""
    times = np.linspace(0, 1.61, 1611)
    found = ByHand(sigma0, 300.0).run(times)
    result = sb.simulate(aberger2002.gearbox(aberger2002.table_6(sigma0)), times=times, tolerance=1e-9)
    smooth = (times[:-1] > 1.51) & (times[:-1] < 1.61)  # no element gets stuck there
    for name in ("load.a", "C1.tau", "B2.tau"):
        ours, theirs = np.asarray(result[name])[:-1], found[name.removesuffix(".tau")]
        assert ours[smooth] == pytest.approx(theirs[smooth], abs=1e-4)  # of an interpolant of SciPy
    assert (found["load.a"].max() > 1.8) == (sigma0 == 1e4)
    assert (np.abs(found["C1"]).max() > 6.0) == (sigma0 == 1e4)


@pytest.mark.parametrize(("share", "stable"), [(0.95, True), (1.6, False)])
def test_limit_of_explicit_steps(share: float, stable: bool) -> None:
    """When B2 closes, bristles settle with sigma0 |w|/mu; Runge-Kutta of order 4 is stable up to 2.785 of that."""
    law = aberger2002.table_6()
    slip = abs(aberger2002.shift(law).at(1.5, "B2.w_rel"))
    h = share * 2.785 * 0.5 / (1e5 * slip)
    stepper = aberger2002.gearbox(law).realtime(h, method="ode4", energy=False)
    stepper.run(t_end=1.4999, outputs=[])
    if stable:
        assert abs(stepper.run(t_end=1.51, outputs=["B2.tau"])["B2.tau"][-1]) == pytest.approx(0.5, rel=0.01)
    else:
        with pytest.raises(sb.SimulationError):
            stepper.run(t_end=1.51, outputs=[])


TWO = Boxes(*np.array([[1.0, 0.1, 5.0, TORQUE, DRAG, 0.1, 1e-3], [0.1, 0.005, 1.0, TORQUE, DRAG, 0.1, 1e-3]]).T)
"""Gearboxes with the inertias of HEAVY and LIGHT."""


def test_statements_can_fail() -> None:
    """What the paper says on peaks of C1 and on negative acceleration depends on the inertias, other things do not."""
    runs = {name: run(TWO, name) for name in LAWS}
    assert shifts(runs[STANDARD]).all()
    facts = {key: fact(runs).tolist() for key, fact in FACTS.items()}
    assert facts["alike"] == facts["C2 alike"] == facts["soft C1"] == facts["weak time"] == [True, True]
    assert facts["C1 peaks"] == [False, True] and facts["above 5"] == [True, True]
    assert facts["B2 swings"] == facts["negative"] == [True, False]
    assert facts["stiffer higher"] == [False, False]


def test_gearboxes_of_a_batch_are_single_runs() -> None:
    """Read off the traces of a batch, and of a run of one of its points."""
    traces = run(TWO, STANDARD)
    single = aberger2002.shift(opening=1e-3, tolerance=1e-9)
    assert traces["load.w"][0] == pytest.approx(np.asarray(single["load.w"]), abs=1e-6)
    assert trace_peak(traces, "C1.tau")[0] == pytest.approx(np.abs(np.asarray(single["C1.tau"])).max(), abs=1e-6)
    fine = aberger2002.shift(opening=1e-3, tolerance=1e-9, intervals=40000)
    assert traces["closing 1.5"][0] == pytest.approx(shift_time(fine, 1.5), abs=1e-6)
    assert traces["closing 2.75"][0] == pytest.approx(shift_time(fine, 2.75), abs=1e-6)


def test_a_gearbox_that_does_not_shift_is_left_out() -> None:
    """10 N.m of the engine are more than 5 N.m of C1 can hold."""
    strong = TWO._replace(torque=np.array([TORQUE, 10.0]))
    assert shifts(run(strong, STANDARD)).tolist() == [True, False]


def test_draws_are_the_same_ones() -> None:
    few, many = Boxes.drawn(5), Boxes.drawn(9)
    assert all(np.array_equal(a, b[:5]) for a, b in zip(few, many, strict=True))
    assert (many.load >= many.engine).all() and (many.closing > many.opening.min()).all()


def test_when_a_row_is_above_for_the_last_time() -> None:
    time, sizes = (
        np.arange(5.0),
        np.array([[0.0, 3.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0], [0, 2.0, 2.0, 2.0, 2.0]]),
    )
    assert last_above(time, sizes, 0.5, 0.5, 4.5).tolist() == [2.5, 0.5, 4.5]


@pytest.mark.skipif(best_code() is None, reason="no code of DASSL's family is installed")
def test_gearbox_by_a_code_of_dassls_family() -> None:
    """Two integrators with nothing in common but the right-hand side."""
    law = aberger2002.table_6()
    model = aberger2002.gearbox(law)
    course = by_dassl(model, ["load.w", "B2.tau"], t_end=1.7, tolerance=1e-8, sigma0=1e5, interval=1e-3)
    exact = sb.simulate(model, 1.7, tolerance=1e-10, intervals=8000)
    assert not course.stopped and course.time[-1] == 1.7
    assert course.outputs["load.w"] == pytest.approx(exact.at(course.time, "load.w"), abs=1e-4)


def test_peak_of_bristles_that_begin_straight() -> None:
    """sigma1 w fn, and none if they begin as they slide."""
    straight, bent = (aberger2002.synchronise(engage=rule) for rule in ("zero", "steady"))
    assert peak(straight, "clutch.tau") == pytest.approx(300 * 10 * 10, rel=1e-9)
    assert peak(bent, "clutch.tau") == pytest.approx(5, rel=1e-6)


def test_two_bodies_synchronise_in_one_second() -> None:
    """5 N.m on 0.5 kg.m2 of reduced inertia take 10 rad/s away in 1 s."""
    result = aberger2002.synchronise(engage="steady", closes=0.1)
    assert result.crossings("clutch.w_rel", -1e-3, +1)[-1] == pytest.approx(1.1, abs=1e-3)


@pytest.mark.parametrize("cgeo", [1.0, 0.14])
def test_one_way_clutch_holds_c_max_times_as_much(cgeo: float) -> None:
    """Our element with c_geo, (16) literally without it."""
    back, ahead = (aberger2002.turned_back(cgeo=cgeo, backward=way) for way in (True, False))
    assert ahead.extremes["sprag.tau"]["max"] == pytest.approx(0.5 * cgeo * 10, rel=1e-6)
    assert back.extremes["sprag.tau"]["min"] == pytest.approx(-100 * 0.5 * cgeo * 10, rel=1e-6)
    literal = aberger2002.turned_back(cgeo=cgeo, literally=True)
    assert literal.extremes["sprag.tau"]["min"] == pytest.approx(-100 * 0.5 * 10, rel=1e-6)


def test_one_way_clutch_is_a_clutch_beside_a_free_wheel() -> None:
    one, two = aberger2002.one_way_clutch(), aberger2002.one_way_clutch(parallel=True)
    shares = np.asarray(two["clutch.tau"]) + np.asarray(two["free_wheel.tau"])
    assert np.asarray(one["wheel.w"]) == pytest.approx(np.asarray(two["wheel.w"]), abs=1e-9)
    away = np.min(np.abs(one.time[:, None] - one.events.time[None, :]), axis=1) > 2e-3
    assert np.asarray(one["clutch.tau"])[away] == pytest.approx(shares[away], abs=1e-6)


# --- what is read off curves -----------------------------------------------------------------------------------------


def test_turning_points() -> None:
    values = np.array([0.0, 3.0, 1.0, 2.9, 2.8, 2.85])
    assert turning_points(values, 0.5) == [0.0, 3.0, 1.0, 2.9]
    assert turning_points(values, 0.01) == [0.0, 3.0, 1.0, 2.9, 2.8, 2.85]
    assert turning_points(np.zeros(5), 0.1) == [0.0]


def test_overshoot_and_shift_time() -> None:
    """With standard clutches nothing overshoots, and a shift ends where the last element gets stuck."""
    result = aberger2002.shift(intervals=40000)
    assert overshoot(result, "B2.tau", 1.6265, 0.03) < 1e-3
    assert overshoot(aberger2002.shift(aberger2002.table_6(sigma1=30), intervals=40000), "B2.tau", 1.6265, 0.03) > 0.5
    stuck = max(event.time for event in result.events if event.to == "Stuck" and event.time < 2)
    assert shift_time(result, 1.5) == pytest.approx(stuck - 1.5, abs=0.01)
    assert shift_time(result, 1.5) < stuck - 1.5
