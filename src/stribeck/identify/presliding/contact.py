"""The way of a contact under a force that is known: in closed form, or with the mass that it moves by simulation."""

from __future__ import annotations

from collections.abc import Mapping
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
from .strokes import Stroke, strokes, turned

LEAD = 200
"""Samples in which a force that does not begin at 0 is led there, and as many again at rest."""


@dataclass(frozen=True, eq=False)
class Contact:
    """Bristles that carry a force sampled every `h` seconds, less what accelerates a mass.

    >>> Contact(1e-3).way(load, {"sigma0": 1e5, "f": 1.5, "sigma1": 300.0})
    """

    h: float
    mass: float = 0.0

    def way(self, load: np.ndarray, p: Mapping[str, float]) -> np.ndarray:
        """The position at each sample, from 0 on.

        >>> contact.way(load, {"sigma0": 1e5, "f": 1.5})[-1]
        2.1e-06
        """
        if self.mass:
            return self._simulated(load, p)
        lag = p.get("sigma1", 0.0) / p["sigma0"]
        return bristles(load, strokes(load), self.h, p["f"], lag) / p["sigma0"]

    def _simulated(self, load: np.ndarray, p: Mapping[str, float]) -> np.ndarray:
        """The bristles begin unbent, so a force that begins elsewhere is led there."""
        lead = np.concatenate([0.5 - 0.5 * np.cos(np.linspace(0, np.pi, LEAD)), np.ones(LEAD)]) * load[0]
        run = Measurement({"f": np.concatenate([lead, load]), "x": np.zeros(load.size + lead.size)}, sample_time=self.h)
        rig = Rig(self._model, run, {"body.s": "x"}, {"push.f": "f"}, {}, hold=False)
        named = {"sigma0": p["sigma0"], "sigma1": p.get("sigma1", 0.0), "mu_c": p["f"], "mu_s": p["f"]}
        path = rig.simulate({f"guide.law.{name}": float(value) for name, value in named.items()})[0]
        return np.asarray(path[lead.size :] - path[lead.size])

    @cached_property
    def _model(self) -> Model:
        model = Model("contact")
        body = model.add("body", Mass(m=self.mass))
        model.add("push", Force(body, f=External(0)))
        model.add("guide", Guide(body, law=LuGre()))
        return model


def bristles(load: np.ndarray, parts: list[Stroke], h: float, limit: float, lag: float) -> np.ndarray:
    """sigma0 x of a contact without mass, whose bristles carry the load behind a lag.

    >>> bristles(load, strokes(load), 1e-3, limit=1.5, lag=3e-3) / sigma0
    """
    if not lag:
        return displacement(load, parts, limit)
    y = lagged(load, h, lag)
    return displacement(y, turned(y, parts), limit)


def displacement(y: np.ndarray, parts: list[Stroke], limit: float) -> np.ndarray:
    """sigma0 x of a contact that carries y: along each stroke, - s f log(1 - s y / f), joined at the reversals.

    >>> displacement(y, strokes(y), 1.5) / sigma0
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
    """A course behind T y' + y = values, exact for values that are straight between the samples; it begins in balance.

    >>> lagged(t, 1e-3, 0.1)[-1]
    9.9
    """
    from scipy.signal import lfilter

    r = h / time_constant
    decay = np.exp(-r)
    new = 1 + np.expm1(-r) / r
    old = -np.expm1(-r) - new
    return np.asarray(lfilter([new, old], [1, -decay], values, zi=[values[0] * (1 - new)])[0])
