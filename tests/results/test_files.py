"""Results in files and frames: every format there and back."""

import json
from dataclasses import replace

import numpy as np
import pytest

from stribeck import optional
from stribeck.kernel import csv_rows
from stribeck.results import Result, ResultError, Statistics, document, seal
from stribeck.results.files import FORMATS
from stribeck.results.folder import read_summary, write_files
from stribeck.results.seal import sealed


def test_csv_has_full_precision_and_words(tmp_path, result):
    path = result.save(tmp_path / "result.csv")
    head, first, *_ = path.read_text().splitlines()
    assert head == "time," + ",".join(result.names)
    assert first.endswith(",Stuck")
    back = Result.load(path)
    np.testing.assert_array_equal(back.time, result.time)
    np.testing.assert_array_equal(back.data, result.data)
    assert back.names == result.names
    assert "mass" in back


@pytest.mark.parametrize("ending", [".parquet", ".nc", ".json"])
def test_whole_results_come_back(tmp_path, result, ending):
    back = Result.load(result.save(tmp_path / f"run{ending}"))
    np.testing.assert_array_equal(back.time, result.time)
    np.testing.assert_array_equal(back.data, result.data)
    np.testing.assert_array_equal(back.breaks, result.breaks)
    assert back.meta == result.meta
    assert back.events == result.events
    assert back.energy == result.energy
    assert back.statistics.steps == result.statistics.steps
    assert back.extremes["mass.w"] == result.extremes["mass.w"]
    assert back.warnings == result.warnings
    np.testing.assert_array_equal(back.crossings("mass.w", 0.1), result.crossings("mass.w", 0.1))


@pytest.mark.parametrize("ending", FORMATS)
def test_a_run_that_failed_at_once_can_be_saved(tmp_path, result, ending):
    start = Result(result.meta, time=result.time[:1], data=result.data[:, :1])
    back = Result.load(start.save(tmp_path / f"start{ending}"))
    np.testing.assert_array_equal(back.data, start.data)
    assert len(back.extremes) == 0


def test_the_summary_is_strict_json(tmp_path, result):
    broken = replace(result, statistics=Statistics(steps=np.int64(3), smallest_step=np.float64("nan")))
    text = broken.save(tmp_path / "summary.json").read_text()
    summary = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert {"statistics", "energy", "extremes", "warnings", "model", "solver", "tolerance", "t_end"} <= set(summary)
    assert summary["statistics"]["smallest_step"] is None
    assert summary["statistics"]["steps"] == 3
    assert summary["energy"]["dissipated"] == {"friction": 2.0}
    assert summary["extremes"]["mass.w"]["max"] == result["mass.w"].max()
    assert "friction.mode" not in summary["extremes"]


