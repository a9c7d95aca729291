r"""Tabular self-play by regret matching, for games in which two players decide.

    pip install warpool
    python examples/self-play-arrays.py --scenario robots-five --out policies
    npx warpool exploitability examples/systems/robots-five.yaml --systems examples/systems/robots.mjs \\
        --policy red=policies/red.json --policy blue=policies/blue.json

Each player learns in separate environments, in which the other player is an opponent with its current policy. The
results are the mean policies over all batches. The method is regret matching (S. Hart, A. Mas-Colell, Econometrica 68,
2000) at each state, with rewards from simulated battles.
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
    """Probabilities and regrets of the actions in each state. A state is an observation."""

    def __init__(self, actions: int):
        self.index: dict[bytes, int] = {}
        self.observations: list[np.ndarray] = []
        self.masks, self.regrets, self.sums = (np.zeros((0, actions)) for _ in range(3))

    def find(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the index of the state of each row, after adding new states."""
        rows = np.ascontiguousarray(observations).view(f"V{4 * observations.shape[1]}")[:, 0]
        keys, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
        names = [key.tobytes() for key in keys]
        new = [row for name, row in zip(names, first, strict=True) if name not in self.index]
        for row in new:
            self.index[rows[row].tobytes()] = len(self.index)
            self.observations.append(observations[row].copy())
        if new:
            self.masks = np.vstack([self.masks, masks[new]])
            zeros = np.zeros((len(new), masks.shape[1]))
            self.regrets, self.sums = (np.vstack([each, zeros]) for each in (self.regrets, self.sums))
        return np.array([self.index[name] for name in names])[inverse.ravel()]

    def current(self) -> np.ndarray:
        """Return the current probabilities in all states: in proportion to positive regrets, else uniform."""
        positive = np.maximum(self.regrets, 0)
        positive = np.where(positive.sum(axis=1, keepdims=True) > 0, positive, self.masks)
        return positive / positive.sum(axis=1, keepdims=True)

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the current probabilities of each row. This method makes a learner an opponent."""
        states = self.find(observations, masks)
        return self.current()[states]

    def mean(self) -> np.ndarray:
        """Return the mean probabilities over all batches; uniform in states without updates."""
        sums = np.where(self.sums.sum(axis=1, keepdims=True) > 0, self.sums, self.masks)
        return sums / sums.sum(axis=1, keepdims=True)


def play_batch(envs: warpool.Environments, learner: Learner, rng: np.random.Generator, explore: float) -> None:
    """Simulate one battle in each environment, and update the regrets.

    `explore` is the probability of a uniform legal action.
    """
    steps: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    active = np.ones(envs.num_envs, dtype=bool)
    while active.any():
        rows = np.flatnonzero(active & (envs.player >= 0))
        masks = envs.mask[rows]
        states = learner.find(envs.obs[rows], masks)
        probabilities = (1 - explore) * learner.current()[states]
        probabilities += explore * masks / masks.sum(axis=1, keepdims=True)
        actions = np.zeros(envs.num_envs, dtype=np.int32)
        actions[rows] = choose(probabilities, rng.integers(2**32, size=len(rows), dtype=np.uint32))
        steps.append((rows, states, actions[rows]))
        active[envs.step(actions)] = False
    returns = envs.final_return[:, 0]
    sums, counts = np.zeros_like(learner.regrets), np.zeros_like(learner.regrets)
    for rows, states, actions in steps:
        np.add.at(sums, (states, actions), returns[rows])
        np.add.at(counts, (states, actions), 1)
    probabilities, means = learner.current(), sums / np.maximum(counts, 1)
    # The regrets of actions that no environment has tried do not change.
    tried = probabilities * (counts > 0)
    value = (tried * means).sum(axis=1, keepdims=True) / np.maximum(tried.sum(axis=1, keepdims=True), 1e-12)
    weight = counts.sum(axis=1, keepdims=True) / envs.num_envs
    learner.regrets = np.maximum(learner.regrets + weight * np.where(counts > 0, means - value, 0), 0)
    learner.sums += weight * probabilities


def main() -> None:
    """Train both players, and write their policy files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenario", default="strength-cards-bluff", help="name of a scenario, or manifest file")
    parser.add_argument("--reward", default="win", help="name of the reward")
    parser.add_argument("--batches", type=int, default=256, help="number of batches")
    parser.add_argument("--envs", type=int, default=1024, help="number of battles of a batch, for each player")
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
    rng, start = np.random.default_rng(arguments.seed), time.perf_counter()
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
    print(f"{arguments.batches} batches: {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
