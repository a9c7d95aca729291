"""Many battles in lockstep, an agent at every decision: arrays over kernel memory, no copies."""

from __future__ import annotations

import enum
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from warpool.chance import checked_seed, run_key
from warpool.kernel import Kernel
from warpool.manifest import Manifest, Sources
from warpool.records import check_records
from warpool.scenario import Reward
from warpool.spelling import accept_spellings
from warpool.words import Configuration, Record, Status

_UNLIMITED = 2**32 - 1

#: Steps of a portion: at most some 0.1 s. Battles are assumed to take so many.
_PORTION = 2**17
_USUAL_LENGTH = 64

#: A snapshot begins with the seed and the fingerprint of the environments, 8 bytes each.
_SEED_BYTES = 8
_HEAD_BYTES = 16


@dataclass(frozen=True)
class Playouts:
    """What has become of one battle, played to its end many times."""

    #: Battles by outcome, in the order of the scenario's outcomes.
    counts: np.ndarray
    #: Means of the metrics, in the order and the units of the scenario's metrics.
    means: np.ndarray


class Environments:
    """N environments with A actions, F features, K agents and M metrics.

    Arrays are views of the kernel's memory: each call writes them anew, and nothing may keep what
    it needs later without `.copy()`. Environments are for one thread at a time. Calls let other
    threads run, so that environments of several threads are played side by side.
    """

    #: What each does next: the number of an action. N, i32. `step` takes what stands here.
    act: np.ndarray
    #: What the deciding player sees, whole numbers in the units of the features. N x F, f32.
    obs: np.ndarray
    #: 1 for each legal action of the pending decision, also after a truncation; all 1 when the battle is
    #: over. N x A, i8. `step` reads it.
    mask: np.ndarray
    #: What each agent has earned by the last step. N x K, f32.
    reward: np.ndarray
    #: The last step has ended the episode: the battle is over, or an illegal action lost it. N.
    terminated: np.ndarray
    #: The last step has reached the limit of steps. N, bool.
    truncated: np.ndarray
    #: The player of the pending decision, also after a truncation, by index in the scenario; -4 when the
    #: battle is over. N, i32.
    player: np.ndarray
    #: The pending decision point from 1 on, also after a truncation; 0 when the battle is over. N, u8.
    phase: np.ndarray
    #: The last observation of the episode that ended last: after a truncation what the deciding
    #: player would have seen next, after the end of a battle everything. N x F, f32.
    final_obs: np.ndarray
    #: `mask`, `player` and `phase` at the end of that episode. N x A, i8; N, i32; N, u8.
    final_mask: np.ndarray
    final_player: np.ndarray
    final_phase: np.ndarray
    #: The sums of its rewards. N x K, f32.
    final_return: np.ndarray
    #: Number of the episode from 0 on. N, u32.
    episode: np.ndarray
    #: The last action was illegal. N, bool.
    invalid: np.ndarray
    #: Environments whose episodes the last step has ended, as many as it says. N, i32.
    finished: np.ndarray
    #: Outcome of the episode that ended last, by index in its scenario; -1: no battle ended it. N.
    outcome: np.ndarray
    #: Metrics of the battle that ended last, in steps of their units. N x M, i32.
    metrics: np.ndarray
    #: The scenario of the episode, by index in the manifest. N, i32.
    variant: np.ndarray
    #: Actions of the episode that ended last. N, u32.
    length: np.ndarray
    #: Its scenario, by index in the manifest. N, i32.
    final_variant: np.ndarray
    #: Which environments a masked reset starts over; `reset` writes it. N, bool.
    reset_mask: np.ndarray
    #: States, one a row, which `state` and `set_state` read and write. N x bytes, u8.
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
        reward: Reward | None = None,
        decisions: Iterable[str] | None = None,
        autoreset_mode: str | enum.Enum | None = None,
        max_episode_steps: int | None = None,
    ):
        """Open environments, each at the first decision of its episode 0.

        What is not given of the last five is the manifest's.

        Args:
            scenario: the name of a scenario that comes with the package, the file that `warpool
                manifest` wrote, or what it holds; or several of one system
            num_envs: N
            first_env: index of the first environment; processes that share work take indices of
                their own, and get the battles that one for all would have played
            seed: of all episodes, 0..2^64-1
            agents: names of the players who decide, or `all`
            reward: the name of a reward, or a table of outcomes and metrics for each agent
            decisions: decision points at which agents are asked; at all others they follow the
                policies of their scenario
            autoreset_mode: `next-step`, `same-step` or `disabled`, or one of Gymnasium's
            max_episode_steps: actions after which an episode is truncated, 0: never

        Raises:
            FileNotFoundError: no such file or scenario
            ValueError: an option is out of range, or the manifest is none
        """
        self.manifest = Manifest.load(scenario).change(
            agents=agents,
            reward=reward,
            decisions=decisions,
            autoreset_mode=autoreset_mode,
            max_episode_steps=max_episode_steps,
        )
        self.num_envs = operator.index(num_envs)
        self.first_env = operator.index(first_env)
        self._open()
        self.reset(checked_seed(seed))

    def _open(self) -> None:
        self.kernel = Kernel(self.manifest, self.num_envs, self.first_env)
        self.fields = self.kernel.fields
        self.__dict__.update(self.fields)

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles hold: a snapshot in the place of the kernel's memory."""
        within = {"kernel", "fields", *self.fields}
        state = {name: value for name, value in self.__dict__.items() if name not in within}
        return state | {"snapshot": self.snapshot()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Open a kernel of its own at the snapshot."""
        state = dict(state)
        snapshot = state.pop("snapshot")
        self.__dict__.update(state)
        self._open()
        self.restore(snapshot)

    def __repr__(self) -> str:
        return f"Environments({self.manifest.system}, num_envs={self.num_envs})"

    def reset(self, seed: int | Sequence[int] | None = None, mask: ArrayLike | None = None) -> None:
        """Begin episode 0 in every environment; with a mask, the next one in those that it marks.

        Args:
            seed: kept from the last time unless given; not together with a mask. Each environment has a stream of its own.
                Of N seeds, each is that of the first episode of one environment; the first seed is that of all later episodes
            mask: N flags
        """
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
            raise ValueError("reset: expected a seed or a mask, found both")
        mask = np.asarray(mask)
        _check_shape("mask", mask, self.reset_mask)
        # What is not 0 marks an environment, also what a byte does not hold, as 256 and 0.5.
        self.reset_mask[:] = mask != 0
        self.kernel.env_reset_masked(0, self.num_envs)

    def step(self, actions: ArrayLike | None = None) -> np.ndarray:
        """Take an action in every environment.

        Args:
            actions: N integers; those that stand in `act` unless given

        Returns:
            the environments whose episodes have ended, i32; a view of `finished`

        Raises:
            ValueError: the actions are not N
            TypeError: they are no integers
        """
        if actions is not None and actions is not self.act:
            self._take(np.asarray(actions))
        return self.finished[: self.kernel.env_step(0, self.num_envs)]

    def suggest(self, policy: str = "scenario") -> np.ndarray:
        """Write what a policy does into `act`; return it."""
        self.kernel.env_suggest(self._policy(policy), 0, self.num_envs)
        return self.act

    def rollout(
        self, policy: str = "scenario", *, steps: int = _UNLIMITED, episodes: int = _UNLIMITED
    ) -> int:
        """Let a policy act in every environment, within the kernel.

        Args:
            policy: one of the manifest's
            steps: actions in each environment at most
            episodes: episodes that end in each at most

        Returns:
            actions taken in all environments

        Raises:
            ValueError: a limit is out of range, or would never be reached
            KeyboardInterrupt: after at most some 0.1 s, some environments have not come to the limit
        """
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
        """Let a policy act in one environment, in portions between which Python takes signals."""
        taken, status = 0, self.record.view("<i4")[env, Record.STATUS : Record.STATUS + 1]
        begun, was_open = int(self.episode[env]), status[0] == Status.OPEN
        while True:
            # The episodes that have ended: those that have been followed by another one, and the last one.
            ended = int(self.episode[env]) - begun + int(was_open) - int(status[0] == Status.OPEN)
            portion = min(_PORTION, steps - taken)
            acted = self.kernel.env_rollout(policy, env, env + 1, portion, episodes - ended)
            taken += acted
            if acted < _PORTION:
                return taken

    def snapshot(self) -> bytes:
        """Return everything, to come back to: fields and states of all environments."""
        seed = self.seed.to_bytes(_SEED_BYTES, "little")
        return seed + self.kernel.fingerprint + self.kernel.everything.tobytes()

    def restore(self, snapshot: bytes) -> None:
        """Come back to a snapshot of environments that were made alike.

        Raises:
            ValueError: it is of other environments, or no environment has made it; nothing has
                changed then
        """
        expected = _HEAD_BYTES + self.kernel.everything.size
        if len(snapshot) != expected:
            raise ValueError(f"snapshot: expected {expected} bytes, found {len(snapshot)}")
        if snapshot[_SEED_BYTES:_HEAD_BYTES] != self.kernel.fingerprint:
            raise ValueError("snapshot: expected one of environments made alike, found others")
        saved = np.frombuffer(snapshot, dtype="u1", offset=_HEAD_BYTES)
        # The records are the last field.
        check_records("snapshot", saved[-self.record.size :].reshape(self.record.shape), self.manifest)
        self.seed = int.from_bytes(snapshot[:_SEED_BYTES], "little")
        self.kernel.everything[:] = saved

    def state(self, env: int) -> bytes:
        """Return the state of an environment, for `set_state` here or in others made alike."""
        return bytes(self.record[self._env(env)])

    def set_state(self, env: int, state: bytes) -> None:
        """Put an environment into a state: `obs`, `mask`, `player`, `phase`, `episode` follow.

        Raises:
            ValueError: no environment of this manifest has such a state; nothing has changed then
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

    def rekey(self, seed: int, start: int = 0, stop: int | None = None) -> None:
        """Give environments start..stop-1 other futures, those of another seed.

        What has happened stays; what is drawn from here on, in this episode, is other.
        """
        seed = checked_seed(seed)
        stop = self.num_envs if stop is None else stop
        if not 0 <= start <= stop <= self.num_envs:
            raise ValueError(f"envs: expected some of 0..{self.num_envs}, found {start}..{stop}")
        self.kernel.env_rekey(start, stop, seed & 0xFFFFFFFF, seed >> 32)

    def playouts(
        self, env: int, count: int, *, seed: int = 0, start: int = 0, policy: str = "scenario"
    ) -> Playouts:
        """Play the battle of an environment to its end many times; leave the environment alone.

        Args:
            env: which
            count: how many times, all players by the policy
            seed: of the run whose battles start..start+count-1 these are
            start: index of the first battle
            policy: one of the manifest's
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
        # In portions between which Python takes signals. Sums are of whole numbers.
        for first in range(0, max(1, count), _PORTION // _USUAL_LENGTH):
            portion = min(_PORTION // _USUAL_LENGTH, count - first)
            self.kernel.env_playouts(env, key, start + first, portion, number)
            counts += self.kernel.array(self.kernel.env_counts(), "<i4", len(counts))
            sums += self.kernel.array(self.kernel.env_sums(), "<f8", len(sums))
        units = np.array([metric.unit for metric in scenario.metrics])
        return Playouts(counts, sums * units / max(1, count))

    @property
    def autoreset(self) -> str:
        """What an environment does when its episode is over."""
        return self.manifest.autoreset

    @property
    def max_steps(self) -> int:
        """Actions after which an episode is truncated, 0: never."""
        return self.manifest.max_steps

    def text(self, env: int = 0) -> str:
        """Return an environment as text: who decides, what this player sees, and which actions are legal."""
        env = self._env(env)
        shown = {"scenario": self.variant[env], "player": self.player[env], "phase": self.phase[env]}
        outcome = self.record[env].view("<i4")[Record.OUTCOME]
        info = self.manifest.names(shown | {"outcome": outcome, "action_mask": self.mask[env]})
        is_over = info["player"] is None
        state = f"over, {info['outcome'] or 'illegal action'}" if is_over else f"{info['player']} decides {info['phase']}"
        # The player and the flags of decision points come first.
        seen = zip(self.manifest.features, self.obs[env].tolist(), strict=True)
        values = [f"{feature.name} {value:g}" for feature, value in seen][1 + len(self.manifest.decision_points) :]
        lines = [f"{info['scenario'] or self.manifest.system}, episode {self.episode[env]}: {state}", ", ".join(values)]
        return "\n".join(lines if is_over else [*lines, f"legal: {', '.join(info['action_mask'])}"])

    def look(self, env: int, player: int) -> np.ndarray:
        """Return what a player sees of an environment, also while another one decides. F, f32."""
        env = self._env(env)
        record = self.record[env].view("<i4")
        decider = int(record[Record.PLAYER])
        # A battle that is over hides nothing; one that is cut off still does.
        if record[Record.POINT] < 0 or decider == player:
            return np.array(self.obs[env])
        record[Record.PLAYER] = player
        self.kernel.env_refresh(env, env + 1)
        seen = np.array(self.obs[env])
        record[Record.PLAYER] = decider
        self.kernel.env_refresh(env, env + 1)
        # The feature `player` is the decider whoever looks.
        seen[0] = self.obs[env, 0]
        return seen

    @property
    def seed(self) -> int:
        """The seed of all episodes that begin from here on."""
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
        """Return whether so many episodes end in every environment sooner or later."""
        if self.autoreset != "disabled":
            return True
        status = self.record.view("<i4")[:, Record.STATUS]
        return episodes == 0 or (episodes == 1 and not status.any())

    def _take(self, actions: np.ndarray) -> None:
        _check_shape("actions", actions, self.act)
        np.copyto(self.act, actions, casting="same_kind")
        if actions.dtype.itemsize >= self.act.dtype.itemsize:
            # What 32 bits do not hold has become another action: let it be an illegal one.
            self.act[self.act != actions] = -1

    def _policy(self, policy: str) -> int:
        if policy not in self.manifest.policies:
            names = ", ".join(self.manifest.policies)
            raise ValueError(f"policy: expected one of {names}, found {policy!r}")
        return self.manifest.policies.index(policy)

    def _env(self, env: int) -> int:
        env = operator.index(env)
        if not 0 <= env < self.num_envs:
            raise ValueError(f"env: expected 0..{self.num_envs - 1}, found {env}")
        return env


def _check_shape(name: str, found: np.ndarray, expected: np.ndarray) -> None:
    if found.shape != expected.shape:
        raise ValueError(f"{name}: expected shape {expected.shape}, found {found.shape}")
