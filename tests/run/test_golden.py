"""Converged values of the papers' machines: each is met to its digits.

`stribeck.studies.papers.converged` says where they come from and when one is met; a run with a tolerance of 1e-11 gives
each with its `accuracy`.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stribeck as sb
from stribeck.studies.papers.converged import GOLDEN

TIGHT = 1e-11

Values = dict[str, float]


def rows(path: Path) -> dict[str, dict[str, str]]:
    with path.open(newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


ROWS = rows(GOLDEN)


def golden(name: str) -> list[float]:
    """The value by each method that gave one."""
    return [float(ROWS[name][column]) for column in ("value_method1", "value_method2") if ROWS[name][column]]


@dataclass(frozen=True)
class Experiment:
    """A run that gives all values of golden.csv whose names begin alike, and how close they come."""

    measure: Callable[[float | None], Values]
    """From the tolerance of the run to values by the ends of their names."""
    accuracy: float
    special: dict[str, float]
    """Accuracy of some of them."""


EXPERIMENTS: dict[str, Experiment] = {}


def experiment(prefix: str, measure: Callable[[float | None], Values], accuracy: float, **special: float) -> None:
    EXPERIMENTS[prefix] = Experiment(measure, accuracy, special)


# --- A, B: the stick-slip rig of guo2017 and aberger2002 -------------------------------------------------------------


def rig(law: Any) -> sb.Model:
    m = sb.Model("stick-slip")
    pull, mass = m.add("pull", sb.Speed(v=0.1)), m.add("mass", sb.Mass(m=1.0))
    m.add("spring", sb.Spring(pull, mass, c=2.0))
    m.add("friction", sb.Guide(mass, law=law))
    return m


def cycles(law: Any, tolerance: float | None) -> tuple[sb.Result, Values]:
    """Three slips: when the mass overtakes the pull, and the time from one to the next."""
    result = sb.simulate(rig(law), t_end=25.0, intervals=5000, tolerance=tolerance)
    crossings = result.crossings("mass.v", 0.1, direction=+1)[:3]
    values = {f".t_cross_vp[{i}]": time for i, time in enumerate(crossings)}
    return result, {**values, ".period": crossings[2] - crossings[1]}


def crossings(law: Any) -> Callable[[float | None], Values]:
    return lambda tolerance: cycles(law, tolerance)[1]


def crossings_and_peak(law: Any) -> Callable[[float | None], Values]:
    def measure(tolerance: float | None) -> Values:
        result, values = cycles(law, tolerance)
        peak = result.extremes["friction.f"]
        # every cycle has the same peak and the largest may be any of them: told as that before the first crossing
        after = ceil((peak["t_max"] - values[".t_cross_vp[0]"]) / values[".period"])
        time = peak["t_max"] - after * values[".period"]
        return {**values, ".F_breakaway_peak": peak["max"], ".t_peak": time}

    return measure


# a maximum is flat: the time of the peak is less sharp than its size
PEAK = {".t_peak": 1e-6}
BRISTLE = {"sigma0": 1e5, "sigma1": 1e5**0.5, "mu_c": 1.0, "mu_s": 1.5}
LUGRE = {**BRISTLE, "v_s": 1e-3}

for name, law in {
    "A.LuGre_s2_0.5": sb.LuGre(**LUGRE, sigma2=0.5),
    "A.simplifiedLuGre_s2_0.5": sb.SimplifiedLuGre(**BRISTLE, sigma2=0.5, dv=0.01),
    "A.simplifiedLuGre_s2_0.4": sb.SimplifiedLuGre(**BRISTLE, sigma2=0.4, dv=0.01),
    "A.improvedDahl_s2_0.5": sb.ImprovedDahl(**BRISTLE, sigma2=0.5, dv=0.01),
    "A.improvedDahl_s2_0.4": sb.ImprovedDahl(**BRISTLE, sigma2=0.4, dv=0.01),
    "B.LuGre_Table1_s1_316.23": sb.LuGre(**LUGRE | {"sigma1": 316.23}, sigma2=0.4),  # Table 1 rounds sqrt(sigma0)
    "B.LuGre_canonical_s1_sqrt1e5": sb.LuGre(**LUGRE, sigma2=0.4),
}.items():
    experiment(name, crossings_and_peak(law), 1e-10, **PEAK)
experiment("A.Dahl", crossings(sb.Dahl(sigma0=1e5, mu_c=1.0)), 1e-10)


def bearing_friction(tolerance: float | None) -> Values:
    """The classic switch: a cycle of slip and stick, and what it counts as events."""
    result = sb.simulate(sb.load_model("stick-slip-switch"), t_end=25.0, intervals=5000, tolerance=tolerance)
    away, stop, again = result.events.time[:3]
    # Modelica counts relations: static limit exceeded and speed positive at break-away, speed zero at the stop
    relations = sum({"Forward": 2, "Stuck": 1}[event.to] for event in result.events)
    resting = np.searchsorted(result.time, stop)  # from the stop on the spring is pulled with 0.1 rad/s
    torque = np.asarray(result["friction.tau"])[resting] - 2.0 * 0.1 * (result.time[resting] - stop)
    return {
        ".slip_time": stop - away,
        ".F_stop": torque,
        ".period": again - away,
        ".state_events_25s": relations,
    }


experiment("B.BearingFriction", bearing_friction, 1e-10)


def bristle_turns(tolerance: float | None) -> Values:
    """How often the bristles turn back: changes of sign of dz/dt that leave a band of 1e-8 around 0."""
    result = sb.simulate(rig(sb.LuGre(**LUGRE, sigma2=0.4)), t_end=25.0, intervals=100_000, tolerance=tolerance)
    v, z = np.asarray(result["mass.v"]), np.asarray(result["friction.z"])
    rate = v - 1e5 * np.abs(v) * z / (1.0 + 0.5 * np.exp(-((v / 1e-3) ** 2)))
    signs = np.sign(rate[np.abs(rate) > 1e-8])
    return {"": int(np.count_nonzero(np.diff(signs)))}


experiment("B.LuGre.dzdt_sign_changes_25s", bristle_turns, 0)


# --- D: bataus2011, a car that starts --------------------------------------------------------------------------------


def launch(tolerance: float | None) -> Values:
    """When the clutch sticks, its torque before and after, and the end; the paper counts torque and twist forwards."""
    m = sb.load_model("powertrain-3")
    (lock,) = (event.time for event in sb.simulate(m, tolerance=tolerance).events if event.to == "Stuck")
    result = sb.simulate(m, times=[0.0, lock + 1e-12, 4.0], tolerance=tolerance)  # outputs jump where it sticks
    end = {".w1(4s)": "engine.w", ".w2(4s)": "gearbox.w", ".w3(4s)": "car.w"}
    return {
        ".t_lock": lock,
        ".w_lock": result["engine.w"][1],
        ".Tc_before": -result.extremes["clutch.tau"]["min"],
        ".Tc_stick": -result["clutch.tau"][1],
        **{name: result[output][-1] for name, output in end.items()},
        ".theta(4s)": -result["shaft.phi_rel"][-1],
    }


experiment("D.powertrain", launch, 1e-8)


# --- E: the mass on a belt of petrun2012 -----------------------------------------------------------------------------


def belt(law: Any) -> sb.Model:
    """Seen from the belt, which moves with 1 m/s: the wall moves backwards, and so does the mass at the start."""
    m = sb.Model("belt")
    wall, mass = m.add("wall", sb.Speed(v=-1.0)), m.add("mass", sb.Mass(m=1.0, v0=-1.0))
    m.add("spring", sb.SpringDamper(wall, mass, c=1.0, d=0.1))
    m.add("friction", sb.Guide(mass, law=law))
    return m


def belt_cycles(law: Any, first: bool = True) -> Callable[[float | None], Values]:
    def measure(tolerance: float | None) -> Values:
        result = sb.simulate(belt(law), t_end=32.0, intervals=16000, tolerance=tolerance)
        turns = result.crossings("mass.v", -1.0, direction=-1)
        return {".period": turns[-1] - turns[-2], **({".t_vzero_down[0]": turns[0]} if first else {})}

    return measure


BELT = {"sigma0": 1e4, "sigma1": 100.0, "sigma2": 0.0, "mu_c": 1.0, "mu_s": 2.0, "v_s": 0.5, "exponent": 1.0}
experiment("E.belt.LuGre", belt_cycles(sb.LuGre(**BELT)), 1e-10)
experiment("E.belt.EP_kappa0.8", belt_cycles(sb.ModifiedElastoPlastic(**BELT, kappa=0.8)), 1e-10)
experiment("E.belt.EP_Dupont2002_zba0.9Fc", belt_cycles(sb.ElastoPlastic(**BELT, z_ba=0.9e-4)), 1e-10)
experiment(
    "E.belt.exact_stick_slip",
    belt_cycles(sb.Stribeck(mu_c=1.0, mu_s=2.0, v_s=0.5, exponent=1.0), first=False),
    1e-10,
)


def threshold(tolerance: float | None) -> Values:
    """The friction with which the mass just reaches the speed of the belt; until then its speed is proportional."""
    result = sb.simulate(belt(sb.Coulomb(mu_c=1.0)), t_end=5.0, tolerance=tolerance)
    return {"": 1.0 / (1.0 + result.extremes["mass.v"]["max"])}


experiment("E.belt.Coulomb_no_stick_threshold", threshold, 1e-10)


# --- F: nouailletas2010 ----------------------------------------------------------------------------------------------

IDEAL = sb.Stribeck(mu_c=1.0, mu_s=1.5, v_s=1e-3, mu_v=0.4)  # the hybrid model with Sigma = 0 and p0 = inf


def ideal_stick_slip(tolerance: float | None) -> Values:
    values = cycles(IDEAL, tolerance)[1]
    return {name: values[name] for name in (".period", ".t_cross_vp[0]")}


experiment("F.hybrid_ideal.stickslip", ideal_stick_slip, 1e-10)


def controlled(law: Any) -> sb.Model:
    """A mass that a PID controller brings to 1 m: (13) with Table 1."""
    m = sb.Model("PID")
    mass = m.add("mass", sb.Mass(m=1.0))
    m.add("friction", sb.Guide(mass, law=law))
    error, speed = mass.sensor("s") - 1.0, mass.sensor("v")
    m.add("motor", sb.Force(mass, f=-3.0 * error - 6.0 * speed - 4.0 * sb.Integral(error)))
    return m


def limit_cycle(law: Any, t_end: float, high: str) -> Callable[[float | None], Values]:
    """The last period, and the highest position in it, where the mass turns or rests."""

    def measure(tolerance: float | None) -> Values:
        result = sb.simulate(controlled(law), t_end=t_end, intervals=200_000, tolerance=tolerance)
        passes = result.crossings("mass.s", 1.0, direction=+1)
        turns = result.crossings("mass.v", 0.0, direction=-1)
        positions = np.concatenate([np.asarray(result["mass.s"]), result.at(turns, "mass.s")])
        late = np.concatenate([result.time, turns]) > t_end - 26.0
        return {".period": passes[-1] - passes[-2], high: positions[late].max()}

    return measure


experiment("F.hybrid_ideal.PID", limit_cycle(IDEAL, 200.0, ".stick_x_high"), 1e-10)
experiment("F.LuGre.PID", limit_cycle(sb.LuGre(**LUGRE, sigma2=0.4), 180.0, ".x_max_late"), 1e-10)


def pushed(law: Any) -> sb.Model:
    """The drift test: a force that rises to 0.7 N and then swings by 0.2 N, below the Coulomb friction of 1 N."""
    m = sb.Model("drift")
    mass = m.add("mass", sb.Mass(m=1.0))
    m.add("friction", sb.Guide(mass, law=law))
    swing = sb.Sine(amplitude=0.2, f=0.5, start=2.0)
    m.add("push", sb.Force(mass, f=sb.Ramp(height=0.7, duration=2.0) + swing))
    return m


def drift(law: Any, *at: int) -> Callable[[float | None], Values]:
    def measure(tolerance: float | None) -> Values:
        result = sb.simulate(pushed(law), times=[0.0, *at], tolerance=tolerance)
        return {f".x({t} s)": x for t, x in zip(at, np.asarray(result["mass.s"])[1:], strict=True)}

    return measure


K1, K2 = 110.0, 2 * 110.0**0.5  # Table 2: f_s/z_max and 2 sqrt(m f_s/z_max)
SOFT = {"mu_c": 1.0, "mu_s": 1.1, "v_s": 0.1}
BRISTLE_SOFT = {**SOFT, "sigma0": K1, "sigma1": K2, "sigma2": 0.0}
experiment("F.drift.LuGre", drift(sb.LuGre(**BRISTLE_SOFT), 4, 52, 102), 1e-10)
experiment("F.drift.EP=hybrid", drift(sb.ElastoPlastic(**BRISTLE_SOFT, z_ba=0.009), 102), 1e-13)


# --- all of them -----------------------------------------------------------------------------------------------------


def claimed(prefix: str) -> list[str]:
    """The rows that an experiment answers for."""
    return [name for name in ROWS if name.startswith(prefix)]


def check(prefix: str, values: Values, factor: float = 1.0) -> None:
    found, experiment = {prefix + name: value for name, value in values.items()}, EXPERIMENTS[prefix]
    assert set(found) == set(claimed(prefix))
    for name, value in found.items():
        allowed = factor * experiment.special.get(name.removeprefix(prefix), experiment.accuracy)
        expected = golden(name)
        allowed += max(expected) - min(expected)
        assert all(abs(value - other) <= allowed for other in expected), f"{name} = {value!r}, not {expected}"


@pytest.mark.parametrize("prefix", EXPERIMENTS)
def test_met_to_their_digits(prefix: str) -> None:
    check(prefix, EXPERIMENTS[prefix].measure(TIGHT))


@pytest.mark.parametrize("prefix", EXPERIMENTS)
def test_met_at_the_default_tolerance(prefix: str) -> None:
    """Nothing of the papers is lost without asking for accuracy: no slip more or less, times to a microsecond.

    The tolerance is 1e-6 instead of 1e-11; the methods are of order 5, errors are about 1e4 times those of above.
    """
    check(prefix, EXPERIMENTS[prefix].measure(None), 1e4)


def test_no_value_is_met_twice() -> None:
    """The others (gearboxes, the clutch of a test bed, figures of a sensor) are met in the studies of the papers."""
    names = [name for prefix in EXPERIMENTS for name in claimed(prefix)]
    assert len(names) == len(set(names))


def test_hybrid_with_presliding_does_not_drift() -> None:
    """The same row as elasto-plastic, where it is the second method."""
    law = sb.HybridPresliding(**SOFT, k1=K1, k2=K2, z_max=0.01, Sigma=1e-4)
    (found,), (expected, _) = drift(law, 102)(TIGHT).values(), golden("F.drift.EP=hybrid.x(102 s)")
    assert found == pytest.approx(expected, rel=0, abs=1e-11)


@pytest.mark.parametrize("law", [sb.ElastoPlastic(**BRISTLE_SOFT, z_ba=0.009)], ids=["ElastoPlastic"])
def test_bounded_for_ever(law: Any) -> None:
    """Where LuGre creeps by 8.8 mm in each period of 2 s, others come back to where they were."""
    result = sb.simulate(pushed(law), t_end=102.0, tolerance=1e-9)
    assert np.abs(np.asarray(result["mass.s"])).max() < 0.01


@pytest.mark.parametrize("part, sticks", [(1 - 1e-6, False), (1 + 1e-6, True)], ids=["below", "above"])
def test_coulomb_on_the_belt_sticks_above_the_threshold(part: float, sticks: bool) -> None:
    law = sb.Coulomb(mu_c=part * golden("E.belt.Coulomb_no_stick_threshold")[0])
    events = sb.simulate(belt(law), t_end=40.0, tolerance=1e-9).events
    assert (len(events) > 0) == sticks


def test_copy_agrees_with_its_source(shared: Path) -> None:
    assert rows(shared / "reference" / "golden" / "summary.csv") == ROWS
