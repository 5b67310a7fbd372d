"""Sparse rows and their arrays."""

from __future__ import annotations

import numpy as np

from stribeck.compile.rows import Row, combine, compress, entries, transpose


def dense(rows: list[Row], columns: int) -> np.ndarray:
    matrix = np.zeros((len(rows), columns))
    for i, row in enumerate(rows):
        for column, value in row.items():
            matrix[i, column] = value
    return matrix


def random_rows(rng: np.random.Generator, rows: int, columns: int) -> list[Row]:
    full = rng.normal(size=(rows, columns)) * (rng.random((rows, columns)) < 0.4)
    return [{int(j): float(row[j]) for j in rng.permutation(np.flatnonzero(row))} for row in full]


def test_combine_adds_and_drops_what_cancels() -> None:
    assert combine((1.0, {0: 1.0, 1: 2.0}), (-1.0, {0: 1.0})) == {1: 2.0}
    assert combine((2.0, {3: 0.5}), (1.0, {1: 1.0})) == {3: 1.0, 1: 1.0}
    assert combine() == {}


def test_compressed_rows_and_entries_hold_the_matrix() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        rows = random_rows(rng, 5, 7)
        expected = dense(rows, 7)

        arrays = compress(rows, "w")
        rebuilt = np.zeros_like(expected)
        for i in range(5):
            for p in range(arrays["w_ptr"][i], arrays["w_ptr"][i + 1]):
                rebuilt[i, arrays["w_col"][p]] += arrays["w_val"][p]
        assert np.array_equal(rebuilt, expected)
        assert arrays["w_ptr"].dtype == arrays["w_col"].dtype == np.int32

        listed = entries(rows, "wp", "motion")
        rebuilt = np.zeros_like(expected)
        np.add.at(rebuilt, (listed["wp_row"], listed["wp_motion"]), listed["wp_val"])
        assert np.array_equal(rebuilt, expected)

        assert np.array_equal(dense(transpose(rows, 7), 5), expected.T)


def test_nothing_is_an_empty_array() -> None:
    arrays = compress([], "w")
    assert arrays["w_ptr"].tolist() == [0]
    assert arrays["w_col"].size == len(arrays["w_val"]) == 0
    assert transpose([], 3) == [{}, {}, {}]
