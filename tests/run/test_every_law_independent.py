"""Every law on three machines against solutions that use nothing of the product.

The laws are written out from their papers in support/reference/laws.py and solved by SciPy at a tolerance of 1e-12 with
an exact restart at every kink, jump and change of mode. Traces agree to 1e-6 of their largest value, and to 1e-3 at the
default tolerance. Friction jumps where a contact breaks away, is captured or turns: near such a time it may be on
either side.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.reference.cases import BENCHES, CASES, Case

import stribeck as sb
from stribeck.laws import all_laws
from stribeck.laws.law import Law, Mode


@pytest.mark.parametrize("bench", BENCHES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_agrees_with_the_equations_of_the_paper(case: Case, bench: str) -> None:
    machine = BENCHES[bench]
    reference = machine.reference(case)
    law = all_laws()[case.law.lower()](**case.given())
    model = machine.model(law, case)
    expected = {"mass.s": reference.x, "mass.v": reference.v, "friction.f": reference.f}
    states = [name for name, state in law.states.items() if not isinstance(state, Mode)] if reference.z.size else []
    expected |= {f"friction.{name}": z for name, z in zip(states, reference.z, strict=True)}
    changes = np.array([time for time, _ in reference.changes])
    for tolerance, accuracy, near in ((case.tolerance, 1e-6, 1e-6), (None, 1e-3, 1e-4)):
        result = sb.simulate(model, times=machine.times, tolerance=tolerance)
        clear = np.array([not np.any(np.abs(changes - t) < near) for t in machine.times])
        assert clear.mean() > 0.95
        for name, trace in expected.items():
            error = np.abs(seen(law, result, name) - trace)[clear]
            when = machine.times[clear][error.argmax()]
            assert error.max() <= accuracy * np.abs(trace).max(), f"{name} at t = {when:g} s, {tolerance = }"


def seen(law: Law, result: sb.Result, name: str) -> np.ndarray:
    """A trace; states of a law that sticks are those in the direction of sliding."""
    trace = np.asarray(result[name])
    state = law.states.get(name.partition(".")[2])
    turned = law.family == "locking" and state is not None and state.directed
    return np.where(result["friction.mode"] == -1, -trace, trace) if turned else trace


@pytest.mark.parametrize("name", all_laws())
def test_every_law_has_a_reference(name: str) -> None:
    law = all_laws()[name].__name__
    assert law in {case.law for case in CASES}, (
        f"{law} has no independent reference: write its equations as a class {law} in tests/support/reference/laws.py "
        f"(from the paper, not from src/stribeck/laws/{name}.py) and add Case(laws.{law}(...)) to CASES in "
        "tests/support/reference/cases.py"
    )
