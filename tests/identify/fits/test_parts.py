"""Fits to a part of the records."""

from dataclasses import replace

import numpy as np
import pytest
from support.known_truth import KnownTruth

import stribeck as sb
from stribeck.identify.fits import simulation
from stribeck.identify.fits.parts import fitted_without
from stribeck.identify.fits.sums import crowding


@pytest.fixture(scope="module")
def known():
    return KnownTruth("Dahl")


@pytest.fixture(scope="module")
def result(known):
    return known.fit(1)


@pytest.mark.parametrize("left_out", [slice(0, 125), slice(250, None)])
def test_a_part_is_fitted_as_if_alone_with_fewer_simulations(known, result, left_out):
    """From the minimum of all samples to that of the rest, not only towards it."""
    mask = np.zeros(len(result.records[0]), bool)
    mask[left_out] = True
    part = fitted_without(result, [mask])
    rest = result.records[0].masked(~mask)
    alone = sb.identify.fit(known.model, rest, result.names, start=result.best, **known.options)
    for path, error in alone.errors.items():
        assert part.values[path] == pytest.approx(alone.values[path], abs=0.05 * error), path
    assert part.minimum.runs < alone.runs


def test_records_can_be_left_out(known, result):
    records = [known.record(seed) for seed in (1, 2)]
    records[1] = replace(records[1], name="other")
    both = sb.identify.fit(known.model, records, result.names, start=result.best, **known.options)
    second = fitted_without(both, [np.full(len(records[0]), True), np.full(len(records[1]), False)])
    assert [record.name for record in second.records] == ["other"]
    alone = sb.identify.fit(known.model, records[1], result.names, start=result.best, **known.options)
    for path, error in alone.errors.items():
        assert second.values[path] == pytest.approx(alone.values[path], abs=0.05 * error), path


def test_a_fit_compiles_its_model_a_few_times(known, monkeypatch):
    """Steps of the search, the last iterations and parts of the record share programs: one for each solver, or again
    for the part."""
    count = []
    compile_model = simulation.compile_model
    monkeypatch.setattr(simulation, "compile_model", lambda model: count.append(model) or compile_model(model))
    result = known.fit(3)
    fitted_without(result, [np.arange(len(result.records[0])) < 100])
    assert 2 <= len(count) <= 4


def test_independent_residuals():
    rng = np.random.default_rng(1)
    noise = rng.normal(size=4000)
    assert crowding(noise) == pytest.approx(1.0, abs=0.2)
    assert crowding(np.convolve(noise, np.ones(10))) == pytest.approx(10.0, rel=0.2)
    assert crowding(np.zeros(10)) == 1.0
