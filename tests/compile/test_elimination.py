from fractions import Fraction

import numpy as np
import pytest

from stribeck.compile.elimination import Elimination


def test_rows_are_solved_for_the_column_of_lowest_rank():
    solver = Elimination({"a": 2, "b": 1, "c": None}.get)
    assert solver.add({"a": Fraction(1), "b": Fraction(-3)}) == "b"
    assert solver.add({"b": Fraction(1), "c": Fraction(1)}) == "a"
    assert solver.expr == {"b": {"c": Fraction(-1)}, "a": {"c": Fraction(-3)}}
    assert solver.add({"a": Fraction(1), "c": Fraction(3)}) is None  # known before
    assert solver.add({"a": Fraction(1)}) is None  # says c = 0, which is not to be solved for
    assert solver.reduce({"a": Fraction(1)}) == {"c": Fraction(-3)}


@pytest.mark.parametrize("seed", range(5))
def test_the_rest_spans_the_null_space(seed):
    rng = np.random.default_rng(seed)
    rows = rng.integers(-2, 3, (6, 9))
    rows[5] = rows[0] - 2 * rows[3]
    solver = Elimination(lambda column: 0)
    for row in rows:
        solver.add({int(c): Fraction(int(row[c])) for c in np.flatnonzero(row)})
    free = [c for c in range(9) if c not in solver.expr]
    assert len(free) == 9 - np.linalg.matrix_rank(rows)
    basis = np.array([[float(solver.reduce({c: Fraction(1)}).get(f, 0)) for f in free] for c in range(9)])
    assert rows @ basis == pytest.approx(0.0, abs=1e-12)


def test_chains_take_linear_work_in_any_order():
    n = 3000
    solver = Elimination(lambda column: -column)  # the worst pivots
    for k in range(n):
        solver.add({k: Fraction(1), k + 1: Fraction(-1)})
    assert len(solver.expr) == n
    assert {len(row) for row in solver.expr.values()} == {1}
