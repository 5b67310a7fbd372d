"""Channels that cannot be what a model takes them for are refused before anything is fitted."""

import numpy as np
import pytest
from support.rigs import SAMPLE, TIES, machine, push, record

import stribeck as sb
from stribeck.identify.fits.driven import driven


def refusal(model=None, free=("load.m",), units=None, **options):
    run = sb.identify.Measurement({"f": push(), "s": push()}, sample_time=SAMPLE, units=units or {}, name="run7")
    with pytest.raises(sb.SpecError) as caught:
        sb.identify.fit(model or machine(), run, list(free), **{**TIES, **options})
    return str(caught.value)


def test_outputs_of_another_unit_are_refused():
    words = "the output 'load.s' is in m, and 's' of run7 in rad; name the channel that measured it"
    assert words in refusal(units={"s": "deg"})


def test_inputs_of_another_unit_are_refused():
    words = "the input 'motor.f' is in N, and 'f' of run7 in N.m; name the channel that drives it"
    assert words in refusal(units={"f": "N.m"})


def test_a_channel_drives_what_has_no_unit():
    """The factor from ampere to newton is a number of the model."""
    model = machine()
    model.elements["motor"] = model.elements["motor"].replace(f=2.0 * sb.External(0))
    plain = record(machine(), push())
    run = sb.identify.Measurement({"i": push() / 2, "s": plain["s"]}, sample_time=SAMPLE, units={"i": "A", "s": "m"})
    result = sb.identify.fit(model, run, ["load.m"], outputs=TIES["outputs"], inputs={"motor.f.u": "i"})
    assert result.values["load.m"] == pytest.approx(1.0, rel=1e-3)


def test_inputs_that_nothing_drives_are_refused():
    message = refusal(inputs={})
    assert "no channel drives the input 'motor.f'" in message
    assert "inputs={'motor.f': channel} (channels: f, s)" in message and "initial={'motor.f': 0}" in message


def test_inputs_may_be_held_or_found():
    model = machine()
    model.add("weight", sb.Force("load", f=sb.External(0)))
    run = record(machine(), push())
    assert sb.identify.fit(model, run, ["load.m"], initial={"weight.f": 0}, **TIES).values["load.m"] == pytest.approx(
        1, rel=1e-3
    )
    found = sb.identify.fit(model, run, ["weight.f.value"], **TIES)
    assert abs(found.values["weight.f.value"]) < 1e-3


def test_a_constant_input_is_doubted():
    """A machine that runs down by itself is a good record; a wrong channel is not."""
    model = machine()
    sb.set_parameter(model, "load.v0", 1.0)
    run = record(model, np.zeros(1501))
    result = sb.identify.fit(model, run, ["joint.law.mu_c"], **TIES)
    assert "the input 'motor.f' is constant, 0 N in all of run: is 'f' the channel that drives it?" in result.warnings
    assert result.values["joint.law.mu_c"] == pytest.approx(0.8, rel=1e-3)


@pytest.mark.parametrize("name", ["motor.t", "moter.f", "load.m", "joint.law"])
def test_what_cannot_be_driven_is_refused_with_what_can(name):
    with pytest.raises(sb.SpecError, match=rf"there is no input '{name}'.*\(known: .*motor.f.*\)") as caught:
        driven(machine(), [name])
    assert "External" not in str(caught.value)
