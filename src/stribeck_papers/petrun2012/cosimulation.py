"""Section 5: the friction element as a joint of a multi-body code, Exudyn; both sides take the same steps.

    Exudyn:    rotor ═ shaft ═ disc  ·············  disc ═ shaft ═ rotor      rigid bodies in space
                                  │ angle ▼    ▲ torque │
    Stribeck:                      clutch between flanges                     bristles, normal force

The input of the joint is the angle between the discs, its output a torque. Nothing else is exchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import nan, tanh
from typing import Any, NamedTuple

import numpy as np

import stribeck as sb

from ..choice import choose
from .clutch import RADIUS, SPEED, TURNS, Shaft, TestBed


def joint_model(**clutch: Any) -> sb.Model:
    """A clutch between rest and a side whose angle is set from outside; for this program, and for others as C.

    >>> sb.deploy.c(joint_model(**bed.contact()), "joint", step="0.1 ms", outputs=["clutch.tau"])
    """
    model = sb.Model("joint")
    rest, side = model.add("rest", sb.Fixed()), model.add("side", sb.Position(phi=sb.External(0)))
    model.add("clutch", sb.Clutch(rest, side, **clutch))
    return model


class FrictionJoint:
    """A clutch for another simulation: the angle between its sides at the end of a step in, the mean torque out.

    `h` is the step (s), the rest are arguments of `Clutch`; those that are `External` are set by `inputs`. A step may
    be tried with as many angles as the other side needs; `accept` ends it.

    >>> joint = FrictionJoint(h=1e-4, law=sb.LuGre(mu_c=0.25, mu_s=0.35), fn_max="1.5 kN", cgeo=0.06)
    >>> joint.torque(angle=0.005), joint.torque(angle=0.004)
    >>> joint.accept()
    """

    def __init__(self, h: float, **clutch: Any) -> None:
        self.h, self.angle = h, 0.0
        self._stepper: sb.Stepper = joint_model(**clutch).realtime(h=h, energy=False)
        self._before, self._tried = self._stepper.snapshot(), nan
        self.inputs = self._stepper.inputs

    def torque(self, angle: float) -> float:
        """Mean torque (N.m) of a step at whose end the sides differ by an angle (rad)."""
        if angle != self._tried:
            self._stepper.restore(self._before)
            self._stepper.inputs["side.phi"] = angle
            self._stepper.step()
            self._tried = angle
        return self._stepper["clutch.tau"]

    def accept(self) -> None:
        """Ends the step: the next one starts at the last angle."""
        self.angle, self._tried = self._stepper["side.phi"], nan
        self._before = self._stepper.snapshot()


# --- coupling schemes ---------------------------------------------------------------------------------------------


class Held:
    """Before a step the joint takes the speed and extrapolates the angle; its torque is constant during the step.

    >>> Bodies(bed).run(Held(FrictionJoint(1e-4, **bed.contact())))
    """

    def __init__(self, joint: FrictionJoint) -> None:
        self.joint, self.mean, self.applied = joint, 0.0, 0.0

    def begin(self, angle: float, speed: float) -> None:
        """Before a step, with angle (rad) and speed (rad/s) between the discs."""
        self.applied = self.joint.torque(self.joint.angle + self.joint.h * speed)
        self.joint.accept()

    def torque(self, angle: float) -> float:
        """Torque (N.m) at the end of a step that may lead to this angle (rad)."""
        return self.applied

    def _at_the_end(self, mean: float) -> float:
        """Torque at the end of a step, from the means of this one and of the last one: of second order."""
        return 1.5 * mean - 0.5 * self.mean


class Predicted(Held):
    """Before a step the joint extrapolates angle and speed. The next step corrects the difference, so that the angles
    of both sides do not drift apart; like the method of Adams and Bashforth it is of second order.

    >>> Bodies(bed).run(Predicted(FrictionJoint(1e-4, **bed.contact())))
    """

    def begin(self, angle: float, speed: float) -> None:
        """Before a step, with angle (rad) and speed (rad/s) between the discs."""
        mean = self.joint.torque(angle + self.joint.h * speed)
        self.applied, self.mean = self._at_the_end(mean), mean
        self.joint.accept()


class Iterated(Held):
    """The joint takes part in the iterations of the other side: it gives a torque for every angle that they try.

    >>> Bodies(bed).run(Iterated(FrictionJoint(5e-4, **bed.contact())))
    """

    begun = False

    def begin(self, angle: float, speed: float) -> None:
        """Before a step: the last one, if there was one, has ended at this angle (rad)."""
        if self.begun:
            self.mean = self.joint.torque(angle)
            self.joint.accept()
        self.begun = True

    def torque(self, angle: float) -> float:
        """Torque (N.m) at the end of a step that may lead to this angle (rad)."""
        self.applied = self._at_the_end(self.joint.torque(angle))
        return self.applied


SCHEMES: dict[str, type[Held]] = {"held": Held, "predicted": Predicted, "iterated": Iterated}
"""Coupling schemes by name."""


# --- the multi-body side ---------------------------------------------------------------------------------------------


class Coupled(NamedTuple):
    """Record of a co-simulation at the ends of its steps: time (s), speeds of both rotors and of the slip (rad/s),
    torque (N.m)."""

    time: np.ndarray
    engine: np.ndarray
    brake: np.ndarray
    slip: np.ndarray
    torque: np.ndarray


def exudyn() -> Any:
    """Exudyn with its utilities; it is an optional package.

    >>> exudyn().utilities.RigidBodyInertia
    """
    try:
        import exudyn
        import exudyn.utilities
    except ImportError as error:
        raise sb.SpecError(f"co-simulation needs exudyn ({error}); pip install 'stribeck[papers]'") from None
    return exudyn


class Bodies:
    """The test bed in Exudyn: four rigid bodies in space on revolute joints, with shafts, motor, load and clutch.

    The motor stays within its limit, so the integral of its controller is an angle, and it is a spring to a shaft that
    turns with 500 rpm.

    >>> run = Bodies(bed).run(Predicted(FrictionJoint(1e-3, **bed.contact())))
    """

    def __init__(self, bed: TestBed) -> None:
        self.exu = exudyn()
        self.bed = bed
        self.container = self.exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.ground = self.mbs.CreateGround()
        self.engine, engine_disc = self._side(bed.engine, 0.0, SPEED)
        self.brake, brake_disc = self._side(bed.brake, 1.0, 0.0)
        load = lru_cache(maxsize=2)(bed.cycle.load().bind("N.m", "load").at)
        self._between(self.ground, self.engine, lambda t, a, w: bed.Kp * (w - SPEED) + bed.Ki * (a - SPEED * t))
        self._between(self.ground, self.brake, lambda t, a, w: load(t) * tanh(w / TURNS))
        self.clutch = self._between(brake_disc, engine_disc, lambda t, a, w: self._coupling.torque(a))
        self._coupling: Held

    def run(self, coupling: Held) -> Coupled:
        """Steps both sides through the cycle, with the step of the joint."""
        self._coupling, self._rows = coupling, list[tuple[float, ...]]()
        self.mbs.SetPreStepUserFunction(self._begin)
        self.mbs.Assemble()
        try:
            self._solve(coupling.joint.h)
            self._record()
        finally:
            del self._coupling  # Exudyn keeps its user functions until the end of the program
        return self._seen(self.bed.cycle.end)

    def _seen(self, end: float) -> Coupled:
        return Coupled(np.linspace(0.0, end, len(self._rows)), *np.array(self._rows).T)

    def _solve(self, h: float) -> None:
        shown, self.exu.config.printToConsole = self.exu.config.printToConsole, False
        try:
            self.mbs.SolveDynamic(self._settings(h))
        except Exception as error:  # of any kind, as Exudyn does
            at = h * (len(self._rows) - 1)
            way_out = "take a smaller step, or the scheme iterated"
            raise sb.SimulationError(
                f"co-simulation: Exudyn stopped at t = {at:g} s ({error}); {way_out}",
                time=at,
                elements=["clutch"],
                result=self._seen(at),
            ) from None
        finally:
            self.exu.config.printToConsole = shown

    def _begin(self, mbs: Any, t: float) -> bool:
        self._record()
        self._coupling.begin(*self.slip())
        return True

    def _record(self) -> None:
        kind = self.exu.OutputVariableType.AngularVelocity
        speeds = (float(self.mbs.GetObjectOutputBody(b, kind, [0, 0, 0])[2]) for b in (self.engine, self.brake))
        self._rows.append((*speeds, self.slip()[1], self._coupling.applied))

    def slip(self) -> tuple[float, float]:
        """Angle (rad) and speed (rad/s) of the slip between the discs."""
        kinds = self.exu.OutputVariableType.Rotation, self.exu.OutputVariableType.AngularVelocityLocal
        angle, speed = (float(self.mbs.GetObjectOutput(self.clutch, kind)) for kind in kinds)
        return angle, speed

    def _side(self, shaft: Shaft, place: float, w: float) -> tuple[Any, Any]:
        """A rotor and a disc on a shaft."""
        rotor, disc = (self._body(J, place + offset, w) for J, offset in ((shaft.rotor, 0.0), (shaft.disc, 0.5)))
        self._spring(rotor, disc, stiffness=shaft.stiffness, damping=shaft.damping)
        return rotor, disc

    def _body(self, J: float, place: float, w: float) -> Any:
        """A body with an inertia (kg.m2) about z, that turns with w (rad/s)."""
        inertia = self.exu.utilities.RigidBodyInertia(2 * J / RADIUS**2, J * np.eye(3))
        at, node = [0.0, 0.0, place], self.exu.NodeType.RotationRxyz
        turning = {"referencePosition": at, "initialAngularVelocity": [0.0, 0.0, w], "nodeType": node}
        body = self.mbs.CreateRigidBody(inertia=inertia, **turning)
        self.mbs.CreateRevoluteJoint(itemNumbers=[self.ground, body], position=at, axis=[0, 0, 1])
        return body

    def _between(self, a: Any, b: Any, torque: Callable[[float, float, float], float]) -> Any:
        """A torque between two bodies that is a function of time, angle and speed, positive against these."""
        return self._spring(a, b, springTorqueUserFunction=lambda mbs, t, item, angle, w, *rest: torque(t, angle, w))

    def _spring(self, a: Any, b: Any, **what: Any) -> Any:
        return self.mbs.CreateTorsionalSpringDamper(itemNumbers=[a, b], position=[0, 0, 0], axis=[0, 0, 1], **what)

    def _settings(self, h: float) -> Any:
        settings = self.exu.SimulationSettings()
        settings.timeIntegration.endTime = self.bed.cycle.end
        settings.timeIntegration.numberOfSteps = round(self.bed.cycle.end / h)
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.adaptiveStep = False  # or the joint would not know of smaller steps
        settings.timeIntegration.verboseMode = 0
        settings.solution.file.write = False
        return settings


def coupled_cycle(bed: TestBed | None = None, h: float = 5e-4, scheme: str = "iterated") -> Coupled:
    """The clutch cycle with the test bed in Exudyn and its friction in Stribeck, both with steps of h (s).

    >>> run = coupled_cycle(bed)
    >>> run.time[-1], run.engine[-1]
    (0.28, 54.19)
    """
    coupling = choose("co-simulation: there is no scheme", scheme, SCHEMES)
    bed = bed or TestBed()
    if abs(bed.cycle.end / h - round(bed.cycle.end / h)) > 1e-6:
        raise sb.SpecError(f"co-simulation: h = {h:g} s must divide the time of the cycle, {bed.cycle.end:g} s")
    return Bodies(bed).run(coupling(FrictionJoint(h, **bed.contact())))
