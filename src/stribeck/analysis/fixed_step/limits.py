"""How stiff shafts, friction laws and the whole machine are, and the largest step that each explicit method bears."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...compile import Program, compile_model
from ...elements.guide import Guide
from ...elements.mass import Mass
from ...kinds import Kind
from ...laws import Law
from ...results import Events
from ...run.outcome import describe
from ...spec import Model
from ..linear.linearise import linearize
from ..linear.model import Eigenmode, LinearModel
from .amplification import EXPLICIT, System, excess, largest_step
from .contacts import FrictionContact, reduced_inertias

POINTS = 24
"""Points of a run at which the machine is linearised, at most."""
SHORTEST = 1e-9
"""Share of a run that counts as an instant: phases as short as that are not looked at."""
LARGEST = 700.0
"""Cap of the exponent: larger growth is treated as equal."""
BEHIND = 0.3
"""Elements with at least this share of the largest power in a motion are named as its cause."""


class Fastest(NamedTuple):
    """The fastest motion that a machine has in a run."""

    eigenvalue: complex
    frequency: float
    """In Hz; 0 if it does not swing."""
    time: float
    elements: tuple[str, ...]
    """Elements whose torques make it, the strongest first."""


@dataclass(frozen=True, eq=False)
class Stiffness:
    """One cause of a step limit: a shaft, a friction law at a speed, or the machine at a time.

    >>> limit.steps["ode4"]
    0.0083
    """

    element: str
    label: str
    """The element with what it does: "clutch at rest", "clutch in slip"; or "machine at 1.5 s"."""
    what: str
    """The formula behind it, with numbers."""
    system: System
    span: float
    """Length of the run (s)."""

    @cached_property
    def steps(self) -> dict[str, float]:
        """The largest step (s) by method."""
        return {method: largest_step(method, self.system, self.span) for method in EXPLICIT}

    def factor(self, method: str, h: float) -> float:
        """Numerical growth over the run with the step h (s), beyond the growth of the exact solution.

        >>> limit.factor("ode1", 1e-3)
        1.0
        """
        return float(np.exp(min(excess(method, self.system, np.array([h]))[0] * self.span, LARGEST)))

    def too_stiff(self, h: float) -> tuple[str, ...]:
        """The methods that are unstable at the step h (s)."""
        return tuple(method for method, step in self.steps.items() if step < h)


def spring_limits(program: Program, span: float) -> Iterator[Stiffness]:
    """Every spring and damper with the reduced inertia of its ends: J e'' + d e' + c e = 0.

    >>> [limit.element for limit in spring_limits(program, span=4.0)]
    ['spring']
    """
    inertias = reduced_inertias(program)
    values = zip(program.mechanics.stiffnesses, program.mechanics.dampings, strict=True)
    for k, (c, d) in enumerate(values):
        J = float(inertias[k])
        if not np.isfinite(J):
            continue
        A = np.array([[-d / J, -c / J], [1.0, 0.0]])
        system = System(A, "vq") if c > 0 else System(A[:1, :1], "v")
        yield Stiffness(program.branches[k], program.branches[k], _shaft_text(float(c), float(d), J), system, span)


def _shaft_text(c: float, d: float, J: float) -> str:
    if c == 0:
        return f"d/J = {d:g}/{J:.4g} = {d / J:.4g} 1/s"
    omega = np.sqrt(c / J)
    damped = f", damping ratio d/(2 sqrt(c J)) = {d / (2 * J * omega):.3g}"
    return f"omega = sqrt(c/J) = sqrt({c:g}/{J:.4g}) = {omega:.4g} rad/s{damped}"


class LawJacobian:
    """A friction law under load 1 at a speed: derivatives of friction and of the rates of its states.

    They come from the kernel: the law brakes a mass of 1 kg there.

    >>> LawJacobian(LuGre(sigma0=1e5, sigma1=300)).at(0.0)
    array([[300., 100000.], [1., 0.]])
    """

    def __init__(self, law: Law) -> None:
        model = Model("bench")
        model.add("mass", Mass(m=1.0))
        model.add("guide", Guide("mass", law=type(law)(**vars(law.p)) if hasattr(law, "p") else law))
        self.program = compile_model(model)
        first = len(self.program.state_names) - len(law.states)
        self._kept = [self.program.state_names.index("mass.v"), *range(first, len(self.program.state_names))]

    def at(self, speed: float) -> np.ndarray:
        """Rows for friction and for each state, columns for the speed and each state, in steady sliding."""
        machine, y0 = self.program.machine(), self.program.y0.copy()
        y0[self._kept[0]] = speed
        machine.start(0.0, y0)
        slopes = machine.jacobian(0.0, machine.state())[np.ix_(self._kept, self._kept)]
        slopes[0] *= -1.0
        return np.asarray(slopes, float)


def contact_limits(contact: FrictionContact, span: float) -> Iterator[Stiffness]:
    """A friction law alone with the inertia of its slip, where it is stiffest: at rest and in the fastest slip.

    >>> list(contact_limits(contact, span=4.0))
    """
    J, load, law = contact.inertia, contact.largest_load, contact.law
    if not np.isfinite(J) or load == 0:
        return
    if law.family == "locking":
        p0 = getattr(law.p, "p0", None)
        if p0 is not None:
            decay = System(np.array([[-p0]]), "v")
            yield Stiffness(contact.name, f"{contact.name} at rest", f"slip decays with p0 = {p0:g} 1/s", decay, span)
        return
    slopes = LawJacobian(law)
    yield Stiffness(contact.name, f"{contact.name} at rest", *_linearised_at_rest(contact, slopes.at(0.0)), span)
    speed, time = contact.largest_slip
    if law.states and speed > 0:
        found = _linearised_in_slip(contact, slopes.at(speed), speed, time)
        yield Stiffness(contact.name, f"{contact.name} in slip", *found, span)


def _linearised_at_rest(contact: FrictionContact, slopes: np.ndarray) -> tuple[str, System]:
    J, load = contact.inertia, contact.largest_load
    friction, system = slopes[0], _isolated_system(slopes, load / J)
    damping = f"{load:.4g} {friction[0]:.4g}/{J:.4g} = {load * friction[0] / J:.4g} 1/s"
    if len(friction) == 1:
        return f"N dmu/dv/J = {damping}", system
    omega = np.sqrt(max(load * friction[1] * slopes[1, 0] / J, 0.0))
    return f"sqrt(N dmu/dz/J) = {omega:.4g} rad/s, N dmu/dv/J = {damping}", system


def _linearised_in_slip(contact: FrictionContact, slopes: np.ndarray, speed: float, time: float) -> tuple[str, System]:
    system = _isolated_system(slopes, contact.largest_load / contact.inertia)
    rate = abs(slopes[1, 1])
    return f"|dz'/dz| = {rate:.4g} 1/s of the bristles at a slip of {speed:.4g}, t = {time:.4g} s", system


def _isolated_system(slopes: np.ndarray, share: float) -> System:
    """The slip with the states of the law; constant ones, such as discrete modes, are omitted."""
    A = slopes.copy()
    A[0] *= -share
    kept = [0, *(i for i in range(1, len(A)) if A[i].any() or A[:, i].any())]
    return System(A[np.ix_(kept, kept)], "v" + "z" * (len(kept) - 1))


def machine_limits(program: Program, events: Events, span: float) -> tuple[list[Stiffness], list[Fastest]]:
    """The machine at points of the run with the modes that it has there, and the fastest motion at each.

    >>> limits, motions = machine_limits(program, reference.events, span=4.0)
    """
    limits, motions = [], []
    for time in linearisation_times(events, span):
        linear = linearize(program, time)
        modes = linear.modes()
        if not modes or not abs(modes[-1].eigenvalue):
            continue
        behind = elements_behind(program, linear, modes[-1])
        text = f"fastest motion {_motion_text(modes[-1])} by {', '.join(behind)}"
        system = System(linear.A, state_letters(program, linear))
        limits.append(Stiffness(", ".join(behind), f"machine at {time:.4g} s", text, system, span))
        motions += [
            Fastest(m.eigenvalue, m.frequency, time, elements_behind(program, linear, m))
            for m in (modes[-1], *(m for m in modes[-2::-1] if m.frequency > 0))
        ]
    return limits, motions


def linearisation_times(events: Events, span: float) -> list[float]:
    """Times at which to linearise a machine: within the longest phases between mode changes, and equally spread.

    >>> linearisation_times(result.events, 25.0)[0]
    0.0
    """
    ends = np.unique(np.concatenate([[0.0], events.time[events.time < span], [span]]))
    lengths = np.diff(ends)
    longest = [k for k in np.argsort(-lengths, kind="stable")[: POINTS // 2] if lengths[k] > SHORTEST * span]
    inside = ends[longest] + 0.5 * lengths[longest]
    spread = np.linspace(0.0, span, POINTS - len(inside))
    return sorted({float(time) for time in (*inside, *spread)})


def state_letters(program: Program, linear: LinearModel) -> str:
    """What each state of the linear system is, as in `System`.

    >>> state_letters(program, linearize(program, 2.0))
    'vqz'
    """
    n_v, n_q, n_u = (program.sizes[name] for name in ("n_v", "n_q", "n_u"))
    n_z = len(program.state_names) - n_v - n_q - n_u
    letters = dict(zip(program.state_names, "v" * n_v + "q" * n_q + "z" * n_z + "u" * n_u, strict=True))
    return "".join(letters[name] for name in linear.states)


def elements_behind(program: Program, linear: LinearModel, mode: Eigenmode) -> tuple[str, ...]:
    """The elements whose torques do the most work in a motion; the bodies or states that move if there are none.

    >>> linear = linearize(program, 2.0)
    >>> elements_behind(program, linear, linear.modes()[-1])
    ('friction',)
    """
    vector = _eigenvector(linear, mode.eigenvalue)
    amplitude = dict(zip(linear.outputs, np.abs(linear.C @ vector), strict=True))
    meta = describe(program, "")
    pairs = {name: (meta.find(name, Kind.FORCE), meta.find(name, Kind.SLIP)) for name in program.elements}
    power = {
        name: amplitude[force] * amplitude[slip]
        for name, (force, slip) in pairs.items()
        if force in amplitude and slip in amplitude
    }
    most = max(power.values(), default=0.0)
    if most == 0.0:
        return mode.participants
    return tuple(sorted((n for n in power if power[n] >= BEHIND * most), key=lambda name: -power[name]))


def _eigenvector(linear: LinearModel, eigenvalue: complex) -> np.ndarray:
    scale = linear.nominal
    values, vectors = np.linalg.eig(linear.A * scale / scale[:, None])
    vector: np.ndarray = scale * vectors[:, int(np.argmin(np.abs(values - eigenvalue)))]
    return vector


def _motion_text(mode: Eigenmode) -> str:
    rate = f"{abs(mode.eigenvalue):.4g} 1/s"
    return (
        f"{rate} ({mode.frequency:.4g} Hz, damping ratio {round(mode.damping, 6) + 0.0:.3g})"
        if mode.frequency
        else rate
    )


def largest_steps(limits: Sequence[Stiffness]) -> Mapping[str, float]:
    """The largest step (s) by method at which all of them are stable.

    >>> largest_steps(limits)["ode1"]
    5.41e-05
    """
    return {method: min((limit.steps[method] for limit in limits), default=np.inf) for method in EXPLICIT}
