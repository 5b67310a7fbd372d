"""Sweeps: each point once, whatever stops them; a store knows what it is about."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import stribeck as sb
from stribeck import sweeps
from stribeck.errors import FileError, SpecError

GRID = {"spring.c": [1.0, 2.0, 3.0], "pull.w": [0.1, 0.2]}
MEASURES = ["mass.w:max", "friction:dissipated"]
SHORT = {"t_end": 6.0}


def files(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_points_are_what_runs_alone_give(tmp_path):
    study = sb.sweep("stick-slip", GRID, MEASURES, store=tmp_path / "study", chunk=4, **SHORT)
    data = study.to_xarray()
    assert data["mass.w:max"].dims == ("spring.c", "pull.w") and data["spring.c"].attrs["units"] == "N.m/rad"
    program = sb.compile_model(sb.load_model("stick-slip"))
    for c in GRID["spring.c"]:
        for w in GRID["pull.w"]:
            run = sb.simulate(program.with_values({"spring.c": c, "pull.w": w}), 6.0)
            here = data.sel({"spring.c": c, "pull.w": w})
            # the last digits of what friction dissipates depend on how the outputs are observed
            assert float(here["mass.w:max"]) == pytest.approx(run.extremes["mass.w"]["max"], rel=1e-12)
            assert float(here["friction:dissipated"]) == pytest.approx(run.energy.dissipated["friction"], rel=1e-12)
    memory = sb.sweep("stick-slip", GRID, MEASURES, **SHORT)
    for text in MEASURES:
        np.testing.assert_array_equal(memory[text], study[text])
        np.testing.assert_array_equal(sweeps.read(tmp_path / "study")[text], study[text])
    assert study.to_pandas().shape == (6, 5)


def test_what_is_there_is_not_computed_again(tmp_path, monkeypatch):
    folder = tmp_path / "study"
    sb.sweep("stick-slip", GRID, MEASURES, store=folder, chunk=2, **SHORT)
    before = files(folder)
    counted = []
    module = sys.modules["stribeck.sweeps.sweep"]
    whole = module.batch
    monkeypatch.setattr(
        module, "batch", lambda *a, **k: (counted.append(len(next(iter(a[1].values())))), whole(*a, **k))[1]
    )
    sb.sweep("stick-slip", GRID, MEASURES, store=folder, **SHORT)
    assert not counted and files(folder) == before
    larger = {"spring.c": [0.5, 1.0, 2.0, 3.0], "pull.w": [0.1, 0.2]}
    study = sb.sweep("stick-slip", larger, MEASURES, store=folder, **SHORT)
    assert sum(counted) == 2  # the new row of the grid
    assert files(folder).items() >= before.items()
    np.testing.assert_array_equal(study["mass.w:max"], sb.sweep("stick-slip", larger, MEASURES, **SHORT)["mass.w:max"])


def test_parts_make_the_whole(tmp_path):
    alone, parts = tmp_path / "alone", tmp_path / "parts"
    sb.sweep("stick-slip", GRID, MEASURES, store=alone, chunk=1, **SHORT)
    third = sb.sweep("stick-slip", GRID, MEASURES, store=parts, chunk=1, part=(3, 4), **SHORT)
    assert sum(text == "not computed yet" for text in third.messages) == 5
    for k in (1, 2, 4):
        sb.sweep("stick-slip", GRID, MEASURES, store=parts, chunk=1, part=(k, 4), **SHORT)
    assert files(alone) == files(parts)


def test_points_that_fail_are_rows_with_their_message(tmp_path):
    design = {"spring.c": [1.0, -1.0, 2.0]}
    study = sb.sweep("stick-slip", design, ["mass.w:max"], store=tmp_path / "study", **SHORT)
    assert list(study.failures) == [1] and "spring.c = -1" in study.failures[1]
    assert np.isnan(sweeps.read(tmp_path / "study")["mass.w:max"][1])


def test_another_sweep_in_the_store_is_refused_with_the_difference(tmp_path):
    folder = tmp_path / "study"
    sb.sweep("stick-slip", {"spring.c": [1.0]}, ["mass.w:max"], store=folder, **SHORT)
    with pytest.raises(FileError, match=r"settings: \{'t_end': 6.0\} there, \{'t_end': 7.0\} here"):
        sb.sweep("stick-slip", {"spring.c": [1.0]}, ["mass.w:max"], store=folder, t_end=7.0)
    with pytest.raises(FileError, match=r"\(measures: [^;]*\); choose"):
        sb.sweep("stick-slip", {"spring.c": [1.0]}, ["mass.w:min"], store=folder, **SHORT)
    with pytest.raises(FileError, match="parameters"):
        sb.sweep("stick-slip", {"pull.w": [1.0]}, ["mass.w:max"], store=folder, **SHORT)
    other = sb.load_model("stick-slip").varied({"mass.J": 2.0})
    with pytest.raises(FileError, match=r"model: .*J.*2"):
        sb.sweep(other, {"spring.c": [1.0]}, ["mass.w:max"], store=folder, **SHORT)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note.txt").write_text("mine")
    with pytest.raises(FileError, match="choose an empty folder"):
        sb.sweep("stick-slip", {"spring.c": [1.0]}, ["mass.w:max"], store=tmp_path / "full", **SHORT)


def test_aliases_and_units_name_the_same_points(tmp_path):
    for name, values in (("friction.law.mu_s", [1.2, 1.6]), ("friction.law.tau_s", ["1.2 N.m", "1600 N.mm"])):
        study = sb.sweep("stick-slip", {name: values}, ["mass.w:max"], store=tmp_path / "study", **SHORT)
    assert list(study.design.columns) == ["friction.law.mu_s"]
    assert len(list((tmp_path / "study").glob("chunk-*"))) == 1
    with pytest.raises(SpecError, match=r"units of N\.m"):
        sb.sweep("stick-slip", {"friction.law.mu_s": ["1 kg"]}, ["mass.w:max"], **SHORT)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": []}, "give a list"),
        ({"measures": ["mass.w:max", "mass.w:max"]}, "twice"),
        ({"measures": ["mass.w:max"], "part": (5, 4)}, "does not exist"),
        ({"measures": ["mass.w:max"], "chunk": 0}, "whole number"),
    ],
)
def test_what_cannot_be_swept_is_refused(options, message):
    with pytest.raises(SpecError, match=message):
        sb.sweep("stick-slip", GRID, **options)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("*.phi0", "are 2 parameters .*; name one"),
        ("friction.law", "no parameter that is a number"),
        ("simulation.tolerance", "no parameter that is a number"),
        ("friction.law.alpha", "list of numbers"),
    ],
)
def test_a_path_is_one_number(path, message):
    model = sb.load_model("stick-slip").varied({"friction.law": sb.GMS(n=2, alpha=[1, 2])})
    with pytest.raises(SpecError, match=message):
        sb.sweep(model, {path: [0.1, 0.2]}, ["mass.w:max"], **SHORT)


def test_a_parameter_is_named_once():
    with pytest.raises(SpecError, match=r"tau_s is friction\.law\.mu_s, which is there already"):
        sb.sweep("stick-slip", {"friction.law.mu_s": [1.2], "friction.law.tau_s": [1.3]}, ["mass.w:max"], **SHORT)


def test_sweeps_at_the_same_time_share_a_store(tmp_path):
    """Three with the same design and two that extend it, from nothing: each point is there once."""
    folder, starts = tmp_path / "study", [1.0, 1.0, 1.0, 2.5, 3.5]

    def one(start):
        design = {"spring.c": start + np.arange(30) / 32}
        return sb.sweep("stick-slip", design, ["mass.w:max"], store=folder, chunk=10, jobs=1, **SHORT)

    with ThreadPoolExecutor(5) as pool:
        assert not any(study.failures for study in pool.map(one, starts))
    study = sweeps.read(folder)
    assert np.unique(study["spring.c"]).size == study.design.points == 90
    alone = sb.batch("stick-slip", {"spring.c": study["spring.c"]}, measures=["mass.w:max"], **SHORT)
    np.testing.assert_array_equal(study["mass.w:max"], alone["mass.w:max"])


def test_a_new_store_may_hold_what_a_kill_has_left(tmp_path):
    (tmp_path / ".stribeck-0123.json").write_text("{")
    first = sb.sweep("stick-slip", {"spring.c": [1.0]}, ["mass.w:max"], store=tmp_path, t_end="6 s")
    again = sb.sweep("stick-slip", {"spring.c": [1.0]}, ["mass.w:max"], store=tmp_path, t_end=6)  # the same settings
    assert first["mass.w:max"] == again["mass.w:max"]


SWEEP = """
import sys
import numpy as np
import stribeck as sb
sb.sweep("stick-slip", {"spring.c": np.linspace(1, 4, 200)}, ["mass.w:max", "friction:dissipated"], store=sys.argv[1],
         chunk=10, t_end=6.0, jobs=1)
