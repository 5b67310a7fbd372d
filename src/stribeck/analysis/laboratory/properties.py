"""Which of the seven properties of friction a law has, found by experiments on the bench.

The properties are those that Nouailletas, Mendes and Koenig 2010 name in their introduction. Each probe is an
experiment with a question that has a number as its answer, and a threshold that is far from the answers of laws with
and without the property.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...declare import unknown
from ...errors import SimulationError, UnknownName
from ...laws import Law, all_laws
from ...signals.ramp import Ramp
from ...signals.sine import Sine
from ...signals.table import Table
from .bench import SLID, SLOW, SPRING, TOW, LawBench

# stiction
HOLD, SHAKE = 0.4, 0.1  # constant and vibrating force, as shares of break-away
SETTLE, SHAKES = 4.0, 20  # time (s) before the vibration counts, and its cycles of 2 s
CREEP = 0.01
# rising static friction
DWELLS = 1.0, 1000.0  # s
AT_REST = 5e-5  # m that a body may move during the longer rest
# frictional memory
FREQUENCIES = 0.1, 1.0, 10.0, 100.0  # Hz
LAG = 1e-3
# presliding
SHARES = 0.025, 0.05  # forces, as shares of break-away
RETURN = 0.1
# viscous friction
VISCOUS = 0.4  # friction at 1 m/s, as a share of the friction of sliding
# hysteresis with nonlocal memory
LEVEL, BACK = 0.9, 0.8  # shares of the largest friction, where the path turns back, and of the way that it goes back
CLOSED, OPEN = 0.02, 0.01
NOTICED = 0.01
"""A change of friction by this share is a change."""


class PropertyVerdict(NamedTuple):
    """Whether a law has a property of friction (None: the experiment cannot be made with it), and the measured reason.

    >>> sb.analysis.friction_properties(sb.Switch(), "presliding")["presliding"]
    PropertyVerdict(has=False, reason='does not move below break-away')
    """

    has: bool | None
    reason: str


@dataclass(frozen=True)
class Probe:
    """An experiment: what is done, and what counts as having the property."""

    name: str
    experiment: str
    criterion: str
    run: Callable[[LawBench], PropertyVerdict]

    def __call__(self, law: Law | LawBench) -> PropertyVerdict:
        """Runs the experiment with a law.

        >>> PROBES["stiction"](LuGre()).has
        False
        """
        try:
            return self.run(law if isinstance(law, LawBench) else LawBench(law))
        except SimulationError as error:
            return PropertyVerdict(None, f"the experiment stopped: {error}")


def stiction(bench: LawBench) -> PropertyVerdict:
    """Drift under a vibration below break-away."""
    most = bench.break_away
    steady, vibration = Ramp(height=HOLD * most, duration=2.0), Sine(amplitude=SHAKE * most, f=0.5, start=SETTLE)
    times = SETTLE + np.linspace(0, 2.0 * SHAKES, 40 * SHAKES + 1)
    place = np.asarray(bench.under_force([steady, vibration], [0.0, *times])["body.s"])[1:]
    half = place.size // 2
    drift = abs(place[-1] - place[half]) / (SHAKES / 2)
    cycle = np.ptp(place[half:] - np.linspace(place[half], place[-1], place.size - half))
    if np.ptp(place) < 1e-12:
        return PropertyVerdict(True, "does not move")
    share = drift / max(cycle, 1e-300)
    return PropertyVerdict(bool(share < CREEP), f"creeps by {share:.2g} of its motion in every cycle")


def rising_static_friction(bench: LawBench) -> PropertyVerdict:
    """Break-away after a short and after a long time at rest."""
    (short, _), (long, crept) = (_second_break_away(bench, dwell) for dwell in DWELLS)
    rises, rests = long > (1 + NOTICED) * short, crept < AT_REST
    text = f"{short:.4g} N after {DWELLS[0]:g} s at rest, {long:.4g} N after {DWELLS[1]:g} s"
    text += "" if rests or not rises else f", in which it crept by {crept:.2g} m"
    faster = bench.largest_friction(10 * TOW)
    return PropertyVerdict(bool(rises and rests), f"{text}; {faster:.4g} N when towed ten times as fast from the start")


class BreakAway(NamedTuple):
    """Largest friction (N) before a body slides, and how far (m) it moved while it rested before."""

    friction: float
    crept: float


def _second_break_away(bench: LawBench, dwell: float) -> BreakAway:
    """Break-away of a body that, after it has slid and rested, is towed on until it has slid again."""
    slide, ease = 5 * SPRING / TOW, 0.01
    again = slide + dwell
    drive = Table(time=[slide, slide + ease, again, again + ease], value=[TOW, 0.0, 0.0, TOW])
    result = bench.towed(drive, [slide + 0.5 * DWELLS[0], *(again + np.linspace(0, slide, 10001))])
    stopped, *_ = place = np.asarray(result["body.s"])
    friction = np.asarray(result["guide.f"])
    return BreakAway(float(friction[place < place[1] + SLID].max()), abs(float(place[1] - stopped)))


def frictional_memory(bench: LawBench) -> PropertyVerdict:
    """Friction at rising against friction at falling speed, where friction changes most with speed."""
    centre, amplitude = _telling_speed(bench)
    most = 0.0
    for frequency in FREQUENCIES:
        times = (1 + np.linspace(0, 2, 401)) / frequency
        course = Sine(amplitude=amplitude, f=frequency, offset=centre)
        friction = np.asarray(bench.at_speed(course, [0.0, *times])["guide.f"])[1:]
        rising, falling = friction[0:201:200].mean(), friction[100]  # the same speed on the way up and on the way down
        most = max(most, (rising - falling) / abs(friction).mean(), key=abs)
    return PropertyVerdict(bool(most > LAG), f"friction at rising speed is higher by {most:.2g} of its mean")


def _telling_speed(bench: LawBench) -> tuple[float, float]:
    """Centre and amplitude of a speed (m/s) that stays positive, where the steady curve is steepest over log(speed)."""
    speed, friction = bench.steady_curve
    slope = np.abs(np.gradient(friction, np.log(speed)))
    centre = float(speed[int(np.argmax(slope))]) if slope.max() > 1e-6 * bench.sliding_friction else 1e-3
    return centre, 0.5 * centre


def presliding(bench: LawBench) -> PropertyVerdict:
    """Displacement under a small force that comes and goes."""
    small, large = (_load_and_unload(bench, share) for share in SHARES)
    if large.there < 1e-12:
        return PropertyVerdict(False, "does not move below break-away")
    ratio, left = large.there / small.there / (SHARES[1] / SHARES[0]), abs(large.left / large.there)
    elastic = abs(ratio - 1) < RETURN and left < RETURN
    text = f"{large.there:.3g} m at {_percent(SHARES[1])} of break-away, {left:.2g} of it left without the force"
    return PropertyVerdict(bool(elastic), text)


class Displacement(NamedTuple):
    """Displacement (m) under the force, and what is left without it."""

    there: float
    left: float


def _load_and_unload(bench: LawBench, share: float) -> Displacement:
    """A force that rises within 10 s, stays for 10 s, and goes within 10 s."""
    force = Table(time=[0, 10, 20, 30], value=[0, share * bench.break_away, share * bench.break_away, 0])
    place = np.asarray(bench.under_force([force], [0, 20, 40])["body.s"])
    return Displacement(place[1], place[2])


def stribeck_effect(bench: LawBench) -> PropertyVerdict:
    """The largest fall of friction with rising speed."""
    friction = bench.steady_curve.friction
    fall = np.maximum.accumulate(friction) - friction
    most = int(np.argmax(fall))
    share = fall[most] / bench.sliding_friction
    if share <= NOTICED:
        return PropertyVerdict(False, "friction never falls with rising speed")
    return PropertyVerdict(True, f"friction falls from {friction[most] + fall[most]:.4g} N to {friction[most]:.4g} N")


def viscous_friction(bench: LawBench) -> PropertyVerdict:
    """The rise of friction from half the highest speed to the highest speed."""
    name = next((name for name, param in bench.law.params.items() if "f_v" in param.aliases), None)
    law: Any = bench.law if name is None else bench.law.replace(**{name: VISCOUS * bench.sliding_friction})
    viscous = LawBench(law)
    slow, fast = viscous.steady_friction([0.5 * viscous.highest_speed, viscous.highest_speed])
    how = "" if name is None else f" with {name} = {VISCOUS * bench.sliding_friction:.3g}"
    text = f"{slow:.4g} N at {0.5 * viscous.highest_speed:g} m/s, {fast:.4g} N at {viscous.highest_speed:g} m/s{how}"
    return PropertyVerdict(bool(fast > (1 + NOTICED) * slow), text)


def nonlocal_memory(bench: LawBench) -> PropertyVerdict:
    """Return-point memory: an inner loop of the path closes where it was left."""
    if not presliding(bench).has:
        return PropertyVerdict(False, "no presliding, so friction does not depend on displacement")
    far = _first_turn(bench)
    pace = far / 10.0  # m/s
    back = BACK * far
    times = np.cumsum([10.0, back / pace, back / pace])
    path = Table(time=[times[0], times[0] + 1e-3, times[1], times[1] + 1e-3], value=[pace, -pace, -pace, pace])
    grid = np.linspace(times[0], times[2], 2001)
    result = bench.at_speed(path, [0.0, *grid])
    friction, place = np.asarray(result["guide.f"])[1:], np.asarray(result["guide.s_rel"])[1:]
    depth = friction[0] - friction.min()
    work = np.sum(np.diff(place) * (friction[1:] + friction[:-1]) / 2)
    area = abs(work) / (depth * np.ptp(place))
    gap = abs(friction[-1] - friction[0]) / depth
    if area < OPEN:
        return PropertyVerdict(False, "the inner loop has no area: elastic so far")
    return PropertyVerdict(
        bool(gap < CLOSED), f"the inner loop misses the point where it began by {gap:.2g} of its depth"
    )


def _first_turn(bench: LawBench) -> float:
    """The displacement (m) at which friction comes near its largest value on a slow way from rest."""
    scale = abs(_load_and_unload(bench, SHARES[1]).there) / SHARES[1]
    times = np.linspace(0, 100.0, 5001)
    result = bench.at_speed(Ramp(height=scale / 10, duration=0.1), times)
    friction = np.asarray(result["guide.f"])
    return float(result["guide.s_rel"][int(np.argmax(friction >= LEVEL * friction.max()))])


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


PROBES = {
    probe.name: probe
    for probe in (
        Probe(
            "stiction",
            f"A body is pushed by {_percent(HOLD)} of the break-away force, with a vibration of {_percent(SHAKE)} at "
            f"0.5 Hz, for {SHAKES} cycles. How far does it wander in each of the later cycles?",
            f"By less than {_percent(CREEP)} of its motion within a cycle: what sticks may bend, but must not wander.",
            stiction,
        ),
        Probe(
            "rising static friction",
            f"A body is towed by a spring until it has slid, rests for {DWELLS[0]:g} s or for {DWELLS[1]:g} s, and is "
            "towed on at the same rate. How large is friction at the second break-away? Break-away that falls with the "
            "rate of loading is a different property and does not count; the table shows it as well.",
            f"Larger by more than {_percent(NOTICED)} after the longer rest, in which the body moves by less than "
            f"{AT_REST:g} m: what creeps does not rest.",
            rising_static_friction,
        ),
        Probe(
            "frictional memory",
            "The contact slides in one direction with a sinusoidal speed, 50 % about the speed at which the steady "
            f"curve is steepest, at {', '.join(f'{f:g}' for f in FREQUENCIES)} Hz. How much higher is friction at the "
            "mean speed while the speed rises than while it falls?",
            f"By more than {_percent(LAG)} of mean friction at one of the frequencies: friction lags behind speed.",
            frictional_memory,
        ),
        Probe(
            "presliding",
            f"A force of {_percent(SHARES[0])} and one of {_percent(SHARES[1])} of break-away comes within 10 s, stays "
            "for 10 s and goes within 10 s. How far is the body displaced, and how much of that is left?",
            f"It moves, in proportion to the force within {_percent(RETURN)}; less than {_percent(RETURN)} is left.",
            presliding,
        ),
        Probe(
            "Stribeck effect",
            f"The contact slides at constant speeds from {SLOW:g} m/s to 1 m/s, to ten times the largest speed "
            "among the parameters, or to the end of a table. By how much does friction fall with rising speed?",
            f"By more than {_percent(NOTICED)} of the friction of sliding; a step from rest to sliding is none.",
            stribeck_effect,
        ),
        Probe(
            "viscous friction",
            "The contact slides at the highest speed of the experiment before, and at half of it; a viscous parameter, "
            f"if there is one, adds {_percent(VISCOUS)} of the friction of sliding at 1 m/s. By how "
            "much does friction rise?",
            f"By more than {_percent(NOTICED)}.",
            viscous_friction,
        ),
        Probe(
            "nonlocal memory",
            f"The contact is moved slowly until friction reaches {_percent(LEVEL)} of its largest value, then back by "
            f"{_percent(BACK)} of that way, and forward again to the same place. By how much does friction differ from "
            "what it was there?",
            f"By less than {_percent(CLOSED)} of the depth of this inner loop, which must have an area: a contact with "
            "nonlocal memory goes on along the outer branch as if the loop had not been.",
            nonlocal_memory,
        ),
    )
}
"""The seven probes by name."""


def friction_properties(law: Law, *names: str) -> dict[str, PropertyVerdict]:
    """Which properties of friction a law has, each by an experiment; those with these names, or all seven.

    They are stiction, rising static friction, frictional memory, presliding, Stribeck effect, viscous friction and
    nonlocal memory (Nouailletas, Mendes and Koenig 2010).

    >>> found = sb.analysis.friction_properties(sb.LuGre(), "viscous friction", "Stribeck effect")
    >>> found["viscous friction"].has
    True
    >>> found["Stribeck effect"].reason
    'friction falls from 1.5 N to 1 N'
    """
    for name in names:
        if name not in PROBES:
            raise UnknownName(unknown("friction_properties: there is no property", name, PROBES))
    bench = LawBench(law)
    return {name: PROBES[name](bench) for name in names or PROBES}


def all_properties() -> dict[str, dict[str, PropertyVerdict]]:
    """The verdicts on every law with its default parameters, by the name of its class.

    >>> all_properties()["LuGre"]["nonlocal memory"].has
    False
    """
    return {law.__name__: friction_properties(law()) for law in all_laws().values()}
