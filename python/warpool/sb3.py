"""Vector environment for Stable-Baselines3, such as `PPO` and `MaskablePPO`, in a single process.

>>> from sb3_contrib import MaskablePPO
>>> from warpool.sb3 import WarpoolVecEnv
>>> model = MaskablePPO("MlpPolicy", WarpoolVecEnv("phased-dice-ground", num_envs=128, scale=True))
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from warpool.gym import WarpoolVectorEnv
from warpool.manifest import Sources


class WarpoolVecEnv(VecEnv):
    """N battles; each step is a decision of the agent.

    Attributes:
        envs: the same battles as a vector environment of Gymnasium
    """

    def __init__(self, scenario: Sources, num_envs: int = 64, **options: Any):
        """Open environments; options as for `WarpoolVectorEnv`, except the autoreset mode."""
        options |= {"autoreset_mode": "same-step", "episode_statistics": True}
        self.envs = WarpoolVectorEnv(scenario, num_envs, **options)
        self._actions: np.ndarray | None = None
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self) -> np.ndarray:
        """Start the first episodes of the seed from `seed`, or else the next ones."""
        observations, _ = self.envs.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take the actions; infos of finished episodes have the keys of Stable-Baselines3, and the outcome."""
        observations, rewards, terminations, truncations, infos = self.envs.step(np.asarray(self._actions))
        found: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = terminations | truncations
        for env in np.flatnonzero(ended).tolist():
            found[env] = {
                "terminal_observation": infos["final_obs"][env],
                "TimeLimit.truncated": bool(truncations[env]),
                "episode": {key: values[env].item() for key, values in infos["episode"].items()},
                "outcome": infos["final_info"]["outcome"][env].item(),
            }
        return observations, rewards, ended, found

    def action_masks(self) -> np.ndarray:
        """Return flags of the legal actions, N x A."""
        return self.envs.action_masks()

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:
        """Return the result of a method of `WarpoolVectorEnv` by environment."""
        rows = self.envs.call(method_name, *arguments, **named)
        return [rows[index] for index in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of each environment."""
        if callable(getattr(self.envs, attr_name)):
            return [getattr(self.envs, attr_name)] * len(list(self._get_indices(indices)))
        return self.env_method(attr_name, indices=indices)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise an error, because the environments share all attributes."""
        raise AttributeError(f"{attr_name}: cannot be set, {self.num_envs} environments share it")

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper], indices: Any = None) -> list[bool]:
        """Return False for each environment."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Do nothing: memory is released with the object."""
