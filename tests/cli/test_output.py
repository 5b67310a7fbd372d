"""How commands print, whatever they print: pipes, terminals, encodings, JSON, files of one run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stribeck import laws, optional
from stribeck.cli.streams import spell

LISTS = (["laws"], ["laws", "lugre"], ["elements"], ["elements", "clutch"], ["models"], ["papers"])
ANSWERS = (
    *LISTS,
    ["run", "stick-slip", "--t-end", "1"],
    ["check", "stick-slip"],
    ["check", "stick-slip", "--realtime", "--t-end", "0.1"],
    ["compare", "stick-slip", "--laws", "lugre,switch", "--t-end", "1"],
    ["linearize", "stick-slip"],
    ["realtime", "stick-slip", "--h", "1 ms", "--t-end", "0.05"],
)


def shell(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A command in a separate process, with pipes."""
    env = {**os.environ, "COLUMNS": "40", **environment}
    return subprocess.run([sys.executable, "-m", "stribeck", *words], capture_output=True, env=env, check=False)


def test_nothing_is_cut_or_wrapped_in_a_pipe():
    lines = shell("laws").stdout.decode().splitlines()
    for law in laws.all_laws().values():
        (line,) = [line for line in lines if line.split(" ")[0] == law.__name__]
        assert all(name in line for name in law.params)


@pytest.mark.parametrize("words", ANSWERS, ids=" ".join)
def test_every_answer_is_there_as_json(cli, words):
    answer = cli(*words, "--json")
    assert answer.exit_code == 0, answer.stderr
    document = json.loads(answer.stdout, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert document["format"] == 1
    assert document["tables"]
    for table in document["tables"]:
        assert all(len(row) == len(table["columns"]) for row in table["rows"])


def test_json_has_the_numbers_of_a_run(cli):
    document = json.loads(cli("run", "stick-slip-switch", "--json").stdout)
    assert document["summary"]["statistics"]["steps"] > 10
    assert document["events"][0][1:] == ["friction", "Stuck", "Forward"]
    energy = next(table for table in document["tables"] if table["columns"][0] == "energy")
    assert isinstance(energy["rows"][0][2], float)


def test_errors_are_part_of_the_json(cli):
    answer = cli("run", "stik-slip", "--json")
    assert answer.exit_code == 1
    assert "did you mean 'stick-slip'?" in json.loads(answer.stdout)["error"]
    assert answer.stderr.startswith("error: ")


@pytest.mark.parametrize("words", ANSWERS, ids=" ".join)
def test_quiet_prints_nothing_but_warnings(cli, words):
    answer = cli(*words, "--quiet")
    assert answer.exit_code == 0
    assert answer.stdout == ""
    assert all(line.startswith("warning: ") for line in answer.stderr.splitlines())


def test_warnings_are_on_stderr(cli):
    answer = cli("check", "stick-slip")
    assert "warning" not in answer.stdout
    assert answer.stderr.startswith("warning: bearing 'friction': LuGre is passive only for")


def test_the_first_run_shows_no_warning(cli):
    assert cli("run", "stick-slip").stderr == ""


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_terminals_without_unicode_get_plain_letters(encoding, tmp_path):
    model = tmp_path / "rig.yaml"
    model.write_text("name: Prüfstand σ 試\nelements:\n  mass: {type: Inertia, J: 1, w0: 1}\n", encoding="utf-8")
    answer = shell("run", str(model), PYTHONIOENCODING=encoding, LANG="C", LC_ALL="C")
    assert answer.returncode == 0
    assert ("Prüfstand sigma ?" if encoding == "latin-1" else "Prufstand sigma ?").encode(encoding) in answer.stdout
    model.write_text("name: σ\nelements:\n  μ: {type: Inertia, J: 0}\n", encoding="utf-8")
    answer = shell("run", str(model), PYTHONIOENCODING=encoding, LANG="C", LC_ALL="C")
    assert answer.returncode == 1
    assert "mu" in answer.stderr.decode(encoding) and b"Traceback" not in answer.stderr


def test_letters_are_spelled():
    text = "2 kg·m² ≤ 5 µm → σ₀ ─ 試"
    error = UnicodeEncodeError("ascii", text, 0, len(text), "")
    assert spell(error) == ("2 kg.m2 <= 5 um -> sigma0 - ?", len(text))


@pytest.mark.skipif(os.name != "posix", reason="needs pseudo-terminals")
@pytest.mark.parametrize(
    "words", [["laws"], ["check", "stick-slip"], ["check", "stick-slip", "--realtime"]], ids=" ".join
)
def test_no_color_means_no_escape_codes_on_a_terminal(words):
    import pty

    def read(**environment: str) -> bytes:
        leader, follower = pty.openpty()
        env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "200", **environment}
        process = subprocess.Popen(
            [sys.executable, "-m", "stribeck", *words], stdout=follower, stderr=follower, env=env, close_fds=True
        )
        os.close(follower)
        chunks = []
        try:
            while chunk := os.read(leader, 65536):
                chunks.append(chunk)
        except OSError:  # the other end is closed
            pass
        assert process.wait() == 0
        os.close(leader)
        return b"".join(chunks)

    assert b"\x1b[" not in read(NO_COLOR="1")
    if words == ["laws"]:
        assert b"\x1b[" in read(NO_COLOR="")


