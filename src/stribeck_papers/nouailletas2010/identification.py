"""The actuator on a virtual test bench: its friction identified as in Sections 3 and 5, and the model that results.

The rig is the simple model with the play of 3 rad, an encoder of 56 counts and samples every 1 ms. It has the friction
of Table 5 and (48), so that results can be compared with the true values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial

import stribeck as sb
from stribeck.reports import DataTable

from .actuator import (
    C_D,
    C_DS,
    F_V,
    J_SPREAD,
    PLAY,
    SAMPLE,
    TABLE_5,
    TORQUE,
    W_V,
    Controller,
    DryFriction,
    J,
    LimitCycle,
    position_test,
    single_mass,
)

LOW, HIGH = 3.0, 62.0
"""Range of the tests (rad)."""
PRINTED = {"C_s": (0.1352, 0.1506), "C_r": (0.1094, 0.1094), "beta": (1.2325, 1.3728)}
"""Section 5: mean break-away torque, mean Coulomb torque (N.m) and their ratio, up and down."""


def identify(*, play: float = PLAY, substeps: int = 10, **tests: Any) -> Identified:
    """The friction tests on the rig; `tests` go to `bench_test`.

    >>> print(found)  # found = identify(substeps=2)
    """
    rig = single_mass(0.0, start=LOW + 2, play=play, name="rig")
    encoder: dict[str, Any] = {"encoder": 56, "sample_time": SAMPLE, "limit": TORQUE, "substeps": substeps}
    bench = sb.identify.VirtualBench(rig, "motor.tau", "rotor.phi", **encoder)
    settings: dict[str, Any] = {"degrees": (3, 4), "rates": (0.3, 0.1), **tests}
    found = sb.identify.bench_test(bench, LOW, HIGH, play=play, inertia=J, inertia_error=J_SPREAD, **settings)
    return Identified(found, play)


@dataclass(frozen=True, eq=False)
class Identified:
    """The results of the tests, and the model with one mass that follows from them.

    >>> found.test.beta[1]  # found = identify(substeps=2)
    (1.2, 0.0355)
    """

    test: sb.identify.BenchTest
    play: float = PLAY

    @cached_property
    def resistance(self) -> DryFriction:
        """Polynomials and ratios of break-away, as the simple model takes them: (47), (49).

        >>> found.resistance.forward(30.0)
        0.115
        """
        ways = {way: self.test.beta[way][0] for way in (1, -1)}
        curves = {way: Polynomial(self.test.curves[way].coefficients / beta) for way, beta in ways.items()}
        return DryFriction(curves[1], curves[-1], ways[1], ways[-1])

    def put_in(self, theta: Any, direction: int, motor: float) -> Any:
        """Break-away torque of the rig at angles of the rotor, whose own friction at that moment is `motor` (N.m).

        With play the rack is behind by half of it, and the motor slips within the elasticity of the teeth before the
        rack does, so that its part is anything from C_d to C_ds; without play there is one torque, that of Table 5.

        >>> found.put_in(30.0, 1, C_D)
        0.135
        """
        if not self.play:
            return TABLE_5.static(theta, direction)
        behind = TABLE_5.beyond(C_D, C_DS).static(np.asarray(theta) - direction * self.play / 2, direction)
        return motor + np.maximum(behind, 0.0)

    def sliding(self, theta: Any, direction: int) -> Any:
        """Coulomb torque of the rig at angles of the rotor."""
        if not self.play:
            return TABLE_5.sliding(theta, direction)
        behind = TABLE_5.sliding(np.asarray(theta) - direction * self.play / 2, direction) - C_D
        return C_D + np.maximum(behind, 0.0)

    def rows(self) -> list[list[str]]:
        """Quantity, value of the paper, true value (from, to), estimate, and its standard error.

        >>> found.rows()[0]
        ['C_s+ (N.m)', '0.1352', '0.1286', '0.1336', '0.1319', '0.0009']
        """
        theta, rows = np.linspace(LOW, HIGH, 2001), []
        slides = {way: float(np.mean(self.sliding(theta, way))) for way in (1, -1)}
        breaks = {way: [float(np.mean(self.put_in(theta, way, motor))) for motor in (C_D, C_DS)] for way in (1, -1)}
        for k, (way, sign) in enumerate(((1, "+"), (-1, "-"))):
            mean = self.test.curves[way].mean(LOW, HIGH)
            rows.append(_row(f"C_s{sign} (N.m)", PRINTED["C_s"][k], breaks[way], mean))
        for k, (way, sign) in enumerate(((1, "+"), (-1, "-"))):
            rows.append(_row(f"C_r{sign} (N.m)", PRINTED["C_r"][k], [slides[way]] * 2, self.test.coulomb[way]))
        for k, (way, sign) in enumerate(((1, "+"), (-1, "-"))):
            ratio = [level / slides[way] for level in breaks[way]]
            rows.append(_row(f"beta{sign}", PRINTED["beta"][k], ratio, self.test.beta[way]))
        estimate, ends = self.test.sliding.estimate, self.test.sliding.threshold_range or (W_V, W_V)
        rows.append(_row("f_v (N.m.s/rad)", F_V, [F_V] * 2, (estimate["fv"], estimate.errors["fv"])))
        from_speed = (self.test.sliding.threshold, (ends[1] - ends[0]) / 4)
        rows.append(_row("from the speed (rad/s)", W_V, [W_V] * 2, from_speed))
        return rows

    # --- Section 5.3 -------------------------------------------------------------------------------------------------

    def position_test(self, target: float = 30.0, *, t_end: float = 20.0, play: float = 0.0) -> sb.Result:
        """The position test of Figures 19 to 22 on the model that was found, without or with play.

        >>> found.position_test(t_end=5.0).plot("rotor.phi", "motor.tau")
        """
        torque = Controller().torque([target], [0.1], 5.0)
        model = single_mass(torque, start=5.0, resistance=self.resistance, play=play, name="found")
        estimate, speed = self.test.sliding.estimate, self.test.sliding.threshold
        sb.set_parameter(model, "oil.law", sb.StribeckThreshold(mu_c=0, mu_s=0, mu_v=estimate["fv"], v_v=speed))
        return sb.simulate(model, t_end=t_end, intervals=int(t_end / SAMPLE))

    def validation(self, target: float = 30.0, t_end: float = 20.0) -> Validation:
        """The position test on the rig and on the models that were found.

        >>> found.validation(t_end=2.0).step_error
        0.74
        """
        rig = position_test((target,), t_end=t_end, play=self.play)
        return Validation(
            rig, self.position_test(target, t_end=t_end), self.position_test(target, t_end=t_end, play=PLAY)
        )

    def __str__(self) -> str:
        return DataTable(["", "paper", "put in, from", "to", "found", "standard error"], self.rows()).text()


@dataclass(frozen=True, eq=False)
class Validation:
    """The position test on the rig, on the model that was found, and on that with play: Figures 17 to 22.

    >>> found.validation(t_end=5.0).cycles["model"].amplitude
    3.29
    """

    rig: sb.Result
    model: sb.Result
    with_play: sb.Result

    @property
    def step_error(self) -> float:
        """Largest difference (rad) of model and rig until the angle first comes to rest, Figure 21."""
        angle, time = np.asarray(self.rig["rotor.phi"]), self.rig.time
        speed = np.abs(np.gradient(angle, time))
        moving = np.flatnonzero(speed > 0.02 * speed.max())
        rest = np.flatnonzero(speed[moving[0] :] < 1e-3 * speed.max())
        end = moving[0] + (int(rest[0]) if rest.size else speed.size - 1 - moving[0])
        return float(np.abs(np.asarray(self.model["rotor.phi"])[: end + 1] - angle[: end + 1]).max())

    @property
    def cycles(self) -> dict[str, LimitCycle]:
        """The limit cycles in the second half of the test."""
        since = 0.5 * float(self.rig.time[-1])
        runs = {"rig": self.rig, "model": self.model, "model with play": self.with_play}
        return {name: LimitCycle.of(run, since) for name, run in runs.items()}


def _row(what: str, printed: float, put_in: list[float], found: tuple[float, float]) -> list[str]:
    return [what, f"{printed:.5g}", *(f"{x:.4g}" for x in put_in), f"{found[0]:.4g}", f"{found[1]:.1g}"]
