"""Several records at once: files, folders and patterns."""

import numpy as np
import pytest

from stribeck.errors import FileError
from stribeck.identify import read_records
from stribeck.identify.records.files import labelled, record_paths

TEXT = "t,q\n" + "".join(f"{0.01 * i:.2f},{np.sin(i):.4f}\n" for i in range(20))


@pytest.fixture
def folder(tmp_path):
    for name in ("a/run10.csv", "a/run2.csv", "a/notes.md", "b/run2.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(TEXT)
    return tmp_path


def test_a_folder_in_natural_order(folder):
    assert [run.name for run in read_records(folder / "a")] == ["run2", "run10"]


def test_patterns_and_files(folder):
    assert [path.name for path in record_paths([folder / "*" / "run2.*", folder / "a" / "run10.csv"])] == [
        "run2.csv",
        "run2.txt",
        "run10.csv",
    ]


def test_names_are_unique(folder):
    runs = read_records([folder / "a", folder / "b"])
    assert [run.name for run in runs] == ["a/run2", "run10", "b/run2"]
    assert len(set(labelled(record_paths([folder / "a", folder / "b"])).values())) == 3


def test_a_file_counts_once(folder):
    assert len(record_paths([folder / "a", folder / "a" / "run2.csv"])) == 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a/run3*", "no file matches"),
        ("empty", "has no file to read"),
        ("a/run3.csv", "is not there; check the path"),
    ],
)
def test_what_is_missing_is_named(folder, name, message):
    (folder / "empty").mkdir()
    with pytest.raises(FileError, match=message):
        read_records(folder / name)


def test_no_files():
    with pytest.raises(FileError, match="there are no files"):
        read_records([])