def test_csv_has_the_digits_of_repr(tmp_path):
    """Doubles of all sizes, by their bits: the shortest text that gives the number back, as Python writes it."""
    bits = np.random.default_rng(5).integers(0, 2**64, 20_000, dtype=np.uint64)
    usual = np.random.default_rng(6).normal(size=2000) * 10.0 ** np.arange(-10, 10).repeat(100)
    edges = [
        0.0,
        -0.0,
        1e16,
        1e15,
        9999999999999998.0,
        1e-4,
        9.9e-5,
        5e-324,
        1.7e308,
        1.0,
        -12.5,
        100.0,
        np.nan,
        np.inf,
    ]
    values = np.concatenate([bits.view(float), usual, edges])
    values = values[: values.size // 2 * 2]
    table = values.reshape(2, -1)
    lines = csv_rows(table, [False, False]).decode().splitlines()
    assert lines == [f"{a!r},{b!r}" for a, b in table.T.tolist()]


def test_csv_refuses_modes_without_a_word():
    assert csv_rows(np.array([[0.0, 1.0]]), [True]) == b"Stuck\nForward\n"
    with pytest.raises(ValueError, match="mode"):
        csv_rows(np.array([[0.5]]), [True])


def test_a_csv_file_says_what_it_lacks(tmp_path, result):
    path = result.save(tmp_path / "run.csv")
    last = path.read_text().splitlines()[-1]
    assert last.startswith("# format 1, without units, events, energy and statistics: 2501 rows, crc32 ")
    path.write_text(path.read_text().replace(last, last[last.index("2501") :].replace("2501", "# 2501")))
    np.testing.assert_array_equal(Result.load(path).data, result.data)  # as written before formats had versions


@pytest.mark.parametrize("ending", FORMATS)
def test_files_of_a_later_format_are_refused(tmp_path, short, ending, monkeypatch):
    with monkeypatch.context() as later:
        for module in (document, seal):
            later.setattr(module, "FORMAT", 2)
        path = short.save(tmp_path / f"run{ending}")
    with pytest.raises(ResultError, match="has the format 2, and this Stribeck reads up to 1: use a newer one"):
        Result.load(path)


def test_json_keeps_what_is_not_finite(tmp_path, short):
    data = short.data.copy()
    data[0, :3] = np.nan, np.inf, -np.inf
    path = replace(short, data=data).save(tmp_path / "run.json")
    json.loads(path.read_text(), parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    np.testing.assert_array_equal(Result.load(path).data, data)


def test_a_summary_is_no_result(tmp_path, short):
    write_files(tmp_path, {"result.csv": short.save}, short.summary())
    with pytest.raises(ResultError, match="it is a summary, or no result; load the result file beside it"):
        Result.load(tmp_path / "summary.json")


def test_pandas(result):
    frame = result.to_pandas()
    assert frame.index.name == "time"
    assert list(frame.columns) == list(result.names)
    assert frame["friction.mode"].iloc[800] == "Forward"
    assert frame.attrs["units"]["mass.w"] == "rad/s"


def test_xarray(result):
    dataset = result.to_xarray()
    assert dataset["mass.w"].attrs["units"] == "rad/s"
    assert dataset["time"].attrs["units"] == "s"
    assert dataset["mass.w"].sel(time=8.0).item() == result["mass.w"][800]
    assert "Stuck" in dataset["friction.mode"].attrs["flag_meanings"]


def test_unknown_endings_are_refused_with_the_known_ones(tmp_path, result):
    with pytest.raises(ResultError, match=r"run.xls: results are saved as .csv, .json, .nc or .parquet"):
        result.save(tmp_path / "run.xls")
    with pytest.raises(ResultError, match=r"run.xls: results are loaded as .csv, .json, .nc or .parquet"):
        Result.load(tmp_path / "run.xls")


def test_missing_packages_name_the_extra(monkeypatch, result):
    def missing(name):
        raise ModuleNotFoundError(f"No module named '{name}'")

    monkeypatch.setattr(optional, "import_module", missing)
    with pytest.raises(ResultError, match=r"needs pandas .* pip install 'stribeck\[data\]'"):
        result.to_pandas()
    with pytest.raises(ResultError, match=r"needs xarray .* pip install 'stribeck\[data\]'"):
        result.to_xarray()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n", "the header begins with '' where 'time' belongs"),
        ("t,mass.w\n0,1\n", "the header begins with 't'"),
        ("time,mass.w\n0,1\n", "does not end with the line that states its rows"),
        ("time,mass.w\n0,fast\n", "could not convert string to float: 'fast'"),
        ("time,mass.w\n0,1,2\n", "line 2 has 3 cells, the header 2"),
    ],
)
def test_bad_csv_files_are_refused(tmp_path, text, message):
    path = tmp_path / "bad.csv"
    path.write_text(
        text if "states" in message else b"".join(sealed(f"{line}\n".encode() for line in text.splitlines())).decode()
    )
    with pytest.raises(ResultError, match=message):
        Result.load(path)


def test_foreign_and_missing_files_are_refused(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(arrow.table({"time": [0.0]}), tmp_path / "other.parquet")
    with pytest.raises(ResultError, match="was not saved by Stribeck"):
        Result.load(tmp_path / "other.parquet")
    with pytest.raises(ResultError, match="there is no such file"):
        Result.load(tmp_path / "none.csv")


@pytest.fixture
def short(result):
    return Result(result.meta, time=result.time[:7], data=result.data[:, :7], events=result.events)


def test_no_cut_of_a_text_file_loads(tmp_path, short):
    content = short.save(tmp_path / "whole.csv").read_bytes()
    cut = tmp_path / "cut.csv"
    for length in range(len(content) - 1):  # without the last line end it is still all there
        cut.write_bytes(content[:length])
        with pytest.raises(ResultError):
            Result.load(cut)


@pytest.mark.parametrize("ending", FORMATS)
def test_cut_and_edited_files_are_refused(tmp_path, short, ending):
    content = short.save(tmp_path / f"whole{ending}").read_bytes()
    bad, random = tmp_path / f"bad{ending}", np.random.default_rng(3)
    for at in random.integers(1, len(content) - 1, 40):
        bad.write_bytes(content[:at])
        with pytest.raises(ResultError):
            Result.load(bad)
        bad.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        try:
            back = Result.load(bad)
        except ResultError:
            continue
        np.testing.assert_array_equal(back.data, short.data)  # a byte that means nothing
        np.testing.assert_array_equal(back.time, short.time)


def test_cut_events_are_refused(tmp_path, result):
    path = tmp_path / "events.csv"
    result.events.save(path)
    path.write_text("\n".join(path.read_text().splitlines()[:-2]))
    with pytest.raises(ResultError, match="does not end with the line that states its rows"):
        type(result.events).load(path)


def test_the_summary_knows_the_files_beside_it(tmp_path, result, short):
    paths = write_files(tmp_path, {"result.csv": result.save, "events.csv": result.events.save}, result.summary())
    assert paths[-1].name == "summary.json"
    assert read_summary(tmp_path)["mismatches"] == []
    (lost,) = Result.load(paths[0]).warnings
    assert "units, events, energy and statistics are not in it; save the result as .nc" in lost
    short.save(paths[0])
    (tmp_path / "events.csv").unlink()
    wrong, missing = read_summary(paths[-1])["mismatches"]
    assert "is not the file that summary.json was written for" in wrong and "is missing" in missing
    assert Result.load(paths[0]).warnings == [lost, wrong]
