"""stribeck fmu: the file, its options and one line for what cannot be done."""

import json
import zipfile

import pytest
from typer.testing import CliRunner

from stribeck.cli import app


def call(*words: str):
    return CliRunner().invoke(app, ["fmu", *words])


def test_a_model_becomes_an_fmu(tmp_path):
    path = tmp_path / "out" / "rig.fmu"
    done = call("stick-slip", "--out", str(path), "--fmi", "2", "--type", "cs", "--names", "flat", "--set", "mass.J=2")
    assert done.exit_code == 0, done.output
    with zipfile.ZipFile(path) as archive:
        text = archive.read("modelDescription.xml").decode()
        model = archive.read("resources/model.yaml").decode()
    assert 'fmiVersion="2.0"' in text
    assert "<CoSimulation" in text
    assert "<ModelExchange" not in text
    assert 'name="mass_w"' in text
    assert "J: 2" in model


def test_its_name_is_that_of_the_model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = call("coupled-clutches", "--outputs", "J1.w,clutch1.*", "--sources", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["files"]
    with zipfile.ZipFile("coupled-clutches.fmu") as archive:
        assert "sources/coupled_clutches.c" in archive.namelist()
        assert "sources/buildDescription.xml" in archive.namelist()
        assert archive.read("modelDescription.xml").decode().count('causality="output"') == 7


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--platforms", "linux"], "no platform 'linux'; did you mean 'linux64'"),
        (["--inputs", "pull.w"], "'pull.w' is not an External signal"),
        (["--type", "se"], "there is no type 'se'"),
        (["--fmi", "1"], "write 2 or 3"),
        (["--out", "/dev/null/x.fmu"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = call("stick-slip", *words)
    assert done.exit_code == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
