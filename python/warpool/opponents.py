"""Opponents: players whose policies Python evaluates, in batches of all environments."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from warpool.chance import choose, stream_words
from warpool.choices import check_name
from warpool.policies import FilePolicy, read_policy
from warpool.words import NONE, OPPONENT, OPPONENT_CHOICES, TERMINAL, Configuration, Record, Variant

if TYPE_CHECKING:
    from warpool.environments import Environments
    from warpool.manifest import Manifest


@runtime_checkable
class RandomPolicy(Protocol):
    """Policy with probabilities, such as `NetworkPolicy`."""

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> ArrayLike:
        """Return the probabilities of all actions, N x A; 0 for illegal ones. Rows are scaled to the sum 1."""
        ...


#: `scenario`, `uniform`, a policy file, a policy with probabilities, or a function of observations N x F f32 and masks
#: N x A i8 that returns N actions. N is the number of environments in which the opponent decides.
OpponentPolicy = str | PathLike[str] | RandomPolicy | Callable[[np.ndarray, np.ndarray], Any]


class _Uniform:
    """Uniform choice of legal actions."""

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        shares: np.ndarray = masks / masks.sum(axis=1, keepdims=True)
        return shares


class Opponents:
    """Policies of players, which make all decisions of these players."""

    def __init__(self, manifest: Manifest, given: Mapping[str, OpponentPolicy]):
        """Resolve policies.

        Args:
            manifest: of the environments
            given: policies by player

        Raises:
            ValueError: a player is unknown or an agent, or a policy is invalid
            FileNotFoundError: there is no such policy file
        """
        self.given = dict(given)
        players = dict.fromkeys(name for scenario in manifest.scenarios for name in scenario.players)
        # Functions of observations, masks and random words.
        policies: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], Any]] = {}
        for name, policy in self.given.items():
            check_name("opponents", name, players)
            if name in manifest.agents:
                raise ValueError(f"opponents: expected players that are not agents, found {name}")
            resolved = _resolve(manifest, name, policy)
            if resolved is not None:
                policies[name] = _to_function(f"opponents.{name}", resolved)
        self._manifest = manifest
        self._names = tuple(policies)
        self._policies = tuple(policies.values())
        # The number of the opponent by scenario and player. Column TERMINAL, counted from the end, is NONE.
        width = max(len(scenario.players) for scenario in manifest.scenarios) - TERMINAL
        self._numbers = np.full((len(manifest.scenarios), width), NONE)
        for variant, scenario in enumerate(manifest.scenarios):
            for number, name in enumerate(self._names):
                if name in scenario.players:
                    self._numbers[variant, scenario.players.index(name)] = number

    def __bool__(self) -> bool:
        """Return whether there is an opponent whose policy the kernel cannot evaluate."""
        return bool(self._policies)

    def mark(self, words: np.ndarray) -> None:
        """Mark the opponents in the configuration of a kernel."""
        before = self._manifest.words
        for variant, scenario in enumerate(self._manifest.scenarios):
            first = before[Configuration.SIZE + Variant.SIZE * variant + Variant.AGENTS] // 4
            for player, name in enumerate(scenario.players):
                words[first + player] = OPPONENT if name in self._names else before[first + player]

    def answer(self, environments: Environments) -> np.ndarray:
        """Make the decisions of opponents until agents decide in all environments.

        Returns:
            environments whose episodes have ended, i32
        """
        ended = [environments.finished[:0]]
        while self._make_decisions(environments):
            count = environments.kernel.env_answer(0, environments.num_envs)
            ended.append(environments.finished[:count].copy())
        return np.concatenate(ended)

    def _make_decisions(self, environments: Environments) -> bool:
        """Write the actions of opponents; return whether there are any."""
        if not self._policies:
            return False
        numbers = self._numbers[environments.variant, environments.player]
        is_waiting = False
        for number in range(len(self._policies)):
            rows = np.flatnonzero(numbers == number)
            if rows.size:
                environments.act[rows] = self._choose(number, environments, rows)
                is_waiting = True
        return is_waiting

    def _choose(self, number: int, environments: Environments, rows: np.ndarray) -> np.ndarray:
        """Return the legal actions of an opponent in some environments."""
        masks = environments.mask[rows]
        heads = environments.record.view("<u4")[rows, : Record.SIZE]
        positions = heads[:, Record.ANSWERS] + np.uint32(OPPONENT_CHOICES)
        words = stream_words(heads[:, Record.KEY_LOW], heads[:, Record.KEY_HIGH], positions)
        actions = np.asarray(self._policies[number](environments.obs[rows], masks, words))
        place = f"opponents.{self._names[number]}"
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            raise ValueError(f"{place}: expected {len(rows)} integers, found {actions.dtype} of shape {actions.shape}")
        is_known = (actions >= 0) & (actions < masks.shape[1])
        is_legal = is_known & (masks[np.arange(len(rows)), np.where(is_known, actions, 0)] != 0)
        if not is_legal.all():
            stray = int(is_legal.argmin())
            raise ValueError(f"{place}: expected legal actions, found {actions[stray]} in environment {rows[stray]}")
        return actions


def _to_function(
    place: str,
    policy: RandomPolicy | Callable[[np.ndarray, np.ndarray], Any],
) -> Callable[[np.ndarray, np.ndarray, np.ndarray], Any]:
    """Return a policy as a function of observations, masks and random words."""
    if isinstance(policy, RandomPolicy):
        return functools.partial(_choose_randomly, place, policy)
    return functools.partial(_ignore_words, policy)


def _choose_randomly(
    place: str, policy: RandomPolicy, observations: np.ndarray, masks: np.ndarray, words: np.ndarray
) -> np.ndarray:
    shares = np.asarray(policy.probabilities(observations, masks))
    if shares.shape != masks.shape or shares.dtype.kind not in "biuf":
        found = f"{shares.dtype} of shape {shares.shape}"
        raise ValueError(f"{place}: expected probabilities of shape {masks.shape}, found {found}")
    is_valid = ((shares >= 0) & (shares < np.inf)).all(axis=1) & (shares != 0).any(axis=1)
    if not is_valid.all():
        found = f"{shares[is_valid.argmin()].tolist()}"
        raise ValueError(f"{place}: expected probabilities >= 0, one above 0, found {found}")
    return choose(shares, words)


def _ignore_words(
    policy: Callable[[np.ndarray, np.ndarray], Any], observations: np.ndarray, masks: np.ndarray, _words: np.ndarray
) -> Any:
    return policy(observations, masks)


def _resolve(
    manifest: Manifest, name: str, policy: OpponentPolicy
) -> RandomPolicy | Callable[[np.ndarray, np.ndarray], Any] | None:
    """Return a policy that can be evaluated; None for the policy of the scenario."""
    if isinstance(policy, str) and policy == "scenario":
        return None
    if isinstance(policy, str) and policy == "uniform":
        return _Uniform()
    if isinstance(policy, str | PathLike):
        if not Path(policy).is_file():
            place = f"opponents.{name}: expected scenario, uniform or a policy file"
            raise FileNotFoundError(f"{place}, found {str(policy)!r}")
        return read_policy(policy, manifest)
    if isinstance(policy, FilePolicy):
        for kind in ("features", "actions"):
            if getattr(policy.manifest, kind) != getattr(manifest, kind):
                raise ValueError(f"opponents.{name}: expected a policy for the {kind} of these environments")
        return policy
    if isinstance(policy, RandomPolicy) or callable(policy):
        return policy
    found = type(policy).__name__
    raise ValueError(f"opponents.{name}: expected scenario, uniform, a policy file or a function, found {found}")
