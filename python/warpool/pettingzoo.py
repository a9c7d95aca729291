"""Environments of PettingZoo: one battle in which several agents decide.

Observations are dicts, as in PettingZoo's classic games: `observation`, F features as the agent
sees them, f32, and `action_mask`, 1 for each of A actions that is legal, i8.

A decision belongs to one agent at a time. Where rules let players choose at once, they are asked
one after the other, and what the first chose is hidden from the others until all have chosen. A
battle in which no agent is asked anything ends with the first step, whatever that is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv, ParallelEnv

from warpool.chance import checked_seed
from warpool.decisions import count_decisions
from warpool.environments import Environments
from warpool.infos import check_render_mode, decision_infos, ending_infos, only
from warpool.manifest import Manifest, Sources
from warpool.scenario import Reward
from warpool.spaces import action_numbers, mask_box, observation_box
from warpool.spelling import accept_spellings
from warpool.words import ENVIRONMENT, NONE, TERMINAL

Observation = dict[str, np.ndarray]


class _Battle:
    """One environment, with agents by their names."""

    def __init__(self, scenario: Sources, first_env: int, agents: Iterable[str] | str | None, **choices: Any):
        manifest = Manifest.load(scenario).change(autoreset_mode="disabled", **choices)
        if agents == "all":
            # A player that never decides would wait for ever. It follows the scenario's policies, where it is asked.
            decisions = count_decisions(manifest)
            agents = [name for name, count in decisions.items() if count] or None
        self.manifest = manifest.change(agents=agents)
        self.environments = Environments(self.manifest, 1, first_env=first_env)
        self.is_started = False

    def reset(self, seed: int | None) -> None:
        """Begin the first episode of a seed; without one the next one, of any seed at first."""
        if self.is_started and seed is None:
            self.environments.reset(mask=[True])
        elif seed is None:
            self.environments.reset(int(np.random.default_rng().integers(2**63)))
        else:
            self.environments.reset(checked_seed(seed))
        self.is_started = True

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players of this episode's scenario."""
        return self.manifest.scenarios[int(self.environments.variant[0])].players

    @property
    def decider(self) -> str | None:
        """Who decides, if the battle is not over."""
        player = int(self.environments.player[0])
        return None if player == TERMINAL else self.players[player]

    def check_started(self) -> None:
        """Refuse a step before the first reset."""
        if not self.is_started:
            raise ResetNeeded("expected a reset before the first step, found none")

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees and may do: nothing while another agent is asked."""
        mask = self.environments.mask[0]
        is_asked = self.decider in (agent, None)
        return {
            "observation": self._look(agent),
            "action_mask": mask.copy() if is_asked else np.zeros_like(mask),
        }

    def _look(self, agent: str) -> np.ndarray:
        """Return what an agent sees, whoever decides; all zeros if it is in no such battle."""
        if agent in self.players:
            return self.environments.look(0, self.players.index(agent))
        return np.zeros_like(self.environments.obs[0])

    def rewards(self) -> dict[str, float]:
        """Return what the last step has earned, by agent."""
        return dict(zip(self.manifest.agents, self.environments.reward[0].tolist(), strict=True))

    def info(self) -> dict[str, Any]:
        """Return what infos of all agents hold: always the same keys, as TorchRL needs them; zeros before the end."""
        environments = self.environments
        info = decision_infos(environments)
        # Masks are within observations.
        del info["action_mask"]
        ending = ending_infos(environments, np.array([0]))
        if not (environments.terminated[0] or environments.truncated[0]):
            ending = {name: np.zeros_like(values) for name, values in ending.items()} | {"outcome": np.array([NONE])}
        return only(info | ending)


class _Agents:
    """What both kinds of environments share: agents, spaces and text."""

    @accept_spellings
    def __init__(
        self,
        scenario: Sources,
        *,
        first_env: int = 0,
        agents: Iterable[str] | str | None = None,
        reward: Reward | None = None,
        decisions: Iterable[str] | None = None,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ):
        """Open the environment of an index; the arguments are those of `warpool.Environments`.

        With `agents="all"` the agents are the players that decide (`warpool.count_decisions`). With `render_mode="ansi"`
        `render` returns text.
        """
        super().__init__()
        choices = {"reward": reward, "decisions": decisions, "max_episode_steps": max_episode_steps}
        self._battle = _Battle(scenario, first_env, agents, **choices)
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
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """Return who decides, what this player sees, and what is legal, as text."""
        return None if self.render_mode is None else self._battle.environments.text()

    def close(self) -> None:
        """Do nothing: memory is released with the object."""


class WarpoolAEC(_Agents, AECEnv):
    """One battle, the agents in the order in which rules ask them.

    `observe` of an agent who is not asked gives what it sees at that moment, with nothing legal.
    An illegal action ends the battle: -1 for whoever took it, 0 for the others.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode: the first one of a seed; without one the next one."""
        self._battle.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._show()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, and which actions are legal for it."""
        return self._battle.observe(agent)

    def step(self, action: int | None) -> None:
        """Take the action of the selected agent; None once the battle is over."""
        self._battle.check_started()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._battle.environments.step(np.array([action]))
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
    """One battle, all agents at every step.

    Only the action of the agent who decides counts, `player` in every info. The actions of the
    others are ignored, so that their masks are all ones. Self-play is cheaper as `WarpoolAEC`.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin an episode: the first one of a seed; without one the next one."""
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
        """Take the action of the agent who decides.

        Returns:
            observations, rewards, terminations, truncations, infos, each by agent
        """
        battle = self._battle
        battle.check_started()
        if not self.agents:
            return {}, {}, {}, {}, {}
        decider = battle.decider
        if decider is not None and decider not in actions:
            raise ValueError(f"actions: expected one of {decider}, who decides")
        battle.environments.step([0 if decider is None else actions[decider]])
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
