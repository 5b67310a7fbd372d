"""Examples of the Modelica Standard Library with the results that its makers publish (Dymola, DASSL, 1e-6)."""

from pathlib import Path

import numpy as np
import pytest
from support.msl import EXAMPLES, FINE, common, efforts, published

import stribeck as sb

SHARE = 1e-4
"""How far a signal may be from the published one, as a share of its range."""
OFF = {
    ("Rotational.Examples.First", "inertia3.w"),
    ("Rotational.Examples.ElasticBearing", "springDamper.w_rel"),
}
"""Published signals that are more than SHARE away from the solution themselves, which is tested too."""

SHARED = {"Rotational.Examples.LossyGearDemo2": "Inertia2.w"}
"""Examples in which two elements hold one motion: what each of them holds is not unique, and Dymola calls one of them
sliding, at rest. Their modes are compared while this speed is not 0."""


def distance(result: sb.Result, own: str, wanted: np.ndarray, away: np.ndarray) -> float:
    """Largest difference from a signal as a share of its range; modes are not compared at their changes."""
    found = np.asarray(result[own])
    if own.endswith(".mode"):
        return float(np.abs(found - wanted)[away].max())
    return float(np.abs(found - wanted).max() / np.ptp(wanted))


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_common_signal_agrees(name: str, shared: Path) -> None:
    """At the default tolerance; where the published signal is off, ours is within SHARE of a much finer run."""
    expected = published(shared / "reference" / "msl" / name)
    program = sb.compile_model(EXAMPLES[name]())
    result, fine = (sb.simulate(program, times=expected["time"], **options) for options in ({}, {"tolerance": FINE}))
    away = np.array([not np.any(np.abs(t - np.array(result.events.time)) < 1e-4) for t in expected["time"]])
    if name in SHARED:
        away &= np.abs(np.asarray(result[SHARED[name]])) > 1e-9
    shown = common(expected, result.names)
    assert set(expected) - set(shown) - {"time"} == {
        n for n in expected if n.endswith(("startForward", "startBackward"))
    }
    for signal, own in shown.items():
        off = (name, signal) in OFF
        assert distance(result, own, expected[signal], away) < (10 * SHARE if off else SHARE), signal
        if off:
            assert distance(fine, own, expected[signal], away) > SHARE, signal
            assert distance(result, own, np.asarray(fine[own]), away) < SHARE, signal
    assert abs(result.energy.residual) < 1e-12 * result.energy.throughput


@pytest.mark.parametrize("name", EXAMPLES)
def test_not_more_effort_at_the_same_error(name: str, shared: Path) -> None:
    """Not more steps than DASSL, and at most twice the evaluations of all kinds."""
    theirs, ours = efforts(name, shared / "reference" / "msl" / name)
    assert ours.error <= theirs.error
    assert ours.steps <= theirs.steps
    assert ours.evaluations <= 2 * theirs.evaluations
