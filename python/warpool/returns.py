"""Evaluation of policies: mean returns of whole episodes, with intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from warpool.chance import checked_seed
from warpool.choices import table_of
from warpool.environments import Environments, select_agents
from warpool.manifest import Manifest, Sources
from warpool.opponents import OpponentPolicy
from warpool.policies import FilePolicy
from warpool.scenario import Scenario

#: Maps observations N x F and masks N x A to N action indices.
ActingPolicy = Callable[[np.ndarray, np.ndarray], Any]

_Z95 = 1.959963984540054
_TAIL = 0.025

#: The 0.975 quantiles of Student's distribution with 1 to 30 degrees of freedom.
_STUDENT95 = (
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139,
    2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963,
    2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.045230, 2.042272,
)

#: Reward of an illegal action.
_FORFEIT = -1.0

_ENVS = 1024


@dataclass(frozen=True)
class Evaluation:
    """Evaluation of a policy."""

    #: Mean return.
    mean: float
    #: Its 95 % interval, with a bound for unobserved returns: docs/explanation/statistics.md, "Runs of fixed length".
    interval: tuple[float, float]
    episodes: int
    #: Episodes that ended by an illegal action, and truncated ones.
    invalid: int
    truncated: int
    #: Battles by outcome, without episodes whose battle did not end.
    outcomes: dict[str, int]


def evaluate(
    source: Sources | Any,
    policy: str | ActingPolicy = "scenario",
    episodes: int = 4096,
    *,
    seed: int = 0,
    scale: bool | None = None,
    weights: Iterable[float] | None = None,
    opponents: Mapping[str, OpponentPolicy] | None = None,
    **choices: Any,
) -> Evaluation:
    """Simulate whole episodes with a policy, and estimate its mean return.

    The counted episodes are fixed before the first step, so long battles are not under-represented:
    battles 0..episodes-1 of `warpool run` up to 1024, then the next ones of the same environments.

    Args:
        source: name of a scenario, a manifest, a list of these, or environments: then their
            manifest (agent, reward, decisions), scale and opponents apply
        policy: a policy of the kernel (`scenario`, `uniform`), or a function of observations N x F f32
            and masks N x A i8 that returns N action indices
        episodes: number of episodes; 2 or more for an interval from the sample variance
        seed: of the run; use another seed than for training
        scale: True passes scaled observations, as of `WarpoolVectorEnv(scale=True)`, except to policies of files
        weights: relative frequencies of several scenarios
        opponents: policies of other players, as for `Environments`
        choices: `agents`, `reward`, `decisions`, `max_episode_steps`, as for `Environments`

    Raises:
        ValueError: there is more than one agent, or an argument is out of range
    """
    of = getattr(source, "unwrapped", source)
    # Policy files are for unscaled observations.
    scale = (getattr(of, "scale", False) if scale is None else scale) and not isinstance(policy, FilePolicy)
    known = source if isinstance(source, Manifest) else getattr(of, "manifest", source)
    if opponents is None:
        opponents = getattr(getattr(of, "environments", of), "opponents", {})
    manifest = Manifest.load(known)
    agents = select_agents(manifest, choices.pop("agents", None), opponents)
    manifest = manifest.change(agents=agents, weights=weights, autoreset_mode="same-step", **choices)
    if len(manifest.agents) != 1:
        raise ValueError(f"agents: expected one, found {', '.join(manifest.agents)}")
    if episodes < 1:
        raise ValueError(f"episodes: expected 1 or more, found {episodes}")
    envs = Environments(manifest, min(_ENVS, episodes), seed=checked_seed(seed), opponents=opponents)
    returns: Counter[float] = Counter()
    outcomes: Counter[str] = Counter()
    invalid = truncated = 0
    # Environment e simulates the counted episodes e, e + N, e + 2 N, ...
    left = (episodes - 1 - np.arange(envs.num_envs)) // envs.num_envs + 1
    while left.any():
        if callable(policy):
            seen = envs.obs / manifest.scales if scale else envs.obs
            ended = envs.step(np.asarray(policy(seen, envs.mask)))
        else:
            envs.suggest(policy)
            ended = envs.step()
        ended = ended[left[ended] > 0]
        left[ended] -= 1
        returns.update(envs.final_return[ended, 0].tolist())
        invalid += int(envs.invalid[ended].sum())
        truncated += int(envs.truncated[ended].sum())
        for variant, outcome in zip(envs.final_variant[ended], envs.outcome[ended], strict=True):
            if outcome >= 0:
                outcomes[manifest.scenarios[variant].outcomes[outcome]] += 1
    mean, interval = _mean_interval(returns, _range(manifest, callable(policy)))
    names = dict.fromkeys(name for scenario in manifest.scenarios for name in scenario.outcomes)
    by_name = {name: outcomes[name] for name in names}
    return Evaluation(mean, interval, episodes, invalid, truncated, by_name)


def _range(manifest: Manifest, can_forfeit: bool) -> tuple[float, float]:
    """Return the least and greatest possible return of an episode, by the declared ranges."""
    ends = [_ends(scenario, manifest) for scenario in manifest.scenarios]
    others = [0.0] * (manifest.max_steps > 0) + [_FORFEIT] * can_forfeit
    bounds = min([*(low for low, _ in ends), *others]), max([*(high for _, high in ends), *others])
    # Returns are in single precision.
    return float(np.float32(bounds[0])), float(np.float32(bounds[1]))


def _ends(scenario: Scenario, manifest: Manifest) -> tuple[float, float]:
    table = table_of(scenario, manifest.reward, manifest.agents[0])
    worths = [table.get("outcomes", {}).get(name, 0) for name in scenario.outcomes]
    low, high = min(worths), max(worths)
    for metric in scenario.metrics:
        weight = table.get("metrics", {}).get(metric.name, 0)
        parts = (weight * metric.low, weight * metric.high)
        low, high = low + min(parts), high + max(parts)
    return low, high


def _student95(degrees: int) -> float:
    if degrees <= len(_STUDENT95):
        return _STUDENT95[degrees - 1]
    square = _Z95 * _Z95
    one = (square + 1) / 4
    two = ((5 * square + 16) * square + 3) / 96
    three = (((3 * square + 19) * square + 17) * square - 15) / 384
    return _Z95 * (1 + (one + (two + three / degrees) / degrees) / degrees)


def _mean_interval(
    counts: Counter[float], bounds: tuple[float, float]
) -> tuple[float, tuple[float, float]]:
    """Return a mean and its 95 % interval: `fixedInterval` of src/stats/mean-interval.ts."""
    battles = sum(counts.values())
    pairs = sorted(counts.items())
    origin = pairs[0][0]
    mean = origin + sum((value - origin) * count for value, count in pairs) / battles
    second, third = (sum((value - mean) ** k * count for value, count in pairs) / battles for k in (2, 3))
    low, high = mean - bounds[0], bounds[1] - mean
    if len(pairs) == 1:
        share = 1 - math.exp(max(-700, math.log(_TAIL) / battles))
        return mean, (mean - share * low, mean + share * high)
    z = _student95(battles - 1)
    below, above = _reach(battles, second, -third, low, z), _reach(battles, second, third, high, z)
    return mean, (mean - below, mean + above)


def _reach(battles: int, variance: float, third: float, room: float, z: float) -> float:
    """Return the distance of one bound from the mean: as if one more battle were at the end of the range."""
    weight = battles * variance + room * room
    skew = max(0.0, battles * third + room**3) / weight
    return min(room, (room + (z * z - 1) / 3 * skew + z * math.sqrt(weight)) / battles)
