"""The page on FMUs and its example, run with what they print."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from stribeck.cli import app

pytest.importorskip("fmpy", reason="FMPy is not installed: pip install fmpy")

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "fmu.md").read_text(encoding="utf-8")


def test_the_code_of_the_page_runs(tmp_path, monkeypatch, capsys):
    """But for what needs zig, which the campaign does."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for language, text in re.findall(r"^```(python|sh)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        if language == "python":
            exec(text, names)
            continue
        for command in re.findall(r"^stribeck (.*)$", text, re.MULTILINE):
            if "--platforms" not in command:
                done = CliRunner().invoke(app, shlex.split(command))
                assert done.exit_code == 0, done.output
    assert sorted(path.name for path in tmp_path.glob("*.fmu")) == ["axle.fmu", "car.fmu", "clutches.fmu"]
    # 60 N.m of friction: 0.3 * 1 kN * 0.2 on 1 m, on 1.2 kg.m2 from 10.47 rad/s: at rest after 0.21 s
    assert float(capsys.readouterr().out) == pytest.approx(0.0, abs=1e-9)


def test_a_controller_in_the_loop(tmp_path, monkeypatch, capsys):
    """The controller of this package and that of PythonFMU stick the clutch at the same time."""
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "examples" / "fmu" / "controller_in_the_loop.py"), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    times = re.findall(r"sticks at (\S+) s", "\n".join(lines))
    assert len(set(times)) == 1
    assert len(times) == 2 or "without PythonFMU" in "\n".join(lines)
    assert (tmp_path / "controller-in-the-loop.png").exists()
