"""stribeck elements."""

from stribeck.elements import all_elements


def test_the_table_has_every_element(cli):
    answer = cli("elements")
    assert answer.exit_code == 0, answer.stderr
    for name in all_elements():
        assert any(line.startswith(f"{name} ") for line in answer.stdout.splitlines()), name


def test_one_element(cli):
    answer = cli("elements", "one-way-clutch")
    assert answer.exit_code == 0, answer.stderr
    for word in ("OneWayClutch", "Flanges: a, b.", "fn_max", "must be given", "c_max"):
        assert word in answer.stdout


def test_an_unknown_one_is_refused(cli):
    answer = cli("elements", "clutsh")
    assert answer.exit_code != 0
    assert "did you mean 'Clutch'?" in answer.stderr
