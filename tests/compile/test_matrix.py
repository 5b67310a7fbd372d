"""The pattern of the matrix: elimination by its lists gives the solution, with little fill and work."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.compile.matrix import Pattern, analyse


def solve(pattern: Pattern, matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Gaussian elimination as the kernel does it, from the arrays alone."""
    a = pattern.arrays()
    n = len(right)
    slots = np.zeros(len(a["lu_col"]))
    for (row, column), slot in pattern.slots.items():
        slots[slot] = matrix[row, column]
    updates = iter(a["elim_dst"])
    for i in range(n):
        for p in range(a["lu_ptr"][i], a["lu_diag"][i]):
            k = a["lu_col"][p]
            slots[p] /= slots[a["lu_diag"][k]]
            for q in range(a["lu_diag"][k] + 1, a["lu_ptr"][k + 1]):
                slots[next(updates)] -= slots[p] * slots[q]
    assert next(updates, None) is None

    x = right[a["lu_perm"]].copy()
    for i in range(n):
        for p in range(a["lu_ptr"][i], a["lu_diag"][i]):
            x[i] -= slots[p] * x[a["lu_col"][p]]
    for i in reversed(range(n)):
        for p in range(a["lu_diag"][i] + 1, a["lu_ptr"][i + 1]):
            x[i] -= slots[p] * x[a["lu_col"][p]]
        x[i] /= slots[a["lu_diag"][i]]
    solution = np.empty(n)
    solution[a["lu_perm"]] = x
    return solution


@pytest.mark.parametrize("seed", range(20))
def test_elimination_solves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 15))
    entries = [tuple(entry) for entry in rng.integers(0, n, (2 * n, 2)).tolist()]
    pattern = analyse(n, entries, {})
    matrix = np.diag(rng.uniform(5.0, 10.0, n))
    for row, column in entries:
        matrix[row, column] += rng.normal()
    right = rng.normal(size=n)
    assert sorted(pattern.order) == list(range(n))
    assert solve(pattern, matrix, right) == pytest.approx(np.linalg.solve(matrix, right), rel=1e-10, abs=1e-10)


def test_an_unknown_without_a_diagonal_waits_for_one_that_gives_it() -> None:
    """Holding torques, here 2 and 3, act on the speeds 0 and 1; either order of the speeds is fine, but they first."""
    entries = [(0, 2), (2, 0), (1, 3), (3, 1), (0, 1)]
    pattern = analyse(4, entries, {2: {0: 1.0}, 3: {1: 1.0}})
    at = {unknown: position for position, unknown in enumerate(pattern.order)}
    assert at[0] < at[2]
    assert at[1] < at[3]
    matrix = np.array([[2.0, 0.5, 1.0, 0.0], [0.5, 3.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    right = np.array([1.0, 2.0, 3.0, 4.0])
    assert solve(pattern, matrix, right) == pytest.approx(np.linalg.solve(matrix, right), rel=1e-12)


def chain(n: int) -> sb.Program:
    """n inertias on springs, with a bearing of either law on each."""
    m = sb.Model("chain")
    before = m.add("wall", sb.Fixed())
    for k in range(n):
        body = m.add(f"body{k}", sb.Inertia(J=1.0))
        m.add(f"spring{k}", sb.SpringDamper(before, body, c=1.0, d=0.1))
        m.add(f"bearing{k}", sb.Bearing(body, law=sb.Switch() if k % 2 else sb.LuGre()))
        before = body
    return sb.compile_model(m)


def test_chains_need_storage_and_work_in_proportion() -> None:
    """Slots of the matrix and updates of the elimination grow by the same amount for each body."""
    sizes = np.array([10, 20, 40, 80, 160, 320])
    for name in ("n_lu", "n_elim", "n_w", "n_jac"):
        per_body = np.array([chain(n).sizes[name] for n in sizes.tolist()]) / sizes
        assert per_body.max() < 1.15 * per_body.min(), name  # the ends of a chain have a little less
    assert chain(320).sizes["n_lu"] < 30 * 320


def test_holding_torques_do_not_share_the_speed_that_gives_them_a_diagonal() -> None:
    """Torques 3 and 4 both act on speed 0; behind speed 0 alone only one of them has a pivot."""
    entries = [(0, 3), (0, 4), (1, 3), (2, 4)]
    at = {u: i for i, u in enumerate(analyse(5, entries, {3: {0: 1.0, 1: 1.0}, 4: {0: 1.0, 2: 1.0}}).order)}
    first, second = sorted((3, 4), key=lambda u: at[u])
    assert min(at[0], at[1 if first == 3 else 2]) < at[first]
    assert sum(at[speed] < at[second] for speed in (0, 1, 2)) >= 2


def test_torques_without_a_speed_of_their_own_come_last() -> None:
    """Three torques hold one speed: two of them are redundant whatever happens."""
    order = analyse(4, [(0, 1), (0, 2), (0, 3)], {1: {0: 1.0}, 2: {0: 1.0}, 3: {0: 1.0}}).order
    assert order == (0, 1, 2, 3)


def test_torques_that_do_the_same_on_the_speeds_before_them_wait() -> None:
    """Torques 3 and 4 act alike on speeds 0 and 1; only speed 2 separates them, so it comes before the second."""
    rows = {3: {0: 1.0, 1: 2.0}, 4: {0: 1.0, 1: 2.0, 2: 1.0}}
    entries = [(speed, torque) for torque, row in rows.items() for speed in row]
    pattern = analyse(5, entries, rows)
    at = {unknown: position for position, unknown in enumerate(pattern.order)}
    assert at[2] < max(at[3], at[4])
    matrix = np.diag([1.0, 1.0, 1.0, 0.0, 0.0])
    for torque, row in rows.items():
        for speed, value in row.items():
            matrix[torque, speed] = matrix[speed, torque] = value
    right = np.arange(1.0, 6.0)
    assert solve(pattern, matrix, right) == pytest.approx(np.linalg.solve(matrix, right), rel=1e-12)
