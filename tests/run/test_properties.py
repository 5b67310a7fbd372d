"""What holds for every machine: random chains of inertias with springs, dampers, frictions of both laws and torques."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import stribeck as sb

T_END, INTERVALS = 2.0, 20
few = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


# --- random machines -------------------------------------------------------------------------------------------------


def between(low: float, high: float) -> st.SearchStrategy[float]:
    """A number with few digits, so that failing examples can be read."""
    return st.integers(0, 100).map(lambda part: float(f"{low * (high / low) ** (part / 100):.3g}"))


@dataclass(frozen=True)
class Contact:
    bristle: bool
    mu_c: float
    ratio: float
    """Static over kinetic friction."""
    load: str

    def plain(self) -> dict[str, Any]:
        law: dict[str, Any] = {"type": "Switch", "mu_c": self.mu_c, "mu_s": self.mu_c * self.ratio, "mu_v": 0.1}
        if self.bristle:
            law = {"type": "LuGre", "sigma0": 1e3, "sigma1": 10.0, "sigma2": 0.1, "v_s": 0.02} | {
                key: law[key] for key in ("mu_c", "mu_s")
            }
        loads: dict[str, Any] = {
            "one": 1.0,
            "swings": {"type": "Sine", "amplitude": 0.5, "f": 0.9, "offset": 1.0},
            "jumps": {"type": "Step", "height": 0.7, "start": 0.8, "offset": 0.5},
            "vanishes": {"type": "Table", "time": [0.3, 0.6, 0.9, 1.2], "value": [1.0, 0.0, 0.0, 1.0]},
        }
        return {"law": law, "load": loads[self.load]}


@dataclass(frozen=True)
class Body:
    inertia: float
    speed: float
    contacts: tuple[Contact, ...]
    drive: str
    torque: float
    stiffness: float
    """Of the spring to the next body, or to the ground behind the last one."""
    damping: float

    def signal(self, sign: int) -> dict[str, Any]:
        torque = sign * self.torque
        signals: dict[str, dict[str, Any]] = {
            "constant": {"type": "Constant", "value": torque},
            "step": {"type": "Step", "height": torque, "start": 0.4},
            "ramp": {"type": "Ramp", "height": torque, "duration": 1.1},
            "sine": {"type": "Sine", "amplitude": torque, "f": 1.3},
            "table": {"type": "Table", "time": [0.1, 0.7, 1.5], "value": [0.0, torque, -torque]},
        }
        return signals[self.drive]


contacts = st.builds(
    Contact,
    bristle=st.booleans(),
    mu_c=between(0.1, 3.0),
    ratio=st.sampled_from([1.0, 1.3, 2.0]),
    load=st.sampled_from(["one", "one", "swings", "jumps", "vanishes"]),
)
chains = st.lists(
    st.builds(
        Body,
        inertia=between(0.1, 10.0),
        speed=st.sampled_from([0.0, 0.0, 0.7, -1.3]),
        contacts=st.lists(contacts, max_size=2).map(tuple),
        drive=st.sampled_from(["constant", "step", "ramp", "sine", "table"]),
        torque=between(0.3, 10.0),
        stiffness=between(0.3, 300.0),
        damping=st.sampled_from([0.0, 0.05, 1.0]),
    ),
    min_size=1,
    max_size=4,
)

TURNING = {"body": "Inertia", "J": "J", "w0": "w0", "friction": "Bearing", "drive": "Torque", "tau": "tau"}
MOVING = {"body": "Mass", "J": "m", "w0": "v0", "friction": "Guide", "drive": "Force", "tau": "f"}


def model(chain: list[Body], sign: int = 1, words: dict[str, str] = TURNING, shuffle: int | None = None) -> sb.Model:
    """The machine; mirrored with sign = -1, along a line with the words MOVING, its elements in another order."""
    elements: dict[str, dict[str, Any]] = {}
    for k, body in enumerate(chain):
        name = f"body{k}"
        elements[name] = {"type": words["body"], words["J"]: body.inertia, words["w0"]: sign * body.speed}
        elements[f"spring{k}"] = {"type": "SpringDamper", "a": name, "c": body.stiffness, "d": body.damping} | (
            {"b": f"body{k + 1}"} if k + 1 < len(chain) else {}
        )
        elements[f"drive{k}"] = {"type": words["drive"], "a": name, words["tau"]: body.signal(sign)}
        for i, contact in enumerate(body.contacts):
            elements[f"friction{k}{i}"] = {"type": words["friction"], "a": name} | contact.plain()
    items = list(elements.items())
    if shuffle is not None:
        random.Random(shuffle).shuffle(items)
    return sb.Model.from_dict({"name": "chain", "elements": dict(items)})


def run(chain: list[Body], tolerance: float = 1e-7, **how: Any) -> sb.Result:
    return sb.simulate(model(chain, **how), T_END, intervals=INTERVALS, tolerance=tolerance)


# --- properties ------------------------------------------------------------------------------------------------------


@few
@given(chains)
def test_every_machine_runs_and_keeps_its_books(chain: list[Body]) -> None:
    result = run(chain)
    assert np.isfinite(result.data).all()
    assert len(result.events) < 300

    # rounding is relative to the energy that moves back and forth, integration errors to the nominal speed of 1 rad/s,
    # too
    energy = result.energy
    swing = sum(0.5 * body.inertia * np.abs(result[f"body{k}.w"]).max() ** 2 for k, body in enumerate(chain))
    size = energy.throughput + swing
    assert abs(energy.residual) < 1e-12 * size
    assert abs(energy.numerical) < 1e-5 * (size + sum(0.5 * body.inertia for body in chain))


@few
@given(chains)
def test_friction_stays_within_its_limits(chain: list[Body]) -> None:
    """A contact that sticks holds at most its static limit, one that slides opposes its slip."""
    result = run(chain)
    for k, body in enumerate(chain):
        for i, contact in enumerate(body.contacts):
            if contact.bristle:
                continue
            name = f"friction{k}{i}"
            tau, slip, mode = (np.asarray(result[f"{name}.{signal}"]) for signal in ("tau", "w_rel", "mode"))
            largest = 1.5 if contact.load == "swings" else 1.2 if contact.load == "jumps" else 1.0
            limit = contact.mu_c * contact.ratio * largest
            assert (np.abs(tau[mode == 0]) <= limit * (1 + 1e-9)).all()
            assert (np.abs(slip[mode == 0]) < 1e-12).all()
            assert (tau * slip >= -1e-12).all()
            assert (tau[mode == 2] == 0).all()


@few
@given(chains)
def test_extremes_enclose_the_grid(chain: list[Body]) -> None:
    """Exactly: what the table holds is never outside of them."""
    result = sb.simulate(model(chain), T_END, intervals=500)
    for name in result.names:
        values, extremes = np.asarray(result[name]), result.extremes[name]
        assert extremes["min"] <= values.min(), name
        assert extremes["max"] >= values.max(), name


@few
@given(chains)
def test_a_mirrored_machine_moves_mirrored(chain: list[Body]) -> None:
    there, back = run(chain), run(chain, sign=-1)
    for name in there.names:
        free = (np.asarray(there[name]) == 2) & name.endswith(".mode")
        assert np.array_equal(np.asarray(there[name])[~free], -np.asarray(back[name])[~free]), name
    assert there.events.time.tolist() == back.events.time.tolist()


@few
@given(chains)
def test_what_turns_moves_like_what_slides(chain: list[Body]) -> None:
    turning, moving = run(chain), run(chain, words=MOVING)
    assert np.array_equal(turning.data, moving.data)
    assert turning.events.time.tolist() == moving.events.time.tolist()


@few
@given(chains, st.integers(0, 1000))
def test_the_order_of_the_elements_does_not_matter(chain: list[Body], shuffle: int) -> None:
    """Other coordinates and another elimination: the same motion to the tolerance of the runs, and some."""
    tolerance, close = 1e-11, 1e-8
    first, second = run(chain, tolerance), run(chain, tolerance, shuffle=shuffle)
    assert sorted(first.names) == sorted(second.names)
    for name in first.names:
        if name.endswith((".w", ".phi")):
            size = np.abs(first[name]).max() + 1.0
            assert np.abs(np.asarray(first[name]) - np.asarray(second[name])).max() < close * size, name


@pytest.mark.parametrize("name", ["stick-slip", "stick-slip-switch"])
def test_where_a_machine_stands_does_not_matter(name: str) -> None:
    """After a million rad the spring between two turning ends still has all its digits."""
    runs = []
    for turned in (0.0, 1e6):
        rig = sb.load_model(name)
        for element in ("pull", "mass"):
            sb.set_parameter(rig, f"{element}.phi0", turned)
        runs.append(sb.simulate(rig, tolerance=1e-10))
    here, there = runs
    assert np.asarray(there["mass.w"]) == pytest.approx(np.asarray(here["mass.w"]), abs=1e-8)
    assert there.statistics.steps < 1.1 * here.statistics.steps


@pytest.mark.slow
@pytest.mark.parametrize(
    "holds",
    [
        test_every_machine_runs_and_keeps_its_books,
        test_friction_stays_within_its_limits,
        test_extremes_enclose_the_grid,
        test_a_mirrored_machine_moves_mirrored,
        test_what_turns_moves_like_what_slides,
    ],
)
def test_thousands_of_machines(holds: Any) -> None:
    """The same for other machines every time."""
    settings(few, max_examples=3000, derandomize=False)(given(chains)(holds.hypothesis.inner_test))()
