"""An environment as Gymnasium wants it; imported only where that package is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box

if TYPE_CHECKING:
    from .environment import Environment


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
