"""Outputs have kinds: said where they are made, kept in files, and used instead of the endings of names."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import stribeck as sb
from stribeck.compile import compile_model
from stribeck.kinds import Kind
from stribeck.results import Result, ResultError, ResultMeta
from stribeck.results.plot import loop_elements, telling_outputs

SOURCE = Path(sb.__file__).parent


@pytest.fixture(scope="module")
def model():
    """A slider between two ends, thrown from one to the other: 1 m/s, 0.1 m, restitution 0.5."""
    m = sb.Model("hockey")
    slider = m.add("slider", sb.Mass(m=1, s0=0.05, v0=1.0))
    m.add("end", sb.Stop(slider, s_min=0, s_max=0.1, restitution=0.5))
    m.add("guide", sb.Guide(slider, law=sb.Coulomb(mu_c=0.01)))
    return m


@pytest.fixture(scope="module")
def result(model):
    return sb.simulate(model, t_end=0.5, intervals=50)


HITS = {"end.high": [0.05], "end.low": [0.25]}
"""Times of the impacts (s) without the friction: 0.05 m at 1 m/s, then 0.1 m at 0.5 m/s."""


def test_every_output_of_a_shipped_model_states_its_kind():
    for name in sb.shipped_models():
        program = compile_model(sb.load_model(name))
        assert len(program.output_kinds) == len(program.output_parts) == len(program.output_names)
        for output, kind in zip(program.output_names, program.output_kinds, strict=True):
            assert (kind is Kind.MODE) == (output.partition(".")[2] == "mode"), output


def test_both_ends_of_a_stop_have_modes(result):
    assert result.meta.contacts == {
        "end.low": "end.mode_low",
        "end.high": "end.mode_high",
        "guide": "guide.mode",
    }
    assert result.meta.kind("end.mode_low") is Kind.MODE
    assert result.meta.kind("end.f_low") is Kind.FORCE


def test_modes_of_both_ends_are_never_between_two_modes(result):
    times = np.linspace(0, 0.5, 4999)
    for name in ("end.mode_low", "end.mode_high"):
        assert set(result.at(times, name)) <= {0.0, 2.0}
        assert set(result[name].at(times)) <= {0.0, 2.0}
        with pytest.raises(ResultError, match="is discrete and has no curve"):
            result.curve(name)


def test_events_name_the_end_that_was_met(result):
    for contact, times in HITS.items():
        first = result.events.of(contact, to="Stuck")[0]
        assert first.element == contact
        assert first.time == pytest.approx(times[0], rel=0.02)  # friction takes a little speed
    both = [event for event in result.events if event.element.startswith("end.")]
    assert list(result.events.of("end")) == both
    with pytest.raises(ResultError, match=re.escape("end has 2 contacts; name one: 'end.low' or 'end.high'")):
        result.phases("end")
    assert result.phases("end.high")[0].end == result.events.of("end.high")[0].time


def test_a_stepper_shows_both_ends(model):
    stepper = model.realtime(h="1 ms")
    assert stepper.modes == {"end.low": "Free", "end.high": "Free", "guide": "Forward"}


def test_rates_of_flanges_are_known():
    m = sb.Model("pair")
    m.add("gear", sb.Gear(ratio=2))
    m.add("motor", sb.Torque(tau=1))
    m.add("load", sb.Inertia(J=1))
    m.connect("motor", "gear.a")
    m.connect("gear.b", "load")
    meta = sb.simulate(m, t_end=1, intervals=2).meta
    assert meta.rate("gear.phi_a") == "gear.w_a"
    assert meta.rate("load.w") == "load.a"
    assert meta.rate("load.a") is None
    assert "gear.phi_a" not in telling_outputs(replace(sb.simulate(m, t_end=1, intervals=2)))


def test_pictures_choose_by_kind(result):
    assert telling_outputs(result) == ["slider.s", "slider.v", "end.f_low", "end.f_high", "guide.f"]
    assert loop_elements(result) == ["guide"]


@pytest.mark.parametrize("ending", ["parquet", "nc"])
def test_files_keep_kinds(result, ending, tmp_path):
    again = Result.load(result.save(tmp_path / f"run.{ending}"))
    assert again.meta == result.meta
    assert again.events == result.events


def test_a_csv_file_shows_modes_as_words(result, tmp_path):
    path = result.save(tmp_path / "run.csv")
    assert "Free" in path.read_text(encoding="utf-8").split("\n")[1].split(",")[result.names.index("end.mode_low") + 1]
    again = Result.load(path)
    assert again.meta.kind("end.mode_high") is Kind.MODE
    assert again.meta.kind("slider.v") is Kind.SPEED
    # without events the grid decides: within one interval of 10 ms
    found, exact = again.phases("guide", "Backward")[0], result.phases("guide", "Backward")[0]
    assert 0 <= found.start - exact.start <= 0.01


def test_files_from_before_kinds_are_read(result, tmp_path):
    import pyarrow.parquet as parquet

    from stribeck.results.seal import checksum

    path = result.save(tmp_path / "run.parquet")
    table = parquet.read_table(path)
    known = json.loads(table.schema.metadata[b"stribeck"])
    for key in ("kinds", "parts", "crc32"):
        del known[key]
    known["crc32"] = checksum(known, result.time, *result.data)
    parquet.write_table(table.replace_schema_metadata({"stribeck": json.dumps(known)}), path)
    meta = Result.load(path).meta
    assert meta.kind("end.mode_low") is Kind.MODE
    assert meta.rate("slider.s") == "slider.v"
    assert meta.contacts == result.meta.contacts


def test_some_outputs_keep_their_kinds(result):
    meta = result.meta.only(["end.mode_low", "slider.v"])
    assert meta.kinds == (Kind.MODE, Kind.SPEED)
    assert meta.parts == ("low", "")
    assert ResultMeta("m", ("mass.w",), ("rad/s",)).kinds == (Kind.SPEED,)
