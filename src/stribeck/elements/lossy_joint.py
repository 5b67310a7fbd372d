"""A joint whose friction grows with the torque that it transmits."""

from __future__ import annotations

from typing import Self

from ..declare import Param, Values
from ..laws.functions import larger
from ..signals import Scope, Signal
from ..signals.constant import Constant
from ..signals.extremes import Maximum
from ..signals.sensor import Sensor
from ._friction import Friction, LawParam
from ._network import Network
from .domains import Domain


class LossyJoint(Friction):
    """A transmission from a to b, 1 : 1, with friction that grows with the torque T that it transmits to b.

    Friction of a against the support is the law times tau_0 + k_forward |T| where a drives, and times
    tau_0 + k_backward |T| where b drives. With Coulomb(), a factor of 1, and without tau_0 the efficiencies are
    eta_forward = 1/(1 + k_forward) and eta_backward = 1 - k_backward; give k or eta. If only one side is given,
    k_backward = k_forward: eta_backward = 2 - 1/eta_forward. From k_backward = 1 on, or eta_backward = 0 and below, the
    joint is self-locking: no load at b moves it. All torques and speeds are those of b: put a Gear between motor and a.

    With a stiffness c, T is the torque of that spring. It follows from the states, so any law works, with bristles too,
    and the motion is unique for every k. Without c the joint is rigid, as LossyGear: T and friction follow from all
    torques together, the law must stick exactly at v = 0 (Coulomb, Switch, Stribeck, FrictionTable, ...), and its
    friction at rest times k_backward must not exceed 1. Where the law grows with the speed beyond that, a joint that b
    drives jams: it stops at once, as the limit of a very stiff one.

    Results: tau, w_rel and mode are those of the friction of a, without its viscous part tau_viscous; tau_b is the
    torque that flows into the joint at b, which is -T, and phi_rel_b the twist of the spring.

    >>> joint = m.add("joint", LossyJoint(b=mass, law=Switch(mu_c=1, mu_s=1.3), c=2e4, tau_0=2, eta_forward=0.8))
    >>> m.add("gear", Gear(motor, joint.a, ratio=100))
    """

    group = "couplings"
    role = "coupling"
    flanges = ("a", "b", "support")
    to_ground = ("support",)
    law = LawParam(None, "1", "friction law, as a factor of the load", load="1")
    tau_0 = Param(0.0, "{force}", "load of the law where nothing is transmitted", min=0, aliases=("f_0",))
    k_forward = Param(None, "1", "load of the law over |T| where a drives", min=0, optional=True)
    k_backward = Param(None, "1", "load of the law over |T| where b drives", min=0, optional=True)
    eta_forward = Param(None, "1", "efficiency where a drives, instead of k_forward", above=0, max=1, optional=True)
    eta_backward = Param(None, "1", "efficiency where b drives, instead of k_backward", max=1, optional=True)
    c = Param(None, "{force}/{disp}", "stiffness; rigid if it is left out", above=0, optional=True)
    d = Param(None, "{force}.s/{disp}", "damping in parallel with c", min=0, optional=True)
    d_v = Param(None, "{force}.s/{disp}", "viscous friction of a against the support", min=0, optional=True)
    loads: tuple[Signal, Signal]
    """For friction against positive and against negative slip."""
    viscous: Signal | None

    @staticmethod
    def faults(p: Values) -> list[str]:
        found = Friction.faults(p)
        for side in ("forward", "backward"):
            if getattr(p, f"k_{side}") is not None and getattr(p, f"eta_{side}") is not None:
                found.append(f"both k_{side} and eta_{side} are given; give one of them")
        if p.k_forward is None and p.eta_forward is None and (p.k_backward is not None or p.eta_backward is not None):
            found.append("the friction where a drives is missing; give k_forward or eta_forward")
        if p.k_forward is None and p.eta_forward is None and not found and p.tau_0 == 0:
            found.append("the law has no load; give tau_0, and k_forward or eta_forward for friction that grows")
        if p.c is None and p.d is not None:
            found.append("d is the damping in parallel with a spring; give the stiffness c, or drop d")
        return found or (_rigid_faults(p) if p.c is None else [])

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with the loads of the law and the viscous friction bound to the motion."""
        bound = super().bind(domain, scope)
        p, place = bound.p, (scope or Scope()).at(self.name)
        bound.viscous = None
        unloaded = Constant.ready(f"{self.name}.load", value=1.0)
        bound.loads = unloaded, unloaded
        if p.c is not None:
            spring = Sensor(f"{self.name}.{domain.force}_b")  # positive where b drives forward
            forward, backward = slopes(p)
            loads = [Maximum([side * backward * spring, -side * forward * spring]) + p.tau_0 for side in (1.0, -1.0)]
            bound.loads = (
                loads[0].bind("", self.label, place.at("load")),
                loads[1].bind("", self.label, place.at("load_backward")),
            )
        if p.d_v is not None:
            slip = Sensor(f"{self.name}.{domain.speed}_rel_viscous")
            bound.viscous = (-p.d_v * slip).bind("", self.label, place.at("viscous"))
        return bound

    def stamp(self, net: Network) -> None:
        """A spring, or a rigid coupling with a loss, and the friction of a against the support."""
        p, (a, b, support) = self.p, (self.flange(name) for name in self.flanges)
        if p.c is None:
            forward, backward = slopes(p)
            net.coupling(self, {"a": 1, "b": -1, "support": 0})
            net.loss(self, "a", "support", [[0.0, forward, -backward, p.tau_0, p.tau_0]], p.law, lines=True, part="")
        else:
            net.spring_damper(self, a, b, p.c, 0.0 if p.d is None else p.d, 0.0, part="b")
            net.friction(self, support, a, p.law, *self.loads)
        if self.viscous is not None:
            net.source(self, support, a, self.viscous, passive=True, part="viscous")

    def normal_load(self) -> Signal:
        """The load of the law at positive slip."""
        return self.loads[0]


def slopes(p: Values) -> tuple[float, float]:
    """k_forward and k_backward, from efficiencies where these are given.

    >>> slopes(SimpleNamespace(k_forward=None, k_backward=None, eta_forward=0.8, eta_backward=None))
    (0.25, 0.25)
    """
    forward = p.k_forward if p.eta_forward is None else 1 / p.eta_forward - 1
    backward = p.k_backward if p.eta_backward is None else 1 - p.eta_backward
    forward = 0.0 if forward is None else forward
    return forward, forward if backward is None else backward


def _rigid_faults(p: Values) -> list[str]:
    """What a joint without compliance cannot have."""
    law = p.law
    if law.family != "locking" or law.lock != "switch" or law.states:
        return [
            f"{type(law).__name__} needs the torque as a function of the states; give the stiffness c of the joint, or "
            "a law that sticks exactly at v = 0, such as Coulomb, Switch or Stribeck"
        ]
    if p.fade is not None:
        return ["fade needs the torque as a function of the states; give the stiffness c of the joint"]
    if law.varying:
        return [
            f"{next(iter(law.varying))} follows a signal, for which the torque must be a function of the states; give "
            "the stiffness c of the joint, or numbers"
        ]
    if not hasattr(law, "p"):
        return []
    most, backward = larger(law.breakaway(law.p), law.sliding(law.p, 0.0)), slopes(p)[1]
    if most * backward > 1:
        return [
            f"friction at rest times k_backward = {most:g} * {backward:g} exceeds 1: a rigid joint may jam while b "
            "drives it; give the stiffness c of the joint, with which the motion is unique for every k_backward, or a "
            "smaller k_backward; by default it is k_forward"
        ]
    return []
