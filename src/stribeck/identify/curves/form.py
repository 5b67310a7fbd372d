"""The terms of a curve of steady friction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ...declare import unknown
from ...errors import SpecError, UnknownName
from .steady_points import SteadyPoints

THRESHOLDS = (None, "jump", "kink")


@dataclass(frozen=True)
class CurveForm:
    """The terms of a curve; `exponent` is that of the Stribeck curve, None if it is estimated.

    >>> CurveForm(offset=True).names
    ['mu_c', 'mu_s', 'mu_v', 'offset', 'v_s']
    """

    stribeck: bool = True
    viscous: bool = True
    offset: bool = False
    asymmetric: bool = False
    threshold: str | None = None
    exponent: float | None = 2.0
    loads: bool = False
    """Whether friction backwards is a multiple, load_backward, of that forwards."""
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Where parameters stay, in SI; those of one direction have a mark: mu_v+."""

    @property
    def names(self) -> list[str]:
        """Its parameters.

        >>> CurveForm(stribeck=False).names
        ['mu_c', 'mu_v']
        """
        terms = {
            "mu_c": True,
            "mu_s": self.stribeck,
            "mu_v": self.viscous,
            "offset": self.offset,
            "v_s": self.stribeck,
            "exponent": self.stribeck and self.exponent is None,
            "v_v": self.threshold is not None,
            "load_backward": self.loads,
        }
        plain = [name for name, used in terms.items() if used]
        return [name + mark for mark in "+-" for name in plain] if self.asymmetric else plain

    def units(self, units: tuple[str, str]) -> dict[str, str]:
        """Units of its parameters from those of speed and friction.

        >>> CurveForm(stribeck=False).units(("rad/s", "N.m"))
        {'mu_c': 'N.m', 'mu_v': 'N.m.s/rad'}
        """
        speed, friction = units
        viscous = f"{friction}.s/{speed.removesuffix('/s')}" if friction and speed.endswith("/s") else ""
        known = {"v_s": speed, "v_v": speed, "exponent": "1", "load_backward": "1", "mu_v": viscous}
        return {name: known.get(name.rstrip("+-"), friction) for name in self.names}

    def columns(self, speed: np.ndarray, nonlinear: Mapping[str, float]) -> dict[str, np.ndarray]:
        """The regressor of each linear parameter.

        >>> CurveForm(stribeck=False).columns(np.array([-1.0, 2.0]), {})
        {'mu_c': array([-1., 1.]), 'mu_v': array([-1., 2.])}
        """
        sign, pace = np.sign(speed), np.abs(speed)
        columns = {"mu_c": sign}
        if self.stribeck:
            exponent = nonlinear.get("exponent", self.exponent or 2.0)
            fall = np.exp(-((pace / nonlinear["v_s"]) ** exponent))
            columns = {"mu_c": sign * (1 - fall), "mu_s": sign * fall}
        if self.viscous:
            columns["mu_v"] = self._viscous(speed, nonlinear)
        if self.loads:
            load = np.where(speed < 0, nonlinear.get("load_backward", 1.0), 1.0)
            columns = {name: load * column for name, column in columns.items()}
        if self.offset:
            columns["offset"] = np.ones_like(speed)
        return columns

    def side(self, mark: str) -> CurveForm:
        """The form of one direction, "+" or "-".

        >>> CurveForm(asymmetric=True, bounds={"mu_v-": (0, 1)}).side("-").bounds
        {'mu_v': (0, 1)}
        """
        other = {"+": "-", "-": "+"}[mark]
        own = {name.removesuffix(mark): ends for name, ends in self.bounds.items() if not name.endswith(other)}
        return replace(self, asymmetric=False, bounds=own)

    def friction(self, speed: np.ndarray, values: Mapping[str, float]) -> np.ndarray:
        """The curve for given parameters.

        >>> CurveForm(stribeck=False).friction(np.array([-1.0, 2.0]), {"mu_c": 1, "mu_v": 0.5})
        array([-1.5, 2.])
        """
        if self.asymmetric:
            one = replace(self, asymmetric=False)
            p, n = ({k[:-1]: v for k, v in values.items() if k.endswith(mark)} for mark in "+-")
            return np.asarray(np.where(speed > 0, one.friction(np.abs(speed), p), -one.friction(np.abs(speed), n)))
        columns = self.columns(speed, values)
        return np.asarray(sum((values[name] * column for name, column in columns.items()), np.zeros_like(speed)))

    def _viscous(self, speed: np.ndarray, nonlinear: Mapping[str, float]) -> np.ndarray:
        if self.threshold == "jump":
            return np.where(np.abs(speed) > nonlinear["v_v"], speed, 0.0)
        if self.threshold == "kink":
            return np.asarray(np.sign(speed) * np.maximum(np.abs(speed) - nonlinear["v_v"], 0.0))
        return speed

    def check(self, points: SteadyPoints) -> None:
        """Refuses invalid options, and terms that these points cannot identify.

        >>> CurveForm(threshold="step").check(points)
        SpecError: threshold = 'step' must be one of None, 'jump', 'kink'
        """
        if self.threshold not in THRESHOLDS:
            raise SpecError(f"threshold = {self.threshold!r} must be one of {', '.join(map(repr, THRESHOLDS))}")
        if self.threshold and not self.viscous:
            raise SpecError(f"threshold = {self.threshold!r} is where viscous friction begins; it needs viscous=True")
        if self.asymmetric and self.offset:
            raise SpecError(
                "an offset is not identifiable with separate friction for each direction; give one of the two, or "
                "asymmetric='load': one curve, with another load backwards"
            )
        if self.loads and (np.all(points.speed > 0) or np.all(points.speed < 0)):
            raise SpecError("asymmetric='load' needs points in both directions")
        if self.exponent is not None and not 0 < self.exponent <= 20:
            raise SpecError(f"exponent = {self.exponent:g} must be above 0 and at most 20, or None to estimate it")
        known = {*self.names, *(name.rstrip("+-") for name in self.names)}
        for name, (low, high) in self.bounds.items():
            if name not in known:
                raise UnknownName(unknown("bounds: the curve has no parameter", name, self.names))
            if not low < high:
                raise SpecError(f"bounds of {name}: {low:g} must be below {high:g}")
        self._check_count(points)

    def fits(self, points: SteadyPoints) -> bool:
        """Whether there are enough points.

        >>> CurveForm().fits(points)
        True
        """
        try:
            self._check_count(points)
        except SpecError:
            return False
        return True

    def _check_count(self, points: SteadyPoints) -> None:
        sides = [points.side(1), points.side(-1)] if self.asymmetric else [points]
        need = len(self.names) // len(sides) + 1
        for side, what in zip(sides, ["forwards", "backwards"] if self.asymmetric else ["in all"], strict=True):
            speeds = side.levels.size
            if side.speed.size < need or speeds < need - 1 - self.offset:
                raise SpecError(
                    f"a curve with {need - 1} parameters needs at least {need} points at {need - 1 - self.offset} "
                    f"speeds; there are {side.speed.size} points at {speeds} speeds {what}: measure more, or omit "
                    "terms"
                )
            if self.threshold and speeds < 5:
                raise SpecError(f"a threshold needs points at 5 speeds or more; there are {speeds} {what}")