@pytest.mark.skipif(os.name != "posix", reason="needs pipes of POSIX")
@pytest.mark.parametrize("words", [["laws"], ["run", "stick-slip", "--out"]], ids=["laws", "run"])
def test_a_closed_pipe_ends_nothing(words, tmp_path):
    words = [*words, str(tmp_path / "out")] if words[-1] == "--out" else words
    reader, writer = os.pipe()
    process = subprocess.Popen([sys.executable, "-m", "stribeck", *words], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    os.close(reader)
    assert process.communicate()[1] == b""
    assert process.returncode == 0
    if words[0] == "run":
        assert (tmp_path / "out" / "summary.json").exists()


def test_the_list_of_commands_is_not_cut(cli):
    text = cli("--help").stdout
    assert "..." not in text.partition("Commands:")[2]
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "stick-slip", "--out", "out", "--format", "nc"], "needs xarray"),
        (["compare", "stick-slip", "--laws", "lugre", "--out", "out", "--format", "parquet"], "needs pyarrow"),
        (["realtime", "stick-slip", "--h", "1 ms", "--record", "out.nc"], "needs xarray"),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_missing_packages_are_known_before_the_work(cli, monkeypatch, tmp_path, words, message):
    def missing(name: str) -> None:
        raise ModuleNotFoundError(f"No module named '{name}'")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(optional, "import_module", missing)
    answer = cli(*words)
    assert answer.exit_code == 1
    assert message in answer.stderr and "pip install 'stribeck[data]'" in answer.stderr
    assert answer.stdout == ""
    assert list(tmp_path.iterdir()) == []


BLOCKED = (
    ["run", "stick-slip", "--out", "file/out"],
    ["compare", "stick-slip", "--laws", "lugre", "--out", "file/out"],
    ["c", "stick-slip", "--out", "file/out"],
    ["fmu", "stick-slip", "--out", "file/out.fmu"],
    ["linearize", "stick-slip", "--out", "file/out"],
    ["laws", "lugre", "--out", "file/out"],
    ["draw", "stick-slip", "--out", "file/out.png"],
    ["check", "stick-slip", "--realtime", "--out", "file/out.png"],
    ["realtime", "stick-slip", "--h", "1 ms", "--out", "file/out.png"],
    ["realtime", "stick-slip", "--h", "1 ms", "--record", "file/out.csv"],
    ["bench-test", "stick-slip", "--report", "file/out.html"],
    ["new", "file/rig.yaml"],
)


@pytest.mark.parametrize("words", BLOCKED, ids=lambda words: words[0])
def test_places_that_cannot_be_written_are_known_before_the_work(cli, monkeypatch, tmp_path, words):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("mine")
    answer = cli(*words)
    assert answer.exit_code == 1
    assert answer.stdout == ""
    assert answer.stderr.startswith("error: 'file") and "cannot be written" in answer.stderr


def test_a_method_without_a_picture_is_refused_before_the_work(cli, tmp_path):
    answer = cli("evaluate", "inspect", tmp_path / "none.csv", "--plot", tmp_path / "out.png")
    assert answer.exit_code == 1
    assert answer.stderr == "error: inspect has no picture; leave out --plot\n"


def test_a_folder_holds_the_files_of_one_run(cli, tmp_path):
    out = tmp_path / "out"
    assert cli("run", "clutch-judder", "--out", out, "--t-end", "0.1", "--format", "json").exit_code == 0
    (out / "notes.txt").write_text("mine")
    before = {path.name for path in out.iterdir()}
    assert "result.json" in before and "clutch_velocity.png" in before
    (out / "clutch_velocity.png").write_bytes(b"changed by hand")
    assert cli("run", "stick-slip", "--out", out, "--t-end", "1").exit_code == 0
    after = {path.name for path in out.iterdir()}
    named = set(json.loads((out / "summary.json").read_text())["files"])
    assert after == {*named, "summary.json", "notes.txt", "clutch_velocity.png"}
    assert cli("compare", "stick-slip", "--laws", "dahl", "--out", out, "--t-end", "1").exit_code == 0
    assert cli("compare", "stick-slip", "--laws", "switch", "--out", out, "--t-end", "1").exit_code == 0
    names = {path.name for path in out.iterdir()} - {"notes.txt", "clutch_velocity.png"}
    assert names == {"comparison.png", "comparison.csv", "comparison.json", "Switch.csv", "summary.json"}


def test_a_run_that_fails_before_it_starts_keeps_what_is_there(cli, tmp_path):
    assert cli("run", "stick-slip", "--out", tmp_path, "--t-end", "1").exit_code == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert cli("run", "stick-slip", "--out", tmp_path, "--set", "mass.J=-1").exit_code == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
