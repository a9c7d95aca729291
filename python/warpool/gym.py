"""Environments of Gymnasium with one agent: many battles at once, or one.

Importing this module registers `Warpool-v0`, which takes the path of a manifest:

>>> gymnasium.make("warpool.gym:Warpool-v0", manifest="duel.json")
>>> gymnasium.make_vec(
...     "warpool.gym:Warpool-v0",
...     num_envs=1024,
...     vectorization_mode="vector_entry_point",
...     manifest="duel.json",
... )

Infos hold the same things in both, by environment or for the only one:

- `action_mask`: 1 for each legal action, i8; what `Discrete.sample` takes
- `player`, `phase`, `scenario`: who decides what in which scenario, as in `Environments`
- of an episode that has ended also `outcome`, `metrics` (0 if no battle ended it), `length` and
  `invalid` (an illegal action ended it); with same-step autoreset they are within `final_info`
"""

from __future__ import annotations

from os import PathLike
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from warpool.chance import checked_seed
from warpool.environments import OVER, Environments
from warpool.manifest import Manifest
from warpool.spaces import action_numbers, observation_box

_MODES = {
    "next-step": AutoresetMode.NEXT_STEP,
    "same-step": AutoresetMode.SAME_STEP,
    "disabled": AutoresetMode.DISABLED,
}

Source = Manifest | str | PathLike[str] | dict[str, Any]


def _single_agent(source: Source) -> Manifest:
    manifest = Manifest.load(source)
    if len(manifest.agents) != 1:
        agents = ", ".join(manifest.agents)
        raise ValueError(f"manifest: expected one agent, found {agents}: use warpool.pettingzoo")
    return manifest


def _start(environments: Environments, seed: int | None, np_random: np.random.Generator) -> None:
    """Begin the first episodes of a seed; without one it is drawn."""
    environments.reset(int(np_random.integers(2**63)) if seed is None else checked_seed(seed))


def _shown(environments: Environments) -> dict[str, np.ndarray]:
    """Return what infos hold of every environment."""
    return {
        "action_mask": environments.mask,
        "player": environments.player,
        "phase": environments.phase,
        "scenario": environments.variant,
    }


def _ending(environments: Environments, ended: np.ndarray) -> dict[str, np.ndarray]:
    """Return what infos hold of those environments whose episodes have ended."""
    outcome = environments.outcome[ended]
    metrics = environments.metrics[ended]
    metrics[outcome < 0] = 0
    return {
        "outcome": outcome,
        "metrics": metrics,
        "length": environments.length[ended],
        "invalid": environments.invalid[ended],
    }


