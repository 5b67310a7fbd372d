"""Records of a servo in its closed loop, many at once, in plain NumPy: encoder, noise, friction that really stops."""

from dataclasses import dataclass

import numpy as np

TRUTH = {"inertia": 0.02, "viscous": 0.05, "coulomb": 0.5, "offset": 0.04}
STEP = 1e-3


@dataclass(frozen=True)
class Servo:
    """What one kind of record is like. The command is held from sample to sample and is what is recorded as "u"."""

    counts: int = 20_000
    """Of the encoder per turn; its noise is half of a count."""
    unseen: float = 0.0
    """Torque that acts on the machine and is not in the record: standard deviation (N.m)."""
    colour: float = 0.0
    """Its correlation from sample to sample."""
    heard: float = 0.0
    """Noise of the recorded torque (N.m)."""
    grain: float = 0.0
    """Step of the command (N.m)."""
    bandwidth: float = 60.0
    seconds: float = 10.0

    @property
    def resolution(self):
        return 2 * np.pi / self.counts

    @property
    def reference(self):
        t = STEP * np.arange(round(self.seconds / STEP))
        return np.sin(2.1 * t) + 0.4 * np.sin(5.3 * t) + 0.15 * np.sin(13.7 * t)

    def records(self, seed, count):
        """Positions as the encoder shows them and recorded torques, one column per record."""
        rng, ref, h = np.random.default_rng(seed), self.reference, STEP
        speed = np.gradient(ref, h)
        known = TRUTH["inertia"] * np.gradient(speed, h) + TRUTH["viscous"] * speed + TRUTH["coulomb"] * np.sign(speed)
        kp, kd, ki = (TRUTH["inertia"] * g for g in (3 * self.bandwidth**2, 3 * self.bandwidth, self.bandwidth**3 * h))
        x, v, total, unseen = np.full(count, ref[0]), np.full(count, speed[0]), np.zeros(count), np.zeros(count)
        before, rate = x, np.full(count, speed[0])
        positions, torques = np.empty((2, ref.size, count))
        for k in range(ref.size):
            q = self.resolution * np.round(x / self.resolution + 0.5 * rng.standard_normal(count))
            rate = 0.8 * rate + 0.2 * (q - before) / h if k else rate
            u = known[k] + kp * (ref[k] - q) + kd * (speed[k] - rate) + total
            u = self.grain * np.round(u / self.grain) if self.grain else u
            before, total = q, total + ki * (ref[k] - q)
            positions[k], torques[k] = q, u + self.heard * rng.standard_normal(count)
            fresh = np.sqrt(1 - self.colour**2) * self.unseen
            unseen = self.colour * unseen + fresh * rng.standard_normal(count)
            x, v = moved(x, v, u + unseen - TRUTH["offset"], h)
        return positions, torques


def moved(x, v, torque, h):
    """Exact motion under a constant torque for a time h, with a stop and a start in the other direction on the way."""
    rate, left = TRUTH["viscous"] / TRUTH["inertia"], np.full(x.size, h)
    for _ in range(2):
        way = np.where(v != 0, np.sign(v), np.sign(torque) * (np.abs(torque) > TRUTH["coulomb"]))
        end = (torque - way * TRUTH["coulomb"]) / TRUTH["viscous"]
        with np.errstate(all="ignore"):
            stop = np.where(end * way < 0, np.log(1 - v / end) / rate, np.inf)
        time = np.minimum(left, stop)
        kept = np.exp(-rate * time)
        slides = way != 0
        x = np.where(slides, x + end * time + (v - end) * (1 - kept) / rate, x)
        v = np.where(slides & (stop > left), end + (v - end) * kept, 0.0)
        left = np.where(slides, left - time, 0.0)
    return x, v
