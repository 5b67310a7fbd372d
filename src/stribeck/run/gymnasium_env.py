"""An environment as Gymnasium wants it; imported only where that package is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

if TYPE_CHECKING:
    from .environment import Environment
    from .vector_environment import VectorEnvironment


class GymnasiumEnvironment(gymnasium.Env[np.ndarray, np.ndarray]):
    """A thin coat: everything is done by the environment below.

    >>> GymnasiumEnvironment(environment).reset(seed=1)
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.action_space = Box(*environment.action_limits, dtype=np.float64)
        self.observation_space = Box(*environment.observation_limits, dtype=np.float64)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[np.ndarray, dict[str, Any]]:
        """As that of the environment."""
        super().reset(seed=seed)
        return self.environment.reset(seed=seed, options=options)

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """As that of the environment."""
        return self.environment.step(action)


class GymnasiumVectorEnvironment(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """The same for many copies.

    >>> GymnasiumVectorEnvironment(envs).reset(seed=1)
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(self, environment: VectorEnvironment) -> None:
        self.environment = environment
        self.num_envs = len(environment.plants)
        self.single_action_space = Box(*environment.action_limits, dtype=np.float64)
        self.single_observation_space = Box(*environment.observation_limits, dtype=np.float64)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def reset(self, *, seed: Any = None, options: Any = None) -> tuple[np.ndarray, dict[str, Any]]:
        """As that of the environment; of a list of seeds, one for each copy, the first counts."""
        first = (
            seed if seed is None or np.ndim(seed) == 0 else next((int(one) for one in seed if one is not None), None)
        )
        super().reset(seed=first, options=options)
        return self.environment.reset(seed=first, options=options)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """As that of the environment."""
        return self.environment.step(actions)
