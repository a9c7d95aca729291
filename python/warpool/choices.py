"""Agents, decisions and rewards: rewrites the corresponding words of a configuration.

docs/reference/abi.md describes the layout. New tables are appended, and offsets point to them.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import numbers
from collections.abc import ItemsView, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from warpool.scenario import Reward, RewardTable, Scenario
from warpool.words import NONE, Configuration, Flags, Variant

#: Rewards are in single precision.
_WORTH_MAX = float(np.finfo(np.float32).max)


def some_of(
    place: str, asked: Iterable[str] | str, known: Sequence[str], *, all_known: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the requested names, in order.

    Raises:
        ValueError: a name is unknown or repeated
    """
    if asked == "all" and all_known:
        return tuple(all_known)
    names = (asked,) if isinstance(asked, str) else tuple(asked)
    for name in names:
        check_name(place, name, known)
    if not names:
        raise ValueError(f"{place}: expected at least one of {', '.join(known)}, found none")
    if len(set(names)) < len(names):
        raise ValueError(f"{place}: expected unique names, found {', '.join(names)}")
    return names


def check_name(place: str, name: str, known: Iterable[str]) -> None:
    """Reject an unknown name."""
    known = list(known)
    if name in known:
        return
    close = difflib.get_close_matches(str(name), known, 1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    raise ValueError(f"{place}: expected names among {', '.join(known)}, found {name!r}{hint}")


def check_reward(scenarios: Sequence[Scenario], reward: Reward, agents: Sequence[str]) -> None:
    """Reject an unknown reward, or tables with unknown names or invalid values."""
    if isinstance(reward, str):
        for scenario in scenarios:
            check_name("reward", reward, scenario.rewards)
        return
    known = {
        "outcomes": {name: None for scenario in scenarios for name in scenario.outcomes},
        "metrics": {each.name: None for scenario in scenarios for each in scenario.metrics},
    }
    for agent, table in _items("reward", reward, "a name, or a mapping of agents to tables"):
        check_name("reward", agent, agents)
        for kind, worths in _items(f"reward.{agent}", table, "a mapping of outcomes, metrics and steps"):
            check_name(f"reward.{agent}", kind, [*known, "steps"])
            if kind == "steps":
                check_worth(f"reward.{agent}.steps", worths)
                continue
            for name, worth in _items(f"reward.{agent}.{kind}", worths, f"a mapping of {kind} to numbers"):
                check_name(f"reward.{agent}.{kind}", name, known[kind])
                check_worth(f"reward.{agent}.{kind}.{name}", worth)


def _items(place: str, table: Any, expected: str) -> ItemsView[str, Any]:
    """Return the items of a mapping; reject other values."""
    if not isinstance(table, Mapping):
        raise ValueError(f"{place}: expected {expected}, found {table!r}")
    return table.items()


def check_worth(place: str, worth: Any) -> None:
    """Reject a value that is not a number, or not finite in float32."""
    is_number = isinstance(worth, numbers.Real) and not isinstance(worth, bool)
    if not is_number or not -_WORTH_MAX <= worth <= _WORTH_MAX:
        raise ValueError(f"{place}: expected a number that is finite in float32, found {worth!r}")


class Words:
    """Growing list of words."""

    def __init__(self, words: np.ndarray):
        self.words: list[int] = words.tolist()

    def add(self, values: np.ndarray) -> int:
        """Append a table, aligned to 8 bytes; return its offset."""
        if len(self.words) % 2:
            self.words.append(0)
        offset = 4 * len(self.words)
        self.words += values.view("<i4").tolist()
        return offset


def table_of(scenario: Scenario, reward: Reward, agent: str) -> RewardTable:
    """Return the reward table of an agent in a scenario."""
    by_agent = scenario.rewards[reward] if isinstance(reward, str) else reward
    return by_agent.get(agent, {})


def _worths(names: Sequence[str], tables: Sequence[RewardTable], kind: str) -> np.ndarray:
    """Return values by name and agent."""
    rows = [[table.get(kind, {}).get(name, 0) for table in tables] for name in names]
    return np.array(rows, dtype="<f8").ravel()


def written(
    before: np.ndarray, scenarios: Sequence[Scenario], agents: Sequence[str], reward: Reward
) -> np.ndarray:
    """Return the words of a configuration with these agents and rewards."""
    words = Words(before)
    words.words[Configuration.AGENTS] = len(agents)
    for index, scenario in enumerate(scenarios):
        at = Configuration.SIZE + Variant.SIZE * index
        tables = [table_of(scenario, reward, agent) for agent in agents]
        numbers = [agents.index(each) if each in agents else NONE for each in scenario.players]
        by_metric = _worths([metric.name for metric in scenario.metrics], tables, "metrics")
        words.words[at + Variant.AGENTS] = words.add(np.array(numbers, dtype="<i4"))
        by_outcome = _worths(scenario.outcomes, tables, "outcomes")
        words.words[at + Variant.BY_OUTCOME] = words.add(by_outcome)
        words.words[at + Variant.BY_METRIC] = words.add(by_metric)
        by_step = np.array([table.get("steps", 0) for table in tables], dtype="<f8")
        words.words[at + Variant.BY_STEP] = words.add(by_step)
        flags = words.words[at + Variant.FLAGS] & ~Flags.REWARDS_METRICS
        words.words[at + Variant.FLAGS] = flags | (Flags.REWARDS_METRICS if by_metric.any() else 0)
    return np.array(words.words, dtype="<i4")


def weighted(scenarios: Sequence[Scenario], weights: Iterable[float]) -> tuple[Scenario, ...]:
    """Return scenarios with new weights, which are relative frequencies.

    Raises:
        ValueError: the number of weights is wrong, one is below 0, or all are 0
    """
    weights = [float(weight) for weight in weights]
    if len(weights) != len(scenarios):
        raise ValueError(f"weights: expected {len(scenarios)} numbers, found {len(weights)}")
    if not all(math.isfinite(each) and each >= 0 for each in weights) or not any(weights):
        raise ValueError(f"weights: expected numbers >= 0, one above 0, found {weights}")
    pairs = zip(scenarios, weights, strict=True)
    return tuple(dataclasses.replace(each, weight=weight) for each, weight in pairs)


def drawn(before: np.ndarray, scenarios: Sequence[Scenario]) -> np.ndarray:
    """Return the words of a configuration with the weights of the scenarios."""
    words = before.copy()
    total, so_far = sum(scenario.weight for scenario in scenarios), 0.0
    for index, scenario in enumerate(scenarios):
        so_far += scenario.weight
        # Rounded as in src/environments/encode-env-spec.ts.
        bound = min(2**32 - 1, math.floor(so_far / total * 2**32 + 0.5))
        at = Configuration.SIZE + Variant.SIZE * index + Variant.THRESHOLD
        words.view("<u4")[at] = bound
    return words
