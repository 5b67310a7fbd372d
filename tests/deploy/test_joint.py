"""The friction joint of petrun2012 as a plain C function: in a C program, and in a co-simulation with Exudyn."""

import ctypes as ct
from math import nan

import numpy as np
import pytest
from support.plant import compile_c, run_program

import stribeck as sb
from stribeck_papers import petrun2012
from stribeck_papers.petrun2012 import _coupling, clutch, cosimulation

H = 2e-4
BED = clutch.TestBed(cycle=_coupling.SHORT)

PROGRAM = """
#include <stdio.h>

#include "joint.h"

int main(void)
{
    static joint_plant joint; /* the state of the friction, in memory of the caller */
    if (joint_begin(&joint)) {
        return 1;
    }
    double angle = 0.0;
    double torque;
    for (int step = 0; step < 600; ++step) {
        const double speed = step < 300 ? 30.0 : -3.0;
        double guess = angle + 4e-4 * speed; /* what an iteration may try before it knows better */
        if (joint_try(&joint, &guess, &torque)) {
            return 1;
        }
        angle += 2e-4 * speed;
        if (joint_try(&joint, &angle, &torque)) {
            return 1;
        }
        joint_accept(&joint);
        printf("%a\\n", torque);
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def joint(tmp_path_factory):
    """The folder of the joint in C."""
    folder = tmp_path_factory.mktemp("joint")
    sb.deploy.c(cosimulation.joint_model(**BED.contact()), folder, step=H, outputs=["clutch.tau"])
    return folder


def test_a_c_program_gets_the_torques_of_the_joint(joint, runtime_object):
    (joint / "program.c").write_text(PROGRAM)
    compile_c(joint / "program.c", joint / "joint.c", runtime_object, "-o", joint / "program")
    found = [float.fromhex(line) for line in run_program(joint / "program").split()]
    python, angle, wanted = petrun2012.FrictionJoint(H, **BED.contact()), 0.0, []
    for step in range(600):
        angle += H * (30.0 if step < 300 else -3.0)
        wanted.append(python.torque(angle))
        python.accept()
    assert found == wanted
    assert max(np.abs(found)) > 1.0


class CompiledJoint(petrun2012.FrictionJoint):
    """The joint in C, for a co-simulation."""

    def __init__(self, folder, runtime_object, h):
        self.h, self.angle = h, 0.0
        self._tried = nan
        compile_c(folder / "joint.c", runtime_object, "-fPIC", "-shared", "-o", folder / "joint.so")
        self._lib = ct.CDLL(str(folder / "joint.so"))
        self._plant = ct.create_string_buffer(1 << 18)
        assert not self._lib.joint_begin(self._plant)

    def torque(self, angle):
        found = ct.c_double()
        assert not self._lib.joint_try(self._plant, ct.byref(ct.c_double(angle)), ct.byref(found))
        self._tried = angle
        return found.value

    def accept(self):
        self.angle = self._tried
        self._lib.joint_accept(self._plant)


def test_a_co_simulation_with_exudyn_is_the_same(joint, runtime_object):
    pytest.importorskip("exudyn")
    compiled = cosimulation.Bodies(BED).run(cosimulation.Predicted(CompiledJoint(joint, runtime_object, H)))
    python = petrun2012.coupled_cycle(BED, H, "predicted")
    for name in ("engine", "brake", "torque"):
        assert getattr(compiled, name).tobytes() == getattr(python, name).tobytes()
