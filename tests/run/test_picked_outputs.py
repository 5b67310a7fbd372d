"""Outputs that a run reads one by one are, to the last bit, those of the whole board."""

import numpy as np
import pytest
from support.machines import MACHINES

import stribeck as sb


@pytest.mark.parametrize("name", MACHINES)
def test_a_single_output_is_that_of_the_whole_board(name):
    stepper = sb.realtime(MACHINES[name](), h=1e-4)
    stepper.step(20)
    before = stepper.snapshot()
    whole = stepper.run(n=5)
    for output in stepper.program.output_names:
        stepper.restore(before)
        alone = stepper.run(n=5, outputs=[output])
        assert np.array_equal(alone[output], whole[output], equal_nan=True), output
