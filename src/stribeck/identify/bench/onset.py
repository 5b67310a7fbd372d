"""The onset of sliding: what a contact does from rest until it slides, explained by bristles, a friction curve and an
inertia.

Bristles carry y and yield as they approach the friction of sliding, which falls with the speed:

    J v' = u - y - s v,    y' = sigma0 (v - v_l atanh(y/g)) (1 - (y/g)^m)^p,    g = F - D (1 - exp(-(v/v_s)^n)).

Below break-away F the contact creeps, near F it slides. J, D, v_s, s, sigma0, m, n, p and v_l are common to all ramps
of a set. Each ramp has a rest position, a stiffness about the common one, and a break-away, which scatters about that
of the set:

    F_i = F + T(q_i) + c h_i + scatter.

T is how break-away changes along the path, a polynomial through first guesses. h_i is what a friction of another shape
could change while the sensor does not resolve the motion yet: if the travel grows as a power p of the time, it has
lasted p x/v, and nothing is known of p but that it is about 2 to 6. The rates of the ramps determine c, as far as the
scatter allows. Contacts without presliding are the limit of stiff bristles, sudden break-away is that of a small v_s,
and friction that does not fall that of a small D."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .onset_motion import SHARED, RampMotion
from .window import Window

WIDE = np.array([3.0, 0.25, 1.2, 0.1, 2.5, 0.7, 0.2, 0.5, 3.0])
"""Standard deviations of the prior of the shared parameters: it only decides what the data leave open."""
FALL, SPEED, BEND, EXPONENT = 0.0, 0.02, 1.0, 2.0
"""Centres of the prior: fall of friction relative to break-away, v_s relative to the largest speed of the windows, m,
n. That of creep is the travel at half of break-away."""
UNSEEN = 0.01
"""Centre of the prior of the travel at half of break-away that is not seen, relative to the first one that is."""
LEAK = 0.03
"""Centre of the prior of v_l: elastic travel over the time of a ramp, times this."""
ALIKE = 0.5
"""Standard deviation of the logarithm of the stiffness between ramps: it depends on the motion before."""
STARTS = ((0.01, 3.0), (0.15, 2.5), (0.25, 1.0))
"""Start values of the fall of friction, relative to break-away, and of the logarithm of v_s about its centre: hardly,
gradually, suddenly."""
SHIFTS, ASTRAY = 4, 9.0
"""Most steps of break-away alone, and mean squared residual of a ramp that asks for them."""
LONGEST = 15
"""Most iterations."""
CLOSE, STIFF = (0.01, 1e-3), 1e4
"""Change of the cost, absolute and relative, and damping, at which iterations end."""
MOST_SPREAD = 3.0
"""Largest factor by which break-aways of ramps are spread about that of the set."""
ANNEALING = (6.0, 2.5, 1.0)
"""Errors of the model in three searches, relative to the last one: far from the optimum the wide ones converge."""
PATIENCE, BEHIND = 8, 25.0
"""Iterations after which a start is given up that costs so much more than the best: its probability is below 1e-5."""
BOUND = np.array([0.1, 1.0, 0.5])
"""Largest step of the ramps' own parameters, in units of the scales."""
SCATTER, USUAL = 0.1, (2.0, 0.02)
"""Scatter of break-away between ramps, relative: at first; and what is known of it before, as that of so many ramps."""
POWER = 4 / 12**0.5
"""Standard deviation of the power p of the time, uniform between 2 and 6."""
MODEL, SHAPE, DELAY = 3e-4, 0.02, 0.1
"""Errors of the model that all ramps share: of friction, relative to break-away; of friction below break-away, relative
to the distance from it; of a delay between drive and position, in samples."""
RESOLVED = 4
"""Least number of positions per ramp, between rest and the end of its window, that resolve the onset."""
ABOVE = 2e-3
"""Standard deviation of break-away above the largest drive, relative."""
WEAKER = 0.01
"""Standard deviation of the largest friction of a ramp from F, relative."""
FAR = 1e6
"""Largest residual, in standard deviations."""
DIFFERENCE = 1e-6
"""Step of differences, in units of the scales."""
HIGHEST, PER_DEGREE, RANGE = 6, 8, 20.0
"""Of the polynomial over the position: largest degree, ramps for each, and least range in sensor steps."""
OWN = 3
C, MEAN = len(SHARED), len(SHARED) + 1
"""Numbers of c and F among the parameters of a set."""


