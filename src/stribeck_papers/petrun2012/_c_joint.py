"""The friction joint as C: motion in, torque out, as the code of a multi-body program would call it."""

from __future__ import annotations

import ctypes

import numpy as np

from ..compiled import MISSING, build, compiler
from ..rules import EXACT
from ..scorecard import Claim, judged, unchecked
from .clutch import ClutchCycle, TestBed
from .cosimulation import FrictionJoint, joint_model

CLAIM = "as a C function: an angle in, a torque out, steps tried as often as the other side iterates"
STEP = 2e-4
BED = TestBed(cycle=ClutchCycle(press=(0.0, 0.01), release=(0.2, 0.3), loads=((0.0, 5.0),), end=0.3))


def torques_in_c(angles: np.ndarray) -> np.ndarray:
    """Torques (N.m) of the compiled joint along a course of angles (rad); each step is tried twice.

    >>> torques_in_c(np.linspace(0, 0.1, 10)).shape
    (10,)
    """
    model = joint_model(**BED.contact())
    library = ctypes.CDLL(str(build(model, "joint", step=STEP, level=0, shared=True, outputs=["clutch.tau"])))
    memory = (ctypes.c_double * 65_536)()
    library.joint_begin(memory)
    torque, tried = ctypes.c_double(), []
    for angle in angles:
        for guess in (angle + 1e-3, angle):
            library.joint_try(memory, ctypes.byref(ctypes.c_double(guess)), ctypes.byref(torque))
        library.joint_accept(memory)
        tried.append(torque.value)
    return np.array(tried)


def torques_in_python(angles: np.ndarray) -> np.ndarray:
    """The same by the joint of this program.

    >>> torques_in_python(np.linspace(0, 0.1, 10)).shape
    (10,)
    """
    joint, found = FrictionJoint(STEP, **BED.contact()), []
    for angle in angles:
        found.append(joint.torque(float(angle)))
        joint.accept()
    return np.array(found)


def c_joint_claim() -> Claim:
    """The compiled joint against that of the co-simulation, to the last bit."""
    if not compiler():
        return unchecked(CLAIM, MISSING, where="Section 2, requirements 1 to 3")
    time = STEP * np.arange(1, 501)
    angles = 0.4 * np.sin(2 * np.pi * 7 * time)
    here, there = torques_in_python(angles), torques_in_c(angles)
    off = float(np.abs(here - there).max() / np.abs(here).max())
    return judged(
        CLAIM,
        EXACT,
        off,
        f"{angles.size} steps of 0.2 ms, each tried twice: torques of up to {np.abs(there).max():.1f} N·m, "
        f"{int((here == there).sum())} of them with the same bits as here",
        otherwise="refuted",
        because="the compiled joint has other torques",
        basis="put in",
        where="Section 2, requirements 1 to 3",
    )
