"""Every law on three machines against solutions that use nothing of the product.

The laws are written out from their papers in support/reference/laws.py and solved by SciPy at a tolerance of 1e-12 with
an exact restart at every kink, jump and change of mode. Traces agree to 1e-6 of their largest value. Friction jumps
where a contact lets go, is captured or turns: within 1e-6 s of such a time it may be on either side.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.reference.cases import BENCHES, CASES, Case

import stribeck as sb
from stribeck.laws import all_laws
from stribeck.laws._declare import Mode


@pytest.mark.parametrize("bench", BENCHES)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_agrees_with_the_equations_of_the_paper(case: Case, bench: str) -> None:
    machine = BENCHES[bench]
    reference = machine.reference(case)
    law = all_laws()[case.law.lower()](**case.given())
    result = sb.simulate(machine.model(law, case), times=machine.times, tolerance=case.tolerance)

    expected = {"mass.s": reference.x, "mass.v": reference.v, "friction.f": reference.f}
    states = [name for name, state in type(law).states.items() if not isinstance(state, Mode)]
    expected |= {f"friction.{name}": z for name, z in zip(states, reference.z, strict=True)}
    changes = np.array([time for time, _ in reference.changes])
    clear = np.array([not np.any(np.abs(changes - t) < 1e-6) for t in machine.times])
    assert clear.mean() > 0.95
    for name, trace in expected.items():
        error = np.abs(np.asarray(result[name]) - trace)[clear]
        assert error.max() <= case.accuracy * np.abs(trace).max(), (
            f"{name} at t = {machine.times[clear][error.argmax()]:g} s"
        )


@pytest.mark.parametrize("name", all_laws())
def test_every_law_has_a_reference(name: str) -> None:
    law = all_laws()[name].__name__
    assert law in {case.law for case in CASES}, (
        f"{law} has no independent reference: write its equations as a class {law} in tests/support/reference/laws.py "
        f"(from the paper, not from src/stribeck/laws/{name}.py) and add Case(laws.{law}(...)) to CASES in "
        "tests/support/reference/cases.py"
    )
