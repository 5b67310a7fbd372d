"""A start from guided motion: the model is led along the measured motion, and the force that this takes is made small.

Whoever compares positions of a model with measured ones meets side minima: with a little too much friction the model
stops where the machine went on, after which nothing fits. Led along the measured motion it cannot stray. With the right
parameters it would follow by itself, so the force on the lead is the error: linear in masses and dampers, and smooth in
friction. This is the inverse dynamic model of any machine with any law and any controller. Noise of the sensor biases
it, and smoothing blurs it, so that several cutoffs are tried, and the fit itself decides between them.
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
from .simulation import Rig, varied

LEAD, COURSE, NOTHING = "_lead", "_lead_course", "_lead_force"
"""The element that leads, and its channels: where it goes, and the force that it should take. Models have no such names
of their own."""
MOTIONS = ("s", "phi", "v", "w")
"""Outputs of a body by which it can be led."""
CUTOFFS = tuple(0.1 / 3**k for k in range(6))
"""Cutoffs of the smoothed motion, as shares of the sampling rate."""
PERIODS = 10
"""Periods of the cutoff that a record has at least."""
SLOW = 0.1
"""Share of the rms speed below which samples do not count: signs of the speed are not certain there."""
TRIED = 17
"""Values of a parameter that it does not tell."""
UNSEEN = 1e-3
"""Share of the force on the lead that a parameter must move, when it changes e-fold, to be told by it."""


def guided_points(
    problem: Problem, low: np.ndarray, high: np.ndarray, say: Callable[[float, str], None]
) -> list[np.ndarray]:
    """Starts for a search, some for every cutoff. What the force on the lead does not tell, such as the break-away of a
    contact that never stops, is tried over its range (`low` to `high`, in coordinates).

    >>> points = guided_points(problem, low, high, print)
    """
    x = np.zeros(len(problem.free))
    points: list[np.ndarray] = []
    for number, share in enumerate(CUTOFFS):
        say(0.2 * number / len(CUTOFFS), f"guided start: cutoff {number + 1} of {len(CUTOFFS)}")
        rigs = [led(rig, share) for rig in problem.rigs]
        guided = replace(problem, rigs=rigs, sigma=dict.fromkeys(rigs[0].outputs, 1.0), steps={})
        try:
            found = minimise(guided, x, LOSSES["linear"], accuracy=10.0, limit=15)
        except SimulationError:
            continue
        x = found.x
        points += [problem.projected(point) for point in _spread(x, _seen(guided, x, found.residual), low, high)]
    return points


def _seen(problem: Problem, x: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Which coordinates change the force on the lead."""
    effects = np.linalg.norm(problem.slope(x, r).jacobian, axis=0)
    return np.asarray(effects > UNSEEN * np.linalg.norm(r))


def _spread(x: np.ndarray, seen: np.ndarray, low: np.ndarray, high: np.ndarray) -> list[np.ndarray]:
    """The point with the coordinates that are not seen as they were, and with each of them over its range."""
    base = np.where(seen, x, 0.0)
    steps = np.linspace(0, 1, TRIED)
    return [
        base,
        *(
            np.where(np.arange(x.size) == i, low[i] + step * (high[i] - low[i]), base)
            for i in np.flatnonzero(~seen)
            for step in steps
        ),
    ]


def led(rig: Rig, share: float) -> Rig:
    """The rig whose measured body is led, smoothed up to a share of the sampling rate, or as a short record allows.

    >>> led(rig, 0.03).outputs
    {'_lead.f': '_lead_force'}
    """
    body, channel = _measured_body(rig)
    record = rig.measurement
    if record.sample_time is None:
        record = record.resampled(float(np.median(np.diff(record.time))))
    share = max(share, min(PERIODS / len(record), CUTOFFS[0]))
    motion = Motion.of(record, channel, share / record.even("speed"))
    model, first = _with_lead(rig.with_solver("fixed").base, body)
    fast = np.abs(motion.v) >= SLOW * math.sqrt(float(np.mean(motion.v**2)))
    record = record.with_channel(COURSE, motion.q - motion.q[0] + first).with_channel(NOTHING, np.zeros(len(record)))
    names = compile_model(model).output_names
    force = next(f"{LEAD}.{word}" for word in ("f", "tau") if f"{LEAD}.{word}" in names)
    inputs = {**rig.inputs, f"{LEAD}.phi": COURSE}
    return Rig(model, record.masked(motion.valid & fast), {force: NOTHING}, inputs, {}, "fixed", rig.hold, rig.substeps)


def _measured_body(rig: Rig) -> tuple[str, str]:
    """The body whose position or speed was measured, and the channel."""
    for output, channel in rig.outputs.items():
        body, _, word = output.rpartition(".")
        if word in MOTIONS and isinstance(rig.model.elements.get(body), Body):
            return body, channel
    raise SpecError(
        f"fit: a guided start leads a mass or an inertia along its measured position or speed, and the outputs are "
        f"{', '.join(rig.outputs)}; measure one, or take global_start='lhs'"
    )


def _with_lead(model: Model, body: str) -> tuple[Model, float]:
    """The model with a lead on the body, which then starts at rest, and where it starts."""
    element = model.elements[body]
    assert isinstance(element, Body)
    _, position, speed = element.quantities
    first = Finder(model).find(f"{body}.{position}").value or 0.0
    guided = varied(model, {f"{body}.{speed}": 0.0})
    guided.add(LEAD, Position(**{position.removesuffix("0"): External(first)}))
    guided.connect(LEAD, body)
    return guided, first
