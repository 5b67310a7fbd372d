"""Friction of a servo actuator that grows with the torques of motor and load: the models M1 to M6 of BAM."""

from __future__ import annotations

from typing import Any, Self

from ..declare import Param, unknown
from ..errors import UnknownName
from ..laws.coulomb import Coulomb
from ..laws.law import Law
from ..laws.stribeck import Stribeck
from ..signals import Scope, Signal
from ..signals.sensor import Sensor
from ..signals.where import Where
from ._friction import LawParam
from ._network import Network
from .domains import DOMAINS, Domain
from .element import Element, Input

COMMON = ("K_v", "K_c")
STRIBECK = (*COMMON, "K_cs", "w_s", "alpha")
DIRECTIONAL = (*STRIBECK, "K_m", "K_e", "K_ms", "K_es")
MODELS = {
    "m1": COMMON,
    "m2": STRIBECK,
    "m3": (*COMMON, "K_l"),
    "m4": (*STRIBECK, "K_l", "K_ls"),
    "m5": DIRECTIONAL,
    "m6": (*DIRECTIONAL, "K_mq", "K_eq"),
}
"""The parameters of each model of BAM."""
COEFFICIENTS = {name for names in MODELS.values() for name in names}
STATIC = ("K_cs", "K_ms", "K_es", "K_mq", "K_eq")
"""Those of what decays with the speed."""
SYMMETRIC = {"K_l": ("K_m", "K_e"), "K_ls": ("K_ms", "K_es")}
"""Parameters of m3 and m4 that are two equal ones of m5."""
FILE_NAMES = {"load_friction_base": "K_l", "load_friction_stribeck": "K_ls"}
"""What files of BAM call these."""


