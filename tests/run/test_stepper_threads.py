"""Steppers in threads: nothing is shared, so results are the same to the last bit, however many run at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support.machines import MACHINES

import stribeck as sb

METHODS = ["resolvent", "ode1", "ode4", "semi-implicit", "mixed"]
H, TASKS = 2e-4, 1500


def outcome(program: sb.Program, method: str) -> tuple[np.ndarray, tuple[float, ...]]:
    """All outputs in every third task, and the energy that went in, was lost and is numerical."""
    result = sb.realtime(program, H, method=method).run(n=TASKS, every=3)
    return result.data, (result.energy.residual, result.energy.numerical, result.energy.throughput)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_any_number_of_threads_gives_the_same_bits(threads: int) -> None:
    """Machines and methods in turn, so that different ones run at once on programs that they share."""
    names = ["carriages", "clutches", "gearbox", "heated", "servo"]
    programs = {name: sb.compile_model(MACHINES[name]()) for name in names}
    jobs = [(programs[name], method) for method in METHODS for name in names]
    alone = [outcome(*job) for job in jobs]
    with ThreadPoolExecutor(threads) as pool:
        together = list(pool.map(lambda job: outcome(*job), jobs))
    for (program, method), (data, energy), (expected, expected_energy) in zip(jobs, together, alone, strict=True):
        assert np.array_equal(data, expected), (program.name, method)
        assert energy == expected_energy


def test_one_program_serves_many_steppers() -> None:
    """Interleaved step by step, each goes its own way."""
    program = sb.compile_model(MACHINES["clutches"]())
    alone = sb.realtime(program, "1 ms").run(n=300)
    steppers = [sb.realtime(program, "1 ms") for _ in range(3)]
    for k in range(300):
        for stepper in steppers:
            stepper.step()
        assert {stepper["shaft0.w"] for stepper in steppers} == {float(alone["shaft0.w"][k + 1])}
