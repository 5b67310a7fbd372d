"""Exit codes: the table of docs/command-line.md, run through, and Ctrl-C in every command."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stribeck.cli import app

DOCS = Path(__file__).parents[2] / "docs" / "command-line.md"
ROWS = re.findall(r"^\| (\d+) \| .* \| `stribeck (.*)` \|$", DOCS.read_text(encoding="utf-8"), re.M)
EVERY_COMMAND = {
    "run": ["stick-slip"],
    "compare": ["stick-slip", "--laws", "lugre"],
    "check": ["stick-slip"],
    "realtime": ["stick-slip", "--h", "1 ms"],
    "c": ["stick-slip", "--out", "plant"],
    "fmu": ["stick-slip", "--out", "plant.fmu"],
    "linearize": ["stick-slip"],
    "draw": ["stick-slip"],
    "models": [],
    "elements": [],
    "laws": [],
    "new": ["rig.yaml"],
    "identify": ["stick-slip", "run.csv", "--free", "mass.J"],
    "evaluate": ["inspect", "run.csv"],
    "bench-test": ["stick-slip"],
    "sweep": ["stick-slip", "--vary", "spring.c=1,2", "--measure", "mass.w:max", "--out", "study"],
    "papers": [],
}
"""Words with which each command gets to work."""


def test_the_table_has_all_codes():
    assert sorted({int(code) for code, _ in ROWS}) == [0, 1, 2, 130]


@pytest.mark.parametrize(("code", "words"), [row for row in ROWS if row[0] != "130"])
def test_the_table_is_true(cli, code, words):
    assert cli(*shlex.split(words)).exit_code == int(code)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is a signal of POSIX")
@pytest.mark.parametrize("words", [row[1] for row in ROWS if row[0] == "130"])
def test_ctrl_c_ends_a_run_with_130(words):
    process = subprocess.Popen(
        [sys.executable, "-m", "stribeck", *shlex.split(words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 60
    while not _computes(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.endswith(b"interrupted\n") and b"Traceback" not in errors


def _computes(process: int) -> bool:
    """Whether the kernel is loaded and has been at work for a while."""
    try:
        loaded = "_kernel" in Path(f"/proc/{process}/maps").read_text()
        ticks = int(Path(f"/proc/{process}/stat").read_text().split()[13])
    except OSError:
        return False
    return loaded and ticks > 250


def test_every_command_is_known_here():
    names = {info.name or info.callback.__name__.replace("_", "-") for info in app.registered_commands}
    assert names | {"papers"} == set(EVERY_COMMAND)


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_ctrl_c_within_any_command_is_130(cli, monkeypatch, tmp_path, command):
    """Whatever a command does when the keyboard interrupts it: here, the first thing it prints or opens."""

    def interrupt(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("stribeck.results.screen.Screen.show", interrupt)
    monkeypatch.setattr("stribeck.results.screen.Screen.print", interrupt)
    monkeypatch.setattr("stribeck.cli.settings.load_model", interrupt)
    monkeypatch.setattr("stribeck.tables.read_columns", interrupt)
    monkeypatch.setattr("stribeck.identify.Measurement.read", interrupt)
    answer = cli(command, *EVERY_COMMAND[command])
    assert answer.exit_code == 130, answer.output
    assert answer.stderr.endswith("interrupted\n")
