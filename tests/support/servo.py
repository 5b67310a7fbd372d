"""A servo drive that owes nothing to the package: a rotor on bristles, in plain Python, and what its drive logs."""

from dataclasses import dataclass
from math import exp, floor, pi, sin

import numpy as np

from stribeck.identify import Measurement

STEP, FINE = 1e-3, 10
"""Sample time (s), and steps of the plant in it."""
LEVEL = 0.15
"""Break-away (N.m)."""


@dataclass
class Servo:
    """Inertia 2e-3 kg.m2; friction 0.11 N.m in sliding, 0.004 N.m.s/rad, 0.3 rad/s; bristles 400 N.m/rad. Friction
    backwards is more by a factor; a weight hangs at an angle of 0."""

    q: float = 0.0
    v: float = 0.0
    z: float = 0.0
    offset: float = 0.0
    weight: float = 0.0
    backward: float = 1.0

    def move(self, torque):
        """One sample under a torque that is held."""
        dt = STEP / FINE
        for _ in range(FINE):
            fall = exp(-((self.v / 0.3) ** 2))
            yielding = 400 * abs(self.v) / (0.11 + (LEVEL - 0.11) * fall)
            rate = (self.v - yielding * self.z) / (1 + dt * yielding)
            friction = 400 * self.z + 0.6 * fall * rate + 0.004 * self.v
            friction *= self.backward if self.z < 0 else 1.0
            self.v += dt * (torque + self.offset - self.weight * sin(self.q) - friction) / 2e-3
            self.q += dt * self.v
            self.z += dt * rate


def ramps(rate=0.1, count=6, offset=0.0):
    """Torque and position of ramps in both directions: up until 0.2 rad are made, down to 0, a rest of 0.2 s."""
    plant, u, q = Servo(offset=offset), [], []
    for k in range(count):
        way, torque, begin = 1 - 2 * (k % 2), 0.0, plant.q
        while abs(plant.q - begin) < 0.2:
            torque += way * rate * STEP if abs(plant.q - begin) < 0.02 else 0.0
            u.append(torque)
            q.append(plant.q)
            plant.move(torque)
        for _ in range(200):
            u.append(0.0)
            q.append(plant.q)
            plant.move(0.0)
    return np.array(u), np.array(q)


def lifted(angles, weight, rates=(0.05, 0.1, 0.2), backward=1.3, from_rest=False):
    """Torque and position of ramps of an arm in both directions, one pair of arrays for each angle of rest: from the
    torque that holds it, or from none where friction does."""
    records = []
    for k, angle in enumerate(angles):
        u, q = [], []
        for way in (1, -1):
            held = 0.0 if from_rest else weight * sin(angle)
            plant, torque = Servo(q=angle, weight=weight, backward=backward), held
            for n in range(60_000):
                moved = abs(plant.q - angle)
                torque += way * rates[k % len(rates)] * STEP if n > 200 and moved < 0.02 else 0.0
                u.append(torque)
                q.append(plant.q)
                plant.move(torque)
                if moved > 0.1:
                    break
            u += [held] * 300  # brought back by hand
            q += [angle] * 300
        records.append((np.array(u), np.array(q)))
    return records


def followed(reference, encoder):
    """Torque and position of a stiff position loop that sees the counts of an encoder."""
    plant, u, q, step, last = Servo(), [], [], 2 * pi / encoder, 0.0
    for k, wanted in enumerate(reference):
        seen = step * floor(plant.q / step + 0.5)
        speed = (wanted - reference[k - 1]) / STEP if k else 0.0
        torque = 8 * (wanted - seen) + 0.2 * (speed - (seen - last) / STEP)
        last = seen
        u.append(torque)
        q.append(seen)
        plant.move(torque)
    return np.array(u), np.array(q)


def record(u, q, encoder=4096, noise=0.0, seed=0, **options):
    """As the drive logs it: counts, noise of half of one and of the torque if any."""
    random, step = np.random.default_rng(seed), 2 * pi / encoder
    shaken = q + (0.5 * step * random.standard_normal(q.size) if noise else 0.0)
    seen = step * np.round(shaken / step)
    options = {"sample_time": STEP, "units": {"u": "N.m", "q": "rad"}, "resolution": {"q": step}} | options
    return Measurement({"u": u + noise * random.standard_normal(q.size), "q": seen}, name="servo", **options)
