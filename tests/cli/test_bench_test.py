"""stribeck bench-test."""

import pytest

MODEL = """
name: actuator
elements:
  rotor: {type: inertia, J: 1.32e-5}
  joint: {type: bearing, a: rotor, law: {type: stribeck, mu_c: 0.11, mu_s: 0.14, v_s: 1, mu_v: 7e-4}}
  motor: {type: torque, a: rotor, tau: 0}
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "actuator.yaml"
    path.write_text(MODEL)
    return path


def numbers(answer, name):
    line = next(line for line in answer.stdout.splitlines() if line.startswith(name))
    return float(line.removeprefix(name).split()[0])


def test_finds_the_friction_of_the_model_and_writes_a_page(cli, model, tmp_path):
    page = tmp_path / "out" / "bench.html"
    answer = cli("bench-test", model, "--encoder", 56, "--limit", "3 N.m", "--between", "0:12", "--report", page)
    assert answer.exit_code == 0, answer.stderr
    assert "motor.tau, rotor.phi" in answer.stdout
    assert numbers(answer, "break-away forward, mean") == pytest.approx(0.14, rel=0.03)
    assert numbers(answer, "sliding backward, mean") == pytest.approx(0.11, rel=0.03)
    assert numbers(answer, "viscous friction") == pytest.approx(7e-4, rel=0.05)
    text = page.read_text(encoding="utf-8")
    assert "test bench" in text
    assert "Is the inertia identifiable?" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "--encoder"),
        (("--limit", "1 N.m"), "--between is missing"),
        (("--encoder", 56, "--limit", "1 N.m", "--between", "12"), "write LOW:HIGH"),
        (("--encoder", 56, "--limit", "1 N.m", "--threshold", "fast"), "--threshold fast"),
        (("--encoder", 56, "--limit", "1 kg"), "kg"),
        (("--encoder", 56, "--drive", "motor.x"), "motor"),
        (("--encoder", 56, "--position", "rotor.x"), "rotor.x"),
    ],
)
def test_mistakes_are_one_line(cli, model, words, message):
    answer = cli("bench-test", model, *words)
    assert answer.exit_code == 1
    assert answer.stderr.startswith("error: ")
    assert message in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_one_drive_is_found_by_itself(cli):
    answer = cli("bench-test", "stick-slip", "--encoder", 56)
    assert answer.exit_code == 1
    assert "name it with --drive" in answer.stderr
