"""Parameters of friction laws that a fixed step asks for, each with the formula behind it.

N is the largest load of the run, J the reduced inertia of the slip, h the step and c the largest h |lambda| that a
method bears (`real_limit`: 2, 2, 2.513, 2.785, 3.307 for ode1 to ode5).

- Tanh and CoulombViscous have the slope (2 mu_c/v_0 + mu_v) N at rest, which must stay below c J/h. Without mu_v:
  v_0 > 2 mu_c N h/(c J). With c = 1 the slip ends without swinging. The price is creep: v = v_0/2 atanh(tau/(N mu_c)).
- Karnopp's window must not be jumped over: DV > h/2 |dv/dt|, with the largest acceleration of the slip.
- Hybrid friction: J Sigma > (u + mu_s N) h, with the largest torque u on the contact, because friction acts along with
  it when the slip turns round; (11) of Nouailletas, Mendes, Koenig 2010 leaves friction out, and steps pass the window.
  p0 > 5/h if slip is to be gone after one step. An explicit method bears p0 < c/h only, so that it cannot have both.
- Bristles of LuGre and Dahl bend at the rate sigma0 |v|/mu in slip, so sigma0 < c mu_c/(h |v|); at rest they are a
  damper N sigma1, so sigma1 < c J/(h N).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...laws import Law
from ...laws.coulomb_viscous import CoulombViscous
from ...laws.dahl import Dahl
from ...laws.hybrid import Hybrid
from ...laws.hybrid_presliding import HybridPresliding
from ...laws.karnopp import Karnopp
from ...laws.lugre import LuGre
from ...laws.tanh import Tanh
from .amplification import EXPLICIT, real_limit
from .contacts import Contact


@dataclass(frozen=True)
class Advice:
    """A parameter, its value, and what the methods need: at least (`sign` 1) or at most (-1) these values.

    >>> advice.needed["ode4"], advice.met("ode4")
    (4.49, True)
    """

    element: str
    law: str
    parameter: str
    value: float
    sign: int
    needed: Mapping[str, float]
    """By explicit method."""
    formula: str

    def met(self, method: str) -> bool:
        """Whether the value is what a method needs."""
        return self.sign * (self.value - self.needed[method]) >= 0

    @property
    def broken(self) -> tuple[str, ...]:
        """The methods that need another value."""
        return tuple(method for method in EXPLICIT if not self.met(method))


def advise(contact: Contact, h: float) -> list[Advice]:
    """What the law of a contact needs at the step h (s).

    >>> advise(contact, 1e-3)[0].needed
    {'ode1': 6.25, 'ode2': 6.25, 'ode3': 4.97, ...}
    """
    if not np.isfinite(contact.inertia) or contact.largest_load == 0:
        return []
    return [advice for kind, rule in RULES.items() if isinstance(contact.law, kind) for advice in rule(contact, h)]


def by_method(limit: Callable[[float], float]) -> dict[str, float]:
    """A value for each explicit method from its c.

    >>> by_method(lambda c: 12.5 / c)["ode1"]
    6.25
    """
    return {method: limit(real_limit(method)) for method in EXPLICIT}


def _advice(contact: Contact, parameter: str, sign: int, needed: Mapping[str, float], formula: str) -> Advice:
    p: Any = contact.law.p
    law = type(contact.law).__name__
    return Advice(contact.name, law, parameter, float(getattr(p, parameter)), sign, needed, formula)


def _transition(contact: Contact, h: float) -> Iterator[Advice]:
    p: Any = contact.law.p
    N, J = contact.largest_load, contact.inertia

    def v_0(c: float) -> float:
        left = c * J / (N * h) - p.mu_v
        return 2 * p.mu_c / left if left > 0 else np.inf

    formula = f"v_0 > 2 mu_c N h/(c J) = 2 {p.mu_c:g} {N:.4g} {h:g}/(c {J:.4g})"
    if p.mu_v:
        formula = f"v_0 > 2 mu_c/(c J/(N h) - mu_v), J/(N h) = {J / (N * h):.4g}, mu_v = {p.mu_v:g}"
    formula += f"; ends without swinging from {v_0(1.0):.4g} on"
    yield _advice(contact, "v_0", 1, by_method(v_0), formula)


def _window(contact: Contact, h: float) -> Iterator[Advice]:
    need = 0.5 * h * contact.hardest
    yield _advice(
        contact, "dv", 1, by_method(lambda c: need), f"DV > h/2 |dv/dt| = {h:g}/2 {contact.hardest:.4g} = {need:.4g}"
    )


def _captured(contact: Contact, h: float) -> Iterator[Advice]:
    p: Any = contact.law.p
    u, J = contact.pushed + p.mu_s * contact.largest_load, contact.inertia
    need = u * h / J
    formula = f"J Sigma > (u + mu_s N) h: Sigma > {u:.4g} {h:g}/{J:.4g} = {need:.4g}"
    yield _advice(contact, "Sigma", 1, by_method(lambda c: need), formula)


def _decay(contact: Contact, h: float) -> Iterator[Advice]:
    yield from _captured(contact, h)
    most = by_method(lambda c: c / h)
    yield _advice(
        contact, "p0", -1, most, f"p0 < c/h, stable; the slip is gone after a step only for p0 > 5/h = {5 / h:g}"
    )


def _bristles(contact: Contact, h: float) -> Iterator[Advice]:
    p: Any = contact.law.p
    speed, time = contact.fastest
    N, J = contact.largest_load, contact.inertia
    if speed > 0:
        most = by_method(lambda c: c * p.mu_c / (h * speed)) | {"mixed": np.inf}
        yield _advice(contact, "sigma0", -1, most, f"sigma0 < c mu_c/(h |v|), |v| = {speed:.4g} at {time:g} s")
    if hasattr(p, "sigma1"):
        most = by_method(lambda c: c * J / (h * N))
        yield _advice(contact, "sigma1", -1, most, f"sigma1 < c J/(h N) = c {J:.4g}/({h:g} {N:.4g})")


RULES: dict[type[Law], Callable[[Contact, float], Iterator[Advice]]] = {
    Tanh: _transition,
    CoulombViscous: _transition,
    Karnopp: _window,
    Hybrid: _decay,
    HybridPresliding: _captured,
    LuGre: _bristles,
    Dahl: _bristles,
}
"""By law, and the laws that are made from it."""
