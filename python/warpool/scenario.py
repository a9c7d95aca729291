"""Description of a scenario in a manifest: features, metrics, and rewards of players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: Values of outcomes, and per unit of each metric: by `outcomes` and `metrics`, then by name. The value of `steps` is
#: the reward for each action of an agent.
RewardTable = Mapping[str, Any]

#: Name of a reward, or a table for each agent.
Reward = str | Mapping[str, RewardTable]


@dataclass(frozen=True)
class Feature:
    """One number of an observation, an integer low..high."""

    name: str
    #: Unit: hp, rounds, 0/1 for flags.
    unit: str
    low: float
    high: float


@dataclass(frozen=True)
class Metric:
    """Metric of a finished battle."""

    name: str
    low: float
    high: float
    #: Value of 1 in the kernel's integer.
    unit: float


@dataclass(frozen=True)
class Scenario:
    """One of the scenarios from which episodes are sampled."""

    name: str | None
    #: Digest of its content.
    hash: str
    #: Relative frequency.
    weight: float
    #: By index in the field `player`.
    players: tuple[str, ...]
    #: By index in the field `outcome`.
    outcomes: tuple[str, ...]
    #: Columns of the field `metrics`.
    metrics: tuple[Metric, ...]
    #: All features of the scenario, including constant ones, in its own order.
    features: tuple[Feature, ...] = field(repr=False)
    #: Named rewards, by name and player.
    rewards: Mapping[str, Mapping[str, RewardTable]] = field(repr=False, hash=False)
