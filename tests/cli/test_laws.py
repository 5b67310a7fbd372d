"""stribeck laws."""

import pytest

from stribeck import laws
from stribeck.analysis import Experiment
from stribeck.cli.laws import short_source
from stribeck.style import Picture


def test_the_table_has_every_law(cli):
    answer = cli("laws")
    assert answer.exit_code == 0, answer.stderr
    for law in laws.all_laws().values():
        assert any(line.startswith(f"{law.__name__} ") and law.family in line for line in answer.stdout.splitlines())
    assert "Canudas de Wit" in answer.stdout


def test_one_law_with_its_picture(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = cli("laws", "LuGre", "--out", tmp_path)
    assert answer.exit_code == 0, answer.stderr
    words = (
        "IEEE",
        r"\sigma_{0} z",
        "316.228",
        "N.m.s/rad",
        "N.s/m",
        "at least 0",
        "tau_c, f_c",
        "mean bristle deflection",
    )
    for word in words:
        assert word in answer.stdout
    assert "remark: LuGre is passive only for" in answer.stdout
    assert "lugre.png" in answer.stdout
    assert answer.stderr == ""
    assert (tmp_path / "lugre.png").read_bytes().startswith(b"\x89PNG")


def test_no_file_is_written_unasked(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli("laws", "LuGre").exit_code == 0
    assert list(tmp_path.iterdir()) == []


def test_the_picture_goes_where_it_is_wanted(cli, tmp_path):
    answer = cli("laws", "switch", "--out", tmp_path / "deep" / "pictures")
    assert answer.exit_code == 0, answer.stderr
    assert "no warnings about the default parameters" in answer.stdout
    assert (tmp_path / "deep" / "pictures" / "switch.png").exists()


def test_unknown_laws_are_refused_with_the_nearest(cli):
    answer = cli("laws", "lugree")
    assert answer.exit_code == 1
    assert answer.stderr.startswith("error: there is no friction law 'lugree'; did you mean 'LuGre'?")


@pytest.mark.parametrize(
    ("source", "short"),
    [
        ("D. Karnopp: Computer Simulation. Journal 107 (1985) 100-103", "Karnopp 1985"),
        ("A. Able, B. C. Baker: Title, 2001", "Able, Baker 2001"),
        ("J.-P. Able, B. Baker, C. Cook: Title, 2001", "Able, Baker et al. 2001"),
    ],
)
def test_short_sources(source, short):
    assert short_source(source) == short


OWN = """
laws:
  Viscous:
    family: smooth
    text: Viscous friction
    parameters: {d: {default: 2, unit: "{load}.s/{disp}", text: damping}}
    friction: d*v
  Plain: {family: locking, parameters: {mu: {default: 1, unit: "{load}"}}, sliding: mu, breakaway: 1.2*mu}
"""


def test_laws_of_a_file_with_their_pictures(cli, tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(OWN)
    answer = cli("laws", path, "--out", tmp_path)
    assert answer.exit_code == 0, answer.stderr
    for word in (
        "Viscous (smooth): Viscous friction",
        "friction = d*v",
        "friction = d v",
        "N.m.s/rad",
        "damping",
        "Plain",
    ):
        assert word in answer.stdout
    for name in ("viscous.png", "plain.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_a_page_of_the_tribometer(cli, tmp_path):
    answer = cli("laws", "switch", "--page", tmp_path / "deep" / "switch.html")
    assert answer.exit_code == 0, answer.stderr
    assert "Switch on the tribometer" in answer.stdout and "does not move below break-away" in answer.stdout
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["switch.html"]


def test_one_page_for_all_laws_of_a_file(cli, tmp_path, monkeypatch):
    monkeypatch.setattr(Experiment, "plot", lambda self: Picture(1, 1))  # drawing them takes the most time
    path, page = tmp_path / "own.yaml", tmp_path / "own.html"
    path.write_text(OWN)
    answer = cli("laws", path, "--page", page)
    assert answer.exit_code == 0, answer.stderr
    text = page.read_text(encoding="utf-8")
    assert 'href="#Viscous"' in text and 'id="Viscous"' in text and 'id="Plain"' in text


def test_a_page_that_cannot_be_written_is_refused_first(cli, tmp_path):
    answer = cli("laws", "switch", "--page", tmp_path)
    assert answer.exit_code != 0 and "on the tribometer" not in answer.stdout


def test_a_mistake_in_a_file_of_laws(cli, tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text(OWN.replace("d*v", "d*w"))
    answer = cli("laws", path)
    assert answer.exit_code == 1
    assert "law 'Viscous', friction, column 3: there is no symbol 'w'" in answer.stderr and "  ^" in answer.stderr
