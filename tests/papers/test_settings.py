"""Other values of parameters reach the models of an item, and nothing else."""

import sys
from functools import cache

import pytest

import stribeck as sb
from stribeck_papers import adjusted, guo2017, setting


def stiffness(model: sb.Model) -> float:
    """Of the spring, as a run has it: the force of a guide that sticks after 1 s of pulling at 0.1 m/s, over 0.1 m."""
    result = sb.simulate(model.varied({"friction.law": sb.Switch(mu_c=1.0, mu_s=1.5)}), t_end=1.0)
    return float(round(result["friction.f"][-1] / 0.1, 9))


def test_values_hold_within_the_setting():
    with setting({"spring.c": "3 N/m"}):
        assert stiffness(adjusted(guo2017.rig())) == 3.0
    assert stiffness(adjusted(guo2017.rig())) == 2.0


def test_a_path_of_one_of_two_models():
    with setting({"friction.law.dv": "0.02"}):
        assert adjusted(guo2017.rig("Dahl")).elements["friction"].law == guo2017.laws()["Dahl"]
        assert adjusted(guo2017.rig("simplified LuGre")).elements["friction"].law.dv == 0.02


@pytest.mark.parametrize(
    "path, says",
    [("guide.law.sigma0", "there is no element 'guide' \\(known: pull"), ("spring.d", "known: c")],
)
def test_an_unknown_path_is_refused_with_the_known_ones(path, says):
    with pytest.raises(sb.UnknownName, match=says), setting({path: "1"}):
        adjusted(guo2017.rig())


def test_an_item_without_a_model():
    with pytest.raises(sb.UnknownName, match=r"no model in which to set 'spring\.c'"), setting({"spring.c": "3"}):
        pass


@cache
def kept() -> float:
    return stiffness(adjusted(guo2017.rig()))


def test_what_experiments_keep_is_forgotten(monkeypatch):
    monkeypatch.setattr(sys.modules["stribeck_papers.guo2017._paper"], "kept", kept, raising=False)
    assert kept() == 2.0
    with setting({"spring.c": "3"}):
        assert kept() == 3.0
    assert kept() == 2.0