@dataclass(frozen=True, eq=False)
class Onset:
    """Break-away of each ramp, its standard error, and its dependence on what the ramps share: the covariance between
    ramps is common @ common.T.

    >>> found.level.mean()
    0.15
    """

    level: np.ndarray
    error: np.ndarray
    common: np.ndarray
    misfit: np.ndarray
    """Mean squared residual of each ramp over its expectation."""


def onset(sets: Sequence[Sequence[Window]]) -> list[Onset]:
    """Break-away of the ramps of some sets by a fit of their motion.

    >>> onset([windows])[0].level
    """
    fitted = [k for k, windows in enumerate(sets) if _resolved(windows)]
    found = dict(zip(fitted, _Fit([sets[k] for k in fitted]).run(), strict=True)) if fitted else {}
    return [found[k] if k in found else _read(windows) for k, windows in enumerate(sets)]


def _resolved(windows: Sequence[Window]) -> bool:
    return float(np.mean([w.at.size for w in windows])) >= RESOLVED


def _read(windows: Sequence[Window]) -> Onset:
    """Where a sensor shows too little of the onset: the drive at detection, less half of its rise during the onset."""
    seen = np.array([w.seen for w in windows])
    rate, time = (float(np.median([getattr(w, name) for w in windows])) for name in ("rate", "onset"))
    delay = np.full(seen.size, 0.5 * rate * time)
    return Onset(seen - delay, np.zeros(seen.size), delay[:, None] / 3**0.5, np.ones(seen.size))


@dataclass
class _OnsetState:
    """Parameters of some cases, with residuals, their derivatives and the cost."""

    shared: np.ndarray
    """Of the motion, then c and F in units of the force."""
    own: np.ndarray
    weight: np.ndarray
    rest: np.ndarray
    slopes: np.ndarray
    """By the own parameters, then by the shared ones."""
    hidden: np.ndarray
    cost: np.ndarray

    def take(self, better: np.ndarray, other: _OnsetState) -> None:
        for name in vars(self):
            getattr(self, name)[better] = getattr(other, name)[better]


