"""Model files that are too large, too deep or written in old YAML; signals that are graphs."""

import math

import pytest

import stribeck as sb
from stribeck import Model
from stribeck.errors import FileError, SpecError
from stribeck.spec import yaml_file
from stribeck.spec.yaml_file import format_yaml, parse_yaml

# --- the limits of a file ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "value"),
    [("on", "on"), ("off", "off"), ("yes", "yes"), ("12:30:45", "12:30:45"), ("2001-01-01", "2001-01-01"),
     ("1_000", "1_000"), ("true", True), ("FALSE", False), ("~", None), ("0o17", 15), ("0x1F", 31), ("017", 17),
     ("1e3", 1000.0), (".5", 0.5),
     ("-.inf", -math.inf), ("+12", 12), ("'12'", "12"), ("!!str 12", "12"), ("!!float 3", 3.0), ("9" * 400, math.inf)],
)  # fmt: skip
def test_words_are_read_by_the_core_schema(word, value):
    found = parse_yaml(f"a: {word}")["a"]
    assert found == value and type(found) is type(value)


def test_words_come_back_as_they_were():
    words = [*"on 1e3 0o17 12:30 2001-01-01 null ~ 3 -.inf .nan yes true 0x1F <<".split(), ""]  # noqa: SIM905
    data = {"texts": words, "on": 1.5, "numbers": [1e3, 10**20, -0.0]}
    assert parse_yaml(format_yaml(data)) == data


def test_a_relay_has_keys_on_and_off():
    relay = "signals:\n  r: {type: Relay, u: m.w, low: -1, high: 1, on: 2, off: 0}\n"
    model = Model.from_yaml(relay + "elements:\n  m: {type: Inertia, J: 1}")
    assert model.signals["r"].on == 2


def test_anchors_are_used_and_bounded():
    text = "a: &a {x: 1, y: 2}\nb: *a\nc: {<<: *a, y: 3}\n"
    assert parse_yaml(text) == {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}, "c": {"x": 1, "y": 3}}
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 12))
    with pytest.raises(
        FileError, match=r"line \d+, column \d+: more than 5000000 values, counting those behind anchors"
    ):
        Model.from_yaml(bomb)
    with pytest.raises(FileError, match=r"\*a refers to no earlier anchor, or to one that contains it"):
        parse_yaml("a: &a [1, *a]")


def test_a_second_document_is_refused():
    with pytest.raises(FileError, match="line 2, column 1: a second document begins here"):
        parse_yaml("a: 1\n---\nb: 2\n")


def test_files_that_are_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(yaml_file, "MOST_BYTES", 100)
    (tmp_path / "m.yaml").write_text("name: " + "x" * 100)
    with pytest.raises(FileError, match=r"m\.yaml' has .* MB; a model file may have 0\.0001 MB"):
        Model.from_yaml(tmp_path / "m.yaml")


def test_messages_are_short_and_printable():
    with pytest.raises(SpecError) as caught:
        Model.from_yaml("elements:\n  m: {type: Inertia, J: [" + "x, " * 20_000 + "x]}")
    assert len(str(caught.value)) <= 2000
    with pytest.raises(SpecError) as caught:
        Model.from_yaml('elements:\n  "a\\e[2J\\u202e": {type: Inertia, J: 1}')
    assert r"\x1b[2J\u202e" in str(caught.value)


# --- signals are graphs -----------------------------------------------------------------------------------------------


def with_torque(signal) -> Model:
    model = Model("deep")
    mass = model.add("m", sb.Inertia(J=1))
    model.add("t", sb.Torque(mass, tau=signal))
    return model


@pytest.mark.parametrize("start", [sb.Sine(amplitude=1, f=1), sb.Sensor("m.w"), sb.Integral("m.w")])
def test_shared_signals_are_compiled_once(start):
    signal = start
    for _ in range(30):
        signal = signal + signal * signal
    program = sb.compile_model(with_torque(signal))
    assert program.sizes["n_signal"] < 100
    with pytest.raises(
        SpecError, match=r"written out, its signals have .* parts; give those that are used often a name"
    ):
        with_torque(signal).to_yaml()
    assert len(repr(signal)) < 10_000


def test_signals_nested_a_thousand_deep():
    signal = sb.Sensor("m.w")
    for _ in range(1000):
        signal = abs(signal) + 1
    model = with_torque(signal)
    again = Model.from_yaml(model.to_yaml())
    assert sb.compile_model(again).hash == sb.compile_model(model).hash
    for _ in range(30_000):
        signal = abs(signal)
    with pytest.raises(SpecError, match="nested too deep, or contain themselves"):
        sb.compile_model(with_torque(signal))


def test_many_elements_are_added_in_linear_time():
    model = Model("many")
    for i in range(20_000):  # quadratic would be minutes
        model.add(f"m{i}", sb.Inertia(J=1))
    assert len(model.elements) == 20_000
