"""Every kind of file gives the same columns; what cannot be read is said clearly."""

import sys

import h5py
import numpy as np
import pyarrow
import pytest
from asammdf import MDF, Signal
from nptdms import ChannelObject, TdmsWriter
from pyarrow import parquet
from scipy.io import savemat

from stribeck.errors import FileError, UnknownName
from stribeck.tables import read_columns, readers, reading_apart

T = np.linspace(0, 1, 11)
TORQUE = np.sin(T)


def write_csv(path):
    np.savetxt(path, np.column_stack([T, TORQUE]), delimiter=",", header="t,torque [N.m]", comments="")


def write_blanks(path):
    np.savetxt(path, np.column_stack([T, TORQUE]), header="t torque[N.m]", comments="")


def write_parquet(path):
    fields = [
        pyarrow.field("t", pyarrow.float64()),
        pyarrow.field("torque", pyarrow.float64(), metadata={"unit": "N.m"}),
    ]
    parquet.write_table(pyarrow.table([T, TORQUE], schema=pyarrow.schema(fields)), path)


def write_mat(path):
    savemat(path, {"t": T[:, None], "torque": TORQUE[None], "kp": 160.18, "lab": "me", "rig": {"q": 2 * TORQUE}})


def write_mf4(path):
    with MDF(version="4.10") as file:
        file.append([Signal(samples=TORQUE, timestamps=T, name="torque", unit="N.m")])
        file.save(path)


def write_tdms(path):
    about = {"wf_increment": 0.1, "wf_start_offset": 0.0, "unit_string": "N.m"}
    with TdmsWriter(path) as file:
        file.write_segment([ChannelObject("rig", "torque", TORQUE, properties=about)])


@pytest.mark.parametrize("about", [{"wf_increment": 0.1}, {"wf_increment": 0.0, "wf_start_offset": 0.0}, {}])
def test_waveforms_of_other_writers(about, tmp_path):
    """Some leave the offset out, others state a step of 0 where there is none."""
    with TdmsWriter(tmp_path / "run.tdms") as file:
        file.write_segment([ChannelObject("rig", "torque", TORQUE, properties=about)])
    times = read_columns(tmp_path / "run.tdms")["torque"].time
    assert times == pytest.approx(T) if about.get("wf_increment") else times is None


WRITERS = {
    ".csv": write_csv,
    ".txt": write_blanks,
    **dict.fromkeys([".dat", ".asc", ".prn", ".log", ".lvm", ".tsv"], write_blanks),
    ".parquet": write_parquet,
    ".mat": write_mat,
    ".mf4": write_mf4,
    ".mdf": write_mf4,
    ".tdms": write_tdms,
}


def test_every_ending_is_tried():
    assert set(WRITERS) == set(readers())


@pytest.mark.parametrize("ending", WRITERS)
def test_the_same_columns(ending, tmp_path):
    path = tmp_path / f"run{ending}"
    WRITERS[ending](path)
    columns = read_columns(next(tmp_path.iterdir()))
    assert columns.numbers("torque") == pytest.approx(TORQUE, rel=1e-15)
    times = columns["torque"].time if columns["torque"].time is not None else columns.numbers("t")
    assert times == pytest.approx(T, abs=1e-15)
    if ending != ".mat":
        assert columns["torque"].unit == "N.m"


@pytest.mark.parametrize("ending", WRITERS)
def test_no_file_and_no_such_file(ending, tmp_path):
    path = tmp_path / f"run{ending}"
    with pytest.raises(FileError, match="is not there; check the path"):
        read_columns(path)
    path.write_bytes(b"\x00\xff no table at all \x89")
    with pytest.raises(FileError, match="run"):
        read_columns(path).numbers(0)


def test_fields_matrices_and_constants_of_mat_files(tmp_path):
    savemat(tmp_path / "a.mat", {"x": np.eye(3)[:2], "rig": {"q": TORQUE, "deep": {"f": T}}, "kp": 2.5, "name": "rig"})
    columns = read_columns(tmp_path / "a.mat")
    assert columns.constants == {"kp": 2.5}
    assert set(columns.names) == {"x[0]", "x[1]", "rig.q", "rig.deep.f"}
    assert columns.numbers("x[1]").tolist() == [0, 1, 0]


def test_mat_files_of_version_73(tmp_path):
    with h5py.File(tmp_path / "b.mat", "w", userblock_size=512) as file:
        file["t"], file["rig/torque"], file["kp"] = T[None], TORQUE[None], np.array([[160.18]])
    columns = read_columns(tmp_path / "b.mat")
    assert columns.numbers("rig.torque") == pytest.approx(TORQUE)
    assert columns.constants == {"kp": 160.18}


@pytest.mark.parametrize(
    "head, name, unit",
    [("q [mm]", "q", "mm"), ("q (mm)", "q", "mm"), ("q / mm", "q", "mm"), ("q", "q", ""), ("m/s", "m/s", "")],
)
def test_units_of_heads(head, name, unit, tmp_path):
    (tmp_path / "a.csv").write_text(f"t,{head}\n0,1\n1,2\n")
    assert read_columns(tmp_path / "a.csv")[name].unit == unit


