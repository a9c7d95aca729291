"""Gymnasium environments with one agent: a vector of battles, or a single battle.

Importing this module registers an environment for each bundled scenario, and `Warpool-v1` for manifests:

>>> gymnasium.make("warpool.gym:warpool/conquest-dice-siege-v1")
>>> gymnasium.make_vec("warpool.gym:Warpool-v1", num_envs=1024, scenario="duel.json")

Infos have the same keys in both:

- `action_mask`: 1 for each legal action, i8; as for `Discrete.sample`
- `player`, `phase`, `scenario`: deciding player, decision point and scenario, as in `Environments`
- after an episode also `outcome`, `metrics` (0 if its battle did not end), `length` and
  `invalid` (ended by an illegal action); with same-step autoreset they are in `final_info`
- in vectors with `episode_statistics=True`, after an episode also `episode`: return
  `r`, actions `l` and seconds `t`, like Gymnasium's `RecordEpisodeStatistics`, and correct in all modes

`manifest.names(info)` replaces the numbers by names.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from warpool.chance import checked_seed
from warpool.choices import check_name
from warpool.decisions import count_decisions
from warpool.environments import Environments, select_agents
from warpool.infos import Story, check_render_mode, decision_infos, ending_infos, final_decision_infos, only
from warpool.manifest import Manifest, Sources
from warpool.opponents import OpponentPolicy
from warpool.scenario import Reward
from warpool.shipped import scenarios
from warpool.spaces import action_numbers, observation_box
from warpool.spelling import accept_spellings
from warpool.words import ENVIRONMENT

_MODES = {
    "next-step": AutoresetMode.NEXT_STEP,
    "same-step": AutoresetMode.SAME_STEP,
    "disabled": AutoresetMode.DISABLED,
}

#: Gymnasium requires `render_fps` with render modes.
_METADATA: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}


def _single_agent(
    source: Sources,
    agents: Iterable[str] | str | None,
    opponents: Mapping[str, OpponentPolicy] | None,
    **choices: Any,
) -> Manifest:
    manifest = Manifest.load(source)
    manifest = manifest.change(agents=select_agents(manifest, agents, opponents or {}), **choices)
    if len(manifest.agents) != 1:
        agents = ", ".join(manifest.agents)
        raise ValueError(f"agents: expected one, found {agents}: use warpool.pettingzoo")
    [agent] = manifest.agents
    decisions = count_decisions(manifest)
    if not decisions[agent]:
        others = ", ".join(name for name, count in decisions.items() if count) or "none"
        warnings.warn(f"agents: {agent} had no decision in 1024 battles; deciding players: {others}", stacklevel=4)
    return manifest


def _check_options(options: dict[str, Any], known: tuple[str, ...]) -> None:
    """Reject unknown options of a reset, which would be ignored."""
    for name in options:
        check_name("options", name, known or ("none",))


def _start(
    environments: Environments, seed: int | Sequence[int] | None, np_random: np.random.Generator
) -> None:
    """Start the first episodes of a seed; by default a random one."""
    environments.reset(int(np_random.integers(2**63)) if seed is None else seed)


def _observed(array: np.ndarray, manifest: Manifest, scale: bool, copy: bool = True) -> np.ndarray:
    """Return observations, scaled or copied on request."""
    if scale:
        array = array / manifest.scales
    return np.array(array) if copy else array


class WarpoolVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """N battles; each step is a decision of the agent.

    Attributes:
        environments: arrays in the kernel's memory
        manifest: names, units and bounds
    """

    single_observation_space: spaces.Box
    single_action_space: spaces.Discrete
    render_mode: str | None

    @accept_spellings
    def __init__(
        self,
        scenario: Sources,
        num_envs: int = 1,
        *,
        weights: Iterable[float] | None = None,
        first_env: int = 0,
        agents: Iterable[str] | str | None = None,
        opponents: Mapping[str, OpponentPolicy] | None = None,
        reward: Reward | None = None,
        decisions: Iterable[str] | None = None,
        autoreset_mode: AutoresetMode | str | None = None,
        max_episode_steps: int | None = None,
        scale: bool = False,
        copy: bool = True,
        episode_statistics: bool = False,
        render_mode: str | None = None,
    ):
        """Open environments.

        The defaults of agents, reward, decisions, mode and limit are those of the manifest. Its mode is `same-step`
        unless it sets another one.

        Args:
            scenario: name of a bundled scenario, or a manifest; or a list of these, all of
                one system: each episode samples one
            num_envs: N
            weights: relative frequencies of the scenarios
            first_env: index of the first environment, for processes that share work
            agents: name of the player that is the agent
            opponents: policies of other players, as for `warpool.Environments`; observations are not scaled
            reward: name of a reward, or a table of outcomes, metrics and steps for the agent
            decisions: decision points at which the agent decides
            autoreset_mode: a mode of Gymnasium
            max_episode_steps: actions after which an episode is truncated, 0: never
            scale: True divides observations by `manifest.scales`, into 0..1, or -1..1 for features that can be
                negative
            copy: False returns arrays that the next call overwrites; scaled observations are always copies
            episode_statistics: True adds `episode` to infos, like wrappers of Gymnasium
            render_mode: with `ansi`, `render` returns a text for each environment
        """
        self.manifest = _single_agent(
            scenario,
            agents,
            opponents,
            weights=weights,
            reward=reward,
            decisions=decisions,
            autoreset_mode=autoreset_mode,
            max_episode_steps=max_episode_steps,
        )
        self.environments = Environments(self.manifest, num_envs, first_env=first_env, opponents=opponents)
        self.num_envs = self.environments.num_envs
        self.single_observation_space = observation_box(self.manifest, scale)  # pyright: ignore[reportIncompatibleVariableOverride]
        self.single_action_space = action_numbers(self.manifest)  # pyright: ignore[reportIncompatibleVariableOverride]
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.autoreset_mode = _MODES[self.environments.autoreset]
        self.metadata = _METADATA | {"autoreset_mode": self.autoreset_mode}
        self.render_mode = check_render_mode(render_mode)
        self.scale = scale
        self.copy = copy
        self.episode_statistics = episode_statistics
        self._is_started = False
        #: Start times of episodes, in seconds.
        self._began = np.zeros(self.num_envs)
        #: Gymnasium's flags of infos that all environments have.
        self._everywhere = np.ones(self.num_envs, dtype=np.bool_)
        self._everywhere.flags.writeable = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start episodes: the first ones of a seed, or else the next ones.

        Args:
            seed: 0..2^64-1 for all environments, which have separate streams; random the first time
                by default. A list has one for the first episode of each environment; later episodes use
                the first seed
            options: `reset_mask`, N flags, marks environments to start their next episode; not
                allowed with a seed
        """
        several = None if seed is None or isinstance(seed, int | np.integer) else [checked_seed(each) for each in seed]
        first = several[0] if several else cast("int | None", seed)
        super().reset(seed=None if first is None else checked_seed(first))
        _check_options(options or {}, ("reset_mask",))
        environments = self.environments
        mask = (options or {}).get("reset_mask")
        if mask is None:
            mask = np.ones(self.num_envs, dtype=np.bool_) if self._is_started else None
        elif seed is not None or not self._is_started:
            raise ValueError("reset_mask: expected no seed, and a reset of all before")
        if seed is not None or mask is None:
            _start(environments, several or seed, self.np_random)
        else:
            environments.reset(mask=mask)
        self._began[slice(None) if seed is not None or mask is None else mask] = time.perf_counter()
        self._is_started = True
        return self._observed(environments.obs), self._infos()

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take an action in every environment.

        Args:
            actions: N action indices; an illegal one ends its episode with reward -1

        Returns:
            observations N x F f32, rewards N f32, terminations N bool, truncations N bool, infos

        Raises:
            gymnasium.error.ResetNeeded: there was no reset
        """
        if not self._is_started:
            raise ResetNeeded("expected a reset before the first step, found none")
        environments = self.environments
        # Not None, which means the content of `act` in `Environments`.
        ended = environments.step(np.asarray(actions))
        infos = self._infos()
        if ended.size:
            self._add_ending(infos, ended)
        return (
            self._observed(environments.obs),
            self._given(environments.reward[:, 0]),
            self._given(environments.terminated),
            self._given(environments.truncated),
            infos,
        )

    def set_opponents(self, opponents: Mapping[str, OpponentPolicy]) -> None:
        """Replace all opponents, between two steps: the battles continue with the new policies."""
        self.environments.set_opponents(opponents)

    def action_masks(self) -> np.ndarray:
        """Return flags of the legal actions, N x A."""
        return self.environments.mask.astype(np.bool_)

    def render(self) -> tuple[str, ...] | None:
        """Return a text for each environment: deciding player, observation, and legal actions."""
        if self.render_mode is None:
            return None
        return tuple(self.environments.text(env) for env in range(self.num_envs))

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return an attribute, or the result of a method, by environment, like Gymnasium's vectors."""
        found = getattr(self, name)
        result = found(*args, **kwargs) if callable(found) else found
        if isinstance(result, tuple | np.ndarray) and len(result) == self.num_envs:
            return tuple(result)
        return (result,) * self.num_envs

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return an attribute of each environment."""
        return self.call(name)

    def _observed(self, array: np.ndarray) -> np.ndarray:
        return _observed(array, self.manifest, self.scale, self.copy)

    def _given(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self.copy else array

    def _infos(self) -> dict[str, Any]:
        shown = decision_infos(self.environments)
        infos: dict[str, Any] = {name: self._given(array) for name, array in shown.items()}
        return infos | {f"_{name}": self._everywhere for name in shown}

    def _add_ending(self, infos: dict[str, Any], ended: np.ndarray) -> None:
        """Add results of finished episodes, with a flag for each environment."""
        flags = np.zeros(self.num_envs, dtype=np.bool_)
        flags[ended] = True
        if self.episode_statistics:
            infos |= self._statistics(ended, flags)
        last = ending_infos(self.environments, ended)
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            infos |= self._spread(last, ended, flags)
            return
        last |= final_decision_infos(self.environments, ended)
        final_obs = np.full(self.num_envs, None, dtype=object)
        rows = self._observed(self.environments.final_obs[ended])
        final_obs[ended] = np.fromiter(rows, dtype=object, count=ended.size)
        infos |= {"final_obs": final_obs, "_final_obs": flags}
        infos |= {"final_info": self._spread(last, ended, flags), "_final_info": flags}

    def _statistics(self, ended: np.ndarray, flags: np.ndarray) -> dict[str, Any]:
        """Return statistics of finished episodes, like Gymnasium's `RecordEpisodeStatistics`."""
        environments, now = self.environments, time.perf_counter()
        returned, length, seconds = (np.zeros(self.num_envs, dtype=kind) for kind in (float, int, float))
        returned[ended] = environments.final_return[ended, 0]
        length[ended] = environments.length[ended]
        seconds[ended] = np.round(now - self._began[ended], 6)
        self._began[ended] = now
        return {"episode": {"r": returned, "l": length, "t": seconds}, "_episode": flags}

    def _spread(
        self, rows: dict[str, np.ndarray], ended: np.ndarray, flags: np.ndarray
    ) -> dict[str, np.ndarray]:
        """Expand rows of some environments to arrays for all."""
        spread: dict[str, np.ndarray] = {}
        for name, values in rows.items():
            spread[name] = np.zeros((self.num_envs, *values.shape[1:]), dtype=values.dtype)
            spread[name][ended] = values
            spread[f"_{name}"] = flags
        return spread


