"""What `warpool manifest` writes: a kernel, its configuration, and the names of what it shows."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

import numpy as np

from warpool import shipped
from warpool.choices import check_name, check_reward, drawn, some_of, weighted, written
from warpool.joining import merged, together
from warpool.reading import Reader
from warpool.scenario import Feature, Metric, Reward, RewardTable, Scenario
from warpool.spelling import accept_spellings, mode_name
from warpool.words import ABI, BUFFERS, ENVIRONMENT, KINDS, NONE, Configuration

#: Words of a configuration that count something.
_COUNTS = {
    "scenarios": Configuration.VARIANTS,
    "actions": Configuration.ACTIONS,
    "features": Configuration.FEATURES,
    "agents": Configuration.AGENTS,
    "points": Configuration.POINTS,
}

#: Words of a configuration that may be changed as they are; the seed has two.
_WORDS = {
    "autoresetWord": Configuration.AUTORESET,
    "maxStepsWord": Configuration.MAX_STEPS,
    "seedWord": Configuration.SEED_LOW,
    "unaskedWord": Configuration.UNASKED,
}


#: What features that count rounds are divided by, unless their bounds are smaller.
_ROUNDS_SCALE = 32


@dataclass(frozen=True)
class Manifest:
    """Scenarios as an environment."""

    system: str
    #: Who decides; the other players follow the policies of their scenario.
    agents: tuple[str, ...]
    #: Decision points; `phase` p stands for `decision_points[p - 1]`.
    decision_points: tuple[str, ...]
    #: Those at which agents are asked; at all others they follow their scenario's policies.
    decisions: tuple[str, ...]
    #: What can be done, by the numbers that the field `act` holds.
    actions: tuple[str, ...]
    #: What is seen, by the columns of the field `obs`.
    features: tuple[Feature, ...]
    #: What agents earn: the name of a reward, or a table for each agent.
    reward: Reward = field(hash=False)
    #: What an environment does when its battle is over, and all that it could do.
    autoreset: str
    autoresets: tuple[str, ...]
    #: Actions after which an episode is truncated; 0: never.
    max_steps: int
    #: The most environments, all that share a seed together.
    envs_max: int
    #: Policies that the kernel knows.
    policies: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    #: Names of the fields and of the kinds of their numbers, as the kernel counts them.
    fields: tuple[str, ...] = field(repr=False)
    kinds: tuple[str, ...] = field(repr=False)
    #: The configuration that the kernel reads.
    words: np.ndarray = field(repr=False, compare=False)
    #: The kernel as WebAssembly, and its SHA-256.
    kernel: bytes = field(repr=False)
    sha256: str = field(repr=False)

    @classmethod
    def load(cls, source: Sources) -> Manifest:
        """Read a manifest from a file, or from what `json.load` has made of one.

        Args:
            source: also the name of a scenario that comes with the package: `scenarios()` has them;
                or several of one system, of which each episode draws one

        Raises:
            FileNotFoundError: no such file, and no scenario of that name
            ValueError: it is no manifest, it was written for another version, or it is damaged
        """
        if isinstance(source, Manifest):
            return source
        if isinstance(source, Sequence) and not isinstance(source, str):
            return _joined([cls.load(each) for each in source])
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
        """Return the same scenarios as another environment; what is not given stays as it is.

        Args:
            agents: names of the players who decide, or `all`
            reward: the name of a reward, or a table for each agent, as `createEnvSpec` takes it
            decisions: decision points at which agents are asked
            autoreset_mode: `next-step`, `same-step` or `disabled`, or one of Gymnasium's
            max_episode_steps: actions after which an episode is truncated, 0: never
            weights: how often each scenario is drawn, relative to the others

        Raises:
            ValueError: there is no such player, reward, point or mode, or weights are none
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
        max_steps = self.max_steps if max_episode_steps is None else max_episode_steps
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
        """Return what scaled observations are divided by: the greater size of either bound. F, f32.

        Features that count rounds are divided by at most 32: the limit of rounds is often far beyond the longest battle.
        """
        sizes = [max(abs(feature.low), abs(feature.high)) for feature in self.features]
        most = [_ROUNDS_SCALE if feature.unit == "rounds" else size for feature, size in zip(self.features, sizes, strict=True)]
        return np.minimum(sizes, most, dtype=np.float32)

    def names(self, info: Mapping[str, Any]) -> dict[str, Any]:
        """Return an info of one environment with names and units in the place of numbers.

        Args:
            info: of `WarpoolEnv`, of an environment of PettingZoo, or a row of those of a vector environment
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
            sha256=kernel.get("sha256", str),
        )

    def _check(self) -> None:
        """Refuse what does not fit to the configuration, or to this package."""
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


#: A manifest, its file, what it holds, or the name of a scenario that comes with the package.
Source = Manifest | str | PathLike[str] | dict[str, Any]

#: One, or several of one system.
Sources = Source | Sequence[Source]


def _joined(manifests: Sequence[Manifest]) -> Manifest:
    """Return scenarios of one system as one environment, as `warpool manifest` does for several.

    Who decides, where, for what, and all modes are those of the first.

    Raises:
        ValueError: there is none, or they do not go together
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
    words = together([(m.words, m.scenarios, m.actions) for m in manifests], actions, features)
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
    """Read what agents earn, by name, by outcomes and metrics."""
    return {agent: _table(source.within(agent)) for agent in source.value}


def _table(source: Reader) -> RewardTable:
    return {kind: _worths(source.within(kind)) for kind in source.value}


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