class ServoFriction(Element):
    """Friction of a joint against the ground that grows with the motor torque tau_m and the external torque tau_e:

    |tau| = K_v |w| + K_c + |K_m tau_m - K_e tau_e| + e^-|w/w_s|^alpha (K_cs + |K_ms tau_m - K_es tau_e| + Q)

    with Q = K_eq tau_e^2 if |tau_m| > |tau_e| and K_mq tau_m^2 if not; Q = 0 where the torques have the same sign.
    At rest it holds up to this torque. Both torques are given: those of sources that drive the joint, such as motor and
    gravity. The torque through the gear is not needed, so the motion is unique for all parameters. `ServoFriction.bam`
    makes the models M1 to M6, which have some of the parameters. K_c + |K_m tau_m - K_e tau_e| is the load of `law`:
    with Dahl() that part has presliding, and mu |tau_m| z, with a bristle z between -1 and 1, is K_m = mu.

    After M. Duclusaud, G. Passault, V. Padois, O. Ly: Extended Friction Models for the Physics Simulation of Servo
    Actuators, 2024 (arXiv:2410.08650), and their program BAM, the names in whose files are aliases here. The factor
    mu |tau_m| z is that of google-deepmind/mujoco#3528. Results tau, tau_stribeck and tau_viscous are the three parts.

    >>> m.add("friction", ServoFriction(mass, K_c=0.1, K_m=0.2, K_e=0.1, tau_m=2, tau_e=Sine(3, f=1)))
    """

    group = "friction"
    domain = "rotational"
    ports = ("heat",)
    tau_m = Input(0.0, "N.m", "torque of the motor, at the joint")
    tau_e = Input(0.0, "N.m", "torque of the load, at the joint")
    K_v = Param(None, "N.m.s/rad", "viscous friction", min=0, aliases=("friction_viscous",), optional=True)
    K_c = Param(0.0, "N.m", "friction without load", min=0, aliases=("friction_base",))
    K_m = Param(0.0, "1", "friction over tau_m", min=0, aliases=("load_friction_motor",))
    K_e = Param(0.0, "1", "friction over tau_e", min=0, aliases=("load_friction_external",))
    K_cs = Param(None, "N.m", "more of K_c at rest", min=0, aliases=("friction_stribeck",), optional=True)
    K_ms = Param(None, "1", "more of K_m at rest", min=0, aliases=("load_friction_motor_stribeck",), optional=True)
    K_es = Param(None, "1", "more of K_e at rest", min=0, aliases=("load_friction_external_stribeck",), optional=True)
    K_mq = Param(
        None, "1/(N.m)", "friction at rest over tau_m^2", min=0, aliases=("load_friction_motor_quad",), optional=True
    )
    K_eq = Param(
        None, "1/(N.m)", "friction at rest over tau_e^2", min=0, aliases=("load_friction_external_quad",), optional=True
    )
    w_s = Param(0.2, "rad/s", "Stribeck speed", above=0, aliases=("dtheta_stribeck",))
    alpha = Param(1.35, "1", "exponent of the Stribeck curve", above=0)
    law = LawParam(None, "1", "law that K_c, K_m and K_e scale; Coulomb() if it is left out", load="1", optional=True)
    loads: tuple[Signal, Signal]
    """Of the law, and of the Stribeck curve."""
    viscous: Signal
    curve: Law

    @classmethod
    def bam(cls, *connected: object, model: str, **values: Any) -> Self:
        """One of the models of BAM: "m1" Coulomb and viscous friction, "m2" with the Stribeck effect, "m3" dependent on
        the load (K_l = K_m = K_e), "m4" both (K_ls = K_ms = K_es), "m5" directional, "m6" directional and quadratic.
        Values have the names of the element or those in the files of BAM: `bam("mass", **json.load(file), tau_m=...)`.
        What a file says about its actuator is left out; its armature is an Inertia on the joint.

        >>> ServoFriction.bam("mass", model="m3", K_v=0.01, K_c=0.05, K_l=0.1, tau_m="drive.tau", tau_e="weight.tau")
        ServoFriction(a='mass', K_v=0.01, K_c=0.05, tau_m='drive.tau', tau_e='weight.tau', K_m=0.1, K_e=0.1)
        """
        if model not in MODELS:
            raise UnknownName(unknown("BAM has no model", model, MODELS))
        if "actuator" in values:
            values = {word: value for word, value in values.items() if cls._is_friction(word)}
        given = {FILE_NAMES.get(word, word): value for word, value in values.items()}
        both = {word: given.pop(word) for word in SYMMETRIC if word in given}
        places = {word: given.pop(word) for word in (*cls.flanges, *cls.ports) if word in given}
        given = cls.canonical(given)
        for name in (*given, *both):
            if name in COEFFICIENTS and name not in MODELS[model]:
                raise UnknownName(unknown(f"model {model} of BAM has no parameter", name, MODELS[model]))
        given |= {name: value for word, value in both.items() for name in SYMMETRIC[word]}
        return cls(*connected, **places, **given)

    @classmethod
    def _is_friction(cls, word: str) -> bool:
        """Whether a name in a file is not about the motor: a name of this element, or anything with friction."""
        own = {alias for name, param in cls.params.items() for alias in (name, *param.aliases)}
        return "friction" in word or word in own.union(SYMMETRIC, cls.flanges, cls.ports)

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with the loads of both curves bound to the torques."""
        bound = super().bind(domain, scope)
        p, place = bound.p, (scope or Scope()).at(self.name)
        m, e = self.given_signal("tau_m"), self.given_signal("tau_e")
        bound.curve = Stribeck(mu_c=0.0, mu_s=1.0, v_s=p.w_s, exponent=p.alpha).bind(
            {**domain.units, "load": "1"}, self.label
        )
        kinetic = abs(p.K_m * m - p.K_e * e) + p.K_c
        given = [getattr(p, name) for name in ("K_v", *STATIC)]
        K_v, K_cs, K_ms, K_es, K_mq, K_eq = (0.0 if value is None else value for value in given)
        static = abs(K_ms * m - K_es * e) + K_cs
        if p.K_mq is not None or p.K_eq is not None:
            motor_leads = abs(m) > abs(e)
            static = static + Where(m * e < 0, Where(motor_leads, K_eq * e**2, K_mq * m**2), 0.0)
        viscous = -K_v * Sensor(f"{self.name}.{domain.speed}_rel_viscous")
        bound.loads = (
            kinetic.bind("", self.label, place.at("load")),
            static.bind("", self.label, place.at("load_stribeck")),
        )
        bound.viscous = viscous.bind("", self.label, place.at("viscous"))
        return bound

    def stamp(self, net: Network) -> None:
        """The law, and what the Stribeck curve and viscous friction add to it."""
        a = self.flange("a")
        law = self.p.law or Coulomb().bind({**DOMAINS["rotational"].units, "load": "1"}, self.label)
        net.friction(self, net.GROUND, a, law, self.loads[0])
        if any(getattr(self.p, name) is not None for name in STATIC):
            net.friction(self, net.GROUND, a, self.curve, self.loads[1], part="stribeck")
        if self.p.K_v is not None:
            net.source(self, net.GROUND, a, self.viscous, passive=True, part="viscous")