"""


def killed(folder, kills, rng):
    """A sweep that is killed at random moments, and then left alone."""
    for _ in range(kills):
        process = subprocess.Popen([sys.executable, "-c", SWEEP, str(folder)])
        time.sleep(rng.uniform(0.2, 0.9))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run([sys.executable, "-c", SWEEP, str(folder)], check=True)


def check_kills(tmp_path, kills):
    alone, often = tmp_path / "alone", tmp_path / "often"
    subprocess.run([sys.executable, "-c", SWEEP, str(alone)], check=True)
    killed(often, kills, np.random.default_rng(kills))
    there = {name: data for name, data in files(often).items() if not name.startswith(".stribeck-")}
    assert there == files(alone)


def test_a_sweep_that_is_killed_ends_with_the_same_bytes(tmp_path):
    check_kills(tmp_path, 3)


@pytest.mark.slow
def test_a_sweep_that_is_killed_fifty_times_ends_with_the_same_bytes(tmp_path):
    check_kills(tmp_path, 50)


@pytest.mark.parametrize(
    "design",
    [
        {"spring.c": [1.0, 2.0, 3.0]},
        {"spring.c": np.linspace(1, 3, 9), "pull.w": [0.1, 0.2]},
        {"spring.c": np.linspace(1, 3, 9), "pull.w": np.linspace(0.1, 0.2, 9)},
        sweeps.sobol({"spring.c": (1.0, 3.0), "pull.w": (0.1, 0.2), "friction.law.mu_s": (1.2, 1.6)}, 16),
    ],
    ids=["line", "lines", "map", "surface"],
)
def test_pictures(tmp_path, design):
    study = sb.sweep("stick-slip", design, ["mass.w:max"], t_end=3.0)
    study.plot(path=tmp_path / "study.png")
    assert (tmp_path / "study.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    "design",
    [
        sweeps.sobol({"spring.c": (-3, -1), "pull.w": (0.1, 0.2)}, 4),
        sweeps.listed({"spring.c": np.linspace(1, 3, 5), "pull.w": np.linspace(0.1, 0.2, 5)}),
    ],
    ids=["all failed", "on a line"],
)
def test_points_that_span_no_surface_are_drawn_alone(design):
    axes = sb.sweep("stick-slip", design, ["mass.w:max"], t_end=3.0).plot().axes[0]
    (points,) = axes.collections
    assert len(points.get_offsets()) == design.points
