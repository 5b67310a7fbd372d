"""Start values from guided motion: the model is forced along the measured motion, and the guide force is minimised.

The cost of an output-error fit has local minima: with a little too much friction the model stops where the machine
moved on, after which nothing fits. A model that is forced along the measured motion cannot deviate. With the true
parameters it would follow without a force, so the guide force is the error: linear in masses and dampers, and smooth in
friction. This is the inverse dynamic model of any machine with any law and any controller. Sensor noise biases it, and
smoothing blurs it; several cutoffs are tried, and the cost of the fit selects one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...compile import compile_model
from ...elements._body import Body
from ...elements.position import Position
from ...errors import SimulationError, SpecError
from ...signals.external import External
from ...spec import Model
from ..regression.terms import Motion
from .free import Finder
from .levenberg import minimise
from .losses import LOSSES
from .problem import Problem
from .simulation import Rig
from .sums import length

GUIDE, PATH, ZERO = "_guide", "_guide_path", "_guide_force"
"""The guiding element, and its channels: the position that it follows, and its force, measured as 0. Models have no
such names."""
MOTIONS = ("s", "phi", "v", "w")
"""Outputs of a body along which it can be guided."""
CUTOFFS = tuple(0.1 / 3**k for k in range(6))
"""Cutoffs of the smoothed motion, relative to the sampling rate."""
PERIODS = 10
"""Least number of periods of the cutoff in a record."""
SLOW = 0.1
"""Fraction of the rms speed below which samples are masked: the sign of the speed is uncertain."""
TRIED = 17
"""Values tried of a parameter that the guide force does not identify."""
INSENSITIVE = 1e-3
"""Relative change of the guide force, when a parameter changes e-fold, below which that is not identifiable."""


def guided_points(
    problem: Problem, low: np.ndarray, high: np.ndarray, progress: Callable[[float, str], None]
) -> list[np.ndarray]:
    """Start values for a search, some for every cutoff. Parameters that the guide force does not identify, such as the
    break-away force of a contact that never stops, are tried over their range (`low` to `high`, in coordinates).

    >>> points = guided_points(problem, low, high, progress)
    """
    x = np.zeros(len(problem.free))
    points: list[np.ndarray] = []
    for number, share in enumerate(CUTOFFS):
        progress(0.2 * number / len(CUTOFFS), f"guided start: cutoff {number + 1} of {len(CUTOFFS)}")
        rigs = [guided_rig(rig, share) for rig in problem.rigs]
        guided = replace(problem, rigs=rigs, sigma=dict.fromkeys(rigs[0].outputs, 1.0), steps={})
        try:
            found = minimise(guided, x, LOSSES["linear"], accuracy=10.0, limit=15)
        except SimulationError:
            continue
        x = found.x
        points += [
            problem.projected(point) for point in _spread(x, _identifiable(guided, x, found.residual), low, high)
        ]
    return points


def _identifiable(problem: Problem, x: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Which coordinates change the guide force."""
    effects = np.linalg.norm(problem.slope(x, r).jacobian, axis=0)
    return np.asarray(effects > INSENSITIVE * length(r))


def _spread(x: np.ndarray, known: np.ndarray, low: np.ndarray, high: np.ndarray) -> list[np.ndarray]:
    """The point with unidentified coordinates at their start, and with each of these varied over its range."""
    base = np.where(known, x, 0.0)
    steps = np.linspace(0, 1, TRIED)
    return [
        base,
        *(
            np.where(np.arange(x.size) == i, low[i] + step * (high[i] - low[i]), base)
            for i in np.flatnonzero(~known)
            for step in steps
        ),
    ]


def guided_rig(rig: Rig, share: float) -> Rig:
    """The rig whose measured body is guided, smoothed with a cutoff relative to the sampling rate; higher for short
    records.

    >>> guided_rig(rig, 0.03).outputs
    {'_guide.f': '_guide_force'}
    """
    body, channel = _measured_body(rig)
    record = rig.measurement
    if record.sample_time is None:
        record = record.resampled(float(np.median(np.diff(record.time))))
    share = max(share, min(PERIODS / len(record), CUTOFFS[0]))
    motion = Motion.of(record, channel, share / record.even("speed"))
    model, first = _with_guide(rig.started, body)
    fast = np.abs(motion.v) >= SLOW * math.sqrt(float(np.mean(motion.v**2)))
    record = record.with_channel(PATH, motion.q - motion.q[0] + first).with_channel(ZERO, np.zeros(len(record)))
    names = compile_model(model).output_names
    force = next(f"{GUIDE}.{word}" for word in ("f", "tau") if f"{GUIDE}.{word}" in names)
    inputs = {**rig.inputs, f"{GUIDE}.phi": PATH}
    return Rig(model, record.masked(motion.valid & fast), {force: ZERO}, inputs, {}, "fixed", rig.hold, rig.substeps)


def _measured_body(rig: Rig) -> tuple[str, str]:
    """The body whose position or speed was measured, and the channel."""
    for output, channel in rig.outputs.items():
        body, _, word = output.rpartition(".")
        if word in MOTIONS and isinstance(rig.model.elements.get(body), Body):
            return body, channel
    raise SpecError(
        f"fit: global_start='guided' needs the measured position or speed of a mass or an inertia, and the outputs are "
        f"{', '.join(rig.outputs)}; measure one, or use global_start='lhs'"
    )


def _with_guide(model: Model, body: str) -> tuple[Model, float]:
    """The model with a guide on the body, which then starts at rest, and its initial position."""
    element = model.elements[body]
    assert isinstance(element, Body)
    _, position, speed = element.quantities
    first = Finder(model).find(f"{body}.{position}").value or 0.0
    guided = model.varied({f"{body}.{speed}": 0.0})
    guided.add(GUIDE, Position(**{position.removesuffix("0"): External(first)}))
    guided.connect(GUIDE, body)
    return guided, first
