"""A spring that yields and dissipates."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from ..declare import Param
from ..laws.bouc_wen import BoucWen
from ..signals import Scope, Signal
from ..signals.constant import Constant
from ..signals.sensor import Sensor
from ._network import Network
from .domains import Domain
from .element import Element


class HystereticSpring(Element):
    """A spring that yields, after Bouc and Wen, with a damper in parallel; without b it is fixed to the ground:

    tau = alpha c x + (1 - alpha) c z + d w_rel, x = phi_rel - phi_rel0.

    z follows x at first and ends at +-tau_y/c: the stiffness falls from c to alpha c around the yield torque tau_y,
    where the two straight lines meet. sharpness and beta_share shape the corner and the unloading, as in `BoucWen`. It
    is not yielded at the start: z = 0, at any speed. Small loops within larger ones do not close; a `Spring` and a
    `Clutch` with `MaxwellSlip` and engage="zero" in parallel are a hysteretic spring whose loops do.

    Results: phi_rel, w_rel, tau, its hysteretic part tau_hysteretic = (1 - alpha) c z, and z.

    >>> m.add("isolator", HystereticSpring(wall, slider, c="2 kN/mm", f_y="5 kN", alpha=0.1, d="20 kN.s/m"))
    """

    group = "springs"
    flanges = ("a", "b")
    to_ground = ("b",)
    ports = ("heat",)
    c = Param(None, "{force}/{disp}", "stiffness before it yields", above=0)
    tau_y = Param(None, "{force}", "yield torque", above=0, aliases=("f_y",))
    alpha = Param(None, "1", "stiffness after it has yielded, over c", min=0, max=1)
    sharpness = BoucWen.sharpness
    beta_share = replace(BoucWen.beta_share, min=0.5)  # below it is not passive
    d = Param(0.0, "{force}.s/{disp}", "damping", min=0)
    phi_rel0 = Param(0.0, "{disp}", "relative position at which x is 0", aliases=("s_rel0",))
    law: BoucWen
    load: Signal
    total: Signal

    def bind(self, domain: Domain, scope: Scope | None = None) -> Self:
        """As for every element, with the law of its hysteresis and its torque as a signal."""
        bound = super().bind(domain, scope)
        p, place = bound.p, (scope or Scope()).at(self.name)
        law = BoucWen(sigma0=p.c, mu_c=p.tau_y, sharpness=p.sharpness, beta_share=p.beta_share)
        bound.law = law.bind(domain.units, self.label)
        bound.load = Constant.ready(f"{self.name}.load", value=1 - p.alpha)
        x, v, z = (Sensor(f"{self.name}.{word}") for word in (f"{domain.position}_rel", f"{domain.speed}_rel", "z"))
        total = p.alpha * p.c * (x - p.phi_rel0) + (1 - p.alpha) * p.c * z + p.d * v
        bound.total = total.bind("", self.label, place.at("torque"))
        return bound

    def stamp(self, net: Network) -> None:
        """A spring with a damper and a friction in parallel; their sum is the torque of the element."""
        p, a, b = self.p, self.flange("a"), self.flange("b")
        net.spring_damper(self, a, b, p.alpha * p.c, p.d, p.phi_rel0)
        net.friction(self, a, b, self.law, self.load, engage="zero", part="hysteretic")
        net.show_torque(self, self.total)
