r"""Self-play with tables: regret matching in batches of battles, for games of two players who both decide.

    pip install warpool
    python examples/self-play-arrays.py --scenario robots-five --out policies
    npx warpool exploitability examples/systems/robots-five.yaml --systems examples/systems/robots.mjs \\
        --policy red=policies/red.json --policy blue=policies/blue.json

Each player learns in its own environments, in which the other player is an opponent with its current policy. The
results are the mean policies of all batches. Method: regret matching (S. Hart, A. Mas-Colell, Econometrica 68, 2000) at
each state, with rewards from simulated battles.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import warpool
from warpool.chance import choose
from warpool.policies import write_table


class Learner:
    """Policy by state, and the regrets of its actions. A state is an observation."""

    def __init__(self, actions: int):
        self.index: dict[bytes, int] = {}
        self.observations: list[np.ndarray] = []
        self.masks, self.regrets, self.total = (np.zeros((0, actions)) for _ in range(3))

    def find(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the index of the state of each row; adds new states."""
        rows = np.ascontiguousarray(observations).view(f"V{4 * observations.shape[1]}")[:, 0]
        keys, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
        names = [key.tobytes() for key in keys]
        new = [at for name, at in zip(names, first, strict=True) if name not in self.index]
        for at in new:
            self.index[rows[at].tobytes()] = len(self.index)
            self.observations.append(observations[at].copy())
        if new:
            self.masks = np.vstack([self.masks, masks[new]])
            nothing = np.zeros((len(new), masks.shape[1]))
            self.regrets, self.total = (np.vstack([each, nothing]) for each in (self.regrets, self.total))
        return np.array([self.index[name] for name in names])[inverse.ravel()]

    def shares(self) -> np.ndarray:
        """Return the current probabilities in all states: in proportion to positive regrets."""
        gains = np.maximum(self.regrets, 0)
        gains = np.where(gains.sum(axis=1, keepdims=True) > 0, gains, self.masks)
        return gains / gains.sum(axis=1, keepdims=True)

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the current probabilities: with this method, a learner is an opponent."""
        states = self.find(observations, masks)
        return self.shares()[states]

    def mean(self) -> np.ndarray:
        """Return the mean probabilities of all batches."""
        total = np.where(self.total.sum(axis=1, keepdims=True) > 0, self.total, self.masks)
        return total / total.sum(axis=1, keepdims=True)


def play_batch(envs: warpool.Environments, learner: Learner, rng: np.random.Generator, explore: float) -> None:
    """Simulate a battle in every environment, and update the regrets."""
    steps: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    active = np.ones(envs.num_envs, dtype=bool)
    while active.any():
        rows = np.flatnonzero(active & (envs.player >= 0))
        masks = envs.mask[rows]
        states = learner.find(envs.obs[rows], masks)
        shares = (1 - explore) * learner.shares()[states] + explore * masks / masks.sum(axis=1, keepdims=True)
        actions = np.zeros(envs.num_envs, dtype=np.int32)
        actions[rows] = choose(shares, rng.integers(2**32, size=len(rows), dtype=np.uint32))
        steps.append((rows, states, actions[rows]))
        active[envs.step(actions)] = False
    returns = envs.final_return[:, 0]
    sums, counts = np.zeros_like(learner.regrets), np.zeros_like(learner.regrets)
    for rows, states, actions in steps:
        np.add.at(sums, (states, actions), returns[rows])
        np.add.at(counts, (states, actions), 1)
    shares, means = learner.shares(), sums / np.maximum(counts, 1)
    # Actions that no environment has tried are neither better nor worse.
    known = shares * (counts > 0)
    value = (known * means).sum(axis=1, keepdims=True) / np.maximum(known.sum(axis=1, keepdims=True), 1e-12)
    weight = counts.sum(axis=1, keepdims=True) / envs.num_envs
    learner.regrets = np.maximum(learner.regrets + weight * np.where(counts > 0, means - value, 0), 0)
    learner.total += weight * shares


def main() -> None:
    """Train both players, and write their policies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", default="strength-cards-bluff", help="name, or manifest")
    parser.add_argument("--reward", default="win")
    parser.add_argument("--batches", type=int, default=256)
    parser.add_argument("--envs", type=int, default=1024, help="battles of a batch")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="self-play", help="folder of the policy files")
    arguments = parser.parse_args()
    manifest = warpool.Manifest.load(arguments.scenario).change(reward=arguments.reward)
    players = [name for name, count in warpool.count_decisions(manifest).items() if count]
    if len(players) != 2:
        parser.error(f"expected two players with decisions, found {', '.join(players) or 'none'}")
    learners = {name: Learner(len(manifest.actions)) for name in players}
    environments = {}
    for index, name in enumerate(players):
        [other] = set(players) - {name}
        environments[name] = warpool.Environments(
            manifest,
            arguments.envs,
            first_env=index * arguments.envs,
            seed=arguments.seed,
            agents=name,
            opponents={other: learners[other]},
            autoreset_mode="disabled",
        )
    rng, began = np.random.default_rng(arguments.seed), time.perf_counter()
    for batch in range(1, arguments.batches + 1):
        for name, envs in environments.items():
            play_batch(envs, learners[name], rng, explore=batch**-0.5)
            envs.reset(mask=np.ones(envs.num_envs, dtype=bool))
    folder = Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    for name, learner in learners.items():
        path = folder / f"{name}.json"
        write_table(path, manifest, np.array(learner.observations), learner.mean(), otherwise="uniform")
        print(f"{path}: {len(learner.observations)} states")
    print(f"{arguments.batches} batches: {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
