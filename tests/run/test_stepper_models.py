"""Every shipped model at 1 ms: looking changes nothing, snapshots bring everything back, the ledger closes."""

import numpy as np
import pytest

from stribeck import compile_model, load_model, realtime, shipped_models

N = 600
METHODS = ["resolvent", "ode4"]


@pytest.fixture(scope="module", params=shipped_models())
def program(request):
    return compile_model(load_model(request.param))


@pytest.mark.parametrize("method", METHODS)
def test_looking_changes_nothing(program, method):
    blind, curious = (realtime(program, 1e-3, method=method) for _ in range(2))
    blind.step(N)
    for i in range(N):
        curious.step()
        if i % 3 == 0:
            assert np.isfinite(curious[program.output_names[i % len(program.output_names)]])
            assert curious.modes.keys() == set(program.contacts)
    assert np.array_equal(blind.state, curious.state)
    assert blind.modes == curious.modes
    assert blind.energy == curious.energy


@pytest.mark.parametrize("method", METHODS)
def test_snapshots_go_from_one_stepper_to_another(program, method):
    first, second = (realtime(program, 1e-3, method=method) for _ in range(2))
    first.step(N // 2)
    second.step(7)
    second.restore(first.snapshot())
    results = [s.run(n=N // 2) for s in (first, second)]
    assert np.array_equal(results[0].data, results[1].data)
    assert results[0].events == results[1].events
    assert results[0].energy == results[1].energy


def test_the_ledger_of_each_part_closes(program):
    """Each term is booked separately: what is left over is rounding, 1e-13 of the throughput of the whole run."""
    s = realtime(program, 1e-3)
    parts = [s.run(n=N // 2, outputs=[]) for _ in range(2)]
    whole = s.energy.throughput
    assert all(abs(part.energy.residual) <= 1e-13 * whole for part in parts)
    dissipated = [sum(part.energy.dissipated.values()) for part in parts]
    assert sum(dissipated) == pytest.approx(sum(s.energy.dissipated.values()), abs=1e-12 * whole)
