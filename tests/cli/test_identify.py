"""stribeck identify."""

import json

import numpy as np
import pytest

import stribeck as sb

MODEL = """
name: rig
elements:
  load: {type: mass, m: 1}
  joint: {type: guide, a: load, law: {type: stribeck, mu_c: 0.6, mu_s: 1.0, v_s: 0.05, mu_v: 0.4}}
  motor: {type: force, a: load, f: 0}
"""


@pytest.fixture(scope="module")
def rig(tmp_path_factory):
    """A folder with a model file and two records of the machine with mu_c = 0.8, mu_v = 0.3."""
    folder = tmp_path_factory.mktemp("rig")
    (folder / "rig.yaml").write_text(MODEL)
    truth = sb.load_model(folder / "rig.yaml")
    sb.set_parameter(truth, "joint.law.mu_c", 0.8)
    sb.set_parameter(truth, "joint.law.mu_v", 0.3)
    time = 2e-3 * np.arange(1001)
    for seed, name in enumerate(("run", "other")):
        force = 2.2 * np.sin(2 * np.pi * 0.9 * time) + 0.9 * np.sin(2 * np.pi * 0.37 * time + 3 + seed)
        sb.set_parameter(truth, "motor.f", sb.Table(time=time.tolist(), value=force.tolist(), between="hold"))
        s = np.asarray(sb.simulate(truth, times=time, tolerance=1e-9)["load.s"])
        s = 1e3 * (s + 1e-5 * np.random.default_rng(seed).normal(size=s.size))
        np.savetxt(folder / f"{name}.csv", np.c_[time, force, s], "%.9g", ",", header="t [s],u [N],q [mm]", comments="")
    return folder


TIES = ("--output", "load.s=q", "--input", "motor.f=u", "--resolution", "q=5 um")


def test_values_page_and_document(cli, rig, tmp_path):
    page, document = tmp_path / "out" / "fit.html", tmp_path / "fit.json"
    answer = cli(
        "identify", rig / "rig.yaml", rig / "run.csv", "--free", "joint.law.mu_c,joint.law.mu_v", *TIES,
        "--held-out", rig / "other.csv", "--report", page, "--save", document, "--seed", 1,
    )  # fmt: skip
    assert answer.exit_code == 0, answer.stderr
    assert "held-out record" in answer.stdout
    found = json.loads(document.read_text())
    assert found["parameters"]["joint.law.mu_c"]["value"] == pytest.approx(0.8, rel=2e-3)
    assert found["parameters"]["joint.law.mu_v"]["value"] == pytest.approx(0.3, rel=5e-3)
    assert [fit["held_out"] for fit in found["fits"]] == [False, True]
    assert found["fits"][1]["rms"] == pytest.approx(1e-5, rel=0.3)
    text = page.read_text(encoding="utf-8")
    assert "Held-out records" in text
    assert text.count("<img") == 5
    assert "http" not in text  # it needs nothing but itself


def test_intervals_by_likelihood_ratio_and_bootstrap(cli, rig, tmp_path):
    document = tmp_path / "fit.json"
    answer = cli(
        "identify", rig / "rig.yaml", rig / "run.csv", "--free", "joint.law.mu_c", *TIES,
        "--profile", "joint.law.mu_c", "--bootstrap", 20, "--save", document,
    )  # fmt: skip
    assert answer.exit_code == 0, answer.stderr
    assert "by likelihood ratio" in answer.stdout and "bootstrap of 20 sets" in answer.stdout
    found = json.loads(document.read_text())
    (low, high), ends = (found[name]["joint.law.mu_c"] for name in ("profiles", "bootstrap"))
    assert low < found["parameters"]["joint.law.mu_c"]["value"] < high
    assert ends["error"] == pytest.approx(found["parameters"]["joint.law.mu_c"]["error"], rel=0.6)


def test_channels_with_names_of_the_model_need_no_ties(cli, rig, tmp_path):
    columns = np.loadtxt(rig / "run.csv", delimiter=",", skiprows=1)
    np.savetxt(tmp_path / "named.csv", columns, delimiter=",", header="t,motor.f,load.s [mm]", comments="")
    model = tmp_path / "rig.yaml"
    model.write_text(MODEL.replace("f: 0", "f: {type: external}"))
    answer = cli("identify", model, tmp_path / "named.csv", "--free", "joint.law.mu_c", "--solver", "fixed",
                 "--start", "joint.law.mu_c=0.7", "--bounds", "joint.law.mu_c=0.5:")  # fmt: skip
    assert answer.exit_code == 0, answer.stderr
    assert "fit / %" in answer.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--free is missing"),
        (("--free", "joint.law.mu_x"), "mu_x"),
        (("--free", "load.m", "--bounds", "load.m=3"), "write PATH=LOW:HIGH"),
        (("--free", "load.m", "--output", "load.s"), "write OUTPUT=CHANNEL"),
        (("--free", "load.m", "--output", "load.x=q"), "load.x"),
        (("--free", "load.m", "--output", "load.s=p"), "p"),
        (("--free", "load.m", "--input", "motor.g=u"), "motor"),
        (("--free", "load.m", "--loss", "cubic"), "cubic"),
        (("--free", "load.m", "--noise", "load.s=big"), "write a number"),
    ],
)
def test_mistakes_are_one_line(cli, rig, words, message):
    answer = cli("identify", rig / "rig.yaml", rig / "run.csv", *TIES, *words)
    assert answer.exit_code == 1
    assert answer.stderr.startswith("error: ")
    assert message in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_says_what_may_be_measured(cli, rig):
    answer = cli("identify", rig / "rig.yaml", rig / "run.csv", "--free", "load.m")
    assert answer.exit_code == 1
    assert "--output" in answer.stderr
    assert "channels: u, q" in answer.stderr


def test_which_law(cli, rig, tmp_path):
    page, document = tmp_path / "laws.html", tmp_path / "laws.json"
    answer = cli("identify", rig / "rig.yaml", rig / "run.csv", "--laws", "coulomb,stribeck", *TIES, "--held-out",
                 rig / "other.csv", "--solver", "fixed", "--report", page, "--save", document)  # fmt: skip
    assert answer.exit_code == 0, answer.stderr
    assert "Stribeck has the smallest prediction error (held-out other)" in answer.stdout.replace("\n", " ")
    assert "which law?" in page.read_text(encoding="utf-8")
    found = json.loads(document.read_text())
    assert found["best"] == "Stribeck"
    assert found["laws"]["Stribeck"]["parameters"]["joint.law.mu_c"]["value"] == pytest.approx(0.8, rel=0.01)
    assert found["laws"]["Coulomb"]["held_out"] > 10 * found["laws"]["Stribeck"]["held_out"]


def test_other_intervals_do_not_lose_the_fit(cli, rig):
    """A profile that ends with an error is a warning below the fit; a wrong name is refused before it."""
    free = ("--free", "joint.load,joint.law.mu_c,joint.law.mu_s,joint.law.mu_v", "--bootstrap", 3)
    answer = cli("identify", rig / "rig.yaml", rig / "run.csv", *free, *TIES)
    assert answer.exit_code == 0, answer.stderr
    assert "is not identifiable; fit again without it" in answer.stderr
    assert "joint.law.mu_c" in answer.stdout
    answer = cli("identify", rig / "rig.yaml", rig / "run.csv", "--free", "load.m", *TIES, "--profile", "load.mm")
    assert answer.exit_code == 1
    assert "there is no free parameter 'load.mm'; did you mean 'load.m'?" in answer.stderr