@pytest.mark.parametrize("separator", [";", "\t", " "])
def test_decimal_commas(separator, tmp_path):
    rows = [["t", "q", "day"], ["0,5", "1", "16.11.2026"], ["1,0", "-2,5e-3", "17.11.2026"], ["1,5", ",5", "d,e"]]
    (tmp_path / "a.csv").write_text("\n".join(separator.join(row) for row in rows))
    columns = read_columns(tmp_path / "a.csv")
    assert columns.numbers("t").tolist() == [0.5, 1, 1.5]
    assert columns.numbers("q").tolist() == [1, -2.5e-3, 0.5]
    assert columns["day"].values.tolist() == ["16.11.2026", "17.11.2026", "d,e"]
    (tmp_path / "b.csv").write_text("0,5;1\n1,0;2\n")
    assert read_columns(tmp_path / "b.csv").numbers(0).tolist() == [0.5, 1]
    (tmp_path / "c.csv").write_text("t;q\n0;1.5\n1;1,500\n")
    with pytest.raises(FileError, match=r"line 3: '1,500' is not a number; write decimals with a point"):
        read_columns(tmp_path / "c.csv").numbers("q")


@pytest.mark.parametrize("row, units", [("s;°", ["s", "°"]), ("[s];(°)", ["s", "°"]), ("s;-", ["s", ""])])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_a_row_of_units_in_any_encoding(row, units, encoding, tmp_path):
    (tmp_path / "a.csv").write_text(f"Zeit;Öffnung\n{row}\n0;1,5\n1;2,5\n", encoding=encoding)
    columns = read_columns(tmp_path / "a.csv")
    assert [columns[name].unit for name in ("Zeit", "Öffnung")] == units
    assert columns.numbers("Öffnung").tolist() == [1.5, 2.5]


def test_rows_that_are_no_units(tmp_path):
    (tmp_path / "a.csv").write_text("t;q\n1;m\n2;3\n")
    with pytest.raises(FileError, match=r"line 2: 'm' is not a number"):
        read_columns(tmp_path / "a.csv").numbers("q")
    (tmp_path / "a.csv").write_bytes(b"\x93\0\1t,q\n0,1\n")
    with pytest.raises(FileError, match="cannot be read"):
        read_columns(tmp_path / "a.csv")


def test_texts_among_numbers(tmp_path):
    (tmp_path / "a.csv").write_text("t,q,note\n0,1,a\n1,,b\n2,3;4,c\n")
    columns = read_columns(tmp_path / "a.csv")
    assert columns.numbers("t").tolist() == [0, 1, 2]
    with pytest.raises(FileError, match=r"line 4: '3;4' is not a number"):
        columns.numbers("q")
    with pytest.raises(UnknownName, match="did you mean 'note'"):
        columns["notes"]


@pytest.mark.parametrize("separator", [";", ",", "\t"])
@pytest.mark.parametrize("units", ["", "s{0}A{0}deg\n"])
def test_what_a_logger_tells_above_the_names(separator, units, tmp_path):
    """Titles, dates and settings have other numbers of cells than the table below them."""
    above = "Messung Achse 3\n12.3.2024\nKanal{0}2\nAbtastung{0}1{0}ms{0}fest\n\n"
    table = "t{0}i{0}q\n" + units + "".join(f"{k}{{0}}{2 * k}{{0}}{k**2}\n" for k in range(20))
    path = tmp_path / "scope.csv"
    path.write_text((above + table).format(separator))
    found = read_columns(path)
    assert found.names == ["t", "i", "q"]
    assert found.numbers("q").tolist() == [k**2 for k in range(20)]
    assert found["i"].unit == ("A" if units else "")


# --- files of enemies -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [".parquet", ".mat", ".mf4", ".tdms"])
def test_reading_apart_gives_the_same(ending, tmp_path):
    path = tmp_path / f"run{ending}"
    WRITERS[ending](path)
    here = read_columns(path)
    with reading_apart():
        apart = read_columns(path)
    assert apart.names == here.names and apart.constants == here.constants
    for name in here.names:
        np.testing.assert_array_equal(apart[name].values, here[name].values)
        assert apart[name].unit == here[name].unit
        assert (apart[name].time is None) == (here[name].time is None)


def test_reading_apart_reports_errors_and_crashes(tmp_path, monkeypatch):
    path = tmp_path / "run.mat"
    path.write_bytes(b"no MAT file" * 30)
    with reading_apart(), pytest.raises(FileError, match=r"^file '.*run\.mat' cannot be read: its header does not"):
        read_columns(path)
    (tmp_path / "python").write_text("#!/bin/sh\nkill -SEGV $$\n")
    (tmp_path / "python").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with (
        reading_apart(),
        pytest.raises(FileError, match=r"its reader has crashed \(signal SIGSEGV\); the file is broken"),
    ):
        read_columns(path)


def test_sizes_of_a_mat_file_are_checked_before_it_is_read(tmp_path):
    path = tmp_path / "run.mat"
    write_mat(path)
    content = bytearray(path.read_bytes())
    content[128 + 4 : 128 + 8] = (2**31).to_bytes(4, "little")  # bytes of the first array
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"an element of type 14 with 2147483648 bytes begins .* bytes before the end"):
        read_columns(path)


def test_links_of_an_mf4_file_are_checked_before_it_is_read(tmp_path):
    path = tmp_path / "run.mf4"
    write_mf4(path)
    content = bytearray(path.read_bytes())
    content[64 + 24 : 64 + 32] = (10**12).to_bytes(8, "little")  # the first group of the header
    path.write_bytes(content)
    with pytest.raises(FileError, match="a link leads to byte 1000000000000, beyond the end"):
        read_columns(path)
