"""The motion of ramps from rest until they slide, for many values of the parameters at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .window import Window

CREEP, SLIDE = 32, 56
"""Steps of the simulated motion before and after break-away, shortest there."""
TABLE = 2048
"""Points of a drive over time, and of time over the drive."""
SHARED = ("inertia", "fall", "speed", "viscous", "creep", "bend", "exponent", "ductility", "leak")
"""Parameters that all ramps share: logarithms of J, v_s, F/sigma0, m, n, p, v_l; D relative to the drive, and s, of
which the unit is the drive over the largest speed."""


FULL = 0.9999
"""Largest share of their limit that bristles carry in the formula of their yielding."""
CENTRED = 0.55
"""Weight of the end of a step in its mean speed where the contact slides; 0.5 would ring."""


def _implicit(x: np.ndarray) -> np.ndarray:
    """1/(1 - exp(-x)) - 1/x, from 1/2 to 1."""
    x = np.maximum(x, 1e-4)
    return np.asarray(-1 / np.expm1(-x) - 1 / x)


class RampMotion:
    """The ramps of one or two sets, the directions of a test. Arrays have one row per ramp, sets one after the other;
    the shorter set is filled up with ramps of weight 0.

    >>> RampMotion([windows]).ramps
    3
    """

    def __init__(self, sets: Sequence[Sequence[Window]]) -> None:
        self.ramps = max(len(windows) for windows in sets)
        windows = [w for part in sets for w in [*part, *[part[0]] * (self.ramps - len(part))]]
        self.used = np.array([k < len(part) for part in sets for k in range(self.ramps)])
        self.first, self.last = (np.array([w.time[k] for w in windows]) for k in (0, -1))
        self.most = np.array([float(np.max(w.drive) - w.low) for w in windows])
        self.u, self.when = np.zeros((len(windows), TABLE)), np.zeros((len(windows), TABLE))
        data = max(w.at.size for w in windows)
        self.at, self.place = np.zeros((len(windows), data)), np.zeros((len(windows), data))
        for k, w in enumerate(windows):
            rise = np.maximum.accumulate(w.drive - w.low)
            self.u[k] = np.interp(np.linspace(w.time[0], w.time[-1], TABLE), w.time, w.drive - w.low)
            top = int(np.argmax(rise))
            even = 1e-9 * self.most[k] * np.arange(top + 1)  # so that it rises strictly
            self.when[k] = np.interp(np.linspace(0, self.most[k], TABLE), rise[: top + 1] + even, w.time[: top + 1])
            self.at[k, : w.at.size], self.place[k, : w.at.size] = w.at, w.place

    def passages(
        self, rows: np.ndarray, shared: np.ndarray, own: np.ndarray, fall: np.ndarray, drag: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Instants at which the motion passes the positions of the data, slowness there, and the largest friction: rows
        (cases, ramps), shared (columns, cases, parameters), own (columns, cases, ramps, 3), fall and drag (columns,
        cases) -> (columns, cases, ramps, data), (cases, ramps, data), (columns, cases, ramps). The columns other than
        the first are close to it, so their instants follow from their travel at the instants of the first.

        In a step the contact moves by h w, w = (1 - b) v0 + b v, of which h v_l atanh(y/g) is creep that does not load
        the bristles. They carry y1 = (y0 + (1 - (1 - q) c y0) P) / (1 + q c P) with P = h sigma0 (w - v_l atanh(y/g)),
        1 - c y = (1 - (y/g)^m)^p. With q = 1/(1 - exp(-cP)) - 1/(cP) that is exact for m = p = 1; P of the last step is
        near enough. The balance J (v - v0)/h = u - y1 - s v is then quadratic in w."""
        begin = self._begins(rows, own[0, ..., 0])
        J, _, v_s, _, length, m, n, p, leak = np.moveaxis(np.exp(shared), -1, 0)[..., None]
        level, D, s = own[..., 0], fall[..., None], drag[..., None]
        stiff = level / length * np.exp(own[..., 2])
        time, forcing = self._grid(rows, begin)
        steps = np.diff(time, axis=0)
        v, y, ahead, most = (np.zeros_like(level) for _ in range(4))
        path = np.zeros((len(steps) + 1, *level.shape))
        for i, (h, u) in enumerate(zip(steps, forcing, strict=True)):
            g = np.maximum(level + D * np.expm1(-((np.maximum(ahead, 0.0) / v_s) ** n)), 0.02 * level)
            z = np.clip(0.5 * (y + np.minimum(u, g)) / g, 1e-6, FULL)
            c = (1 - (1 - z**m) ** p) / (z * g)
            slip = leak * np.arctanh(z)
            b, k = 1.0 if i < CREEP else CENTRED, h * stiff
            q = _implicit(c * k * np.maximum(ahead, 0.0))
            A = (J / h + s) / b
            B = J * v / h + u + A * ((1 - b) * v - slip)
            drive, linear = np.maximum(B - y, 0.0), A + k * (1 - c * (q * B + (1 - q) * y))
            w = 2 * drive / np.maximum(linear + np.sqrt(linear * linear + 4 * q * c * k * A * drive), 1e-300)
            y = (y + (1 - (1 - q) * c * y) * k * w) / (1 + q * c * k * w)
            w = w + slip * (w > 0)
            path[i + 1] = path[i] + h * w
            new = np.maximum((w - (1 - b) * v) / b, 0.0)
            longer = 0.5 if i + 1 == len(steps) else 0.5 * steps[i + 1] / h
            ahead, v = new + longer * (new - v), new
            most = np.maximum(most, y)
        return *self._passed(rows, path, time, own[0, ..., 1]), most

    def _begins(self, rows: np.ndarray, level: np.ndarray) -> np.ndarray:
        """The instant at which the drive passes the level; levels beyond its maximum are passed at the end."""
        place = np.clip(level / self.most[rows], 0.0, 1.0) * (TABLE - 1)
        cell = np.minimum(place.astype(int), TABLE - 2)
        below, above = self.when[rows, cell], self.when[rows, cell + 1]
        found = below + (place - cell) * (above - below)
        first, last = self.first[rows], self.last[rows]
        return np.asarray(np.clip(found, first + 1e-3 * (last - first), last - 1e-3 * (last - first)))

    def _grid(self, rows: np.ndarray, begin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Instants, and the drive between them: at the end where it creeps, on average where it slides."""
        creep = 1 - (1 - np.arange(CREEP + 1) / CREEP) ** 3
        slide = (np.arange(1, SLIDE + 1) / SLIDE) ** 2
        first, last = self.first[rows], self.last[rows]
        before, after = creep[:, None, None] * (begin - first), slide[:, None, None] * (last - begin)
        time = np.concatenate([before, (begin - first) + after])
        place = time / (last - first) * (TABLE - 1)
        cell = np.clip(place.astype(int), 0, TABLE - 2)
        flat = rows * TABLE + cell
        below, above = self.u.ravel()[flat], self.u.ravel()[flat + 1]
        u = below + (place - cell) * (above - below)
        return first + time, np.concatenate([u[1 : CREEP + 1], 0.5 * (u[CREEP:-1] + u[CREEP + 1 :])])

    def _passed(
        self, rows: np.ndarray, path: np.ndarray, time: np.ndarray, rest: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Instants at which paths on the grid (steps, columns, cases, ramps) pass the positions, and the slowness."""
        lanes, last = rows.size, path.shape[0] - 1
        base = np.maximum.accumulate(path[:, 0].reshape(last + 1, lanes), axis=0)
        travel = (self.place[rows] - rest[..., None]).reshape(lanes, -1)
        cell = np.clip(np.sum(base[:, :, None] <= travel, axis=0) - 1, 0, last - 1)
        flat, lane = cell * lanes + np.arange(lanes)[:, None], time.reshape(last + 1, lanes).ravel()
        x0, x1 = base.ravel()[flat], base.ravel()[flat + lanes]
        t0, t1 = lane[flat], lane[flat + lanes]
        slowness = (t1 - t0) / np.maximum(x1 - x0, 1e-12 * np.maximum(x1, 1e-300))
        share = np.minimum((travel - x0) / np.maximum(x1 - x0, 1e-300), 1.0)
        short = np.maximum(travel - x1, 0.0)  # of what the path does not reach
        usual = (t1 - lane[flat[:, :1]]) / np.maximum(travel, 1e-300)
        slowness = np.where(short > 0, np.minimum(slowness, usual), slowness)
        at = t0 + share * (t1 - t0) + slowness * short
        found = np.empty((path.shape[1], *travel.shape))
        for column, out in zip(np.moveaxis(path, 1, 0), found, strict=True):
            steps = np.ascontiguousarray(column).ravel()
            below = steps[flat]
            out[:] = at + slowness * (x0 - below + share * (x1 - x0 - steps[flat + lanes] + below))
        return found.reshape(path.shape[1], *rows.shape, -1), slowness.reshape(*rows.shape, -1)
