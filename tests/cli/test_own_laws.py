"""Laws of a user on the command line."""

from support.own_laws import TEXT, machine, text_laws

import stribeck as sb


def test_laws_of_a_file_on_the_command_line(cli, tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text(TEXT)
    answer = cli("laws", file)
    assert answer.exit_code == 0, answer.stderr
    assert all(f"{name} (" in answer.stdout for name in text_laws())
    model = tmp_path / "model.yaml"
    model.write_text(machine(text_laws()["MyBristle"]()).to_yaml())
    answer = cli("compare", model, "--laws", "MyBristle,LuGre", "--t-end", "1 s", "--out", tmp_path / "out")
    assert answer.exit_code == 0, answer.stderr
    assert "MyBristle" in answer.stdout
    assert cli("run", model, "--t-end", "1 s").exit_code == 0


def test_a_class_of_a_script_is_in_the_lists_of_its_session(cli, monkeypatch):
    registry = sb.laws.Law.registry
    monkeypatch.setattr(registry, "_kinds", dict(registry._kinds))  # not known to other tests
    monkeypatch.setattr(registry, "_ordered", [])

    class Makkar(sb.laws.SmoothLaw):
        """Smooth friction."""

        mu = sb.laws.Param(1.0, "{load}", "friction", min=0)

        @staticmethod
        def friction(p, v):
            return p.mu * v / (abs(v) + 0.01)

    assert sb.laws.get("makkar") is Makkar
    assert sb.Bearing("mass", law="Makkar").law == Makkar()
    assert "Makkar" in cli("laws").stdout and "mu*v/(|v| + 0.01)" in cli("laws", "makkar").stdout
    model = machine({"type": "makkar", "mu": 0.5})
    assert sb.Model.from_dict(model.to_dict()) == model
    assert sb.simulate(model, t_end=1.0)["friction.tau"].max() < 0.5
