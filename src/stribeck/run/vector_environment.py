"""Many copies of a machine as the environments of learning agents: the vector interface of Gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..compile import Program, compile_model
from ..declare import Count, Param
from ..errors import SpecError, StribeckError
from ..spec import Model
from .copies import Copies
from .environment import Limits, limits_of
from .stepper import realtime


class VectorEnvironment:
    """Copies of a machine that agents act on at once: as `Environment`, with arrays.

    `reward` and `terminated` look at all copies and return an array; `begin` may set inputs of the copies that start,
    given as truths. A copy whose episode has ended starts again in the next step, whose action it ignores; that step
    has the reward 0. `values` has sequences of parameters that differ between the copies.

    >>> envs = VectorEnvironment(model, "1 ms", copies=64, actions={"clutch.f_normalized": (0, 1)},
    ...                          observations=["engine.w"], reward=lambda plants: -abs(plants["clutch.w_rel"]))
    >>> observations, info = envs.reset(seed=1)
    >>> observations, rewards, terminated, truncated, info = envs.step(numpy.full((64, 1), 0.3))
    """

    def __init__(
        self,
        model: Model | Program,
        h: float | str,
        copies: int,
        *,
        actions: Mapping[str, Any],
        observations: Sequence[str] | Mapping[str, Limits],
        reward: Callable[[Copies], np.ndarray],
        terminated: Callable[[Copies], np.ndarray] = lambda plants: np.zeros(len(plants), bool),
        begin: Callable[[Copies, np.ndarray, np.random.Generator], None] = lambda plants, which, chance: None,
        every: int = 1,
        t_end: float | str | None = None,
        values: Mapping[str, Any] | None = None,
    ) -> None:
        program = model if isinstance(model, Program) else compile_model(model)
        self.plants = realtime(program, h, copies=copies, values=values, energy=False)
        self.actions, self.observations = tuple(actions), tuple(observations)
        self.every = int(Count(1, "1", "tasks per action", min=1).to_si(every, {}, "VectorEnvironment", "every"))
        end = program.simulation.t_end if t_end is None else t_end
        self.t_end = Param(None, "s", "end of an episode", above=0).to_si(end, {}, "VectorEnvironment", "t_end")
        self.action_limits = limits_of(actions, {name: self.plants.input_unit(name) for name in actions})
        units = {name: self.plants.unit(name) for name in self.observations}
        limits = observations if isinstance(observations, Mapping) else dict.fromkeys(observations, (-np.inf, np.inf))
        self.observation_limits = limits_of(limits, units)
        self._reward, self._terminated, self._begin = reward, terminated, begin
        self._chance = np.random.default_rng()
        self._ended = np.zeros(len(self.plants), bool)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[np.ndarray, dict[str, Any]]:
        """New episodes of all copies: observations, copies x names.

        >>> observations, info = envs.reset(seed=1)
        """
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self._start(np.ones(len(self.plants), bool))
        return self._observe(), {}

    def _start(self, which: np.ndarray) -> None:
        self.plants.reset(which)
        self._begin(self.plants, which, self._chance)
        self._ended = np.zeros(len(self.plants), bool)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Observations, rewards, whether each episode has ended by itself, and whether the time has cut it off.

        >>> observations, rewards, terminated, truncated, info = envs.step(numpy.full((64, 1), 0.3))
        """
        shape = (len(self.plants), len(self.actions))
        values = np.asarray(actions, float)
        if values.shape != shape or np.isnan(values).any():
            wanted = ", ".join(self.actions)
            raise SpecError(f"VectorEnvironment: actions must be numbers of the shape {shape}: copies x ({wanted})")
        held = np.clip(values, *self.action_limits)
        started = self._ended
        self.plants.step(self.every, dict(zip(self.actions, held.T, strict=True)))
        if started.any():
            self._start(started)
        cut = (self.plants.time > self.t_end - 0.5 * self.plants.task.h) & ~started
        ended = self._each("terminated", self._terminated(self.plants), bool) & ~started
        rewards = np.where(started, 0.0, self._each("reward", self._reward(self.plants), float))
        self._ended = ended | cut
        return self._observe(), rewards, ended, cut, {}

    def _each(self, name: str, found: Any, kind: type) -> np.ndarray:
        """What a function of the user has found: one value for each copy."""
        values: np.ndarray = np.asarray(found, kind)
        if values.shape != (len(self.plants),):
            raise SpecError(
                f"VectorEnvironment: {name} returns the shape {values.shape}; it must return one value for each of the "
                f"{len(self.plants)} copies"
            )
        return values

    def close(self) -> None:
        """Nothing is left open."""

    def to_gymnasium(self) -> Any:
        """The same as a `gymnasium.vector.VectorEnv`; needs the package gymnasium.

        >>> envs.to_gymnasium().num_envs
        64
        """
        try:
            from .gymnasium_env import GymnasiumVectorEnvironment
        except ImportError as error:
            raise StribeckError(f"to_gymnasium needs gymnasium ({error}); install it: pip install gymnasium") from None
        return GymnasiumVectorEnvironment(self)

    def _observe(self) -> np.ndarray:
        return self.plants.outputs(list(self.observations))
