"""A machine as the environment of a learning agent: the interface of Gymnasium, on a stepper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..compile import Program
from ..declare import Count, Param
from ..errors import SpecError, StribeckError
from ..spec import Model
from ..units import to_si
from .stepper import Stepper, realtime

Limits = tuple[Any, Any]
"""Smallest and largest value, numbers or texts with units."""


class Environment:
    """A machine that an agent acts on, with `reset` and `step` as Gymnasium has them.

    `actions` are inputs of the machine (`External` signals) with their limits, `observations` outputs (with limits, if
    they have some). An action holds for `every` tasks of `h` (s). `reward` and `terminated` look at the stepper after
    that; at `t_end` (s) the episode is cut off. `begin` may set inputs at the start of an episode, by chance; the
    first observation to show what comes of them is that after a step. `action_limits` and `observation_limits` hold the
    lower and the upper limits (SI), of which `to_gymnasium` makes spaces.

    >>> env = Environment(model, h="1 ms", every=10, actions={"clutch.f_normalized": (0, 1)},
    ...                   observations=["engine.w", "clutch.w_rel"], reward=lambda s: -abs(s["clutch.w_rel"]))
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step([0.3])
    """

    def __init__(
        self,
        model: Model | Program,
        h: float | str,
        *,
        actions: Mapping[str, Any],
        observations: Sequence[str] | Mapping[str, Limits],
        reward: Callable[[Stepper], float],
        terminated: Callable[[Stepper], bool] = lambda stepper: False,
        begin: Callable[[Stepper, np.random.Generator], None] = lambda stepper, chance: None,
        every: int = 1,
        t_end: float | str | None = None,
        **options: Any,
    ) -> None:
        self.stepper = realtime(model, h, **options)
        self.actions = tuple(actions)
        self.observations = tuple(observations)
        self.every = Count(1, "1", "tasks per action", min=1).to_si(every, {}, "Environment", "every")
        end = self.stepper.program.simulation.t_end if t_end is None else t_end
        self.t_end = Param(None, "s", "end of an episode", above=0).to_si(end, {}, "Environment", "t_end")
        self.action_limits = limits_of(actions, {name: self.stepper.inputs.unit(name) for name in actions})
        units = {name: self.stepper.unit(name) for name in self.observations}
        limits = observations if isinstance(observations, Mapping) else dict.fromkeys(observations, (-np.inf, np.inf))
        self.observation_limits = limits_of(limits, units)
        self._reward, self._terminated, self._begin = reward, terminated, begin
        self._chance = np.random.default_rng()

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[np.ndarray, dict[str, Any]]:
        """A new episode: the observation at the start. A `seed` makes what `begin` does repeat.

        >>> observation, info = env.reset(seed=1)
        """
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self.stepper.reset()
        self._begin(self.stepper, self._chance)
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Observation, reward, whether the episode has ended by itself, and whether it is cut off by the time.

        An action beyond the limits is done as far as they go.

        >>> observation, reward, terminated, truncated, info = env.step([0.3])
        """
        try:
            values = np.atleast_1d(np.asarray(action, float))
        except (TypeError, ValueError):
            values = np.array([np.nan])
        if values.shape != (len(self.actions),) or np.isnan(values).any():
            wanted = ", ".join(self.actions)
            raise SpecError(f"Environment: the action {action!r} must have one number for each of {wanted}")
        held = np.clip(values, *self.action_limits)
        self.stepper.inputs.update(dict(zip(self.actions, held.tolist(), strict=True)))
        self.stepper.step(self.every)
        cut = self.stepper.time > self.t_end - 0.5 * self.stepper.task.h
        ended = bool(self._terminated(self.stepper))
        return self._observe(), float(self._reward(self.stepper)), ended, cut, self._info()

    def close(self) -> None:
        """Nothing is left open."""

    def to_gymnasium(self) -> Any:
        """The same as a `gymnasium.Env`, for libraries that ask for one; needs the package gymnasium.

        >>> env.to_gymnasium().action_space
        """
        try:
            from .gymnasium_env import GymnasiumEnvironment
        except ImportError as error:
            raise StribeckError(f"to_gymnasium needs gymnasium ({error}); install it: pip install gymnasium") from None
        return GymnasiumEnvironment(self)

    def _observe(self) -> np.ndarray:
        return np.array([self.stepper[name] for name in self.observations])

    def _info(self) -> dict[str, Any]:
        return {"time": self.stepper.time, "modes": self.stepper.modes}


def limits_of(limits: Mapping[str, Limits], units: Mapping[str, str]) -> tuple[np.ndarray, np.ndarray]:
    """The lower and the upper limits in SI.

    >>> limits_of({"throttle": (0, 1)}, {"throttle": "1"})
    (array([0.]), array([1.]))
    """
    rows = []
    for name, pair in limits.items():
        if isinstance(pair, str) or np.shape(pair) != (2,):
            raise SpecError(f"Environment: {name} = {pair!r} must be two limits, such as (0, 1)")
        low, high = (_limit(value, units[name], name) for value in pair)
        if low > high:
            raise SpecError(f"Environment: {name} has the limits {pair}; write the smaller one first")
        rows.append((low, high))
    table = np.array(rows, float).reshape(-1, 2)
    return table[:, 0].copy(), table[:, 1].copy()


def _limit(value: Any, unit: str, name: str) -> float:
    if isinstance(value, float) and np.isinf(value):
        return value
    return to_si(value, unit, "Environment", name)
