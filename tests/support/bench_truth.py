"""Friction tests whose truth is known: ramps and swings made by hand, noisy and quantised, and what is found there."""

from math import pi

import numpy as np

from stribeck.identify import Measurement, break_aways, sinusoidal

STEP = 1e-3
COUNT = 0.112
"""A step of the encoder (rad); its noise is half of it."""
NOISE = 0.02
"""Of the drive (N.m)."""
SWING = 25.0
SPEEDS = (90.0, 160.0, 270.0, 350.0, 420.0, 600.0)
DRY, VISCOUS, EDGE = 0.11, 7e-4, 240.0


def course(random, speed, friction, play=0.0, inertia=1.32e-5):
    """A sine that is followed perfectly under friction(v), as drive and encoder show it. Within the play after a
    reversal there is no friction."""
    w = speed / SWING
    t = STEP * (np.arange(round(6.2 * 2 * pi / w / STEP)) + random.uniform())
    q, v = -SWING * np.cos(w * t), speed * np.sin(w * t)
    free = SWING - np.sign(v) * -q < play if play else np.zeros(t.size, bool)
    u = np.where(free, 0.0, friction(v)) + inertia * speed * w * np.cos(w * t)
    seen = COUNT * np.round((q + 0.5 * COUNT * random.standard_normal(t.size)) / COUNT)
    return Measurement(
        {"u": u + NOISE * random.standard_normal(t.size), "q": seen},
        sample_time=STEP,
        units={"u": "N.m", "q": "rad"},
        resolution={"q": COUNT},
    )


def viscous(v):
    return DRY * np.sign(v) + VISCOUS * v


def apart(v):
    return np.where(v > 0, 1.2, -0.9) * DRY + VISCOUS * v


def jump(v):
    return DRY * np.sign(v) + VISCOUS * np.where(np.abs(v) > EDGE, v, 0.0)


def kink(v):
    return DRY * np.sign(v) + VISCOUS * np.sign(v) * np.maximum(np.abs(v) - EDGE, 0.0)


SWINGS = {
    "viscous": (viscous, {"symmetric": True}, 0.0),
    "by direction": (apart, {}, 0.0),
    "three speeds": (viscous, {"symmetric": True}, 0.0),
    "jump, given": (jump, {"symmetric": True, "threshold": EDGE}, 0.0),
    "jump, found": (jump, {"symmetric": True, "threshold": "find"}, 0.0),
    "kink, found": (kink, {"symmetric": True, "threshold": "find", "shape": "kink"}, 0.0),
    "play": (viscous, {"symmetric": True, "trim": 3.3, "inertia": 1.32e-5}, 3.0),
}
"""Friction, how it is looked for, play."""


def swung(case, seed):
    """Whether the intervals of a sinusoidal test hold the truth."""
    friction, how, play = SWINGS[case]
    random = np.random.default_rng([seed, list(SWINGS).index(case)])
    speeds = SPEEDS[::2] if case == "three speeds" else SPEEDS
    found = sinusoidal([course(random, v, friction, play) for v in speeds], hold=False, **how)
    truth = {"fc": DRY, "fc_forward": 1.2 * DRY, "fc_backward": 0.9 * DRY, "fv": VISCOUS}
    ends = found.estimate.interval(0.95)
    held = {name: bool(ends[name][0] <= truth[name] <= ends[name][1]) for name in found.estimate.names}
    if found.threshold_range:
        held["threshold"] = found.threshold_range[0] <= EDGE <= found.threshold_range[1]
    return held


# --- ramps ------------------------------------------------------------------------------------------------------------

CURVE = (1.0, 0.02, -0.001)
"""Break-away over position (N.m, rad)."""
SCATTER = 0.02
DROP, INERTIA = 0.2, 1e-4
"""What is left of break-away in sliding is less by this share."""
RAMPS = {"one rate, at once": (1.0,), "two rates, late": (0.5, 2.0)}


def ramped(random, rate, late):
    """Twelve ramps from 0 to 20 rad; the way grows as it does under constant sliding friction, or jumps."""
    u, q, place = [], [], random.uniform(0, COUNT)
    for _ in range(12):
        level = np.polynomial.polynomial.polyval(place, CURVE) * (1 + SCATTER * random.standard_normal())
        rest, rise = 60, int(level / rate / STEP)
        t = STEP * np.arange(1, 400)
        way = (0.5 * DROP * t**2 + rate * t**3 / 6) / INERTIA if late else np.full(t.size, 1.6)
        gone = int(np.searchsorted(way, 1.6)) + 1
        seen = int(np.searchsorted(way, 2 * COUNT)) + 1
        drive = rate * STEP * np.arange(rise + gone)
        u += [*np.zeros(rest), *np.minimum(drive, drive[min(rise + seen, drive.size - 1)])]
        q += [*np.full(rest + rise, place), *(place + way[:gone])]
        place += way[gone - 1]
    u, q = np.array([*u, *np.zeros(100)]), np.array([*q, *np.full(100, place)])
    return Measurement(
        {"u": u + 0.01 * random.standard_normal(u.size), "q": COUNT * np.round(q / COUNT)},
        sample_time=STEP,
        units={"u": "N.m", "q": "rad"},
        resolution={"q": COUNT},
    )


def broken_away(case, seed):
    """Whether the intervals of a break-away curve hold the truth."""
    random = np.random.default_rng([seed, 100 + list(RAMPS).index(case)])
    curve = break_aways([ramped(random, rate, "late" in case) for rate in RAMPS[case] * 2]).curve(1, degree=2)
    ends = curve.estimate.interval(0.95)
    return {f"b{k}": bool(ends[f"b{k}"][0] <= value <= ends[f"b{k}"][1]) for k, value in enumerate(CURVE)}
