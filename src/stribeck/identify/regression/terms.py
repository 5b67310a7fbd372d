"""Terms of an equation of motion that are linear in their parameters, and the motion that they are computed from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import SpecError
from ...units import to_si
from ..records.filters import smoothed
from ..records.measurement import Measurement
from .estimate import Estimate

ACCELERATION = "inertia"
"""The one term whose power is the change of an energy."""
CERTAINLY = 3.0
"""Standard errors below 0 at which the sign of an inertia is significant."""
CUTOFF = 100.0
"""Default cutoff of the motion filter (Hz)."""
SPEEDS = {"rad/s": "rad", "m/s": "m"}
"""Units of speed channels, and of the corresponding positions."""
SHORT = {"N.s2/m": "kg", "N.m.s2/rad": "kg.m2"}
"""Units with a shorter name."""


@dataclass(frozen=True, eq=False)
class Motion:
    """Position, speed and acceleration on the time grid of a measurement, smoothed without a time shift.

    >>> motion = Motion.of(run, "q", cutoff="100 Hz")
    >>> motion.v
    """

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    valid: np.ndarray
    sample_time: float
    unit: str
    cutoff: float
    record: Measurement | None = None
    """Where other channels come from."""

    def value(self, channel: str) -> np.ndarray:
        """Another channel of the record, smoothed as the motion.

        >>> motion.value("f").shape == motion.v.shape
        True
        """
        assert self.record is not None
        return smoothed(np.asarray(self.record[channel]), self.sample_time, self.cutoff)

    def other(self, channel: str) -> Motion:
        """The motion of another position or speed of the record, smoothed alike.

        >>> motion.other("q").a.shape == motion.a.shape
        True
        """
        assert self.record is not None
        return Motion.of(self.record, channel, self.cutoff)

    @classmethod
    def of(cls, measurement: Measurement, channel: str, cutoff: float | str | None = None) -> Motion:
        """From a channel with positions, or with speeds if it is in rad/s or m/s: a Butterworth filter forwards and
        backwards up to `cutoff` (100 Hz, or a fifth of the sampling rate if that is less), then central differences.

        >>> Motion.of(run, "q", cutoff="100 Hz")
        """
        step = measurement.even("speed")
        limit = default_cutoff(step) if cutoff is None else to_si(cutoff, "Hz", measurement.name, "cutoff")
        smooth = smoothed(np.asarray(measurement[channel]), step, limit)
        unit = measurement.units[channel]
        if unit in SPEEDS:
            v, unit = smooth, SPEEDS[unit]
            q = np.concatenate(([0.0], np.cumsum(0.5 * (v[1:] + v[:-1]) * step)))
        else:
            q, v = smooth, np.gradient(smooth, step)
        valid = measurement.valid.copy()
        edge = min(int(np.ceil(0.5 / (limit * step))), valid.size // 4)  # the filter has no data beyond the ends
        valid[:edge] = valid[valid.size - edge :] = False
        return cls(measurement.time, q, v, np.gradient(v, step), valid, step, unit, limit, measurement)


@dataclass(frozen=True)
class Term:
    """One regressor: the force for a parameter of 1, and the unit of the parameter.

    In `unit`, {load} is replaced by the unit of the force and {disp} by that of the position; if the term uses another
    `channel`, {channel} by the unit of that, and {position} by the unit of its position.

    >>> Term("drag", "{load}.s2/{disp}2", lambda motion: motion.v * abs(motion.v))
    """

    name: str
    unit: str
    force: Callable[[Motion], np.ndarray]
    channel: str = ""


def default_cutoff(sample_time: float) -> float:
    """The default cutoff: 100 Hz, or a fifth of the sampling rate if that is less.

    >>> default_cutoff(1e-3)
    100.0
    """
    return min(CUTOFF, 0.2 / sample_time)


def _sign(motion: Motion) -> np.ndarray:
    return np.asarray(np.sign(motion.v))


TERMS = {
    term.name: term
    for term in (
        Term(ACCELERATION, "{load}.s2/{disp}", lambda m: m.a),
        Term("viscous", "{load}.s/{disp}", lambda m: m.v),
        Term("viscous+", "{load}.s/{disp}", lambda m: np.maximum(m.v, 0.0)),
        Term("viscous-", "{load}.s/{disp}", lambda m: np.minimum(m.v, 0.0)),
        Term("coulomb", "{load}", _sign),
        Term("coulomb+", "{load}", lambda m: np.where(m.v > 0, 1.0, 0.0)),
        Term("coulomb-", "{load}", lambda m: np.where(m.v < 0, -1.0, 0.0)),
        Term("offset", "{load}", lambda m: np.ones_like(m.v)),
        Term("stiffness", "{load}/{disp}", lambda m: m.q),
        Term("drag", "{load}.s2/{disp}2", lambda m: m.v * np.abs(m.v)),
    )
}
"""Terms by name; + and - are those of one direction, with parameters that are positive for friction."""

STANDARD = (ACCELERATION, "viscous", "coulomb", "offset")


def stribeck_term(v_s: float, exponent: float = 2.0, name: str = "stribeck") -> Term:
    """Static friction in excess of Coulomb friction: sign(v) exp(-|v/v_s|^exponent); `v_s` must be known.

    >>> inverse_model(run, "f", "q", terms=["inertia", "viscous", "coulomb", stribeck_term(v_s=0.01)])
    """
    if v_s <= 0 or exponent <= 0:
        raise SpecError(f"{name}: v_s = {v_s:g} and exponent = {exponent:g} must be above 0")
    return Term(name, "{load}", lambda m: _sign(m) * np.exp(-(np.abs(m.v / v_s) ** exponent)))


HIGHEST = 50
"""Highest degree of a polynomial; higher powers differ by less than rounding errors."""


def position_terms(degree: int, signed: bool = True, name: str = "coulomb") -> list[Term]:
    """Friction (or a load, with signed=False) as a polynomial of the position: q, q^2, ... q^degree.

    >>> inverse_model(run, "f", "q", terms=["inertia", "viscous", "coulomb", *position_terms(2)])
    """
    if not 1 <= degree <= HIGHEST:
        raise SpecError(f"{name}: degree = {degree} must be from 1 to {HIGHEST}")

    def term(power: int) -> Term:
        unit = "{load}/{disp}" + (str(power) if power > 1 else "")
        return Term(f"{name}.q{power}", unit, lambda m: (_sign(m) if signed else 1.0) * m.q**power)

    return [term(power) for power in range(1, degree + 1)]


def harmonic_terms(period: float | str, orders: Sequence[int] = (1,), name: str = "cogging") -> list[Term]:
    """A load that is periodic in the position, such as the cogging of a motor or the turns of a screw.

    >>> inverse_model(run, "f", "q", terms=["inertia", "coulomb", *harmonic_terms("10 mm")])
    """
    length = to_si(period, "", name, "period")
    if length <= 0:
        raise SpecError(f"{name}: period = {length:g} must be above 0")

    def term(order: int, shape: Callable[[np.ndarray], np.ndarray], letter: str) -> Term:
        return Term(f"{name}.{letter}{order}", "{load}", lambda m: shape(2 * np.pi * order * m.q / length))

    return [term(n, f, letter) for n in orders for f, letter in ((np.cos, "cos"), (np.sin, "sin"))]


def delayed(measurement: Measurement, channel: str, delay: float | str) -> np.ndarray:
    """A channel delayed by `delay` (s): as it acts on the machine.

    >>> delayed(run, "f", "0.5 ms")
    """
    values = np.asarray(measurement[channel])
    shift = to_si(delay, "s", measurement.name, "delay")
    return np.asarray(np.interp(measurement.time - shift, measurement.time, values)) if shift else values


def resolved(terms: Sequence[str | Term]) -> dict[str, Term]:
    """Terms by name, in order; texts are names of `TERMS`, or names with arguments such as "channel(T, viscous)".

    >>> list(resolved(["inertia", "coulomb", "gravity"]))
    ['inertia', 'coulomb', 'gravity.sin', 'gravity.cos']
    """
    from .channel_terms import term_from_text

    found: dict[str, Term] = {}
    for entry in terms:
        for term in term_from_text(entry) if isinstance(entry, str) else [entry]:
            if term.name in found:
                raise SpecError(f"the term '{term.name}' is given twice; rename one of them")
            found[term.name] = term
    return found


def term_units(terms: Mapping[str, Term], record: Measurement, load: str, disp: str) -> dict[str, str]:
    """The unit of each parameter, from those of the force and the position, and of other channels.

    >>> term_units(resolved(["inertia"]), run, "N", "m")
    {'inertia': 'kg'}
    """
    if not load or not disp:
        return {}
    return {name: _unit(term, record, load, disp) for name, term in terms.items()}


def _unit(term: Term, record: Measurement, load: str, disp: str) -> str:
    own = record[term.channel].unit if term.channel else ""
    if "{position}" in term.unit and not own:
        return ""
    unit = term.unit.format(load=load, disp=disp, channel=own or "1", position=SPEEDS.get(own, own))
    unit = unit.removesuffix("/1")
    return SHORT.get(unit, unit)


def checked_sign(found: Estimate, record: str, force: str) -> Estimate:
    """The estimate; refused if its inertia is significantly negative and no friction is significantly positive: the
    force then has the wrong sign.

    >>> checked_sign(inverse, "run7", "f")["inertia"]
    1.0
    """
    inertia, error = found.values.get(ACCELERATION, 0.0), found.errors.get(ACCELERATION, 0.0)
    friction = [name for name in found.names if name.startswith(("coulomb", "viscous"))]
    driven = any(found.values[name] > CERTAINLY * found.errors[name] for name in friction)
    if inertia < -CERTAINLY * error and not driven:
        raise SpecError(
            f"{record}: with '{force}' the inertia is {inertia:.4g} +- {error:.2g}, below 0; the force must drive the "
            f"motion: change its sign with run.scaled({{'{force}': -1}}) (--scale {force}=-1), or add what else acts "
            "to terms, such as 'stiffness' or 'gravity' (--set terms=...)"
        )
    return found