class WarpoolEnv(gymnasium.Env[np.ndarray, "int | np.int64"]):
    """One battle; each step is a decision of the agent.

    Each call goes through Python, so `WarpoolVectorEnv` is much faster for many battles.

    Attributes:
        environments: arrays in the kernel's memory, with one row
        manifest: names, units and bounds
    """

    observation_space: spaces.Box
    action_space: spaces.Discrete
    metadata = _METADATA

    @accept_spellings
    def __init__(
        self,
        scenario: Sources,
        *,
        weights: Iterable[float] | None = None,
        first_env: int = 0,
        agents: Iterable[str] | str | None = None,
        opponents: Mapping[str, OpponentPolicy] | None = None,
        reward: Reward | None = None,
        decisions: Iterable[str] | None = None,
        max_episode_steps: int | None = None,
        scale: bool = False,
        render_mode: str | None = None,
    ):
        """Open one environment; the arguments are the same as for `WarpoolVectorEnv`."""
        self.manifest = _single_agent(
            scenario,
            agents,
            opponents,
            weights=weights,
            reward=reward,
            decisions=decisions,
            autoreset_mode=AutoresetMode.DISABLED,
            max_episode_steps=max_episode_steps,
        )
        self.environments = Environments(self.manifest, 1, first_env=first_env, opponents=opponents)
        self.metadata = dict(_METADATA)
        self.render_mode = check_render_mode(render_mode)
        self.scale = scale
        self.observation_space = observation_box(self.manifest, scale)  # pyright: ignore[reportIncompatibleVariableOverride]
        self.action_space = action_numbers(self.manifest)  # pyright: ignore[reportIncompatibleVariableOverride]
        self._is_started = False
        self._story = Story(self.environments, scenario)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start an episode: the first one of a seed, or else the next one. There are no options."""
        super().reset(seed=seed)
        _check_options(options or {}, ())
        self._story.begin()
        if self._is_started and seed is None:
            self.environments.reset(mask=[True])
        else:
            _start(self.environments, seed, self.np_random)
        self._is_started = True
        return self._observed(), self._info()

    def step(self, action: int | np.int64) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take an action; an illegal one ends the episode with reward -1.

        Returns:
            observation F f32, reward, terminated, truncated, info

        Raises:
            gymnasium.error.ResetNeeded: there was no reset
        """
        if not self._is_started:
            raise ResetNeeded("expected a reset before the first step, found none")
        environments = self.environments
        self._story.add(int(action))
        ended = environments.step(np.asarray([action]))
        info = self._info()
        if ended.size:
            info |= only(ending_infos(environments, ended))
        return (
            self._observed(),
            float(environments.reward[0, 0]),
            bool(environments.terminated[0]),
            bool(environments.truncated[0]),
            info,
        )

    def action_masks(self) -> np.ndarray:
        """Return flags of the legal actions, A, as MaskablePPO of sb3-contrib requires."""
        return np.array(self.environments.mask[0], dtype=np.bool_)

    def render(self) -> str | None:
        """Return a text with events, last action, deciding player, observation and legal actions.

        Node.js replays the events of a shipped scenario; without it, the text has none.
        """
        return None if self.render_mode is None else self._story.text()

    def _observed(self) -> np.ndarray:
        return _observed(self.environments.obs[0], self.manifest, self.scale)

    def _info(self) -> dict[str, Any]:
        return only(decision_infos(self.environments))


def make_vector(*arguments: Any, **options: Any) -> WarpoolVectorEnv:
    """Return a `WarpoolVectorEnv` for `make_vec`, with Gymnasium's default autoreset mode, next-step."""
    if not {"autoreset", "autoreset_mode"} & set(options):
        options["autoreset_mode"] = AutoresetMode.NEXT_STEP
    return WarpoolVectorEnv(*arguments, **options)


def _register(name: str, **options: Any) -> None:
    gymnasium.register(
        id=f"{name}-v{ENVIRONMENT}",
        entry_point="warpool.gym:WarpoolEnv",
        vector_entry_point="warpool.gym:make_vector",
        kwargs=options,
    )


_register("Warpool")
for _name in scenarios():
    _register(f"warpool/{_name}", scenario=_name)
