"""What a manifest says of a scenario: what is seen and measured in it, and what players earn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: What outcomes and a step of each metric are worth, by `outcomes` and `metrics`, then by name.
RewardTable = Mapping[str, Mapping[str, float]]

#: The name of a reward, or a table for each agent.
Reward = str | Mapping[str, RewardTable]


@dataclass(frozen=True)
class Feature:
    """One number of an observation, a whole number low..high."""

    name: str
    #: What it counts: hp, rounds, 0/1 for flags.
    unit: str
    low: float
    high: float


@dataclass(frozen=True)
class Metric:
    """One number that is measured when a battle is over."""

    name: str
    low: float
    high: float
    #: What one step of the kernel's integer stands for.
    unit: float


@dataclass(frozen=True)
class Scenario:
    """One of the scenarios that episodes are drawn from."""

    name: str | None
    #: Digest of its content.
    hash: str
    #: How often it is drawn, relative to the others.
    weight: float
    #: By the numbers that the field `player` holds.
    players: tuple[str, ...]
    #: By the numbers that the field `outcome` holds.
    outcomes: tuple[str, ...]
    #: By the columns of the field `metrics`.
    metrics: tuple[Metric, ...]
    #: What it could show, with what is the same in all its states: its own order.
    features: tuple[Feature, ...] = field(repr=False)
    #: What players earn by the rewards that have names: by reward and player.
    rewards: Mapping[str, Mapping[str, RewardTable]] = field(repr=False, hash=False)
