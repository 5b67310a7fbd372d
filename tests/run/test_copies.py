"""Many plants at once: each does what one alone does, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

import stribeck as sb
from stribeck.errors import SpecError, UnknownName


@pytest.fixture(scope="module")
def joint():
    """A motor, an elastic gear and a load with LuGre friction."""
    model = sb.Model("joint", t_end=1.0)
    motor = model.add("motor", sb.Inertia(J=1e-3))
    load = model.add("load", sb.Inertia(J=1e-2))
    model.add("drive", sb.Torque(motor, tau=sb.External(0.0)))
    model.add("shaft", sb.SpringDamper(motor, load, c=50.0, d=0.02))
    model.add("friction", sb.Bearing(load, law=sb.LuGre(sigma0=1e3, sigma1=1.0, tau_c=0.1, tau_s=0.15)))
    return sb.compile_model(model)


def torques(n, k):
    return np.random.default_rng(k).uniform(-1, 1, n)


@pytest.mark.parametrize("n", [1, 7, 400])
def test_every_copy_is_a_plant(joint, n):
    stiffness = np.linspace(30, 60, n)
    plants = sb.realtime(joint, "1 ms", copies=n, values={"shaft.c": stiffness})
    alone = {i: sb.realtime(joint.with_values({"shaft.c": stiffness[i]}), "1 ms") for i in {0, n // 2, n - 1}}
    for k in range(6):
        u = torques(n, k)
        plants.step(5, {"drive.tau": u})
        seen = plants.outputs(["load.w", "shaft.tau"])
        for i, plant in alone.items():
            plant.inputs["drive.tau"] = u[i]
            plant.step(5)
            assert tuple(seen[i]) == (plant["load.w"], plant["shaft.tau"])
    np.testing.assert_array_equal(plants.time, alone[0].time)


def test_some_start_again(joint):
    plants = sb.realtime(joint, "1 ms", copies=3)
    plants.step(10, {"drive.tau": [1.0, 2.0, 3.0]})
    before = plants["motor.w"]
    plants.reset(np.array([False, True, False]))
    assert plants["motor.w"].tolist() == [before[0], 0.0, before[2]] and plants.time[1] == 0.0
    plants.step()  # the input of the second is that of the model again
    assert plants["motor.w"][1] == 0.0 and plants["motor.w"][0] != before[0]


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda p: p.step(1, {"drive.f": 1.0}), "no input 'drive.f'"),
        (lambda p: p.step(1, {"drive.tau": [1.0, 2.0]}), "one for each copy"),
        (lambda p: p.step(1, {"drive.tau": np.nan}), "finite"),
        (lambda p: p["motor.q"], "no output 'motor.q'"),
        (lambda p: p.reset(np.array([True])), "one truth"),
        (lambda p: p.step(-1), "cannot be done"),
    ],
)
def test_what_cannot_be_done_is_refused(joint, act, message):
    with pytest.raises((SpecError, UnknownName), match=message):
        act(sb.realtime(joint, "1 ms", copies=3))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"copies": 0}, "copies"),
        ({"copies": 3, "values": {"shaft.c": [1.0, 2.0]}}, "2 points for 3 copies"),
        ({"copies": 2, "values": {"shaft.c": [1.0, -2.0]}}, "copy 1"),
        ({"values": {"shaft.c": [1.0, 2.0]}}, "values are for copies"),
        ({"copies": 2, "error_bound": 0.1}, "single plant"),
    ],
)
def test_what_cannot_be_made_is_refused(joint, options, message):
    with pytest.raises(SpecError, match=message):
        sb.realtime(joint, "1 ms", **options)


def environment(joint, n, **options):
    return sb.VectorEnvironment(
        joint,
        "1 ms",
        n,
        actions={"drive.tau": (-1.0, 1.0)},
        observations=["motor.w", "load.w"],
        reward=lambda plants: -(plants["load.w"] ** 2),
        every=4,
        **options,
    )


def test_a_vector_environment_is_many_environments(joint):
    many = environment(joint, 3, t_end=0.02)
    one = sb.Environment(
        joint,
        "1 ms",
        actions={"drive.tau": (-1.0, 1.0)},
        observations=["motor.w", "load.w"],
        reward=lambda s: -(s["load.w"] ** 2),
        every=4,
        t_end=0.02,
    )
    many.reset(seed=1)
    one.reset(seed=1)
    for k in range(5):
        u = 3 * torques(3, k)[:, None]  # beyond the limits: done as far as they go
        observations, rewards, terminated, truncated, _ = many.step(u)
        observation, reward, ended, cut, _ = one.step(u[1])
        np.testing.assert_array_equal(observations[1], observation)
        assert (rewards[1], terminated[1], truncated[1]) == (reward, ended, cut)
    assert truncated.all()
    observations, rewards, terminated, truncated, _ = many.step(u)  # starts again
    assert not observations.any() and not rewards.any() and not truncated.any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"actions": {"drive.f": (0, 1)}}, "no input 'drive.f'"),
        ({"observations": ["motor.q"]}, "no output 'motor.q'"),
        ({"reward": lambda plants: np.zeros(2)}, "reward returns the shape"),
        ({"terminated": lambda plants: False}, "terminated returns the shape"),
    ],
)
def test_what_is_no_environment_is_refused(joint, options, message):
    common = {"actions": {"drive.tau": (-1, 1)}, "observations": ["motor.w"], "reward": lambda plants: np.zeros(3)}
    with pytest.raises(SpecError, match=message):
        sb.VectorEnvironment(joint, "1 ms", 3, **(common | options)).step(np.zeros((3, 1)))


def test_gymnasium(joint):
    pytest.importorskip("gymnasium")
    env = environment(joint, 5, t_end=0.02, terminated=lambda plants: plants["motor.w"] > 1.0).to_gymnasium()
    env.action_space.seed(3)
    env.reset(seed=[2, 3, 4, 5, 6])
    observations, _ = env.reset(seed=2)
    assert env.observation_space.contains(observations) and env.num_envs == 5
    for _ in range(12):
        observations, rewards, terminated, truncated, _ = env.step(env.action_space.sample())
        assert env.observation_space.contains(observations)
        assert rewards.shape == terminated.shape == truncated.shape == (5,)
    with pytest.raises(SpecError, match="shape"):
        env.step([0.0])
