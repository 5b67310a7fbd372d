"""The onset of sliding: what a contact does from rest until it slides, explained by creep, a friction curve and an
inertia.

A contact carries h(x) of its limit after a displacement x, and the limit falls with the speed:

    J v' = u - g h - s v,    g = F - D (1 - exp(-(v/v_s)^n)),    h = 1 - (1 - x/(p l))^p, 1 from x = p l on.

Below break-away F the contact creeps, near F it slides. J, D, v_s, s, l, p and n are common to all ramps of a set; each
ramp has a break-away, a rest position and a stiffness about the common one. Contacts without presliding are the limit
of a short l; p is 1 for a spring that gives way at once, 2 for many that do so one after the other, and large for a
bristle. Sudden break-away is the limit of a small v_s, and friction that does not fall that of a small D. What a sensor
leaves open between these limits is part of the covariance. The kernel makes the motion and its derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...kernel import ONSET_TABLE
from ...kernel import onset as kernel_onset

SHARED = ("inertia", "fall", "speed", "viscous", "creep", "bend", "exponent")
"""Parameters that all ramps share: logarithms, except s, of which the unit is the drive over the largest speed. Fall is
D, creep is l, bend p - 1."""
WIDE = np.array([3.0, 2.5, 2.0, 0.1, 2.5, 1.3, 0.2])
"""Standard deviations of their prior: it only decides what the data leave open."""
FALL, SPEED, LENGTH, BEND, EXPONENT = 0.15, 0.2, 0.005, 6.0, 2.0
"""Centres of the prior: fall of friction relative to break-away, v_s relative to the largest speed of the windows,
creep relative to the travel in the windows, p - 1, n. That of J follows from accelerations."""
EARLY, VARIED = 0.6, 0.5
"""Creep below this share of break-away depends on the motion before the ramp: its positions have an error in common, so
many times its length."""
LATE, MOVED = 0.2, 0.02
"""Shares of the travel from which on its acceleration is measured, and from which on it slides."""
ALIKE = 0.5
"""Standard deviation of the logarithm of the stiffness between ramps: it depends on the motion before."""
STARTS = np.zeros((3, len(SHARED)))
STARTS[:, 2] = (0.5, -2.0, -4.5)
"""Start values about the centres: speeds over which friction falls."""
LONGEST, ROUNDS, SETTLE, HALVINGS = 40, 2, 10, 16
"""Most iterations; iterations of the ramps' own parameters in each, and at the start; halvings of a range of levels."""
CLOSE, STIFF = 1e-5, 1e9
"""Relative change of the cost, and damping, at which iterations end."""
BOUND = np.array([0.1, 1.0, 0.5])
"""Largest step of the ramps' own parameters, in units of the scales."""
TREND = 0.003
"""Standard deviation of break-away over the logarithm of the rate, relative: friction at rest ages."""
RATES = 0.3
"""Least standard deviation of the logarithm of the rates for a trend."""
SCATTER, FEW = 3e-3, 5
"""Least scatter of break-away between ramps, relative, and least number of them for a trend."""
MODEL, DELAY, INDEPENDENT = 0.01, 0.3, 40
"""Errors of the model: standard deviation of the travel, relative; that of a delay between drive and position, in
samples; and number of positions in which such errors are independent, since all ramps deviate alike."""
RESOLVED = 4
"""Least number of positions per ramp, between rest and the end of its window, that resolve the onset."""
WEAKER = 0.02
"""Standard deviation of the largest friction of a ramp from F, relative."""
VAGUE = 3.0
"""Standard deviation of break-away about the first guess, relative to the rise of the drive in the guessed onset."""
ONE_RATE, SEVERAL_RATES = 0.3, 0.1
"""Standard error of break-away due to friction of another shape, relative to the rise of the drive until detection."""
FAR = 1e6
"""Largest residual, in standard deviations."""


@dataclass(frozen=True, eq=False)
class Window:
    """One ramp in positive direction, from rest until some way of sliding.

    >>> Window(time, drive, at, place, spread, low=0.0, start=0.151, rate=0.1, seen=0.153, onset=0.02)
    """

    time: np.ndarray
    drive: np.ndarray
    """All samples, for the forcing."""
    at: np.ndarray
    place: np.ndarray
    spread: np.ndarray
    """Instants, positions and their standard deviations, to be explained."""
    low: float
    """Drive at the beginning of the ramp."""
    start: float
    """First guess of the instant at which it slides."""
    rate: float
    """Rate of the drive."""
    seen: float
    """Drive at which it certainly slides."""
    onset: float
    """First guess of the time that it has slid by then (s)."""


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