def _only(infos: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return the infos of the only environment: rows as arrays, numbers as Python's."""
    return {
        name: values[0].copy() if values.ndim > 1 else values[0].item()
        for name, values in infos.items()
    }


class WarpoolVectorEnv(VectorEnv):
    """N battles, the agent at every decision of his.

    Attributes:
        environments: the arrays in the kernel's memory
        manifest: names, units and bounds
    """

    def __init__(
        self,
        manifest: Source,
        num_envs: int = 1,
        *,
        first_env: int = 0,
        autoreset_mode: AutoresetMode | str | None = None,
        max_episode_steps: int | None = None,
        copy: bool = True,
    ):
        """Open environments.

        Args:
            manifest: with one agent
            num_envs: N
            first_env: index of the first, for whoever shares the work
            autoreset_mode: the manifest's unless given
            max_episode_steps: actions after which an episode is truncated, 0: never; the
                manifest's unless given
            copy: False returns arrays that the next call writes anew
        """
        self.manifest = _single_agent(manifest)
        mode = None if autoreset_mode is None else AutoresetMode(autoreset_mode)
        self.environments = Environments(
            self.manifest,
            num_envs,
            first_env=first_env,
            autoreset=next((name for name, each in _MODES.items() if each is mode), None),
            max_steps=max_episode_steps,
        )
        self.num_envs = self.environments.num_envs
        self.single_observation_space = observation_box(self.manifest)
        self.single_action_space = action_numbers(self.manifest)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.autoreset_mode = _MODES[self.environments.autoreset]
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.copy = copy
        self._is_started = False
        #: Scenarios of the episodes that the last step has gone on with.
        self._variant = self.environments.variant.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin episodes: the first ones of a seed; without one the next ones.

        Args:
            seed: 0..2^64-1; drawn the first time unless given
            options: `reset_mask`, N flags, says which environments begin their next episode; not
                together with a seed
        """
        super().reset(seed=seed)
        environments = self.environments
        mask = (options or {}).get("reset_mask")
        if mask is None:
            mask = np.ones(self.num_envs, dtype=np.bool_) if self._is_started else None
        elif seed is not None or not self._is_started:
            raise ValueError("reset_mask: expected no seed, and a reset of all before")
        if seed is not None or mask is None:
            _start(environments, seed, self.np_random)
        else:
            environments.reset(mask=mask)
        self._is_started = True
        self._variant[:] = environments.variant
        return self._given(environments.obs), self._infos()

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take an action in every environment.

        Args:
            actions: N numbers; an illegal one ends its episode with reward -1

        Returns:
            observations N x F f32, rewards N f32, terminations N bool, truncations N bool, infos
        """
        environments = self.environments
        ended = environments.step(actions)
        infos = self._infos()
        if ended.size:
            self._add_ending(infos, ended)
        self._variant[:] = environments.variant
        return (
            self._given(environments.obs),
            self._given(environments.reward[:, 0]),
            self._given(environments.terminated),
            self._given(environments.truncated),
            infos,
        )

    def _given(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self.copy else array

    def _infos(self) -> dict[str, Any]:
        shown = _shown(self.environments)
        return {name: self._given(array) for name, array in shown.items()}

    def _add_ending(self, infos: dict[str, Any], ended: np.ndarray) -> None:
        """Add what has become of episodes, with a flag for each environment that has it."""
        flags = np.zeros(self.num_envs, dtype=np.bool_)
        flags[ended] = True
        last = _ending(self.environments, ended)
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            infos |= self._spread(last, ended, flags)
            return
        # What the kernel shows is of the next episode already. At the end all is legal, and nobody
        # decides.
        last["action_mask"] = np.ones_like(self.environments.mask[ended])
        last["player"] = np.full(ended.size, OVER, dtype=np.int32)
        last["phase"] = np.zeros(ended.size, dtype=np.uint8)
        last["scenario"] = self._variant[ended]
        final_obs = np.full(self.num_envs, None, dtype=object)
        rows = self.environments.final_obs[ended]
        final_obs[ended] = np.fromiter(rows, dtype=object, count=ended.size)
        infos |= {"final_obs": final_obs, "_final_obs": flags}
        infos |= {"final_info": self._spread(last, ended, flags), "_final_info": flags}

    def _spread(
        self, rows: dict[str, np.ndarray], ended: np.ndarray, flags: np.ndarray
    ) -> dict[str, np.ndarray]:
        """Return arrays for all environments with the rows of some."""
        spread: dict[str, np.ndarray] = {}
        for name, values in rows.items():
            spread[name] = np.zeros((self.num_envs, *values.shape[1:]), dtype=values.dtype)
            spread[name][ended] = values
            spread[f"_{name}"] = flags
        return spread


class WarpoolEnv(gymnasium.Env):
    """One battle, the agent at every decision of his.

    Each call goes through Python, so that many battles are far cheaper as a `WarpoolVectorEnv`.

    Attributes:
        environments: the arrays in the kernel's memory, of one row
        manifest: names, units and bounds
    """

    def __init__(self, manifest: Source, *, first_env: int = 0):
        """Open the environment of an index, whose manifest has one agent."""
        self.manifest = _single_agent(manifest)
        self.environments = Environments(
            self.manifest, 1, first_env=first_env, autoreset="disabled"
        )
        self.metadata = {"render_modes": []}
        self.observation_space = observation_box(self.manifest)
        self.action_space = action_numbers(self.manifest)
        self._is_started = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode: the first one of a seed; without one the next one."""
        super().reset(seed=seed)
        if self._is_started and seed is None:
            self.environments.reset(mask=[True])
        else:
            _start(self.environments, seed, self.np_random)
        self._is_started = True
        return self.environments.obs[0].copy(), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take an action; an illegal one ends the episode with reward -1.

        Returns:
            observation F f32, reward, whether the episode has ended, whether it was cut off, info
        """
        environments = self.environments
        ended = environments.step([action])
        info = self._info()
        if ended.size:
            info |= _only(_ending(environments, ended))
        return (
            environments.obs[0].copy(),
            float(environments.reward[0, 0]),
            bool(environments.terminated[0]),
            bool(environments.truncated[0]),
            info,
        )

    def _info(self) -> dict[str, Any]:
        return _only(_shown(self.environments))


gymnasium.register(
    id="Warpool-v0",
    entry_point="warpool.gym:WarpoolEnv",
    vector_entry_point="warpool.gym:WarpoolVectorEnv",
)
