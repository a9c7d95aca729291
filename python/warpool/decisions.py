"""Number of decisions of each player, to choose agents for training."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterable

from warpool.environments import Environments
from warpool.manifest import Manifest, Sources

_ENVS = 32
_SEEDS = 16
_STEPS = 64


def count_decisions(scenario: Sources, decisions: Iterable[str] | None = None) -> dict[str, float]:
    """Return the mean number of decisions of each player in a battle.

    Measured in 1024 battles, half of them with the scenario's policies and half with uniform actions, up to 64
    decisions in each. A player with 0 never decides: it has no choice, or always one legal action. A sum below 1 means
    that some battles have no decision; their episodes end with the first step, whatever its action.

    Args:
        scenario: the name of a scenario, a manifest, or a list of them
        decisions: decision points to count; default: of the manifest
    """
    manifest = Manifest.load(scenario)
    counted = manifest.change(agents="all", decisions=decisions, autoreset_mode="disabled", max_episode_steps=0)
    return dict(_counted(counted))


@functools.lru_cache(maxsize=64)
def _counted(manifest: Manifest) -> tuple[tuple[str, float], ...]:
    counts = dict.fromkeys(manifest.agents, 0)
    envs = Environments(manifest, _ENVS)
    for policy, seed in itertools.product(("scenario", "uniform"), range(_SEEDS)):
        envs.reset(seed)
        for _ in range(_STEPS):
            deciding = envs.player >= 0
            if not deciding.any():
                break
            pairs = zip(envs.variant[deciding].tolist(), envs.player[deciding].tolist(), strict=True)
            for (variant, player), count in Counter(pairs).items():
                counts[manifest.scenarios[variant].players[player]] += count
            envs.suggest(policy)
            envs.step()
    return tuple((name, count / (2 * _SEEDS * _ENVS)) for name, count in counts.items())