def onset(windows: Sequence[Window]) -> Onset:
    """Break-away of ramps by a fit of their motion.

    >>> onset(windows).level
    """
    share = [np.abs(w.place - w.place[0]) / max(float(np.ptp(w.place)), 1e-300) for w in windows]
    counted = float(np.mean([np.sum((s > 0.05) & (s < 0.95)) for s in share]))
    return _Fit(windows).run() if counted >= RESOLVED else _read(windows)


class _Fit:
    """Posterior distribution of the levels by sampling, with the ramps' own parameters at their optimum."""

    def __init__(self, windows: Sequence[Window]) -> None:
        self._sample(windows)
        start, end = np.array([w.start for w in windows]), self.last
        first = np.array([np.interp(w.start, w.time, w.drive) - w.low for w in windows])
        rest = np.array([w.place[0] for w in windows])
        self.force = float(np.median(first))
        self.size = float(np.median([np.ptp(w.place) for w in windows]))
        time = float(np.median(end - start))
        self.speed = 2 * self.size / time
        rate = float(np.median([w.rate for w in windows]))
        inertias = [found for w in windows if (found := _inertia(w, self.force))]
        unseen = (FALL * self.force + rate * time / 3) * time**2 / (2 * self.size)
        inertia = float(np.median(inertias)) if inertias else unseen
        logs = np.log([inertia, FALL * self.force, SPEED * self.speed, 1.0, LENGTH * self.size, BEND, EXPONENT])
        self.centre = logs
        self.own = np.column_stack([first, rest, np.zeros(len(windows))])
        self.unit = np.array([self.force, self.size, 1.0])
        self.low = np.array([w.low for w in windows])
        self.seen = np.array([w.seen for w in windows])
        late = [w.rate * (VAGUE * w.onset + 2 * (w.time[1] - w.time[0])) for w in windows]
        self.guess, self.vague = first, np.maximum(late, 1e-6 * self.force) / self.force
        self.pace = np.log([max(w.rate, 1e-300) for w in windows])
        self.over_rate = np.zeros(len(windows))

    def _over_rate(self, level: np.ndarray) -> np.ndarray:
        """Weights of the levels in their trend over the logarithm of the rate, relative to what their scatter and
        ageing allow; 0 with too few rates."""
        pace = self.pace - self.pace.mean()
        square = float(pace @ pace)
        if np.sqrt(square / pace.size) < RATES or pace.size < FEW:
            return np.zeros(pace.size)
        around = level - level.mean() - (level @ pace) / square * pace
        scatter = max(1.4826 * float(np.median(np.abs(around))) / self.force, SCATTER)
        return np.asarray(pace / square / self.force / np.hypot(scatter / np.sqrt(square), TREND))

    def _sample(self, windows: Sequence[Window]) -> None:
        """Drives and impulses as tables over time, instants as tables over the drive, data in rectangular arrays."""
        ramps, data = len(windows), max(w.at.size for w in windows)
        most = np.array([float(np.max(w.drive) - w.low) for w in windows])
        self.spans = np.column_stack([[w.time[0] for w in windows], [w.time[-1] for w in windows], most])
        self.last, self.most = self.spans[:, 1], most
        self.u, self.impulse, self.when = np.zeros((3, ramps, ONSET_TABLE))
        self.place, self.weight, self.at = (np.zeros((ramps, data)) for _ in range(3))
        common = max(sum(w.at.size for w in windows) / INDEPENDENT, 1.0) ** 0.5
        for k, w in enumerate(windows):
            m, rise = w.at.size, np.maximum.accumulate(w.drive - w.low)
            even_times, drive = np.linspace(w.time[0], w.time[-1], ONSET_TABLE), w.drive - w.low
            sums = np.cumsum(0.5 * (drive[1:] + drive[:-1]) * np.diff(w.time))
            self.u[k] = np.interp(even_times, w.time, drive)
            self.impulse[k] = np.interp(even_times, w.time, np.append(0.0, sums))
            top = int(np.argmax(rise))
            even = 1e-9 * most[k] * np.arange(top + 1)  # so that it rises strictly
            self.when[k] = np.interp(np.linspace(0, most[k], ONSET_TABLE), rise[: top + 1] + even, w.time[: top + 1])
            spread = np.hypot(_spread(w), common * _model_error(w))
            self.place[k, :m], self.weight[k, :m], self.at[k, :m] = w.place, 1 / spread, w.at

    # --- the motion ---------------------------------------------------------------------------------------------------

    def motion(self, shared: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Travel at the instants of the data with its derivatives by all parameters, and the largest friction with its
        derivatives: shared (cases, 7), own (cases, ramps, 3) -> (cases, ramps, data), (..., 9), (cases, ramps, 10)."""
        param = np.empty((*own.shape[:2], len(SHARED) + 2))
        param[:, :, : len(SHARED)] = np.exp(shared)[:, None]
        level = np.maximum(own[:, :, 0], 1e-3 * self.force)
        param[:, :, 1] /= level  # levels count from the drive at the beginning, falls do not
        param[:, :, 3] = shared[:, None, 3] * self.force / self.speed
        param[:, :, 7] = level
        param[:, :, 8] = np.exp(own[:, :, 2])
        travel, slopes, force = kernel_onset(self.u, self.impulse, self.when, self.spans, self.at, param)
        unit = np.ones(len(SHARED) + 2)
        unit[3], unit[7] = self.force / self.speed, self.force
        for by in (slopes, force[..., 1:]):
            by[..., 7] -= by[..., 1] / level.reshape(level.shape + (1,) * (by.ndim - 3))
            by *= unit
        return travel, slopes, force

    def residuals(self, shared: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Weighted residuals of each case, their derivatives by the ramps' own parameters, in their units, and by the
        shared ones. The last residual is that of the largest friction from F: creep that is fast enough to weaken the
        contact before it slides is unlikely, since ramps are slow."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # of cases far from the data
            travel, slopes, force = self.motion(shared, own)
            unlikely = 1 / (WEAKER * self.force * own.shape[1] ** 0.5)
            rest = (self.place - own[:, :, 1:2] - travel) * self.weight
            weaker = (force[:, :, :1] - own[:, :, :1]) * unlikely
            by_force = force[:, :, None, 1:] * unlikely
            by_force[..., 7] -= self.force * unlikely
            by = np.concatenate([-slopes * self.weight[..., None], by_force], axis=2)
        rest = np.clip(np.nan_to_num(np.concatenate([rest, weaker], axis=2), nan=FAR), -FAR, FAR)
        by = np.nan_to_num(by, posinf=0.0, neginf=0.0)
        place = np.broadcast_to(np.pad(-self.weight * self.size, [(0, 0), (0, 1)]), rest.shape)
        return rest, np.stack([by[..., 7], place, by[..., 8]], axis=-1), by[..., : len(SHARED)]

    def rest(self, shared: np.ndarray, own: np.ndarray) -> np.ndarray:
        """The residuals alone."""
        return self.residuals(shared, own)[0]

    # --- the ramps' own parameters -----------------------------------------------------------------------------------

    def begun(self, shared: np.ndarray, own: np.ndarray) -> np.ndarray:
        """The ramps' own parameters to begin with: from levels at the first guess of the instants, or from those with
        which the model is half-way when the data are. Positions depend on instants exponentially."""
        places = np.where(self.weight > 0, self.place - self.place[:, :1], -1.0)
        half = np.argmax(places >= 0.5 * places.max(axis=1, keepdims=True), axis=1)[:, None]
        goal = np.take_along_axis(places, half, axis=1)[:, 0]
        low, high = np.broadcast_arrays(0.3 * self.guess, np.maximum(self.most, self.guess) + 0 * own[:, :, 0])
        other = own.copy()
        for _ in range(HALVINGS):
            other[:, :, 0] = 0.5 * (low + high)
            far = np.take_along_axis(self.motion(shared, other)[0], half[None], axis=2)[:, :, 0] > goal
            low, high = np.where(far, other[:, :, 0], low), np.where(far, high, other[:, :, 0])
        own, other = (self.settled(shared, start, SETTLE) for start in (own, other))
        better = self.costs(self.rest(shared, other), other) < self.costs(self.rest(shared, own), own)
        return np.where(better[..., None], other, own)

    def settled(self, shared: np.ndarray, own: np.ndarray, rounds: int) -> np.ndarray:
        """The ramps' own parameters for each case of shared ones: damped least squares, each ramp separately."""
        damping = np.full(own.shape[:2], 1e-3)
        base, A, _ = self.residuals(shared, own)
        for _ in range(rounds):
            single, pull = self.normal(base, A, own)
            damped = single * (1 + damping[:, :, None, None] * np.eye(3))
            move = np.linalg.solve(damped, pull[..., None])[..., 0]
            trial = own + np.clip(move, -BOUND, BOUND) * self.unit
            rest, slopes, _ = self.residuals(shared, trial)
            better = self.costs(rest, trial) < self.costs(base, own)
            own = np.where(better[..., None], trial, own)
            base, A = np.where(better[..., None], rest, base), np.where(better[..., None, None], slopes, A)
            damping = np.where(better, damping / 10, damping * 10)
        return own

    def normal(self, base: np.ndarray, A: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Normal matrices of the ramps, and the gradients."""
        single = np.einsum("crip,criq->crpq", A, A) + np.diag([0.0, 1.0, ALIKE**-2])
        single[..., 0, 0] += self.vague**-2
        single += 1e-12 * np.trace(single, axis1=-2, axis2=-1)[..., None, None] * np.eye(3)
        pull = -np.einsum("crip,cri->crp", A, base)
        pull[..., 0] -= (own[..., 0] - self.guess) / self.force / self.vague**2
        pull[..., 2] -= own[..., 2] / ALIKE**2
        return single, pull

    def costs(self, rest: np.ndarray, own: np.ndarray) -> np.ndarray:
        """Squared residuals of each ramp, with what is known of its level and stiffness."""
        level = (own[..., 0] - self.guess) / self.force / self.vague
        return np.asarray(np.sum(rest**2, axis=-1) + level**2 + (own[..., 2] / ALIKE) ** 2)

    # --- the search ---------------------------------------------------------------------------------------------------

    def run(self) -> Onset:
        """Optima from several starts, then once more with what the rates allow, averaged by their probabilities."""
        shared = self.centre + np.array(STARTS)
        own = self.begun(shared, np.tile(self.own, (len(STARTS), 1, 1)))
        shared, own, cost = self.search(shared, own)
        self.over_rate = self._over_rate(own[int(np.argmin(cost)), :, 0])
        shared, own, cost = self.search(shared, own)
        found = [self.optimum(shared[k : k + 1], own[k : k + 1]) for k in range(len(shared))]
        logs = -0.5 * cost - np.array([size for _, size in found])
        share = np.exp(logs - logs.max())
        whole = _average([onset for onset, _ in found], share / share.sum())
        share = SEVERAL_RATES if self.over_rate.any() else ONE_RATE
        blur = share * np.maximum(self.seen - whole.level, 0.0)
        return replace(whole, common=np.column_stack([whole.common, blur]))

    def search(self, shared: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Levenberg-Marquardt iterations from several start values; the optima and their costs."""
        cost, damping = self.cost(shared, own), np.full(len(shared), 100.0)
        moving = np.ones(len(shared), bool)
        for _ in range(LONGEST):
            new_shared, new_own = self.stepped(shared, own, damping)
            new_own = self.settled(new_shared, new_own, ROUNDS)
            new = self.cost(new_shared, new_own)
            better = new < cost
            moving &= ~(better & (cost - new < CLOSE * cost) & (damping < 1.0)) & (damping < STIFF)
            shared, own = np.where(better[:, None], new_shared, shared), np.where(better[:, None, None], new_own, own)
            cost, damping = np.where(better, new, cost), np.where(better, damping / 10, damping * 6)
            if not moving.any():
                break
        return shared, own, cost

    def cost(self, shared: np.ndarray, own: np.ndarray) -> np.ndarray:
        """Squared residuals, and those of what is known before."""
        prior = np.sum(((shared - self.centre) / WIDE) ** 2, axis=1)
        return np.asarray(self.costs(self.rest(shared, own), own).sum(axis=1) + prior + self.trend(own))

    def trend(self, own: np.ndarray) -> np.ndarray:
        """Squared trend of break-away over the logarithm of the rate, relative to what is allowed."""
        return np.asarray((own[..., 0] @ self.over_rate) ** 2)

    def reduced(self, shared: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, ...]:
        """Normal matrix and gradient of the shared parameters with the ramps' own ones eliminated; the steps of the own
        ones, those per unit of the shared ones, and the inverses of their matrices."""
        base, A, B = self.residuals(shared, own)
        single, pull = self.normal(base, A, own)
        cross = np.einsum("crip,criq->crpq", A, B)
        inverse = np.linalg.inv(single)
        gain, step = -inverse @ cross, (inverse @ pull[..., None])[..., 0]
        whole = np.einsum("crip,criq->cpq", B, B) + np.einsum("crpa,crpb->cab", cross, gain) + np.diag(WIDE**-2.0)
        slope = -np.einsum("crip,cri->cp", B, base) - np.einsum("crpa,crp->ca", cross, step)
        slope -= (shared - self.centre) / WIDE**2
        turn = np.einsum("r,crp->cp", self.over_rate, gain[:, :, 0]) * self.force
        level = own[..., 0] + step[..., 0] * self.force
        whole += turn[:, :, None] * turn[:, None, :]
        slope -= turn * (level @ self.over_rate)[:, None]
        return whole, slope, step, gain, inverse

    def stepped(self, shared: np.ndarray, own: np.ndarray, damping: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The parameters after a damped step."""
        whole, slope, step, gain, _ = self.reduced(shared, own)
        damped = whole + damping[:, None, None] * np.diag(WIDE**-2.0)
        move = np.clip(np.linalg.solve(damped, slope[..., None])[..., 0], -1.0, 1.0)
        together = np.clip(step + np.einsum("crpa,ca->crp", gain, move), -BOUND, BOUND)
        return shared + move, own + together * self.unit

    def optimum(self, shared: np.ndarray, own: np.ndarray) -> tuple[Onset, float]:
        """Break-aways with their covariance, widened by residuals above their expectation; half the logarithm of the
        determinant of the normal matrix."""
        whole, _, _, gain, inverse = self.reduced(shared, own)
        counted = np.maximum((self.weight > 0).sum(axis=1) - 2, 1)
        misfit = self.costs(self.rest(shared, own), own)[0] / counted
        scale = self.force * np.sqrt(max(float(np.median(misfit)), 1.0))
        size, axes = np.linalg.eigh(whole[0])
        common = gain[0, :, 0] @ (axes / np.sqrt(np.maximum(size, WIDE.max() ** -2))) * scale
        error = np.sqrt(inverse[0, :, 0, 0]) * scale
        self.shared = shared[0]
        level = np.minimum(own[0, :, 0] + self.low, self.seen)
        return Onset(level, error, common, misfit), 0.5 * float(np.linalg.slogdet(whole[0])[1])


def _spread(window: Window) -> np.ndarray:
    """Standard deviations of the positions, with those of early creep."""
    top = np.interp(window.start, window.time, window.drive) - window.low
    drive = np.interp(window.at, window.time, window.drive) - window.low
    early = (drive < EARLY * top) & (window.at < window.start)
    length = float(np.ptp(window.place[early])) if early.any() else 0.0
    return np.where(early, np.hypot(window.spread, VARIED * length * early.sum() ** 0.5), window.spread)


def _model_error(window: Window) -> np.ndarray:
    """Standard deviation of the travel in the model: of its shape, and of the instants of drive and position."""
    travel, h = window.place - window.place[0], float(window.time[1] - window.time[0])
    speed = 2 * travel / np.maximum(window.at - window.start, h)
    return np.asarray(np.hypot(MODEL * travel, DELAY * h * speed))


def _inertia(window: Window, force: float) -> float | None:
    """A first guess of the inertia: half of the fall of friction and of the rise of the drive while it slides, over the
    acceleration; None if it does not accelerate."""
    top = np.interp(window.start, window.time, window.drive) - window.low
    driven = np.interp(window.at, window.time, window.drive) - window.low > 0.5 * top
    time, travel = window.at[driven], window.place[driven] - window.place[0]
    late = travel > LATE * travel.max(initial=0.0)
    if late.sum() < RESOLVED:
        return None
    acceleration = 2 * float(np.polyfit(time[late] - time[-1], travel[late], 2)[0])
    slid = float(time[-1] - time[int(np.argmax(travel > MOVED * travel.max()))])
    return 0.5 * (FALL * force + window.rate * slid) / acceleration if acceleration > 0 else None


def _read(windows: Sequence[Window]) -> Onset:
    """Where a sensor shows too little of the onset: the drive at detection, less half of its rise during the onset."""
    seen = np.array([w.seen for w in windows])
    rate, time = (float(np.median([getattr(w, name) for w in windows])) for name in ("rate", "onset"))
    delay = np.full(seen.size, 0.5 * rate * time)
    return Onset(seen - delay, np.zeros(seen.size), delay[:, None] / 3**0.5, np.ones(seen.size))


def _average(found: list[Onset], share: np.ndarray) -> Onset:
    """The mean of several optima; what they differ by is common to all ramps."""
    level = np.sum([w * part.level for w, part in zip(share, found, strict=True)], axis=0)
    columns = [
        np.sqrt(w) * np.column_stack([part.common, part.level - level]) for w, part in zip(share, found, strict=True)
    ]
    rows, size, _ = np.linalg.svd(np.hstack(columns), full_matrices=False)
    best = found[int(np.argmax(share))]
    return Onset(level, best.error, (rows * size)[:, : len(SHARED)], best.misfit)
