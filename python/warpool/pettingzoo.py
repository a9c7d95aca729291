"""PettingZoo environments: one battle with several agents.

Importing this module registers environments in both registries of PettingZoo, if its version has registries:
`warpool/<name>-v1` of each bundled scenario with all agents, and `Warpool-v1` for manifests.

Observations are dicts, as in PettingZoo's classic games: `observation`, F features observed by the
agent, f32, and `action_mask`, 1 for each legal one of A actions, i8.

One agent decides at a time. If the rules let players choose simultaneously, they decide
one after the other, and earlier choices are hidden until all have chosen. A
battle without decisions of agents ends with the first step, whatever the action.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pettingzoo
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv, ParallelEnv

from warpool.chance import checked_seed
from warpool.decisions import count_decisions
from warpool.environments import Environments, select_agents
from warpool.infos import Story, check_render_mode, decision_infos, ending_infos, only
from warpool.manifest import Manifest, Sources
from warpool.opponents import OpponentPolicy
from warpool.scenario import Reward
from warpool.shipped import scenarios
from warpool.spaces import action_numbers, mask_box, observation_box
from warpool.spelling import accept_spellings
from warpool.words import ENVIRONMENT, NONE, TERMINAL

Observation = dict[str, np.ndarray]


class _Battle:
    """One environment, with agents by name."""

    def __init__(
        self,
        scenario: Sources,
        first_env: int,
        agents: Iterable[str] | str | None,
        opponents: Mapping[str, OpponentPolicy],
        **choices: Any,
    ):
        manifest = Manifest.load(scenario).change(autoreset_mode="disabled", **choices)
        if agents == "all":
            # A player that never decides would wait forever, so it is not an agent.
            decisions = count_decisions(manifest)
            agents = [name for name, count in decisions.items() if count and name not in opponents] or None
        self.manifest = manifest.change(agents=select_agents(manifest, agents, opponents))
        self.environments = Environments(self.manifest, 1, first_env=first_env, opponents=opponents)
        self.is_started = False
        self.story = Story(self.environments, scenario)

    def reset(self, seed: int | None) -> None:
        """Start the first episode of a seed, or else the next one; the first time of a random seed."""
        if self.is_started and seed is None:
            self.environments.reset(mask=[True])
        elif seed is None:
            self.environments.reset(int(np.random.default_rng().integers(2**63)))
        else:
            self.environments.reset(checked_seed(seed))
        self.is_started = True
        self.story.begin()

    def step(self, action: int | None) -> None:
        """Take the action of the deciding agent."""
        if action is None:
            raise ValueError(f"action: expected an action of {self.decider}, found None")
        self.story.add(action)
        self.environments.step(np.array([action]))

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players of this episode's scenario."""
        return self.manifest.scenarios[int(self.environments.variant[0])].players

    @property
    def decider(self) -> str | None:
        """Deciding player; None after the battle."""
        player = int(self.environments.player[0])
        return None if player == TERMINAL else self.players[player]

    def check_started(self) -> None:
        """Reject a step before the first reset."""
        if not self.is_started:
            raise ResetNeeded("expected a reset before the first step, found none")

    def observe(self, agent: str) -> Observation:
        """Return observation and mask of an agent; nothing is legal while another agent decides."""
        mask = self.environments.mask[0]
        is_asked = self.decider in (agent, None)
        return {
            "observation": self._look(agent),
            "action_mask": mask.copy() if is_asked else np.zeros_like(mask),
        }

    def _look(self, agent: str) -> np.ndarray:
        """Return the observation of an agent, whoever decides; zeros if it is not in this battle."""
        if agent in self.players:
            return self.environments.look(0, self.players.index(agent))
        return np.zeros_like(self.environments.obs[0])

    def rewards(self) -> dict[str, float]:
        """Return the rewards of the last step by agent."""
        return dict(zip(self.manifest.agents, self.environments.reward[0].tolist(), strict=True))

    def info(self) -> dict[str, Any]:
        """Return the info of all agents: always the same keys, as TorchRL requires; zeros before the end."""
        environments = self.environments
        info = decision_infos(environments)
        # Masks are in observations.
        del info["action_mask"]
        ending = ending_infos(environments, np.array([0]))
        if not (environments.terminated[0] or environments.truncated[0]):
            ending = {name: np.zeros_like(values) for name, values in ending.items()} | {"outcome": np.array([NONE])}
        return only(info | ending)


