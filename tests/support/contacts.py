"""Contacts below break-away that are integrated here, in small steps, without the package."""

import math
from dataclasses import dataclass

import numpy as np

import stribeck as sb


@dataclass(frozen=True)
class Contact:
    """A mass on bristles under an alternating noisy force, with an encoder."""

    sigma0: float
    sigma1: float
    f: float
    mass: float
    plan: tuple[tuple[float, float], ...]
    """Amplitudes (N) and rates (Hz)."""
    seconds: float
    h: float
    step: float
    """Of the encoder (m)."""
    noise: float
    """Of the force (N)."""
    triangles: bool = False
    substeps: int = 40

    @property
    def truth(self):
        return {"sigma0": self.sigma0, "f": self.f, "sigma1": self.sigma1}

    def push(self, amplitude, turns):
        """Of the force after so many turns."""
        if not self.triangles:
            return amplitude * math.sin(2 * math.pi * turns)
        return amplitude * (1 - 4 * abs((turns + 0.25) % 1 - 0.5))

    def motion(self):
        """Force and position at the samples."""
        move = self._heavy if self.mass else self._light
        d, state = self.h / self.substeps, (0.0, 0.0, 0.0)
        force, position = [], []
        for amplitude, rate in self.plan:
            for k in range(round(self.seconds / self.h)):
                force.append(self.push(amplitude, rate * k * self.h))
                position.append(state[0])
                for q in range(self.substeps):
                    state = move(self.push(amplitude, rate * (k * self.h + (q + 0.5) * d)), d, *state)
        return np.array(force), np.array(position)

    def _heavy(self, u, d, x, v, z):
        """Two stages of the rule of the midpoint."""
        v1, z1 = v, z
        for part in (0.5 * d, d):
            dz = v1 - self.sigma0 * abs(v1) * z1 / self.f
            a = (u - self.sigma0 * z1 - self.sigma1 * dz) / self.mass
            w, v1, z1 = v1, v + part * a, z + part * dz
        return x + d * w, v1, z1

    def _light(self, u, d, x, y, _):
        """What the bristles carry follows the force; it moves the contact the more, the nearer it is to the limit."""
        rise = (u - y) * -math.expm1(-d * self.sigma0 / self.sigma1)
        share = math.copysign(1, rise) * (y + 0.5 * rise) / self.f
        return x + rise / (self.sigma0 * (1 - share)), y + rise, 0.0

    def record(self, motion, seed):
        """With new noise and another place of the encoder."""
        rng = np.random.default_rng(seed)
        force, position = motion
        shift = rng.random()
        channels = {
            "x": self.step * (np.round(position / self.step + shift) - shift),
            "f": force + self.noise * rng.normal(size=force.size),
        }
        known = {"units": {"x": "m", "f": "N"}, "resolution": {"x": self.step}}
        return sb.identify.Measurement(channels, sample_time=self.h, name="contact", **known)


CONTACTS = {
    "one rate": Contact(2e6, 4000, 20, 5, ((8, 1), (14, 1), (17, 1)), 1, 1e-3, 2e-6, 0.02),
    "three rates": Contact(2e6, 4000, 20, 5, ((8, 1), (14, 1), (17, 3), (15, 8)), 1, 1e-3, 2e-6, 0.02),
    "slow to fast": Contact(2e6, 3000, 20, 0, ((16, 1), (16, 5), (16, 20)), 1, 1e-3, 2e-6, 0.1),
    "no mass": Contact(1e5, 300, 1.5, 0, ((0.8, 2), (1.2, 10)), 1, 5e-4, 3e-6, 0.01, substeps=20),
    "triangles": Contact(1e5, 300, 1.5, 0, ((0.8, 2), (1.2, 10)), 1, 5e-4, 3e-6, 0.01, triangles=True, substeps=20),
    "fine": Contact(1e5, 300, 1.5, 0, ((0.8, 2), (1.2, 10)), 1, 5e-4, 1e-8, 0.01, substeps=20),
}
