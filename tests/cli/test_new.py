"""stribeck new."""

import pytest

import stribeck as sb
from stribeck.cli.new import templates


@pytest.mark.parametrize("template", templates())
def test_templates_run_as_they_are(cli, tmp_path, monkeypatch, template):
    monkeypatch.chdir(tmp_path)
    answer = cli("new", "my-rig", "--template", template)
    assert answer.exit_code == 0, answer.stderr
    assert answer.stdout == "written to my-rig.yaml\nrun it with: stribeck run my-rig.yaml --out out\n"
    model = sb.load_model("my-rig.yaml")
    assert model.name == "my-rig"
    assert sb.simulate(model).time[-1] == model.simulation.t_end
    assert cli("check", "my-rig.yaml").exit_code == 0
    text = (tmp_path / "my-rig.yaml").read_text()
    assert "stribeck run my-rig.yaml" in text and "FILE" not in text and "NAME" not in text
    assert sum("#" in line for line in text.splitlines()) > 20, "it is commented"


def test_the_default_file(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli("new").exit_code == 0
    assert sb.load_model("model.yaml").name == "model"


def test_a_file_that_is_there_is_kept(cli, tmp_path):
    path = tmp_path / "rig.yaml"
    path.write_text("mine")
    answer = cli("new", path)
    assert answer.exit_code == 1
    assert answer.stderr == f"error: {path} is there already; choose another name, or write over it with --force\n"
    assert path.read_text() == "mine"
    assert cli("new", path, "--force").exit_code == 0
    assert path.read_text() != "mine"


@pytest.mark.parametrize("name", ["12", "yes", "a b", "ü"])
def test_any_file_name_is_a_name(cli, tmp_path, name):
    assert cli("new", tmp_path / f"{name}.yaml").exit_code == 0
    assert sb.load_model(tmp_path / f"{name}.yaml").name == name


def test_unknown_templates_are_refused(cli, tmp_path):
    answer = cli("new", tmp_path / "rig.yaml", "--template", "drivline")
    assert answer.exit_code == 1
    assert "did you mean 'driveline'" in answer.stderr


def test_the_help_names_every_template(cli):
    text = " ".join(cli("new", "--help").stdout.split())
    assert all(template in text for template in templates())
