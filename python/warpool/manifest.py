"""What `warpool manifest` writes: a kernel, its configuration, and the names of what it shows."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

#: The version of the kernels' interface that this package is written for.
ABI = 1


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


@dataclass(frozen=True)
class Manifest:
    """Scenarios as an environment."""

    system: str
    #: Who decides; the other players follow the policies of their scenario.
    agents: tuple[str, ...]
    #: Decision points; `phase` p stands for `points[p - 1]`.
    points: tuple[str, ...]
    #: What can be done, by the numbers that the field `act` holds.
    actions: tuple[str, ...]
    #: What is seen, by the columns of the field `obs`.
    features: tuple[Feature, ...]
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
    #: The configuration that the kernel reads, and which of its words hold what can be changed.
    words: np.ndarray = field(repr=False, compare=False)
    seed_word: int = field(repr=False)
    autoreset_word: int = field(repr=False)
    max_steps_word: int = field(repr=False)
    #: The kernel as WebAssembly, and its SHA-256.
    kernel: bytes = field(repr=False)
    sha256: str = field(repr=False)

    @classmethod
    def load(cls, source: Manifest | str | PathLike[str] | dict[str, Any]) -> Manifest:
        """Read a manifest from a file, or from what `json.load` has made of one.

        Raises:
            ValueError: it is none, it was written for another version, or its kernel is damaged
        """
        if isinstance(source, Manifest):
            return source
        if not isinstance(source, dict):
            source = json.loads(Path(source).read_text(encoding="utf-8"))
        try:
            if source["abi"] != ABI:
                raise ValueError(f"manifest: expected interface {ABI}, found {source['abi']}")
            return cls._of(source)
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a manifest of warpool: {error!r} is missing") from error

    @classmethod
    def _of(cls, source: dict[str, Any]) -> Manifest:
        configuration = source["configuration"]
        kernel = base64.b64decode(source["kernel"]["base64"])
        if hashlib.sha256(kernel).hexdigest() != source["kernel"]["sha256"]:
            raise ValueError("manifest: the kernel is damaged: its SHA-256 is another")
        return cls(
            system=source["system"],
            agents=tuple(source["agents"]),
            points=tuple(source["points"]),
            actions=tuple(source["actions"]),
            features=tuple(Feature(**each) for each in source["observations"]),
            autoreset=source["autoreset"],
            autoresets=tuple(source["autoresets"]),
            max_steps=source["maxSteps"],
            envs_max=source["envsMax"],
            policies=tuple(source["policies"]),
            scenarios=tuple(_scenario(each) for each in source["scenarios"]),
            fields=tuple(source["fields"]),
            kinds=tuple(source["kinds"]),
            words=np.frombuffer(base64.b64decode(configuration["base64"]), dtype="<i4"),
            seed_word=configuration["seedWord"],
            autoreset_word=configuration["autoresetWord"],
            max_steps_word=configuration["maxStepsWord"],
            kernel=kernel,
            sha256=source["kernel"]["sha256"],
        )


def _scenario(source: dict[str, Any]) -> Scenario:
    return Scenario(
        name=source.get("name"),
        hash=source["hash"],
        weight=source["weight"],
        players=tuple(source["players"]),
        outcomes=tuple(source["outcomes"]),
        metrics=tuple(Metric(**each) for each in source["metrics"]),
    )
