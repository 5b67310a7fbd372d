"""Starts from afar: guided, a Latin hypercube of the bounds, or evolution with an adapted covariance (CMA-ES)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .guided import guided_points
from .losses import Loss
from .problem import Problem

GLOBAL = ("guided", "lhs", "cma")
DECADE = math.log(10.0)
"""How far to look beside the start where there is no bound: a factor of 10."""
SAMPLES = 16
"""Points of the hypercube per parameter."""
FOLLOWED = 3
"""Best points from which a search begins."""

SMALL = 1e-3
"""Size of the population, as a share of the box, at which it has settled."""


def global_points(
    problem: Problem, loss: Loss, way: str, seed: int, say: Callable[[float, str], None]
) -> list[np.ndarray]:
    """Points from which to search: the start itself, and the best of those looked at.

    >>> global_points(problem, LOSSES["linear"], "lhs", 0, print)
    """
    low, high = box(problem)
    rng = np.random.default_rng(seed)
    if way == "cma":
        return [_evolved(problem, loss, low, high, rng, say)]
    if way == "guided":
        points = guided_points(problem, low, high, say)
    else:
        points = _hypercube(low, high, SAMPLES * low.size, rng)
    costs = _costs(problem, loss, points, say)
    best = np.argsort(costs)[:FOLLOWED]
    return [np.zeros(low.size), *(points[i] for i in best if math.isfinite(costs[i]))]


def box(problem: Problem) -> tuple[np.ndarray, np.ndarray]:
    """Where to look, in coordinates: the bounds; a decade beside the start where there are none."""
    low, high = problem.limits
    logs = np.array([parameter.log for parameter in problem.free])
    far = np.where(logs, DECADE, 10.0)
    near = np.where(logs, DECADE, [1.0 if p.low >= 0 else 10.0 for p in problem.free])
    return np.where(np.isfinite(low), low, -near), np.where(np.isfinite(high), high, far)


def _hypercube(low: np.ndarray, high: np.ndarray, count: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Points of which every parameter takes every of `count` equal parts of its range once."""
    ranks = np.array([rng.permutation(count) for _ in low]).T
    return list(low + (high - low) * (ranks + rng.random(ranks.shape)) / count)


def _costs(
    problem: Problem, loss: Loss, points: list[np.ndarray], say: Callable[[float, str], None], first: float = 0.0
) -> np.ndarray:
    costs: list[float] = []
    for at in range(0, len(points), 8):
        costs += [math.inf if r is None else loss.cost(r) for r in problem.residuals(points[at : at + 8])]
        say(first + 0.3 * len(costs) / len(points) * (1 - first), f"global start: {len(costs)} of {len(points)}")
    return np.array(costs)


def _evolved(
    problem: Problem,
    loss: Loss,
    low: np.ndarray,
    high: np.ndarray,
    rng: np.random.Generator,
    say: Callable[[float, str], None],
) -> np.ndarray:
    """The best point that a population finds in the box."""
    evolution = Evolution(-low / (high - low), rng)
    best, lowest = np.zeros(low.size), math.inf
    generations = 20 + 5 * low.size
    for generation in range(1, generations + 1):
        cubes = evolution.population()
        points = [low + (high - low) * cube for cube in cubes]
        costs = np.array([math.inf if r is None else loss.cost(r) for r in problem.residuals(points)])
        if costs.min() < lowest:
            best, lowest = points[int(costs.argmin())], float(costs.min())
        evolution.learn(cubes[np.argsort(costs)])
        say(0.3 * generation / generations, f"global start: generation {generation} of {generations}")
        if evolution.spread < SMALL:
            break
    return best


class Evolution:
    """A population in the unit cube that moves, stretches and turns to where costs are low: CMA-ES, with the names and
    constants of N. Hansen: The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772 (mu the better half, lambda all).

    >>> evolution = Evolution(np.full(2, 0.5), np.random.default_rng(0))
    >>> evolution.learn(sorted(evolution.population(), key=cost))
    """

    def __init__(self, mean: np.ndarray, rng: np.random.Generator) -> None:
        n = mean.size
        self.mean, self.sigma, self.covariance = mean, 0.3, np.eye(n)
        self.rng = rng
        self.size = 8 + int(3 * math.log(n))
        weights = math.log((self.size + 1) / 2) - np.log(np.arange(1, self.size // 2 + 1))
        self.weights = weights / weights.sum()
        self.mu = 1 / float(self.weights @ self.weights)
        self.c_c, self.c_sigma = (4 + self.mu / n) / (n + 4 + 2 * self.mu / n), (self.mu + 2) / (n + self.mu + 5)
        self.c_1 = 2 / ((n + 1.3) ** 2 + self.mu)
        self.c_mu = min(1 - self.c_1, 2 * (self.mu - 2 + 1 / self.mu) / ((n + 2) ** 2 + self.mu))
        self.damping = 1 + 2 * max(0.0, math.sqrt((self.mu - 1) / (n + 1)) - 1) + self.c_sigma
        self.length = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))  # mean length of a normal vector
        self.path, self.path_sigma = np.zeros(n), np.zeros(n)
        self.generation = 0

    @property
    def axes(self) -> tuple[np.ndarray, np.ndarray]:
        """Half lengths of the axes of the population, and their directions as columns."""
        values, vectors = np.linalg.eigh(self.covariance)
        return np.sqrt(np.maximum(values, 1e-20)), vectors

    @property
    def spread(self) -> float:
        """Longest half axis."""
        return self.sigma * float(self.axes[0].max())

    def population(self) -> np.ndarray:
        """The next points, one per row."""
        lengths, vectors = self.axes
        moves = (self.rng.normal(size=(self.size, self.mean.size)) * lengths) @ vectors.T
        return np.asarray(np.clip(self.mean + self.sigma * moves, 0.0, 1.0))

    def learn(self, ranked: np.ndarray) -> None:
        """Takes the points of the population, those of the lowest costs first."""
        self.generation += 1
        lengths, vectors = self.axes
        chosen = (np.asarray(ranked)[: self.weights.size] - self.mean) / self.sigma
        shift = self.weights @ chosen
        self.mean = self.mean + self.sigma * shift

        # the path of the steps: long if they agree, and then steps grow
        whitened = vectors @ ((vectors.T @ shift) / lengths)
        c = self.c_sigma
        self.path_sigma = (1 - c) * self.path_sigma + math.sqrt(c * (2 - c) * self.mu) * whitened
        length = float(np.linalg.norm(self.path_sigma))
        settled = math.sqrt(1 - (1 - c) ** (2 * self.generation))
        short = length / settled < (1.4 + 2 / (shift.size + 1)) * self.length
        self.sigma *= math.exp((c / self.damping) * (length / self.length - 1))

        # the covariance: along the path, and over the chosen points
        c = self.c_c
        self.path = (1 - c) * self.path + short * math.sqrt(c * (2 - c) * self.mu) * shift
        along = np.outer(self.path, self.path) + (not short) * c * (2 - c) * self.covariance
        across = (chosen.T * self.weights) @ chosen
        self.covariance = (1 - self.c_1 - self.c_mu) * self.covariance + self.c_1 * along + self.c_mu * across
