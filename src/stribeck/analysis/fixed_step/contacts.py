"""What the friction elements of a machine meet in a run: slip, load and friction at every step, and their inertia."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...compile import Program, resolve_nodes
from ...compile.network import PrimitiveNetwork
from ...compile.watch import WATCHED, watched
from ...laws import Law, StepConditions
from ...results import Extremes, Result
from ...run.simulate import simulate
from ...spec import Model


@dataclass(frozen=True, eq=False)
class FrictionContact:
    """One friction element, in SI: its law, its operating data, and the inertia reduced to its slip.

    >>> contact.inertia
    1.0
    """

    name: str
    law: Law
    inertia: float
    """Reduced inertia 1/(w' M^-1 w) of its slip, nothing else being held; infinite where its slip is prescribed."""
    time: np.ndarray
    slip: np.ndarray
    tau: np.ndarray
    load: np.ndarray
    """The larger load of the two directions."""

    @property
    def step(self) -> float:
        """Time between two samples (s)."""
        return float(self.time[1] - self.time[0])

    @cached_property
    def acceleration(self) -> np.ndarray:
        """Mean acceleration of the slip over each step."""
        return np.diff(self.slip) / self.step

    def conditions(self, h: float) -> StepConditions:
        """The operating conditions of its law at the step h (s).

        >>> contact.conditions(1e-3).acceleration
        0.508
        """
        return StepConditions(
            h, self.inertia, self.largest_load, self.largest_torque, self.largest_acceleration, *self.largest_slip
        )

    @cached_property
    def largest_load(self) -> float:
        """The largest load of the run."""
        return float(self.load.max())

    @cached_property
    def largest_slip(self) -> tuple[float, float]:
        """The largest slip under load, and its time (s)."""
        slip = np.where(self.load > 0, np.abs(self.slip), 0.0)
        at = int(slip.argmax())
        return float(slip[at]), float(self.time[at])

    @cached_property
    def largest_acceleration(self) -> float:
        """The largest acceleration of the slip while it is under load."""
        loaded = (self.load[1:] > 0) | (self.load[:-1] > 0)
        return float(np.abs(np.where(loaded, self.acceleration, 0.0)).max(initial=0.0))

    @cached_property
    def largest_torque(self) -> float:
        """The largest torque on the contact by the rest of the machine: inertia times acceleration plus friction.

        Where friction jumps within a sample, the true one is between those with its values before and after: the
        smaller of them counts.
        """
        if not np.isfinite(self.inertia):
            return 0.0
        inertial = self.inertia * self.acceleration
        torques = np.abs([inertial + self.tau[:-1], inertial + self.tau[1:]])
        return float(torques.min(axis=0).max(initial=0.0))


def run_with_contacts(model: Model, program: Program, h: float, steps: int) -> tuple[Result, list[FrictionContact]]:
    """An adaptive run with a sample at every step, and what its friction elements met.

    >>> reference, contacts = run_with_contacts(model, compile_model(model), h=1e-3, steps=4000)
    """
    result = simulate(watched(program), times=h * np.arange(steps + 1), energy=False, extremes=False)
    shown = len(program.output_names)
    seen = result.data[shown:].reshape(len(WATCHED), len(program.frictions), steps + 1)
    slip, tau, *loads = seen
    load = np.maximum(*loads).clip(min=0.0)
    inertias = reduced_inertias(program)[len(program.branches) - len(program.frictions) :]
    frictions = PrimitiveNetwork.of(resolve_nodes(model)).frictions
    contacts = [
        FrictionContact(friction.element.name, friction.law, float(inertias[k]), result.time, slip[k], tau[k], load[k])
        for k, friction in enumerate(frictions)
    ]
    meta = replace(
        result.meta,
        names=program.output_names,
        units=program.output_units,
        kinds=program.output_kinds,
        parts=program.output_parts,
    )
    return replace(result, meta=meta, data=result.data[:shown], extremes=Extremes(meta)), contacts


def reduced_inertias(program: Program) -> np.ndarray:
    """The inertia 1/(w' M^-1 w) that a torque in each branch has to move; infinite where both ends are prescribed.

    >>> reduced_inertias(program)
    array([1., 1.])
    """
    bodies, slips = program.mechanics.body_speeds.states, program.mechanics.slips.states
    mass = bodies.T @ (program.mechanics.inertias[:, None] * bodies)
    yields = np.einsum("ki,ik->k", slips, np.linalg.solve(mass, slips.T)) if mass.size else np.zeros(len(slips))
    inertias: np.ndarray = np.divide(1.0, yields, out=np.full(len(slips), np.inf), where=yields > 0)
    return inertias
