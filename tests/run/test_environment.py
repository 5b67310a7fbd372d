"""A machine as the environment of an agent: the contract of Gymnasium, and repeatability."""

import sys

import numpy as np
import pytest

from stribeck import (
    Clutch,
    Coulomb,
    Environment,
    External,
    Inertia,
    Model,
    SpecError,
    StribeckError,
    Torque,
    UnknownName,
)

LIMITS = {"engine.w": (0, "2000 rpm"), "clutch.w_rel": (-400.0, 400.0)}


def launch():
    """An engine of 0.2 kg.m2 at 100 rad/s, a clutch whose force is up to the agent, a load at rest."""
    m = Model("launch", t_end=1)
    engine = m.add("engine", Inertia(J=0.2, w0=100))
    load = m.add("load", Inertia(J=0.5))
    m.add("drive", Torque(engine, tau=10))
    m.add("clutch", Clutch(engine, load, law=Coulomb(mu_c=0.3), fn_max=1000, cgeo=0.2, f_normalized=External()))
    return m


def environment(**options):
    arguments = {
        "h": "1 ms",
        "every": 10,
        "actions": {"clutch.f_normalized": (0, 1)},
        "observations": LIMITS,
        "reward": lambda s: -abs(s["clutch.w_rel"]) * 0.01,
        "terminated": lambda s: s.modes["clutch"] == "Stuck",
    }
    return Environment(launch(), **{**arguments, **options})


def test_the_contract():
    env = environment()
    observation, info = env.reset()
    assert observation.tolist() == [100.0, -100.0]
    assert (info["time"], info["modes"]["clutch"]) == (0.0, "Free")
    low, high = env.observation_limits
    assert np.all((low <= observation) & (observation <= high))
    assert high[0] == pytest.approx(2000 * 2 * np.pi / 60)
    observation, reward, terminated, truncated, info = env.step(0.5)
    assert info["time"] == 0.01
    assert reward == pytest.approx(0.01 * observation[1])
    assert (terminated, truncated) == (False, False)


def test_an_episode_ends_by_itself_or_by_time():
    """30 N.m on the clutch: the slip of 100 rad/s falls by (30 - 10) / 0.2 + 30 / 0.5 = 160 rad/s2, for 0.625 s."""
    env = environment()
    env.reset()
    steps = [env.step([0.5]) for _ in range(63)]
    assert [s[2] for s in steps] == [False] * 62 + [True]
    env.reset()
    steps = [env.step([0.0]) for _ in range(100)]
    assert [s[3] for s in steps] == [False] * 99 + [True]


def test_actions_beyond_the_limits_are_cut():
    env = environment()
    env.reset()
    env.step([7.0])
    assert env.stepper.inputs["clutch.f_normalized"] == 1.0
    with pytest.raises(SpecError, match="one number for each of"):
        env.step([1.0, 2.0])
    with pytest.raises(SpecError, match="one number for each of"):
        env.step([np.nan])
    for wrong in ("a", {"clutch.f_normalized": 1}):
        with pytest.raises(SpecError, match="one number for each of"):
            env.step(wrong)


def test_chance_repeats_with_the_seed():
    def begin(stepper, chance):
        stepper.inputs["clutch.f_normalized"] = chance.uniform(0.1, 0.5)
        stepper.step(20)

    env = environment(begin=begin)
    first, other, again = (env.reset(seed=seed)[0].tolist() for seed in (1, 2, 1))
    assert first == again != other


def test_refuses():
    with pytest.raises(UnknownName, match="f_normalized"):
        environment(actions={"clutch.f_normalised": (0, 1)})
    with pytest.raises(StribeckError, match=r"engine\.w"):
        environment(observations=["engine.ww"])
    with pytest.raises(SpecError, match="smaller one first"):
        environment(actions={"clutch.f_normalized": (1, 0)})
    for wrong in (5, "1 N", (1, 2, 3)):
        with pytest.raises(SpecError, match="must be two limits"):
            environment(actions={"clutch.f_normalized": wrong})


def test_checker_of_gymnasium():
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    check_env(environment().to_gymnasium(), skip_render_check=True)


def test_without_gymnasium(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "stribeck.run.gymnasium_env", raising=False)
    with pytest.raises(StribeckError, match="pip install gymnasium"):
        environment().to_gymnasium()
