"""Hybrid friction with presliding: a spring and damper while stuck."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any, Self

from ..errors import SpecError
from ._curve import stribeck_curve
from ._parameters import EXPONENT, MU_C, MU_S, MU_V, SIGMA, V_S, positive
from ._step_needs import capture_window, damper
from .functions import Abs, Piecewise, sign
from .hybrid import misses_zero
from .law import (
    AtMost,
    BristleLaw,
    Conditions,
    Expr,
    Flow,
    Jump,
    Mode,
    Param,
    Role,
    State,
    StepConditions,
    StepNeed,
    Values,
    is_number,
)

SLACK = 1e-6
"""Speed relative to Sigma by which a slider may pass 0 before it is captured: rounding must not capture it."""

CRITICAL = 0.01
"""Relative deviation from critical damping that causes a warning."""


class HybridPresliding(BristleLaw):
    """Two-mode friction with presliding: while stuck a spring k1 with a damper k2, which breaks at z_max and mu_s.

    Sliding follows the Stribeck curve. It is captured, with a relaxed spring, when its speed is below Sigma and the
    force below mu_c; a reversal passes through the stuck mode. `tuned` finds k1 and k2 for a mass.

    >>> Bearing(mass, law=HybridPresliding.tuned(mass=1, mu_c=1, mu_s=1.5, z_max=1e-5))
    """

    source = (
        "R. Nouailletas, E. Mendes, D. Koenig: Hybrid modeling and identification of dry friction systems, application "
        "to a clutch actuator. Control Engineering Practice 18 (2010) 904-917, (14)-(18)"
    )

    k1 = Param(1e5, "{load}/{disp}", "stiffness while stuck", above=0, aliases=("sigma0",), role=Role.STIFFNESS)
    k2 = Param(
        632.4555320336759, "{load}.s/{disp}", "damping while stuck", min=0, aliases=("sigma1",), role=Role.DAMPING
    )
    z_max = Param(1.5e-5, "{disp}", "largest deflection while stuck", above=0, role=Role.SHAPE)
    mu_c = positive(MU_C)
    mu_s = positive(MU_S)
    v_s = V_S
    exponent = EXPONENT
    mu_v = MU_V
    Sigma = SIGMA
    orders = (AtMost("mu_c", "mu_s"),)

    z = State("{disp}", "deflection since capture", lambda p: p.z_max)
    mode = Mode("stuck 0, sliding forward 1 or backward -1", (0, 1, -1))
    near = Mode(
        "not 0 if one of the two conditions of a mode change is met: stuck and deflected to z_max; slow", (0, 1, -1)
    )

    @staticmethod
    def g(p: Values, v: Expr) -> Expr:
        return stribeck_curve(p, v)

    @staticmethod
    def flow(p: Values, v: Expr, z: Expr, mode: Expr, near: Expr, g: Expr) -> Flow:
        stuck = Abs(mode) < 0.5
        sliding = mode * g + p.mu_v * v
        return Flow(
            z=Piecewise((v, stuck), (0, True)), friction=Piecewise((p.k1 * z + p.k2 * v, stuck), (sliding, True))
        )

    @staticmethod
    def jumps(p: Values, v: Expr, z: Expr, mode: Expr, near: Expr, hold: Expr) -> list[Jump]:
        # a change needs two conditions: the guard waits for one, then for the other, so that each guard is smooth
        slow = Piecewise((1, Abs(v) < p.Sigma), (0, True))

        def guard(is_stuck: bool, is_far: bool, value: Expr) -> Expr:
            state = Abs(mode) < 0.5 if is_stuck else Abs(mode) > 0.5
            waits = Abs(near) < 0.5 if is_far else Abs(near) > 0.5
            return Piecewise((Piecewise((value, waits), (1, True)), state), (1, True))

        pushed, pulled = sign(z) * hold > p.mu_s, mode * hold < p.mu_c
        bent, below = (
            near * z > (1 - SLACK) * p.z_max,
            mode * v < (1 + SLACK) * p.Sigma,
        )  # the first condition still holds
        return [
            Jump(
                guard(True, True, 1 - Abs(z) / p.z_max),
                mode=Piecewise((sign(z), pushed), (0, True)),
                near=Piecewise((slow, pushed), (sign(z), True)),
            ),
            Jump(
                guard(True, False, 1 - near * hold / p.mu_s),
                mode=Piecewise((near, bent), (0, True)),
                near=Piecewise((slow, bent), (0, True)),
            ),
            Jump(guard(True, False, Abs(z) / p.z_max - 1), near=0),
            Jump(
                guard(False, True, mode * v / p.Sigma - 1),
                mode=Piecewise((0, pulled), (mode, True)),
                near=Piecewise((0, pulled), (1, True)),
                z=Piecewise((0, pulled), (z, True)),
            ),
            Jump(
                guard(False, False, mode * hold / p.mu_c - 1),
                mode=Piecewise((0, below), (mode, True)),
                near=0,
                z=Piecewise((0, below), (z, True)),
            ),
            Jump(guard(False, False, 1 - mode * v / p.Sigma), near=0),
            Jump(guard(False, False, mode * v / p.Sigma + SLACK), mode=0, near=0, z=0),
        ]

    @staticmethod
    def steady(p: Values, v: Expr) -> tuple[Expr, Expr, Expr]:
        return 0, sign(v), Piecewise((Abs(sign(v)), Abs(v) < p.Sigma), (0, True))

    @staticmethod
    def storage(p: Values, z: Expr, mode: Expr, near: Expr) -> Expr:
        return Piecewise((p.k1 * z**2 / 2, Abs(mode) < 0.5), (0, True))

    @staticmethod
    def nominal_speed(p: Values) -> float:
        return min(p.v_s, p.Sigma)

    @staticmethod
    def step_needs(p: Values, at: StepConditions) -> list[StepNeed]:
        return [capture_window(p, at), damper("k2", "", 0.0, at)]

    @classmethod
    def tuned(cls, mass: float | str, load: float = 1.0, **values: Any) -> Self:
        """The law with k1 and k2 for a mass (kg, or kg.m2) under a normal load: it reaches z_max at mu_s, (16), and
        is critically damped while stuck, (18). Numbers are SI; texts are converted by their own units.

        >>> HybridPresliding.tuned(mass=1, mu_s=1.1, z_max=0.01).k2
        20.97617696
        """
        owner, given = f"{cls.__name__}.tuned", cls.canonical(values)
        for name in ("k1", "k2"):
            if name in given:
                raise SpecError(
                    f"{owner}: {name} = {given[name]} is computed here; drop it, or use {cls.__name__}(...)"
                )
        m, normal = (param.to_si(value, {}, owner, name) for name, param, value in _tuning(mass, load))
        mu_s, z_max = (
            cls.params[name].to_si(given.get(name, cls.params[name].default), {}, owner, name)
            for name in ("mu_s", "z_max")
        )
        k1 = mu_s / z_max
        return cls(**given, k1=k1, k2=2 * sqrt(m * k1 / normal))

    @staticmethod
    def checks(p: Values, conditions: Conditions | None = None) -> list[str]:
        known = conditions or Conditions()
        warnings = []
        if abs(p.k1 * p.z_max - p.mu_s) > CRITICAL * p.mu_s:
            warnings.append(
                f"k1 z_max = {p.k1 * p.z_max:g} differs from mu_s = {p.mu_s:g}: the spring is not at z_max when it "
                f"breaks; set k1 = mu_s/z_max = {p.mu_s / p.z_max:g}"
            )
        if known.inertia is not None and known.load > 0:
            critical = 2 * sqrt(known.inertia * p.k1 / known.load)
            if abs(p.k2 - critical) > CRITICAL * critical:
                warnings.append(
                    f"k2 = {p.k2:g} is not the critical damping 2 sqrt(m k1) = {critical:g} of the mass "
                    f"{known.inertia:g}; HybridPresliding.tuned sets it"
                )
        return warnings + misses_zero(p, known)

    def in_proportion(self, values: Mapping[str, Any]) -> dict[str, Any]:
        derived = super().in_proportion(values)
        new = {"mu_s": self.mu_s, "k1": self.k1} | dict(values) | derived
        if not (is_number(new["mu_s"]) and is_number(new["k1"])):
            return derived
        return derived | {"z_max": self.z_max * (self.k1 / self.mu_s) * (new["mu_s"] / new["k1"])}


def _tuning(mass: Any, load: Any) -> list[tuple[str, Param, Any]]:
    """The values that a law is tuned for: name, declaration and value."""
    unit = "kg.m2" if isinstance(mass, str) and mass.strip().endswith("2") else "kg"
    return [
        ("mass", Param(None, unit, "mass, or moment of inertia, behind the contact", above=0), mass),
        ("load", Param(1.0, "1", "normal load that multiplies the law", above=0), load),
    ]
