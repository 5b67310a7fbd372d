"""Measured samples in files: what is read is what drives the machine; what cannot be read is said clearly."""

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

import stribeck as sb
from stribeck.errors import FileError, SpecError, UnitError, UnknownName
from stribeck.signals import Recording, Scope

TABLES = {
    "named": "t,torque\n0,1\n0.5,2\n1,-1\n",
    "semicolons": "# a rig\nt; torque\n0; 1\n0.5; 2\n\n1; -1\n",
    "tabs": "t\ttorque\n0\t1\n0.5\t2\n1\t-1\n",
    "blanks": "t torque\n 0   1\n 0.5   2\n 1   -1\n",
    "quotes": '"t","torque"\n"0","1"\n0.5,2\n1,-1\n',
    "byte order mark": "\ufefft,torque\r\n0,1\r\n0.5,2\r\n1,-1\r\n",
    "other columns": "x,t,y,torque\na,0,,1\nb,0.5,,2\nc,1,,-1\n",
}


def read(path, **values):
    signal = Recording(path.name, **{"time": "t", "value": "torque", **values})
    return signal.bind("N.m", "torque 'motor', tau", Scope(folder=path.parent))


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_text_files(tmp_path, text):
    path = tmp_path / "run.csv"
    path.write_text(text, encoding="utf-8")
    bound = read(path)
    assert (bound.p.time, bound.p.value) == ([0, 0.5, 1], [1, 2, -1])


def test_numbers_of_columns(tmp_path):
    path = tmp_path / "run.txt"
    path.write_text("9 0 1\n9 0.5 2\n9 1 -1\n")
    bound = read(path, time=1, value=2)
    assert (bound.p.time, bound.p.value) == ([0, 0.5, 1], [1, 2, -1])
    assert read(path, time=1, value=0).p.value == [9, 9, 9]


def test_parquet_files(tmp_path):
    path = tmp_path / "run.parquet"
    parquet.write_table(pyarrow.table({"t": [0, 1], "torque": np.array([1, 2], np.float32), "name": ["a", "b"]}), path)
    assert read(path).p.value == [1, 2]
    assert read(path, time=0, value=1).p.time == [0, 1]
    with pytest.raises(FileError, match=r"row 0: 'a' is not a number"):
        read(path, value="name")


