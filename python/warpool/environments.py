"""Many battles in lockstep, an agent at every decision: arrays over kernel memory, no copies."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from warpool.chance import checked_integer, checked_seed, run_key
from warpool.kernel import Kernel
from warpool.manifest import Manifest, Sources
from warpool.opponents import OpponentPolicy, Opponents
from warpool.records import check_records
from warpool.scenario import Reward
from warpool.spelling import accept_spellings
from warpool.words import Configuration, Record, Status

_UNLIMITED = 2**32 - 1

#: Steps of a chunk, at most about 0.1 s, and assumed steps of a battle.
_PORTION = 2**17
_USUAL_LENGTH = 64

#: A snapshot starts with the seed and the fingerprint of the environments, 8 bytes each.
_SEED_BYTES = 8
_HEAD_BYTES = 16


@dataclass(frozen=True)
class Playouts:
    """Results of one battle, simulated to its end many times."""

    #: Battles by outcome, in the order of the scenario's outcomes.
    counts: np.ndarray
    #: Means of the metrics, in the order and the units of the scenario's metrics.
    means: np.ndarray


class Environments:
    """N environments with A actions, F features, K agents and M metrics.

    Arrays are views of the kernel's memory, and each call overwrites them: use `.copy()` for data
    that you need later. Only one thread at a time may use environments. Calls release the
    GIL, so environments of several threads run in parallel.
    """

    #: Next actions, by index. N, i32. Default actions of `step`.
    act: np.ndarray
    #: Observations of the deciding players, integers in the units of the features. N x F, f32.
    obs: np.ndarray
    #: 1 for each legal action of the pending decision, also after a truncation; all 1 after the battle
    #: ends. N x A, i8. `step` reads it.
    mask: np.ndarray
    #: Rewards of the agents in the last step. N x K, f32.
    reward: np.ndarray
    #: The last step has ended the battle, perhaps by an illegal action. N.
    terminated: np.ndarray
    #: The last step has reached the limit of steps. N, bool.
    truncated: np.ndarray
    #: The player of the pending decision, also after a truncation, by index in the scenario; -4 when the
    #: battle is over. N, i32.
    player: np.ndarray
    #: Pending decision point, counted from 1, also after a truncation; 0 after the battle ends. N, u8.
    phase: np.ndarray
    #: Last observation of the last finished episode: after a truncation, the next observation of the
    #: deciding player; after the end of a battle, everything. N x F, f32.
    final_obs: np.ndarray
    #: `mask`, `player` and `phase` at the end of that episode. N x A, i8; N, i32; N, u8.
    final_mask: np.ndarray
    final_player: np.ndarray
    final_phase: np.ndarray
    #: The sums of its rewards. N x K, f32.
    final_return: np.ndarray
    #: Index of the episode. N, u32.
    episode: np.ndarray
    #: The last action was illegal. N, bool.
    invalid: np.ndarray
    #: Environments whose episodes the last step has ended; the rest is undefined. N, i32.
    finished: np.ndarray
    #: Outcome of the last finished episode, by index in its scenario; -1: its battle did not end. N.
    outcome: np.ndarray
    #: Metrics of the last finished battle, in their units. N x M, i32.
    metrics: np.ndarray
    #: The scenario of the episode, by index in the manifest. N, i32.
    variant: np.ndarray
    #: Number of actions of the last finished episode. N, u32.
    length: np.ndarray
    #: Its scenario, by index in the manifest. N, i32.
    final_variant: np.ndarray
    #: Marks environments for a masked reset; `reset` writes it. N, bool.
    reset_mask: np.ndarray
    #: States in rows, which `state` and `set_state` read and write. N x bytes, u8.
    record: np.ndarray

    @accept_spellings
    def __init__(
        self,
        scenario: Sources,
        num_envs: int = 64,
        *,
        first_env: int = 0,
        seed: int = 0,
        agents: Iterable[str] | str | None = None,
        opponents: Mapping[str, OpponentPolicy] | None = None,
        reward: Reward | None = None,
        decisions: Iterable[str] | None = None,
        autoreset_mode: str | enum.Enum | None = None,
        max_episode_steps: int | None = None,
    ):
        """Open environments, each at the first decision of its episode 0.

        The defaults of agents, reward, decisions, mode and limit are those of the manifest.

        Args:
            scenario: name of a bundled scenario, a file written by `warpool manifest`,
                or its content; or a list of these, all of one system
            num_envs: N
            first_env: index of the first environment; processes that share work use disjoint
                indices, and simulate the same battles as a single process would
            seed: of all episodes, 0..2^64-1
            agents: names of the players that are agents, or `all` that are not opponents; default: the agents of the
                manifest, or the first player that is not an opponent
            opponents: policies of other players, which replace those of the scenario: `scenario`, `uniform`, a policy
                file, a policy such as `NetworkPolicy`, or a function of observations N x F f32 and masks N x A i8 that
                returns N legal actions. A policy with probabilities uses the stream of the battle, so its choices
                do not depend on the other environments
            reward: name of a reward, or a table of outcomes, metrics and steps for each agent
            decisions: decision points at which agents decide; at all others they follow the
                policies of their scenario
            autoreset_mode: `next-step`, `same-step` or `disabled`, or a mode of Gymnasium
            max_episode_steps: actions after which an episode is truncated, 0: never

        Raises:
            FileNotFoundError: no such file or scenario
            ValueError: an option is out of range, or the manifest is invalid
            TypeError: a count is not an integer
        """
        manifest = Manifest.load(scenario)
        self.manifest = manifest.change(
            agents=select_agents(manifest, agents, opponents or {}),
            reward=reward,
            decisions=decisions,
            autoreset_mode=autoreset_mode,
            max_episode_steps=max_episode_steps,
        )
        self.num_envs = checked_integer("num_envs", num_envs)
        self.first_env = checked_integer("first_env", first_env)
        self._opponents = Opponents(self.manifest, opponents or {})
        self._open()
        self.reset(checked_seed(seed))

    def _open(self) -> None:
        self.kernel = Kernel(self.manifest, self.num_envs, self.first_env)
        self._opponents.mark(self.kernel.words)
        self.fields = self.kernel.fields
        self.__dict__.update(self.fields)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for copies and pickles, with a snapshot instead of the kernel."""
        within = {"kernel", "fields", *self.fields}
        state = {name: value for name, value in self.__dict__.items() if name not in within}
        return state | {"snapshot": self.snapshot()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Open a new kernel and restore the snapshot."""
        state = dict(state)
        snapshot = state.pop("snapshot")
        self.__dict__.update(state)
        self._open()
        self.restore(snapshot)

    def __repr__(self) -> str:
        return f"Environments({self.manifest.system}, num_envs={self.num_envs})"

    def reset(self, seed: int | Sequence[int] | None = None, mask: ArrayLike | None = None) -> None:
        """Start episode 0 in every environment; with a mask, the next one in the marked ones.

        Args:
            seed: unchanged by default; not allowed with a mask. Each environment has a separate stream.
                With N seeds, each is for the first episode of one environment, and the first one for all later episodes
            mask: N flags
        """
        self._reset(seed, mask)
        self._opponents.answer(self)

    def _reset(self, seed: int | Sequence[int] | None, mask: ArrayLike | None) -> None:
        if mask is None and (seed is None or isinstance(seed, int | np.integer)):
            self.seed = self.seed if seed is None else seed
            self.kernel.env_reset(0, self.num_envs)
            return
        if mask is None:
            seeds = [checked_seed(each) for each in cast(Sequence[int], seed)]
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed: expected one, or {self.num_envs}, found {len(seeds)}")
            for env, self.seed in enumerate(seeds):
                self.kernel.env_reset(env, env + 1)
            self.seed = seeds[0]
            return
        if seed is not None:
            raise ValueError("seed cannot be combined with mask")
        mask = np.asarray(mask)
        _check_shape("mask", mask, self.reset_mask)
        # All nonzero values mark an environment, also those that a byte cannot hold, such as 256 and 0.5.
        self.reset_mask[:] = mask != 0
        self.kernel.env_reset_masked(0, self.num_envs)

    def step(self, actions: ArrayLike | None = None) -> np.ndarray:
        """Take an action in every environment.

        Args:
            actions: N integers; default: the content of `act`

        Returns:
            environments whose episodes have ended, i32; a view of `finished`

        Raises:
            ValueError: the number of actions is not N
            TypeError: the actions are not integers
        """
        if actions is not None and actions is not self.act:
            self._take(np.asarray(actions))
        count = self.kernel.env_step(0, self.num_envs)
        if not self._opponents:
            return self.finished[:count]
        first = self.finished[:count].copy()
        ended = np.concatenate([first, self._opponents.answer(self)])
        self.finished[: len(ended)] = np.sort(ended)
        return self.finished[: len(ended)]

    @property
    def opponents(self) -> dict[str, OpponentPolicy]:
        """Policies of opponents by player, as given."""
        return dict(self._opponents.given)

    def set_opponents(self, opponents: Mapping[str, OpponentPolicy]) -> None:
        """Replace all opponents, between two steps: the battles continue with the new policies.

        Args:
            opponents: as for the constructor; other players follow the policies of the scenario

        Raises:
            ValueError: a player is unknown or an agent, or a policy is invalid
        """
        self._opponents = Opponents(self.manifest, opponents)
        self._opponents.mark(self.kernel.words)

    def suggest(self, policy: str = "scenario") -> np.ndarray:
        """Write the actions of a policy into `act`; return it."""
        self.kernel.env_suggest(self._policy(policy), 0, self.num_envs)
        return self.act

    def rollout(
        self, policy: str = "scenario", *, steps: int = _UNLIMITED, episodes: int = _UNLIMITED
    ) -> int:
        """Simulate with a policy in every environment, within the kernel.

        Args:
            policy: a policy of the manifest
            steps: maximum actions in each environment
            episodes: maximum finished episodes in each

        Returns:
            number of actions in all environments

        Raises:
            ValueError: a limit is out of range, or would never be reached; or an opponent has a policy that the
                kernel cannot evaluate
            KeyboardInterrupt: within about 0.1 s; some environments have not reached the limit
        """
        if self._opponents:
            raise ValueError("rollout: expected opponents with the policy scenario; use step for other policies")
        if steps == _UNLIMITED and (episodes == _UNLIMITED or not self._ends(episodes)):
            raise ValueError("rollout: expected a limit of steps, or of episodes that will end")
        for name, limit in (("steps", steps), ("episodes", episodes)):
            if not 0 <= limit <= _UNLIMITED:
                raise ValueError(f"{name}: expected 0..{_UNLIMITED}, found {limit}")
        number, taken, first = self._policy(policy), 0, 0
        count = max(1, min(_PORTION // max(1, steps), _PORTION // (_USUAL_LENGTH * max(1, episodes))))
        while first < self.num_envs:
            last = min(first + count, self.num_envs)
            if count > 1:
                taken += self.kernel.env_rollout(number, first, last, steps, episodes)
            else:
                taken += self._rollout_one(number, first, steps, episodes)
            first = last
        return taken

    def _rollout_one(self, policy: int, env: int, steps: int, episodes: int) -> int:
        """Simulate in one environment, in chunks between which Python handles signals."""
        taken, status = 0, self.record.view("<i4")[env, Record.STATUS : Record.STATUS + 1]
        begun, was_open = int(self.episode[env]), status[0] == Status.OPEN
        while True:
            # Finished episodes: those followed by another one, and perhaps the current one.
            ended = int(self.episode[env]) - begun + int(was_open) - int(status[0] == Status.OPEN)
            portion = min(_PORTION, steps - taken)
            acted = self.kernel.env_rollout(policy, env, env + 1, portion, episodes - ended)
            taken += acted
            if acted < _PORTION:
                return taken

    def snapshot(self) -> bytes:
        """Return a copy of all fields and states."""
        seed = self.seed.to_bytes(_SEED_BYTES, "little")
        return seed + self.kernel.fingerprint + self.kernel.everything.tobytes()

    def restore(self, snapshot: bytes) -> None:
        """Restore a snapshot of environments with the same configuration.

        Raises:
            ValueError: it has another configuration or is invalid; the environments are then
                unchanged
        """
        expected = _HEAD_BYTES + self.kernel.everything.size
        if len(snapshot) != expected:
            raise ValueError(f"snapshot: expected {expected} bytes, found {len(snapshot)}")
        if snapshot[_SEED_BYTES:_HEAD_BYTES] != self.kernel.fingerprint:
            raise ValueError("snapshot: expected one of the same configuration, found another")
        saved = np.frombuffer(snapshot, dtype="u1", offset=_HEAD_BYTES)
        # The records are the last field.
        check_records("snapshot", saved[-self.record.size :].reshape(self.record.shape), self.manifest)
        self.seed = int.from_bytes(snapshot[:_SEED_BYTES], "little")
        self.kernel.everything[:] = saved
        self._opponents.answer(self)

    def state(self, env: int) -> bytes:
        """Return the state of an environment, for `set_state` with the same configuration."""
        return bytes(self.record[self._env(env)])

    def set_state(self, env: int, state: bytes) -> None:
        """Set the state of an environment, and update `obs`, `mask`, `player`, `phase`, `episode`.

        Raises:
            ValueError: the state is impossible for this manifest; the environment is then unchanged
            KernelError: the words of its battle are damaged
        """
        env = self._env(env)
        expected = self.record.shape[1]
        if len(state) != expected:
            raise ValueError(f"state: expected {expected} bytes, found {len(state)}")
        found = np.frombuffer(state, dtype="u1")
        check_records("state", found.reshape(1, expected), self.manifest)
        self.record[env] = found
        self.kernel.env_refresh(env, env + 1)
        self._opponents.answer(self)

    def rekey(self, seed: int, start: int = 0, stop: int | None = None) -> None:
        """Switch environments start..stop-1 to another seed.

        The past is unchanged; all later draws of this episode differ.
        """
        seed = checked_seed(seed)
        stop = self.num_envs if stop is None else stop
        if not 0 <= start <= stop <= self.num_envs:
            raise ValueError(f"envs: expected some of 0..{self.num_envs}, found {start}..{stop}")
        self.kernel.env_rekey(start, stop, seed & 0xFFFFFFFF, seed >> 32)

    def playouts(
        self, env: int, count: int, *, seed: int = 0, start: int = 0, policy: str = "scenario"
    ) -> Playouts:
        """Simulate the battle of an environment to its end many times, without changing it.

        Args:
            env: index of the environment
            count: number of simulations, with one policy for all players
            seed: seed of the run with these battles, start..start+count-1
            start: index of the first battle
            policy: a policy of the manifest
        """
        env = self._env(env)
        if not 0 <= count <= _UNLIMITED:
            raise ValueError(f"count: expected 0..{_UNLIMITED}, found {count}")
        if not 0 <= start <= 2**53 - count:
            raise ValueError(f"start: expected 0..{2**53 - count}, found {start}")
        key, number = run_key(checked_seed(seed)), self._policy(policy)
        scenario = self.manifest.scenarios[self.variant[env]]
        counts = np.zeros(len(scenario.outcomes), dtype="<i8")
        sums = np.zeros(len(scenario.metrics))
        # In chunks between which Python handles signals. Sums are of integers.
        for first in range(0, max(1, count), _PORTION // _USUAL_LENGTH):
            portion = min(_PORTION // _USUAL_LENGTH, count - first)
            self.kernel.env_playouts(env, key, start + first, portion, number)
            counts += self.kernel.array(self.kernel.env_counts(), "<i4", len(counts))
            sums += self.kernel.array(self.kernel.env_sums(), "<f8", len(sums))
        units = np.array([metric.unit for metric in scenario.metrics])
        return Playouts(counts, sums * units / max(1, count))

    @property
    def autoreset(self) -> str:
        """Behavior at the end of an episode."""
        return self.manifest.autoreset

    @property
    def max_steps(self) -> int:
        """Actions after which an episode is truncated, 0: never."""
        return self.manifest.max_steps

    def text(self, env: int = 0) -> str:
        """Return an environment as text: the deciding player, its observation, and legal actions."""
        env = self._env(env)
        shown = {"scenario": self.variant[env], "player": self.player[env], "phase": self.phase[env]}
        outcome = self.record[env].view("<i4")[Record.OUTCOME]
        info = self.manifest.names(shown | {"outcome": outcome, "action_mask": self.mask[env]})
        is_over = info["player"] is None
        end = f"over, {info['outcome'] or 'illegal action'}"
        state = end if is_over else f"{info['player']} decides {info['phase']}"
        # The player and the flags of decision points come first.
        seen = zip(self.manifest.features, self.obs[env].tolist(), strict=True)
        values = [f"{feature.name} {value:g}" for feature, value in seen][1 + len(self.manifest.decision_points) :]
        lines = [f"{info['scenario'] or self.manifest.system}, episode {self.episode[env]}: {state}", ", ".join(values)]
        return "\n".join(lines if is_over else [*lines, f"legal: {', '.join(info['action_mask'])}"])

    def look(self, env: int, player: int) -> np.ndarray:
        """Return the observation of a player, also while another one decides. F, f32.

        Args:
            env: index of the environment
            player: index in the scenario of the episode
        """
        env = self._env(env)
        player = _check_index("player", player, len(self.manifest.scenarios[self.variant[env]].players))
        record = self.record[env].view("<i4")
        decider = int(record[Record.PLAYER])
        # A finished battle hides nothing; a truncated one does.
        if record[Record.POINT] < 0 or decider == player:
            return np.array(self.obs[env])
        record[Record.PLAYER] = player
        self.kernel.env_refresh(env, env + 1)
        seen = np.array(self.obs[env])
        record[Record.PLAYER] = decider
        self.kernel.env_refresh(env, env + 1)
        # The feature `player` is the deciding player in all observations.
        seen[0] = self.obs[env, 0]
        return seen

    @property
    def seed(self) -> int:
        """Seed of the next episodes."""
        low, high = map(int, self._seed_words)
        return high << 32 | low

    @seed.setter
    def seed(self, seed: int) -> None:
        seed = checked_seed(seed)
        self._seed_words[:] = (seed & 0xFFFFFFFF, seed >> 32)

    @property
    def _seed_words(self) -> np.ndarray:
        return self.kernel.words[Configuration.SEED_LOW : Configuration.SEED_HIGH + 1].view("<u4")

    def _ends(self, episodes: int) -> bool:
        """Return whether this number of episodes will end in every environment."""
        if self.autoreset != "disabled":
            return True
        status = self.record.view("<i4")[:, Record.STATUS]
        return episodes == 0 or (episodes == 1 and not status.any())

    def _take(self, actions: np.ndarray) -> None:
        _check_shape("actions", actions, self.act)
        if not np.can_cast(actions.dtype, self.act.dtype, "same_kind"):
            raise TypeError(f"actions: expected integers, found {actions.dtype}")
        np.copyto(self.act, actions, casting="same_kind")
        if actions.dtype.itemsize >= self.act.dtype.itemsize:
            # Values that 32 bits cannot hold were converted to other actions: make them illegal.
            self.act[self.act != actions] = -1

    def _policy(self, policy: str) -> int:
        if policy not in self.manifest.policies:
            names = ", ".join(self.manifest.policies)
            raise ValueError(f"policy: expected one of {names}, found {policy!r}")
        return self.manifest.policies.index(policy)

    def _env(self, env: int) -> int:
        return _check_index("env", env, self.num_envs)


def select_agents(
    manifest: Manifest, agents: Iterable[str] | str | None, opponents: Mapping[str, OpponentPolicy]
) -> Iterable[str] | str | None:
    """Return the agents; None for those of the manifest."""
    if not opponents or (agents is None and not set(manifest.agents) & set(opponents)) or agents not in (None, "all"):
        return agents
    players = dict.fromkeys(name for scenario in manifest.scenarios for name in scenario.players)
    others = tuple(name for name in players if name not in opponents)
    return others if agents == "all" else others[:1]


def _check_index(name: str, index: int, count: int) -> int:
    """Return an index below a count, also of NumPy, as an int."""
    index = checked_integer(name, index)
    if not 0 <= index < count:
        raise ValueError(f"{name}: expected 0..{count - 1}, found {index}")
    return index


def _check_shape(name: str, found: np.ndarray, expected: np.ndarray) -> None:
    if found.shape != expected.shape:
        raise ValueError(f"{name}: expected shape {expected.shape}, found {found.shape}")
