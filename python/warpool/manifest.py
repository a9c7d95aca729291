"""Manifests as written by `warpool manifest`: a kernel, its configuration, names, units and bounds."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

import numpy as np

from warpool import shipped
from warpool.chance import checked_integer
from warpool.choices import check_name, check_reward, drawn, some_of, weighted, written
from warpool.joining import Part, merged, together
from warpool.reading import Reader
from warpool.scenario import Feature, Metric, Reward, RewardTable, Scenario
from warpool.spelling import accept_spellings, mode_name
from warpool.words import ABI, BUFFERS, ENVIRONMENT, KINDS, NONE, Configuration

#: Words of a configuration with counts.
_COUNTS = {
    "scenarios": Configuration.VARIANTS,
    "actions": Configuration.ACTIONS,
    "features": Configuration.FEATURES,
    "agents": Configuration.AGENTS,
    "decision_points": Configuration.POINTS,
}

#: Words of a configuration that can be changed directly; the seed has two.
_WORDS = {
    "autoresetWord": Configuration.AUTORESET,
    "maxStepsWord": Configuration.MAX_STEPS,
    "seedWord": Configuration.SEED_LOW,
    "unaskedWord": Configuration.UNASKED,
}

#: Kernel of compiled scenarios.
_COMPILED = "decision-automaton"

#: Divisor of features that count rounds, unless their bounds are smaller.
_ROUNDS_SCALE = 32


@dataclass(frozen=True)
class Manifest:
    """Scenarios combined into an environment."""

    system: str
    #: Players that are agents; the others follow the policies of their scenario.
    agents: tuple[str, ...]
    #: Decision points; `phase` p means `decision_points[p - 1]`.
    decision_points: tuple[str, ...]
    #: Decision points at which agents decide; at all others they follow their scenario's policies.
    decisions: tuple[str, ...]
    #: Names of the actions, by index in the field `act`.
    actions: tuple[str, ...]
    #: Columns of the field `obs`.
    features: tuple[Feature, ...]
    #: Name of a reward, or a table for each agent.
    reward: Reward = field(hash=False)
    #: Behavior at the end of a battle, and all available modes.
    autoreset: str
    autoresets: tuple[str, ...]
    #: Actions after which an episode is truncated; 0: never.
    max_steps: int
    #: Maximum number of environments with one seed.
    envs_max: int
    #: Policies of the kernel.
    policies: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    #: Names of the fields and of the element types, by index in the kernel.
    fields: tuple[str, ...] = field(repr=False)
    kinds: tuple[str, ...] = field(repr=False)
    #: The configuration that the kernel reads.
    words: np.ndarray = field(repr=False, compare=False)
    #: The kernel as WebAssembly, its name and its SHA-256.
    kernel: bytes = field(repr=False)
    kernel_name: str
    sha256: str = field(repr=False)

    @classmethod
    def load(cls, source: Sources) -> Manifest:
        """Load a manifest from a file, or from the result of `json.load`.

        Args:
            source: also the name of a bundled scenario (see `scenarios()`),
                or a list, all of one system: each episode samples one

        Raises:
            FileNotFoundError: no such file or scenario
            ValueError: the manifest is invalid, damaged, or from another version
        """
        if isinstance(source, Manifest):
            return source
        if isinstance(source, Sequence) and not isinstance(source, str):
            return _joined([cls.load(each) for each in source])
        if not isinstance(source, str | PathLike | dict):
            raise TypeError(f"scenario: expected a name, a path, a manifest or a list of these, found {source!r}")
        found = source if isinstance(source, dict) else shipped.read(fspath(source))
        manifest = cls._of(Reader(found))
        manifest._check()
        return manifest

    @accept_spellings
    def change(
        self,
        *,
        agents: Iterable[str] | str | None = None,
        reward: Reward | None = None,
        decisions: Iterable[str] | None = None,
        autoreset_mode: str | enum.Enum | None = None,
        max_episode_steps: int | None = None,
        weights: Iterable[float] | None = None,
    ) -> Manifest:
        """Return the scenarios with other options; omitted options are unchanged.

        Args:
            agents: names of the players that are agents, or `all`
            reward: name of a reward, or a table for each agent, as for `createEnvSpec`
            decisions: decision points at which agents decide
            autoreset_mode: `next-step`, `same-step` or `disabled`, or a mode of Gymnasium
            max_episode_steps: actions after which an episode is truncated, 0: never
            weights: relative frequencies of the scenarios

        Raises:
            ValueError: a player, reward, point or mode is unknown, or weights are invalid
            TypeError: the limit of steps is not an integer
        """
        words = self.words
        if agents is None:
            agents = self.agents
        else:
            players = dict.fromkeys(name for each in self.scenarios for name in each.players)
            agents = some_of("agents", agents, tuple(players), all_known=tuple(players))
        reward = self.reward if reward is None else reward
        if agents != self.agents or reward != self.reward:
            check_reward(self.scenarios, reward, agents)
            words = written(words, self.scenarios, agents, reward)
        chosen = self.decisions if decisions is None else some_of("decisions", decisions, self.decision_points)
        autoreset = self.autoreset if autoreset_mode is None else mode_name(autoreset_mode)
        limit = self.max_steps if max_episode_steps is None else max_episode_steps
        max_steps = checked_integer("max_episode_steps", limit)
        check_name("autoreset_mode", autoreset, self.autoresets)
        if not 0 <= max_steps < 2**31:
            raise ValueError(f"max_episode_steps: expected 0..{2**31 - 1}, found {max_steps}")
        scenarios = self.scenarios if weights is None else weighted(self.scenarios, weights)
        words = drawn(words, scenarios)
        words[Configuration.AUTORESET] = self.autoresets.index(autoreset)
        words[Configuration.MAX_STEPS] = max_steps
        words[Configuration.UNASKED] = sum(
            1 << bit for bit, point in enumerate(self.decision_points) if point not in chosen
        )
        return dataclasses.replace(
            self,
            agents=agents,
            reward=reward,
            decisions=tuple(point for point in self.decision_points if point in chosen),
            autoreset=autoreset,
            max_steps=max_steps,
            scenarios=scenarios,
            words=words,
        )

    @property
    def scales(self) -> np.ndarray:
        """Return the divisors of scaled observations: the greater magnitude of both bounds. F, f32.

        Features that count rounds are divided by at most 32: the round limit is often far above the longest battle.
        """
        sizes = np.array([max(abs(feature.low), abs(feature.high)) for feature in self.features], dtype=np.float32)
        counts_rounds = [feature.unit == "rounds" for feature in self.features]
        return np.where(counts_rounds, np.minimum(sizes, np.float32(_ROUNDS_SCALE)), sizes)

    def names(self, info: Mapping[str, Any]) -> dict[str, Any]:
        """Return an info of one environment with names and units instead of numbers.

        Args:
            info: of `WarpoolEnv` or a PettingZoo environment, or a row of the infos of a vector environment
        """
        scenario = self.scenarios[int(info["scenario"])]
        player, phase, outcome = (int(info.get(key, NONE)) for key in ("player", "phase", "outcome"))
        steps = np.asarray(info.get("metrics", ())).tolist()
        measured = zip(scenario.metrics, steps, strict=False) if outcome >= 0 else ()
        named: dict[str, Any] = {
            "scenario": scenario.name,
            "player": scenario.players[player] if player >= 0 else None,
            "phase": self.decision_points[phase - 1] if phase > 0 else None,
            "outcome": scenario.outcomes[outcome] if outcome >= 0 else None,
            "metrics": {metric.name: count * metric.unit for metric, count in measured},
        }
        if "action_mask" in info:
            legal = zip(self.actions, np.asarray(info["action_mask"]).tolist(), strict=True)
            named["action_mask"] = [action for action, is_legal in legal if is_legal]
        return dict(info) | {key: value for key, value in named.items() if key in info}

    @classmethod
    def _of(cls, source: Reader) -> Manifest:
        for name, expected in (("abi", ABI), ("environment", ENVIRONMENT)):
            if (version := source.get(name, int)) != expected:
                raise ValueError(f"manifest: expected {name} {expected}, found {version}")
        configuration, kernel = source.within("configuration"), source.within("kernel")
        for name, word in _WORDS.items():
            if (found := configuration.get(name, int)) != word:
                raise ValueError(f"manifest.configuration.{name}: expected {word}, found {found}")
        words = configuration.content()
        return cls(
            system=source.get("system", str),
            agents=source.names("agents"),
            decision_points=source.names("decisionPoints"),
            decisions=source.names("decisions"),
            actions=source.names("actions"),
            features=tuple(_feature(each) for each in source.each("observations")),
            reward=_reward(source),
            autoreset=source.get("autoreset", str),
            autoresets=source.names("autoresets"),
            max_steps=source.get("maxSteps", int),
            envs_max=source.get("envsMax", int),
            policies=source.names("policies"),
            scenarios=tuple(_scenario(each) for each in source.each("scenarios")),
            fields=source.names("fields"),
            kinds=source.names("kinds"),
            words=np.frombuffer(words[: len(words) // 4 * 4], dtype="<i4"),
            kernel=kernel.content(),
            kernel_name=kernel.get("name", str),
            sha256=kernel.get("sha256", str),
        )

    def _check(self) -> None:
        """Reject a manifest that does not fit its configuration or this package."""
        words = self.words.tolist()
        for name, word in _COUNTS.items():
            found, expected = len(getattr(self, name)), words[word] if word < len(words) else 0
            if found != expected:
                raise ValueError(f"manifest: expected {expected} {name}, found {found}")
        for name, there, known in (
            ("fields", self.fields, BUFFERS),
            ("kinds", self.kinds, KINDS),
        ):
            if there[: len(known)] != known:
                raise ValueError(f"manifest.{name}: expected {', '.join(known)} in this order")
        check_reward(self.scenarios, self.reward, self.agents)
        again = self.change(decisions=self.decisions).words
        if not np.array_equal(again, self.words):
            raise ValueError("manifest: expected modes and points of the configuration, found others")


#: A manifest, its file, its content, or the name of a bundled scenario.
Source = Manifest | str | PathLike[str] | dict[str, Any]

#: One source, or several of one system.
Sources = Source | Sequence[Source]


def _joined(manifests: Sequence[Manifest]) -> Manifest:
    """Join scenarios of one system into one environment, like `warpool manifest`.

    Agents, decisions, reward and modes are those of the first manifest.

    Raises:
        ValueError: there is none, or they are incompatible
    """
    if len(manifests) < 2:
        if not manifests:
            raise ValueError("manifest: expected at least one scenario, found none")
        return manifests[0]
    first = manifests[0]
    for name in ("system", "decision_points", "sha256"):
        for each in manifests:
            if getattr(each, name) != getattr(first, name):
                expected, found = getattr(first, name), getattr(each, name)
                raise ValueError(f"manifest: expected scenarios of {name} {expected}, found {found}")
    scenarios = tuple(scenario for each in manifests for scenario in each.scenarios)
    actions = tuple(dict.fromkeys(action for each in manifests for action in each.actions))
    # The player and the flags of decision points come first.
    common = merged([each.features[: 1 + len(first.decision_points)] for each in manifests])
    own = merged([scenario.features for scenario in scenarios])
    features = (*common, *(each for each in own if each.low < each.high))
    is_compiled = first.kernel_name == _COMPILED
    parts = [Part(m.words, m.scenarios, m.actions, m.features, is_compiled) for m in manifests]
    words = together(parts, actions, features)
    check_reward(scenarios, first.reward, first.agents)
    words = written(words, scenarios, first.agents, first.reward)
    joined = dataclasses.replace(
        first, scenarios=scenarios, actions=actions, features=features, words=words
    )
    return joined.change(decisions=first.decisions)


def _reward(source: Reader) -> Reward:
    if isinstance(source.value.get("reward"), str):
        return source.get("reward", str)
    return _tables(source.within("reward"))


def _tables(source: Reader) -> dict[str, RewardTable]:
    """Read reward tables by agent."""
    return {agent: _table(source.within(agent)) for agent in source.value}


def _table(source: Reader) -> RewardTable:
    # The value of a step has no names.
    return {
        kind: _worths(source.within(kind)) if isinstance(each, Mapping) else source.get(kind, float)
        for kind, each in source.value.items()
    }


def _worths(source: Reader) -> dict[str, float]:
    return {name: source.get(name, float) for name in source.value}


def _feature(source: Reader) -> Feature:
    name, unit = (source.get(key, str) for key in ("name", "unit"))
    low, high = (source.get(key, float) for key in ("low", "high"))
    return Feature(name, unit, low, high)


def _metric(source: Reader) -> Metric:
    low, high, unit = (source.get(key, float) for key in ("low", "high", "unit"))
    return Metric(source.get("name", str), low, high, unit)


def _scenario(source: Reader) -> Scenario:
    rewards = source.within("rewards")
    return Scenario(
        name=source.get("name", str) if "name" in source.value else None,
        hash=source.get("hash", str),
        weight=source.get("weight", float),
        players=source.names("players"),
        outcomes=source.names("outcomes"),
        metrics=tuple(_metric(each) for each in source.each("metrics")),
        features=tuple(_feature(each) for each in source.each("features")),
        rewards={name: _tables(rewards.within(name)) for name in rewards.value},
    )