def test_units_and_start(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("t,torque\n100,1\n200,2\n")
    assert read(path, unit="kN.m", time_unit="ms").p.value == [1000, 2000]
    assert read(path, time_unit="ms").p.time == pytest.approx([0.1, 0.2])
    assert read(path, time_unit="ms", start="1 s").p.time == pytest.approx([1.0, 1.1])
    with pytest.raises(UnitError, match=r"unit = '1 kN' is not in units of N\.m"):
        read(path, unit="kN")
    with pytest.raises(UnitError, match="time_unit = '1 mm' is not in units of s"):
        read(path, time_unit="mm")


@pytest.mark.parametrize("between", ["linear", "hold"])
def test_a_model_file_beside_its_data(tmp_path, between):
    """Relative paths begin at the model file, also in a copy; the kernel shows the samples unsmoothed."""
    (tmp_path / "data").mkdir()
    rng = np.random.default_rng(1)
    time, torque = np.arange(50) * 0.02, rng.normal(size=50)
    (tmp_path / "data" / "run.csv").write_text(
        "t,tau\n" + "".join(f"{t},{x}\n" for t, x in zip(time, torque, strict=True))
    )
    (tmp_path / "rig.yaml").write_text(
        "elements:\n"
        "  mass: {type: Inertia, J: 1}\n"
        f"  motor: {{type: Torque, a: mass, tau: {{type: Recording, file: data/run.csv, between: {between}}}}}\n"
    )
    model = sb.load_model(tmp_path / "rig.yaml")
    assert model.copy().folder == tmp_path
    middle = time[:-1] + 0.005
    got = np.asarray(sb.simulate(model.copy(), times=middle)["motor.tau"])
    expected = torque[:-1] if between == "hold" else np.interp(middle, time, torque)
    assert got == pytest.approx(expected, abs=1e-12)


BAD = {
    "missing": (None, {}, FileError, "is not there; check the path"),
    "empty": (b"", {}, FileError, "has no samples"),
    "names only": (b"t,torque\n", {}, FileError, "has no samples"),
    "not text": (b"t,torque\n\xff\xfe,1\n", {}, FileError, "line 2: 'ÿþ' is not a number"),
    "no such column": (b"t,torqe\n0,1\n", {}, UnknownName, "has no column 'torque'; did you mean 'torqe'?"),
    "no names": (b"0,1\n1,2\n", {}, UnknownName, "has no column names, so there is no 't'; give its number"),
    "too few columns": (b"t\n0\n", {"value": 1}, UnknownName, "has no column 1; it has 1, counted from 0"),
    "not a number": (b"t,torque\n0,1\n1,two\n", {}, FileError, "line 3: 'two' is not a number"),
    "comma and point": (b"t;torque\n0;1.5\n1;2,5\n", {}, FileError, "line 3: '2,5' is not a number; write decimals"),
    "nan": (b"t,torque\n0,1\n1,nan\n", {}, FileError, "line 3: 1, nan is not finite; remove the row"),
    "empty cell": (b"t,torque\n0,1\n1,\n", {}, FileError, "line 3: 1, nan is not finite"),
    "short row": (b"t,torque\n0,1\n1\n", {}, FileError, "line 3: 1, nan is not finite"),
    "equal times": (b"t,torque\n0,1\n0,2\n", {}, FileError, "line 3: time 0 comes after 0; times must increase"),
}


@pytest.mark.parametrize(("content", "values", "error", "message"), BAD.values(), ids=BAD)
def test_bad_files(tmp_path, content, values, error, message):
    path = tmp_path / "run.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error) as caught:
        read(path, **values)
    assert str(caught.value).startswith("torque 'motor', tau: file")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_parquet_and_bad_endings(tmp_path):
    (tmp_path / "run.parquet").write_bytes(b"no table")
    with pytest.raises(FileError, match="must be a Parquet file"):
        read(tmp_path / "run.parquet")
    (tmp_path / "run.xlsx").write_bytes(b"a workbook")
    with pytest.raises(
        FileError, match=r"has an unknown extension; use one of \.asc, \.csv, \.dat, .*save the sheet as CSV"
    ):
        read(tmp_path / "run.xlsx")
    with pytest.raises(FileError, match="is not there"):
        read(tmp_path / "none.parquet")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(FileError, match="cannot be read"):
        read(tmp_path / "folder.csv")


@pytest.mark.parametrize("column", [-1, True, 1.5, ""])
def test_bad_columns(column):
    with pytest.raises(SpecError, match="must be the name or the number of a column"):
        Recording("run.csv", time=column)


def test_a_model_file_names_data_in_its_folder_only(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    (tmp_path / "run.csv").write_text("t,torque\n0,1\n1,2\n")
    (folder / "link.csv").symlink_to(tmp_path / "run.csv")
    for file in ("../run.csv", str(tmp_path / "run.csv"), "link.csv"):
        path = folder / "model.yaml"
        torque = {"type": "Torque", "a": "m", "tau": {"type": "Recording", "file": file}}
        sb.Model.from_dict({"elements": {"m": {"type": "Inertia", "J": 1}, "u": torque}}).to_yaml(path)
        with pytest.raises(FileError, match="is outside the folder of the model file; move it there, or allow it"):
            sb.compile_model(sb.Model.from_yaml(path))
        with pytest.raises(FileError, match="is outside the folder"):
            sb.compile_model(sb.Model.from_yaml(path).copy())
        sb.compile_model(sb.Model.from_yaml(path, outside=True))
        sb.compile_model(sb.load_model(path, outside=True))
