"""The Leuven model in the form of Lampaert, Swevers, Al-Bender (2002) in the drift test of Figure 7.

It is not among the laws of this library, so the test is programmed here, with Runge-Kutta steps: LuGre
whose spring is replaced by elements that stick and slip side by side (Maxwell slip), which give it nonlocal memory.

    dz/dt = v (1 - sgn(v F_h) |F_h/s(v)|^n)     F = F_h + sigma_1 dz/dt
    F_h = sum of F_i,   dF_i/dt = k_i dz/dt until |F_i| = W_i
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sin

import numpy as np

from .friction import SOFT, Z_MAX

Rates = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Leuven:
    """The model with Table 2: `elements` of equal stiffness, together f_s/z_max, whose strengths rise linearly.

    >>> Leuven().drift([1, 4]).round(4)
    array([0.0088, 0.0014])
    """

    elements: int = 10
    strength: float = 1.3
    """All elements together (N); above f_s, or they would all slip in stick."""
    step: float = 0.01

    @property
    def parameters(self) -> int:
        """How many numbers it takes: stiffness and strength of each element, f_c, f_s, v_s, n, sigma_1, sigma_2.

        >>> Leuven(elements=4).parameters
        14
        """
        return 2 * self.elements + 6

    def drift(self, exponents: list[float], t_end: float = 42.0) -> np.ndarray:
        """How far (m) a mass of 1 kg drifts per cycle of 2 s under the force of Figure 8, for each exponent n.

        >>> Leuven().drift([1.0])
        array([0.0088])
        """
        n = np.array(exponents, float)
        x, v, f = np.zeros(n.size), np.zeros(n.size), np.zeros((self.elements, n.size))
        steps, cycles = round(t_end / self.step), int(0.5 * t_end / 2.0)
        start = steps - round(2.0 * cycles / self.step)
        first = x
        for k in range(steps):
            first = x if k == start else first
            x, v, f = self._step(k * self.step, x, v, f, n)
        drift: np.ndarray = (x - first) / cycles
        return drift

    def _step(self, t: float, x: np.ndarray, v: np.ndarray, f: np.ndarray, n: np.ndarray) -> Rates:
        h, strong = self.step, self._strengths()
        a = self._rates(t, v, f, n)
        b = self._rates(t + h / 2, v + h / 2 * a[1], f + h / 2 * a[2], n)
        c = self._rates(t + h / 2, v + h / 2 * b[1], f + h / 2 * b[2], n)
        d = self._rates(t + h, v + h * c[1], f + h * c[2], n)
        x, v, f = (y + h / 6 * (p + 2 * q + 2 * r + s) for y, p, q, r, s in zip((x, v, f), a, b, c, d, strict=True))
        return x, v, np.clip(f, -strong, strong)

    def _strengths(self) -> np.ndarray:
        rising = np.arange(1.0, self.elements + 1)
        strengths: np.ndarray = (self.strength * rising / rising.sum())[:, None]
        return strengths

    def _rates(self, t: float, v: np.ndarray, f: np.ndarray, n: np.ndarray) -> Rates:
        stiffness = SOFT["mu_s"] / Z_MAX
        held = f.sum(axis=0)
        curve = SOFT["mu_c"] + (SOFT["mu_s"] - SOFT["mu_c"]) * np.exp(-((v / SOFT["v_s"]) ** 2))
        dz = v * (1 - np.sign(v * held) * np.abs(held / curve) ** n)
        sticks = (np.abs(f) < self._strengths()) | (f * dz < 0)
        force = 0.7 * min(t / 2, 1.0) + (0.2 * sin(np.pi * (t - 2)) if t > 2 else 0.0)
        return v, force - held - 2 * stiffness**0.5 * dz, np.where(sticks, stiffness / self.elements * dz, 0.0)