class _Fit:
    """Least squares of all sets from all starts together; a case is a set with a start."""

    def __init__(self, sets: Sequence[Sequence[Window]]) -> None:
        self.sets, self.motion = sets, RampMotion(sets)
        self.force, self.size, self.speed = np.zeros(len(sets)), np.zeros(len(sets)), np.zeros(len(sets))
        self.centre, count = np.zeros((len(sets), len(SHARED))), self.motion.ramps
        self.starts = np.zeros((len(STARTS), len(sets), len(SHARED)))
        self.spread: np.ndarray = np.ones_like(self.motion.at)
        self.there: np.ndarray = np.zeros_like(self.motion.at, bool)
        self.drive: np.ndarray = np.zeros_like(self.motion.at)
        self.guess, self.low, self.rate, self.step, self.trend = (np.zeros((len(sets), count)) for _ in range(5))
        self.begin, self.known = np.zeros((len(sets), count)), np.ones((len(sets), count))
        for k, windows in enumerate(sets):
            self._collect(k, windows)
        self.used = self.motion.used.reshape(len(sets), count)
        self.spread, self.there, self.drive = (
            x.reshape(len(sets), count, -1) for x in (self.spread, self.there, self.drive)
        )
        self.set = np.tile(np.arange(len(sets)), len(STARTS))
        self.loose = ANNEALING[0]
        self.scatter, self.alive = np.full(len(self.set), SCATTER), np.ones(len(self.set), bool)

    def _collect(self, k: int, windows: Sequence[Window]) -> None:
        """Scales, first guesses and data of a set."""
        first = np.array([np.interp(w.start, w.time, w.drive) - w.low for w in windows])
        self.force[k] = force = float(np.median(first))
        self.size[k] = size = float(np.median([w.place[-1] - w.rest[0] for w in windows]))
        time = float(np.median([w.time[-1] - w.start for w in windows]))
        self.speed[k] = speed = 2 * size / time
        creep = float(np.median([_creep(w) for w in windows]))
        span = float(np.median([w.start - w.time[0] for w in windows]))
        rate = float(np.median([w.rate for w in windows]))
        inertia = [(fall * force + rate * time / 3) * time**2 / (2 * size) for fall in (FALL, *(f for f, _ in STARTS))]
        self.centre[k] = np.log([inertia[0], 1.0, SPEED * speed, 1.0, creep, BEND, EXPONENT, 1.0, LEAK * creep / span])
        self.centre[k, 1] = FALL
        for start, (fall, shift), J in zip(self.starts[:, k], STARTS, inertia[1:], strict=True):
            start[:] = self.centre[k]
            start[:3] = np.log(J), fall, self.centre[k, 2] + shift
        self.trend[k, : len(windows)] = _trend(windows, first + [w.low for w in windows]) / force
        for j in range(self.motion.ramps):
            w, row = windows[j if j < len(windows) else 0], k * self.motion.ramps + j
            self.guess[k, j], (self.begin[k, j], self.known[k, j]) = first[j if j < len(windows) else 0], w.rest
            self.low[k, j], self.rate[k, j], self.step[k, j] = w.low, w.rate, w.step
            self.spread[row, : w.at.size] = np.hypot(w.spread, len(windows) ** 0.5 * DELAY * (w.time[1] - w.time[0]))
            self.there[row, : w.at.size] = j < len(windows)
            self.drive[row, : w.at.size] = np.interp(w.at, w.time, w.drive) - w.low

    # --- residuals ----------------------------------------------------------------------------------------------------

    def evaluate(self, cases: np.ndarray, shared: np.ndarray, own: np.ndarray, weight: np.ndarray) -> _OnsetState:
        """Residuals and derivatives of some cases, by differences, all at once."""
        k, count = self.set[cases], len(SHARED)
        many = np.repeat(shared[None, :, :count], count + 3, axis=0)
        each = np.repeat(own[None], count + 3, axis=0)
        many[np.arange(count) + 1, :, np.arange(count)] += DIFFERENCE
        each[count + 1, :, :, 0] += DIFFERENCE * self.force[k, None]
        each[count + 2, :, :, 2] += DIFFERENCE
        rest, slowness, hidden = self._residuals(k, many, each, weight)
        slopes = (rest[1:] - rest[0]) / DIFFERENCE
        size = self.size[k, None]
        place = np.dstack([weight * slowness * size[..., None], np.zeros((*self.known[k].shape, 2)),
                           size / self.known[k] * self.used[k]])  # fmt: skip
        columns = np.stack([slopes[count], place, slopes[count + 1], *slopes[:count]], axis=-1)
        return _OnsetState(
            shared, own, weight, rest[0], columns, hidden, self.cost(cases, shared, own, rest[0], hidden)
        )

    def weights(self, cases: np.ndarray, own: np.ndarray, delay: np.ndarray) -> np.ndarray:
        """Weights of the instants: those of the sensor, and an error of friction that all ramps share times the delay
        that it causes (s per force)."""
        k = self.set[cases]
        delay = np.maximum(np.abs(delay), 1 / self.rate[k][..., None])
        error = np.hypot(MODEL * self.force[k, None, None], SHAPE * np.maximum(own[..., :1] - self.drive[k], 0.0))
        shared = self.loose * self.used[k].sum(axis=1)[:, None, None] ** 0.5 * error * delay
        return np.asarray(self.there[k] / np.hypot(self.spread[k], shared))

    def reweigh(self, cases: np.ndarray, s: _OnsetState) -> None:
        """The weights of the present delays."""
        data = slice(0, s.weight.shape[-1])
        delay = s.slopes[:, :, data, 0] / np.maximum(s.weight, 1e-300) / self.force[self.set[cases], None, None]
        new = self.weights(cases, s.own, delay)
        ratio = new / np.maximum(s.weight, 1e-300)
        s.rest[..., data] *= ratio
        s.slopes[:, :, data] *= ratio[..., None]
        s.weight[:] = new
        s.cost[:] = self.cost(cases, s.shared, s.own, s.rest, s.hidden)

    def _residuals(
        self, k: np.ndarray, shared: np.ndarray, own: np.ndarray, weight: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """Weighted residuals of each column and case: of the instants; of the largest friction from F, since creep that
        is fast enough to weaken the contact before it slides is unlikely in slow ramps; of F above the
        largest drive; of the rest position. Slowness of the first column, and its h, relative to the force."""
        rows = k[:, None] * self.motion.ramps + np.arange(self.motion.ramps)
        force, drag = self.force[k, None], shared[..., 3] * self.force[k] / self.speed[k]
        fall = shared[..., 1] * self.force[k]
        own[..., 0] = np.maximum(own[..., 0], 1e-3 * force)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # of cases far from the data
            at, slowness, most = self.motion.passages(rows, shared, own, fall, drag)
            rest = (self.motion.at[rows] - at) * weight
            weaker = (most - own[..., 0]) / (WEAKER * force * rows.shape[1] ** 0.5) * self.used[k]
            above = np.maximum(own[..., 0] - self.motion.most[rows], 0.0) / (ABOVE * force) * self.used[k]
            start = (own[..., 1] - self.begin[k]) / self.known[k] * self.used[k]
        rest = np.concatenate([rest, weaker[..., None], above[..., None], start[..., None]], axis=-1)
        slowness = np.clip(np.nan_to_num(slowness), 0.0, 1e9)
        first = np.sum((self.drive[k] < own[0, ..., :1]) & self.there[k], axis=-1)  # that slides
        first = np.minimum(first, self.there[k].sum(axis=-1) - 1)[..., None]
        there = np.take_along_axis(slowness, np.maximum(first, 0), axis=-1)[..., 0]
        hidden = self._over_rate(k, np.clip(POWER * self.rate[k] * self.step[k] * there / force, 1e-9, 1.0))
        return np.clip(np.nan_to_num(rest, nan=FAR), -FAR, FAR), slowness, hidden

    def _over_rate(self, k: np.ndarray, hidden: np.ndarray) -> np.ndarray:
        """h as a power of the rate: where a ramp has rested within a count must not matter. The time until a travel
        does not depend on the rate if friction falls at once, and on its third root if it does not fall."""
        used, logs = self.used[k], np.log(hidden)
        count = used.sum(axis=1, keepdims=True)
        pace = np.log(np.maximum(self.rate[k], 1e-300))
        pace = (pace - np.sum(pace * used, axis=1, keepdims=True) / count) * used
        mean = np.sum(logs * used, axis=1, keepdims=True) / count
        slope = np.sum(pace * logs, axis=1, keepdims=True) / np.maximum(np.sum(pace**2, axis=1, keepdims=True), 1e-9)
        return np.asarray(np.exp(mean + np.clip(slope, 2 / 3, 1.0) * pace))

    def cost(
        self, cases: np.ndarray, shared: np.ndarray, own: np.ndarray, rest: np.ndarray, hidden: np.ndarray
    ) -> np.ndarray:
        """Squared residuals, and those of what is known before."""
        k = self.set[cases]
        prior = np.sum(((shared[:, :C] - self.centre[k]) / WIDE) ** 2, axis=1) + shared[:, C] ** 2
        off = self._off(k, shared, own, hidden) / self.scatter[cases, None]
        alike = (own[..., 2] / ALIKE) ** 2 * self.used[k]
        return np.asarray(prior + np.sum(rest**2, axis=(1, 2)) + np.sum(off**2 + alike, axis=1))

    def total(self, s: _OnsetState) -> np.ndarray:
        """The cost with the normalisation of the scatter, to compare cases."""
        return np.asarray(s.cost + 2 * self.used[self.set].sum(axis=1) * np.log(self.scatter))

    def _off(self, k: np.ndarray, shared: np.ndarray, own: np.ndarray, hidden: np.ndarray) -> np.ndarray:
        """Break-away of each ramp from that of the set, relative to the force."""
        level = (own[..., 0] + self.low[k]) / self.force[k, None] - self.trend[k]
        return np.asarray((level - shared[:, C, None] * hidden - shared[:, MEAN, None]) * self.used[k])

    # --- normal equations ---------------------------------------------------------------------------------------------

    def normal(self, cases: np.ndarray, s: _OnsetState) -> tuple[np.ndarray, ...]:
        """Matrices and gradients: of each ramp, between ramp and set, of the set."""
        k, A, B = self.set[cases], s.slopes[..., :OWN], s.slopes[..., OWN:]
        tie = self.used[k] / self.scatter[cases, None] ** 2
        single = np.einsum("crip,criq->crpq", A, A) + np.diag([0.0, 1e-6, ALIKE**-2])
        single[..., 0, 0] += tie
        single += 1e-12 * np.trace(single, axis1=-2, axis2=-1)[..., None, None] * np.eye(OWN)
        single[~self.used[k]] = np.eye(OWN)
        cross = np.zeros((*single.shape[:2], OWN, MEAN + 1))
        cross[..., :C] = np.einsum("crip,criq->crpq", A, B)
        cross[..., 0, C], cross[..., 0, MEAN] = -tie * s.hidden, -tie
        whole = np.zeros((len(cases), MEAN + 1, MEAN + 1))
        whole[:, :C, :C] = np.einsum("crip,criq->cpq", B, B) + np.diag(WIDE**-2.0)
        whole[:, C, C] = np.sum(tie * s.hidden**2, axis=1) + 1
        whole[:, C, MEAN] = whole[:, MEAN, C] = np.sum(tie * s.hidden, axis=1)
        whole[:, MEAN, MEAN] = np.sum(tie, axis=1) + 1e-9
        off = self._off(k, s.shared, s.own, s.hidden)
        pull = -np.einsum("crip,cri->crp", A, s.rest)
        pull[..., 0] -= tie * off
        pull[..., 2] -= s.own[..., 2] / ALIKE**2 * self.used[k]
        slope = np.zeros((len(cases), MEAN + 1))
        slope[:, :C] = -np.einsum("crip,cri->cp", B, s.rest) - (s.shared[:, :C] - self.centre[k]) / WIDE**2
        slope[:, C] = np.sum(tie * s.hidden * off, axis=1) - s.shared[:, C]
        slope[:, MEAN] = np.sum(tie * off, axis=1)
        return single, pull, cross, whole, slope

    def stepped(self, cases: np.ndarray, s: _OnsetState, damping: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Parameters after a damped step."""
        single, pull, cross, whole, slope = self.normal(cases, s)
        single = single * (1 + 1e-3 * damping[:, None, None, None] * np.eye(OWN))
        inverse = np.linalg.inv(single)
        gain, step = -inverse @ cross, (inverse @ pull[..., None])[..., 0]
        reduced = whole + np.einsum("crpa,crpb->cab", cross, gain)
        reduced[:, range(C), range(C)] += damping[:, None] * WIDE**-2.0
        right = slope - np.einsum("crpa,crp->ca", cross, step)
        move = np.linalg.solve(reduced, right[..., None])[..., 0]
        move[:, :C] = np.clip(move[:, :C], -1.0, 1.0)
        together = np.clip(step + np.einsum("crpa,ca->crp", gain, move), -BOUND, BOUND)
        k = self.set[cases]
        unit = np.stack([self.force[k], self.size[k], np.ones(k.size)], axis=-1)[:, None]
        return s.shared + move, s.own + together * unit

    # --- the search ---------------------------------------------------------------------------------------------------

    def run(self) -> list[Onset]:
        """Optima from several starts, averaged by their probabilities, for each set."""
        cases = np.arange(len(self.set))
        shared = np.zeros((cases.size, MEAN + 1))
        shared[:, :C] = self.starts.reshape(-1, C)
        shared[:, MEAN] = (1 + np.median(self.low, axis=1) / self.force)[self.set]
        own = np.stack([self.guess, self.begin, np.zeros_like(self.guess)], axis=-1)[self.set]
        weight = self.weights(cases, own, np.zeros_like(self.spread)[self.set])
        state = self.evaluate(cases, shared, self.shifted(cases, shared, own, weight), weight)
        for self.loose in ANNEALING:
            self.reweigh(cases, state)
            self.search(cases, state)
            self._rescale(cases, state)
        found = {c: self.optimum(c, state) for c in np.flatnonzero(self.alive).tolist()}
        onsets = []
        for k in range(len(self.sets)):
            at = np.flatnonzero((self.set == k) & self.alive).tolist()
            logs = np.array([-0.5 * self.total(state)[c] - found[c][1] for c in at])
            share = np.exp(logs - logs.max())
            onsets.append(_average([found[c][0] for c in at], share / share.sum()))
        return onsets

    def shifted(self, cases: np.ndarray, shared: np.ndarray, own: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Ramps that are far off pass their positions in time: break-away follows the drive."""
        k = self.set[cases]
        for _ in range(SHIFTS):
            rest = self._residuals(k, shared[None, :, :C], own[None].copy(), weight)[0][0, ..., :-3]
            far = np.sum(rest**2, axis=-1) > ASTRAY * np.sum(weight > 0, axis=-1)
            if not far.any():
                break
            late = np.sum(rest * weight, axis=-1) / np.maximum(np.sum(weight**2, axis=-1), 1e-300)
            move = np.clip(self.rate[k] * late / self.force[k, None], -BOUND[0], BOUND[0]) * far
            own[..., 0] += move * self.force[k, None]
        return own

    def _rescale(self, cases: np.ndarray, s: _OnsetState) -> None:
        """The scatter of break-away between ramps: squared deviations, and what is not known of them; the cost with
        it."""
        at = np.flatnonzero(self.alive)
        part = _OnsetState(*(getattr(s, name)[at] for name in vars(s)))
        unsure = np.linalg.inv(self.normal(at, part)[0])[..., 0, 0]
        used, off = self.used[self.set[at]], self._off(self.set[at], part.shared, part.own, part.hidden)
        total = np.sum((off**2 + unsure) * used, axis=1) + USUAL[0] * USUAL[1] ** 2
        self.scatter[at] = np.sqrt(total / (np.maximum(used.sum(axis=1) - 2, 0) + USUAL[0]))
        s.cost[at] = self.cost(at, part.shared, part.own, part.rest, part.hidden)

    def search(self, cases: np.ndarray, state: _OnsetState) -> None:
        """Levenberg-Marquardt iterations until no case improves; those that fall behind end early."""
        damping, moving = np.full(cases.size, 1.0), self.alive.copy()
        for number in range(LONGEST):
            at = np.flatnonzero(moving)
            part = _OnsetState(*(getattr(state, name)[at] for name in vars(state)))
            shared, own = self.stepped(at, part, damping[at])
            new = self.evaluate(at, shared, self.shifted(at, shared, own, part.weight), part.weight)
            gained = part.cost - new.cost
            better = gained > 0
            part.take(better, new)
            self.reweigh(at, part)
            for name in vars(state):
                getattr(state, name)[at] = getattr(part, name)
            moving[at] = ~(better & (gained < CLOSE[0] + CLOSE[1] * part.cost)) & (damping[at] < STIFF)
            damping[at] = np.where(better, damping[at] / 10, damping[at] * 10)
            if number >= PATIENCE:
                total = self.total(state)
                best = np.array([np.min(total[self.set == k]) for k in range(len(self.sets))])
                self.alive &= total < best[self.set] + BEHIND
                moving &= self.alive
            if not moving.any():
                break

    def optimum(self, case: int, s: _OnsetState) -> tuple[Onset, float]:
        """Break-aways with their covariance, widened by residuals above their expectation; half the logarithm of the
        determinant of the normal matrix.

        Break-aways of ramps are drawn towards that of the set, as far as their data leave them open. They are spread
        again, so that they scatter as break-away does. What ramps share is the variance of F beyond that scatter."""
        at, k = np.array([case]), int(self.set[case])
        part, used = _OnsetState(*(getattr(s, name)[at] for name in vars(s))), self.used[k]
        single, _, cross, whole, _ = self.normal(at, part)
        inverse = np.linalg.inv(single[0])
        reduced = whole[0] - np.einsum("rpa,rpq,rqb->ab", cross[0], inverse, cross[0])
        off = self._off(at * 0 + k, part.shared, part.own, part.hidden)[0][used]
        unsure = inverse[used, 0, 0]
        spread = min(np.sqrt(1 + unsure.mean() / max(np.mean(off**2), 1e-12)), MOST_SPREAD)
        misfit = np.sum(part.rest[0][used] ** 2, axis=1) / np.maximum(self.there[k][used].sum(axis=1) - 2, 1)
        scale = max(float(np.median(misfit)), 1.0)
        shared = np.linalg.inv(reduced)[MEAN, MEAN] - np.mean((spread * off) ** 2) / off.size
        level = (part.shared[0, MEAN] + self.trend[k][used] + spread * off) * self.force[k]
        common = np.full((off.size, 1), self.force[k] * np.sqrt(scale * max(float(shared), 0.0)))
        onset = Onset(level, self.force[k] * np.sqrt(scale * unsure), common, misfit)
        return onset, 0.5 * float(np.linalg.slogdet(reduced)[1])


def _trend(windows: Sequence[Window], level: np.ndarray) -> np.ndarray:
    """How break-away changes along the path, 0 on average: a polynomial of the position through first guesses, which
    may grow with the rate, too. The Bayesian information criterion selects its degree; a change below the usual scatter
    is left to the scatter."""
    place, rate, step = (np.array(x) for x in zip(*((w.rest[0], w.rate, w.step) for w in windows), strict=True))
    half = 0.5 * np.ptp(place)
    if 2 * half < RANGE * np.median(step):
        return np.zeros(place.size)
    powers = np.vander((place - place.min()) / half - 1, HIGHEST + 1, increasing=True)
    found = []
    for degree in range(min(HIGHEST, place.size // PER_DEGREE) + 1):
        columns = np.column_stack([rate / rate.mean(), powers[:, : degree + 1]])
        values = np.linalg.lstsq(columns, level, rcond=None)[0]
        left = max(float(np.sum((level - columns @ values) ** 2)), 1e-300)
        found.append((place.size * np.log(left) + degree * np.log(place.size), columns[:, 2:] @ values[2:]))
    trend = min(found, key=lambda one: one[0])[1]
    return np.asarray((trend - trend.mean()) * (trend.std() > USUAL[1] * np.mean(level)))


def _creep(window: Window) -> float:
    """F/sigma0 by the travel at half of break-away, log 2 times as large; or far below what is resolved."""
    when = np.interp(0.5 * (np.interp(window.start, window.time, window.drive) + window.low), window.drive, window.time)
    early = window.at <= when
    travel = window.place[early][-1] if early.any() else window.rest[0] + UNSEEN * (window.place[0] - window.rest[0])
    return float((travel - window.rest[0]) / np.log(2))


def _average(found: list[Onset], share: np.ndarray) -> Onset:
    """The mean of several optima; what they differ by is common to all ramps."""
    level = np.sum([w * part.level for w, part in zip(share, found, strict=True)], axis=0)
    columns = [
        np.sqrt(w) * np.column_stack([part.common, part.level - level]) for w, part in zip(share, found, strict=True)
    ]
    rows, size, _ = np.linalg.svd(np.hstack(columns), full_matrices=False)
    best = found[int(np.argmax(share))]
    return Onset(level, best.error, (rows * size)[:, : len(level)], best.misfit)
