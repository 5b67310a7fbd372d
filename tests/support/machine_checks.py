"""What must hold for every machine: within one run, and between runs of the same machine in other words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

import stribeck as sb
from stribeck import laws
from stribeck.laws.law import Role

from .builder import T_END, Machine, Plain
from .relabel import relabel

INTERVALS = 53
"""Of the output grid: none of its points is a break of a signal."""

COARSE, TIGHT, OUTSIDE = 1e-7, 1e-11, 1e-9
"""Tolerances: of a usual run, of one to compare with, and of the integrator of others."""

ACCURATE, SAME, ALIKE = 1e-4, 1e-8, 1e-9
"""Shares of their range by which results may differ: between tolerances and integrators, in other words, of images."""

CHANGE, SENSITIVE = 1e-12, 1e-9
"""A change of the start, and the response of positions and speeds, as a share of their range, that is too much.

Between a tolerance and the bar of its comparison there is a factor of 1e3 or more; a machine that amplifies by more
is sensitive and cannot be compared.
"""

SLOW = 0.1
"""Least range (SI) of positions and speeds for sensitivity: springs make speeds of 1e-10 of a position changed by
1e-12, which amplifies nothing."""

STILL = 1e-6
"""Size (SI) below which a quantity is that of something at rest: rounding has no relative accuracy."""

BLOCKED = "it is driven against the direction that it blocks"
"""What a run says of a machine that has no motion: such as a motor that drives a worm from its far side."""

ROUNDED = 1e-12
"""Difference (SI) that is rounding, whatever the range: machines at rest have speeds of 1e-15."""

RESIDUAL = 1e-12
"""Share of all energies that went back and forth which their balance may leave over: the rounding of 1e4 sums."""

SWITCH = {
    law.__name__: law.with_role(Role.STATIC) or law.with_role(Role.COULOMB) or "mu"
    for law in laws.all_laws().values()
    if issubclass(law, laws.LockingLaw) and law.lock == "switch"
}
"""Laws that stick with slip 0, and the parameter of their largest static friction."""

ODD = ("w_rel", "phi_rel", "v_rel", "s_rel", "tau", "f", "z", "dT", "Q_flow")
"""What changes its sign when an element is turned round."""

MOTION = ("phi", "w", "s", "v")
OPPOSITE = (*ODD, *MOTION, "tau_a", "tau_b", "tau_loss")
"""What is the opposite in an element that moves the opposite way."""

INTERNAL = {name for law in laws.all_laws().values() for name, state in law.states.items() if state.unit in ("1", "s")}
"""Modes and shares of laws, which mean something at certain speeds only, and times at rest: those of a contact without
load, in a machine at rest, begin again by rounding. Where they matter, forces and motions differ too."""


class Fault(NamedTuple):
    """Something that does not hold: a kind that distinguishes faults, and the numbers."""

    kind: str
    text: str


@dataclass
class Verdict:
    """What was found about a machine.

    >>> check(Machine(driveline(7))).faults
    []
    """

    faults: list[Fault] = field(default_factory=list)
    refused: str = ""
    """The message of a machine that was refused."""
    parts: float | None = None
    """The time (s) from which on a sensitive machine is not compared."""
    bridged: int = 0
    """Instants that were carried over by an implicit step."""
    events: int = 0


def run(plain: Plain, tolerance: float, solver: str = "auto") -> sb.Result:
    """The run of a machine."""
    return sb.simulate(sb.Model.from_dict(plain), T_END, intervals=INTERVALS, tolerance=tolerance, solver=solver)


def check(machine: Machine, *, compare: bool = False, outside: bool = False) -> Verdict:
    """Everything that does not hold; with `compare` also between runs, with `outside` also another integrator's.

    >>> check(Machine(driveline(7)), compare=True).faults
    []
    """
    verdict = Verdict()
    try:
        runs = Runs(machine.plain)
        result = runs.coarse
        statistics = result.statistics
        verdict.bridged, verdict.events = getattr(statistics, "bridged", 0), statistics.state_events
        verdict.faults += within(machine, result)
        if compare and not verdict.faults:
            verdict.parts = runs.parts
            verdict.faults += between(machine, runs, outside)
    except sb.SimulationError as error:
        kind = str(error).split(": ")[2].partition(" (")[0].partition(";")[0]
        if kind.startswith(BLOCKED):
            verdict.refused = f"run: {kind}"
        else:
            verdict.faults.append(Fault(f"run: {kind}", str(error)))
    except sb.SpecError as error:
        verdict.refused = str(error)
    except Exception as error:
        verdict.faults.append(Fault(f"error: {type(error).__name__}", f"{type(error).__name__}: {error}"))
    return verdict


def faults(plain: Plain, *, compare: bool = True) -> list[Fault]:
    """Everything that does not hold for a machine that must not be refused.

    >>> faults(driveline(7))
    []
    """
    verdict = check(Machine(plain), compare=compare)
    return [*verdict.faults, *([Fault("refused", verdict.refused)] if verdict.refused else [])]


def refusal_kind(message: str) -> str:
    """A refusal without the names and numbers in it.

    >>> refusal_kind("stop 'end': at the start s_rel = 2 m is beyond s_max = 1; start between the ends")
    'stop #: at the start s_rel = # m is beyond s_max = #'
    """
    return re.sub(r"'[^']*'|-?\d[\d.e+-]*", "#", message).partition(";")[0]


class Runs:
    """The runs of a machine, each done once, when it is asked for."""

    def __init__(self, plain: Plain) -> None:
        self.plain = plain

    @cached_property
    def coarse(self) -> sb.Result:
        """At the usual tolerance."""
        return run(self.plain, COARSE)

    @cached_property
    def tight(self) -> sb.Result:
        """At a tolerance that leaves no visible error."""
        return run(self.plain, TIGHT)

    @cached_property
    def parts(self) -> float | None:
        """The time (s) before which a twin with a slightly different start agrees; None: always."""
        one, other = self.tight, run(changed_start(self.plain), TIGHT)
        largest = np.zeros(one.time.size)
        for word in MOTION:
            rows = [(np.asarray(one[name]), np.asarray(other[name])) for name in one.names if name.endswith(f".{word}")]
            scale = max([SLOW, *(float(np.abs(row).max()) for row, _ in rows)])
            for row, mate in rows:
                largest = np.maximum(largest, np.abs(row - mate) / scale)
        beyond = np.flatnonzero(np.where(near_events(one, other), 0.0, largest) > SENSITIVE)
        return float(one.time[max(int(beyond[0]) - MARGIN, 0)]) if beyond.size else None


MARGIN = 2
"""Intervals of the grid that are left out before a sensitive machine and its twin part."""


def changed_start(plain: Plain) -> Plain:
    """The machine with positions and speeds at the start changed by about 1e-12.

    >>> changed_start({"elements": {"mass": {"type": "Mass", "m": 1, "v0": 2.0}}})["elements"]["mass"]["v0"]
    2.0000000000009
    """
    rng = np.random.default_rng(12)
    elements = {}
    for name, values in plain["elements"].items():
        new = dict(values)
        for body, position, speed in (("J", "phi0", "w0"), ("m", "s0", "v0")):
            if body in values:
                place = values.get(position, 0.0)
                new[position] = place + 0.4 * CHANGE * max(1.0, abs(place)) * rng.uniform(-1, 1)
                new[speed] = values.get(speed, 0.0) * (1 + CHANGE * rng.uniform(-1, 1))
        elements[name] = new
    return plain | {"elements": elements}


# --- within one run ---------------------------------------------------------------------------------------------------


def within(machine: Machine, result: sb.Result) -> list[Fault]:
    """What does not hold in one run."""
    plain = machine.plain
    checks: tuple[Callable[[Plain, sb.Result], Iterator[Fault]], ...] = (_finite, _ledger, _rest, _limits, _one_way)
    return [fault for check in checks for fault in check(plain, result)]


def _finite(plain: Plain, result: sb.Result) -> Iterator[Fault]:
    bad = [name for name, row in zip(result.names, result.data, strict=True) if not np.isfinite(row).all()]
    if bad:
        yield Fault("not finite", ", ".join(bad))


def _ledger(plain: Plain, result: sb.Result) -> Iterator[Fault]:
    """The residual is rounding: of the energies that went back and forth, of which the net sums say nothing."""
    whole = exchanged(plain, result)
    if abs(result.energy.residual) > RESIDUAL * max(whole, STILL**2):
        yield Fault("residual", f"residual {result.energy.residual:.3g} J of {whole:.3g} J")


def exchanged(plain: Plain, result: sb.Result) -> float:
    """All energies (J) that went back and forth."""
    energy = result.energy
    terms = (energy.input, energy.stored, energy.dissipated, energy.initial, energy.released)
    whole = sum(abs(value) for part in terms for value in part.values())
    for name, values in plain["elements"].items():
        if "J" in values or "m" in values:
            inertia, speed = values.get("J", values.get("m")), _word(result, name, "w", "v")
            whole += 0.5 * inertia * float(np.abs(np.diff(speed**2)).sum())
    return float(whole)


def _word(result: sb.Result, name: str, *words: str) -> np.ndarray:
    return np.asarray(next(result[f"{name}.{word}"] for word in words if f"{name}.{word}" in result.names))


def sticks(values: Plain) -> bool:
    """Whether an element sticks with slip 0."""
    if values["type"] == "TorqueConverter":
        return False  # its slip is not shown
    if values["type"] == "LossyJoint" and "c" not in values:
        return False  # as LossyGear: an impulse at the start may leave it Stuck in motion
    return values["type"] == "FreeWheel" or values.get("law", {}).get("type") in SWITCH


def _scale(result: sb.Result) -> np.ndarray:
    """The largest speed at each time, but not below 1."""
    speeds = [row for name, row in zip(result.names, result.data, strict=True) if name.endswith((".w", ".v"))]
    return np.maximum(1.0, np.max(np.abs(speeds), axis=0))


def _rest(plain: Plain, result: sb.Result) -> Iterator[Fault]:
    """Stuck means slip 0, to the rounding of the speeds that it is the difference of."""
    for name, values in plain["elements"].items():
        if sticks(values):
            stuck = np.asarray(result[f"{name}.mode"] == 0)
            slip = np.where(stuck, np.abs(_word(result, name, "w_rel", "v_rel")) / _scale(result), 0.0)
            if slip.max() > 1e-12:
                yield Fault("slip", f"{name} is stuck with a slip of {slip.max():.3g} of the speeds")


def _limits(plain: Plain, result: sb.Result) -> Iterator[Fault]:
    """Holding torques stay within their limits, but for the rounding of the event."""
    for name, values in plain["elements"].items():
        load = _load(name, values, result) if sticks(values) and "law" in values else None
        if load is None:
            continue
        word = SWITCH[values["law"]["type"]]
        law = values["law"]
        static = law["mu"][0] * law.get("peak", 1.5) if word == "mu" else law[word]
        torque = np.abs(_word(result, name, "tau", "f"))
        stuck = np.asarray(result[f"{name}.mode"] == 0)
        beyond = np.where(stuck, torque - (1 + 1e-9) * load * static, 0.0)
        if beyond.max() > 1e-9 * torque.max():
            at = int(np.argmax(beyond))
            yield Fault("limit", f"{name} holds {torque[at]:.9g} of {load[at] * static:.9g} at {result.time[at]:.4g} s")


def _load(name: str, values: Plain, result: sb.Result) -> np.ndarray | None:
    """The normal load of a friction element; None where it holds more one way, or less as it becomes warm."""
    if values["type"] == "OneWayClutch" or "fade" in values or "load_backward" in values:
        return None
    if values["type"] == "LossyJoint":
        forward = values["k_forward"]
        through = -np.sign(_word(result, name, "tau", "f")) * _word(result, name, "tau_b", "f_b")
        least = values.get("tau_0", values.get("f_0", 0.0))
        return least + np.maximum(forward * through, -values.get("k_backward", forward) * through)
    if "fn_max" in values:
        pressed = np.asarray(result[f"{name}.f_normalized"])
        return np.maximum(pressed, 0.0) * values["fn_max"] * values.get("cgeo", 1.0)
    load = values.get("load", 1.0)
    return np.maximum(np.asarray(result[load]) if isinstance(load, str) else np.full(result.time.size, load), 0.0)


def _one_way(plain: Plain, result: sb.Result) -> Iterator[Fault]:
    """Free-wheels do not fall behind, and nothing goes beyond a stop."""
    for name, values in plain["elements"].items():
        if values["type"] == "FreeWheel":
            behind = float((-_word(result, name, "w_rel", "v_rel") / _scale(result)).max())
            if behind > 1e-9:
                yield Fault("free-wheel", f"{name} falls behind by {behind:.3g} of the speeds")
        if values["type"] == "Stop":
            position = _word(result, name, "phi_rel", "s_rel")
            low, high = (values.get(f"phi_{end}", values.get(f"s_{end}")) for end in ("min", "max"))
            ends = (-np.inf if low is None else low, np.inf if high is None else high)
            beyond = float(np.maximum(ends[0] - position, position - ends[1]).max())
            if beyond > COARSE * max(1.0, float(np.abs(position).max())):  # a body on a moving stop is integrated
                yield Fault("stop", f"{name} is passed by {beyond:.3g}")


def _images(machine: Machine, result: sb.Result, kind: str) -> Iterator[tuple[Fault, np.ndarray]]:
    """Parts of a symmetric machine move alike."""
    scale: dict[str, float] = {}
    for name in result.names:
        shared = kind_of(name.partition(".")[2])
        scale[shared] = max(scale.get(shared, STILL), float(np.abs(result[name]).max()))
    for first, *others in machine.images:
        words = [name.partition(".")[2] for name in result.names if name.startswith(f"{first}.")]
        for other in others:
            for word in words:
                if not _compared(word) or (other[0] == "-" and word not in OPPOSITE):
                    continue
                mate = np.asarray(result[f"{other.removeprefix('-')}.{word}"]) * (-1.0 if other[0] == "-" else 1.0)
                gap = _apart(np.asarray(result[f"{first}.{word}"]), mate) / scale[kind_of(word)]
                if gap.max() > ALIKE:
                    text = f"{first}.{word} and {other}.{word} are {gap.max():.3g} of the range apart"
                    yield Fault(kind, text), gap > ALIKE


def _before_parting(found: Iterator[tuple[Fault, np.ndarray]], runs: Runs) -> list[Fault]:
    """The first fault of those that come before a sensitive machine parts from its twin."""
    for fault, wrong in found:
        if runs.parts is None or wrong[runs.coarse.time < runs.parts].any():
            return [fault]
    return []


# --- between runs -----------------------------------------------------------------------------------------------------


def between(machine: Machine, runs: Runs, outside: bool) -> list[Fault]:
    """What does not hold between runs, up to where a sensitive machine parts from its twin."""
    other, names, turned = relabel(machine.plain, seed=1)
    found = [
        ("accuracy", ACCURATE, differences(runs.coarse, runs.tight)),
        ("relabelled", SAME, differences(runs.tight, run(other, TIGHT), names, turned)),
    ]
    if outside and "Delay" not in repr(machine.plain):  # which needs the past, and only the kernel keeps it
        found.append(("outside", ACCURATE, differences(runs.tight, run(machine.plain, OUTSIDE, solver="cvode"))))
    same = runs.tight.time < (np.inf if runs.parts is None else runs.parts)
    faults = []
    for kind, bar, apart in found:
        size = {quantity: float(gap[same].max(initial=0.0)) for quantity, (_, gap) in apart.items()}
        worst = max(size, key=lambda quantity: size[quantity], default="")
        if worst and size[worst] > bar:
            moves = any(size.get(quantity, 0.0) > bar for quantity in MOTION)
            text = f"{worst} differs by {size[worst]:.3g} of its range, most at {apart[worst][0]}"
            faults.append(Fault(kind if moves else f"{kind}, motion alike", text))
    return [*faults, *_before_parting(_images(machine, runs.tight, "symmetry"), runs)]


def differences(
    one: sb.Result, other: sb.Result, names: Mapping[str, str] = {}, turned: frozenset[str] | set[str] = frozenset()
) -> dict[str, tuple[str, np.ndarray]]:
    """By quantity ("w", "tau", ...): the output that differs most, and the difference of all over the range in time.

    Where results are apart at an instant at which one of the runs jumps, the jump is left out: the time of an event is
    no more exact than its run.
    """
    near = near_events(one, other)
    scale: dict[str, float] = {}
    gaps: dict[str, list[tuple[str, np.ndarray]]] = {}
    for name in one.names:
        element, _, quantity = name.partition(".")
        if not _compared(quantity):
            continue
        if (same := _mate(name, names, turned)) not in other.names:
            continue  # a node without a body is shown at one of the elements on it
        values, mate = np.asarray(one[name]), np.asarray(other[same])
        if element in turned:  # flags of a law may keep their signs
            values, mate = (values, -mate) if quantity in ODD else (np.abs(values), np.abs(mate))
        kind = kind_of(quantity)
        gaps.setdefault(kind, []).append((name, np.where(near, 0.0, _apart(values, mate))))
        scale[kind] = max(scale.get(kind, STILL), float(np.abs(values).max()))
    found = {}
    for kind, rows in gaps.items():
        worst = max(rows, key=lambda row: float(row[1].max()))[0]
        found[kind] = worst, np.max([gap for _, gap in rows], axis=0) / scale[kind]
    return found


def _apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """By how much more than rounding two rows differ."""
    return np.maximum(np.abs(one - other) - ROUNDED, 0.0)


def near_events(one: sb.Result, other: sb.Result) -> np.ndarray:
    """Points of the grid at which one of the runs jumps, or one has jumped already and the other not yet."""
    near = np.zeros(one.time.size, bool)
    for breaks, others in ((one.breaks, other.breaks), (other.breaks, one.breaks)):
        for time in breaks:
            nearest = min(others, key=lambda mate: abs(mate - time), default=time)
            first, last = sorted((time, nearest if abs(nearest - time) < ACCURATE else time))
            near |= (one.time > first - 1e-6) & (one.time < last + 1e-6)
    return near


def kind_of(quantity: str) -> str:
    """What shares a range: all torques and forces do.

    >>> kind_of("tau_left"), kind_of("f_b"), kind_of("w")
    ('tau', 'tau', 'w')
    """
    return "tau" if re.fullmatch(r"(tau|f)(_(?!norm)\w+)?", quantity) else quantity


def _compared(quantity: str) -> bool:
    return bool(quantity) and quantity not in ("a", *INTERNAL) and not quantity.startswith("mode")


def _mate(name: str, names: Mapping[str, str], turned: frozenset[str] | set[str]) -> str:
    """What an output is called in the other machine."""
    element, _, quantity = name.partition(".")
    if element in turned:
        stem, _, side = quantity.partition("_")
        sides = {"left": "right", "right": "left", "low": "high", "high": "low", "a": "b", "b": "a"}
        quantity = f"{stem}_{sides[side]}" if side in sides else quantity
    return f"{names.get(element, element)}.{quantity}"
