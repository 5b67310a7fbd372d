"""Displacement of a contact under a known force: in closed form, or by simulation with the mass that it moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...elements.force import Force
from ...elements.guide import Guide
from ...elements.mass import Mass
from ...laws.lugre import LuGre
from ...signals.external import External
from ...spec import Model
from ..fits.simulation import Rig
from ..records.measurement import Measurement
from .strokes import Stroke, lagged_strokes, strokes

RUN_IN = 200
"""Samples of a ramp from 0 to the first value of the force, and as many at this value."""


@dataclass(frozen=True, eq=False)
class BristleContact:
    """Bristles that carry a force sampled every `h` seconds, minus the inertia force of a mass.

    >>> BristleContact(1e-3).displacement(load, {"sigma0": 1e5, "f": 1.5, "sigma1": 300.0})
    """

    h: float
    mass: float = 0.0

    def displacement(self, load: np.ndarray, p: Mapping[str, float]) -> np.ndarray:
        """The displacement at each sample, starting at 0.

        >>> contact.displacement(load, {"sigma0": 1e5, "f": 1.5})[-1]
        -7.35e-07
        """
        return self.under(load).displacements([p])[0]

    def under(self, load: np.ndarray) -> LoadedContact:
        """The contact under a load, for several sets of parameters.

        >>> contact.under(load).displacements([{"sigma0": 1e5, "f": 1.5}, {"sigma0": 1.1e5, "f": 1.5}])
        """
        return LoadedContact(self, load)

    @cached_property
    def model(self) -> Model:
        """A mass on bristles under a force from outside."""
        model = Model("contact")
        body = model.add("body", Mass(m=self.mass))
        model.add("push", Force(body, f=External(0)))
        model.add("guide", Guide(body, law=LuGre()))
        return model


@dataclass(frozen=True, eq=False)
class LoadedContact:
    """A contact under a load.

    >>> LoadedContact(BristleContact(1e-3), load).displacements([{"sigma0": 1e5, "f": 1.5}])
    """

    contact: BristleContact
    load: np.ndarray

    def displacements(self, sets: Sequence[Mapping[str, float]]) -> list[np.ndarray]:
        """The displacement at each sample, starting at 0, with every set of parameters.

        >>> contact.under(load).displacements([{"sigma0": 1e5, "f": 1.5}])[0][-1]
        -7.35e-07
        """
        return self._simulated(sets) if self.contact.mass else [self._exact(p) for p in sets]

    def _exact(self, p: Mapping[str, float]) -> np.ndarray:
        lag = p.get("sigma1", 0.0) / p["sigma0"]
        return bristles(self.load, strokes(self.load), self.contact.h, p["f"], lag) / p["sigma0"]

    def _simulated(self, sets: Sequence[Mapping[str, float]]) -> list[np.ndarray]:
        named = [{"sigma0": p["sigma0"], "sigma1": p.get("sigma1", 0.0), "mu_c": p["f"], "mu_s": p["f"]} for p in sets]
        values = [{f"guide.law.{name}": float(value) for name, value in one.items()} for one in named]
        found = self._rig.simulate_many(values)
        paths = [self._rig.simulate(one) if run is None else run for one, run in zip(values, found, strict=True)]
        first = 2 * RUN_IN
        return [np.asarray(path[0, first:] - path[0, first]) for path in paths]

    @cached_property
    def _rig(self) -> Rig:
        """The bristles start undeflected, so the force starts with a ramp from 0."""
        ramp = np.concatenate([0.5 - 0.5 * np.cos(np.linspace(0, np.pi, RUN_IN)), np.ones(RUN_IN)]) * self.load[0]
        force = np.concatenate([ramp, self.load])
        run = Measurement({"f": force, "x": np.zeros(force.size)}, sample_time=self.contact.h)
        return Rig(self.contact.model, run, {"body.s": "x"}, {"push.f": "f"}, {}, hold=False)


def bristles(load: np.ndarray, parts: list[Stroke], h: float, limit: float, lag: float) -> np.ndarray:
    """sigma0 x of a contact without mass, whose bristles carry the load behind a first-order lag.

    >>> bristles(load, strokes(load), 1e-3, limit=1.5, lag=3e-3) / sigma0
    """
    if not lag:
        return bristle_displacement(load, parts, limit)
    y = lagged(load, h, lag)
    return bristle_displacement(y, lagged_strokes(y, parts), limit)


def bristle_displacement(y: np.ndarray, parts: list[Stroke], limit: float) -> np.ndarray:
    """sigma0 x of a contact that carries y: along each stroke, - s f log(1 - s y / f), joined at the reversals.

    >>> bristle_displacement(y, strokes(y), 1.5) / sigma0
    """
    share = np.clip(y / limit, -1 + 1e-12, 1 - 1e-12)
    path = np.empty_like(y)
    level = 0.0
    for start, stop, sign in parts:
        course = -sign * limit * np.log1p(-sign * share[start : stop + 1])
        path[start : stop + 1] = level + course - course[0]
        level = path[stop]
    return path


def lagged(values: np.ndarray, h: float, time_constant: float) -> np.ndarray:
    """The solution of T y' + y = values, exact for linear interpolation between samples, from equilibrium.

    >>> lagged(t, 1e-3, 0.1)[-1]
    3.9
    """
    from scipy.signal import lfilter

    r = h / time_constant
    decay = np.exp(-r)
    new = 1 + np.expm1(-r) / r
    old = -np.expm1(-r) - new
    return np.asarray(lfilter([new, old], [1, -decay], values, zi=[values[0] * (1 - new)])[0])
