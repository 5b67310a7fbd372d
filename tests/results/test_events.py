"""The table of mode changes."""

import pytest

from stribeck.results import CODES, MODES, Event, Events, Phase, ResultError

ROWS = [(5.0, "friction", 0, 1), (6.5, "brake", 1, 2), (7.25, "friction", 1, -1)]


def test_rows_speak_in_words():
    events = Events(ROWS)
    assert events[0] == Event(5.0, "friction", "Stuck", "Forward")
    assert [event.to for event in events] == ["Forward", "Free", "Backward"]
    assert len(events) == 3
    assert events[-2:] == Events(ROWS[1:])
    assert events.time.tolist() == [5.0, 6.5, 7.25]
    assert str(events).splitlines()[0].split() == ["time", "element", "from", "to"]
    assert str(Events()) == "no mode changes"


def test_words_and_codes_are_inverse():
    assert {CODES[word] for word in MODES.values()} == set(MODES)


def test_by_element_and_as_phases():
    events = Events(ROWS)
    assert len(events.of("brake")) == 1
    assert events.phases("friction", 0.0, 10.0, 0) == [Phase(0.0, 5.0, 0), Phase(5.0, 7.25, 1), Phase(7.25, 10.0, -1)]
    assert Events().phases("friction", 0.0, 10.0, 2) == [Phase(0.0, 10.0, 2)]


def test_by_mode(result):
    assert Events(ROWS).of("friction", to="Backward") == Events(ROWS[2:])
    assert len(Events(ROWS).of("friction", to="Free")) == 0
    phases = result.phases("friction")
    stuck, forward = result.phases("friction", "Stuck"), result.phases("friction", "Forward")
    assert sorted(stuck + forward) == phases
    assert {phase.mode for phase in stuck} == {0}
    assert sum(phase.duration for phase in phases) == pytest.approx(result.time[-1] - result.time[0])


def test_unknown_modes_are_refused(result):
    with pytest.raises(ResultError, match="no mode 'stuck'; modes are Backward, Stuck, Forward, Free"):
        result.phases("friction", "stuck")
    with pytest.raises(ResultError, match="no mode 'Slip'"):
        result.events.of("friction", to="Slip")


def test_csv_and_back(tmp_path, result):
    path = tmp_path / "events.csv"
    result.events.save(path)
    lines = path.read_text().splitlines()
    assert lines[:2] == ["time,element,from,to", "7.5,friction,Stuck,Forward"]
    assert Events.load(path) == result.events


def test_to_pandas():
    frame = pytest.importorskip("pandas") and Events(ROWS).to_pandas()
    assert list(frame.columns) == ["time", "element", "from", "to"]
    assert frame["from"].tolist() == ["Stuck", "Forward", "Forward"]