class _Agents:
    """Base of both kinds of environments: agents, spaces and text."""

    @accept_spellings
    def __init__(
        self,
        scenario: Sources,
        *,
        first_env: int = 0,
        agents: Iterable[str] | str | None = None,
        opponents: Mapping[str, OpponentPolicy] | None = None,
        reward: Reward | None = None,
        decisions: Iterable[str] | None = None,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ):
        """Open one environment; the arguments are the same as for `warpool.Environments`.

        With `agents="all"`, all players with decisions are agents (`warpool.count_decisions`). With
        `render_mode="ansi"`, `render` returns text.
        """
        super().__init__()
        choices = {"reward": reward, "decisions": decisions, "max_episode_steps": max_episode_steps}
        self._battle = _Battle(scenario, first_env, agents, opponents or {}, **choices)
        self.manifest = self._battle.manifest
        self.metadata = {
            "name": f"warpool_{self.manifest.system}_v{ENVIRONMENT}",
            "render_modes": ["ansi"],
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.render_mode = check_render_mode(render_mode)
        self.possible_agents = list(self.manifest.agents)
        self.agents: list[str] = []
        box, mask = observation_box(self.manifest), mask_box(self.manifest)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": box, "action_mask": mask}) for agent in self.manifest.agents
        }
        self.action_spaces = {agent: action_numbers(self.manifest) for agent in self.manifest.agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of an agent, always the same object."""
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """Return a text with events, last action, deciding player, observation and legal actions, as in Gymnasium."""
        return None if self.render_mode is None else self._battle.story.text()

    def close(self) -> None:
        """Do nothing: memory is released with the object."""


class WarpoolAEC(_Agents, AECEnv):
    """One battle, with agents in the order of their decisions.

    `observe` of an agent that does not decide returns its current observation, with no legal action.
    An illegal action ends the battle: -1 for its agent, 0 for the others.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode: the first one of a seed, or else the next one."""
        self._battle.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._show()

    def observe(self, agent: str) -> Observation:
        """Return the observation and the legal actions of an agent."""
        return self._battle.observe(agent)

    def step(self, action: int | None) -> None:
        """Take the action of the selected agent; None after the end of the battle."""
        self._battle.check_started()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._battle.step(action)
        self.rewards = self._battle.rewards()
        self._accumulate_rewards()
        self._show()

    def _show(self) -> None:
        battle = self._battle
        self.terminations = dict.fromkeys(self.agents, bool(battle.environments.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(battle.environments.truncated[0]))
        self.infos = {agent: battle.info() for agent in self.agents}
        self.agent_selection = battle.decider or self.agents[0]


class WarpoolParallel(_Agents, ParallelEnv):
    """One battle, with all agents in every step.

    Only the action of the deciding agent counts, `player` in every info. The actions of the
    others are ignored, so their masks are all ones. `WarpoolAEC` is cheaper for self-play.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start an episode: the first one of a seed, or else the next one."""
        self._battle.reset(seed)
        self.agents = self.possible_agents[:]
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take the action of the deciding agent.

        Returns:
            observations, rewards, terminations, truncations, infos, each by agent
        """
        battle = self._battle
        battle.check_started()
        if not self.agents:
            return {}, {}, {}, {}, {}
        decider = battle.decider
        if decider is not None and decider not in actions:
            raise ValueError(f"actions: expected an action of {decider}, the deciding agent")
        battle.step(0 if decider is None else actions[decider])
        terminated = bool(battle.environments.terminated[0])
        truncated = bool(battle.environments.truncated[0])
        given = (
            self._observations(),
            battle.rewards(),
            dict.fromkeys(self.agents, terminated),
            dict.fromkeys(self.agents, truncated),
            self._infos(),
        )
        if terminated or truncated:
            self.agents = []
        return given

    def _observations(self) -> dict[str, Observation]:
        observations = {agent: self._battle.observe(agent) for agent in self.agents}
        for agent, observation in observations.items():
            if self._battle.decider not in (agent, None):
                observation["action_mask"][:] = 1
        return observations

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: self._battle.info() for agent in self.agents}


# PettingZoo 1.25 has no registries.
if hasattr(pettingzoo, "register"):
    for _kind, _class in (("aec", "WarpoolAEC"), ("parallel", "WarpoolParallel")):
        _entry = f"warpool.pettingzoo:{_class}"
        pettingzoo.register(_kind, f"Warpool-v{ENVIRONMENT}", _entry)
        for _name in scenarios():
            _options = {"scenario": _name, "agents": "all"}
            pettingzoo.register(_kind, f"warpool/{_name}-v{ENVIRONMENT}", _entry, kwargs=_options)
