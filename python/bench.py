"""Measures steps per second in Python, next to the CartPole of Gymnasium in the same run.

    python bench.py duel.json [more.json ...]

Each figure is the best of several rounds, in millions of steps of one environment per second.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import gymnasium
import numpy as np

from warpool import Environments, Manifest, random_actions
from warpool.gym import WarpoolVectorEnv

SIZES = (64, 1024, 16384)


def rate(step: Callable[[], object], num_envs: int, seconds: float, rounds: int = 5) -> float:
    """Return millions of steps per second: the greatest of several rounds."""
    step()
    best = 0.0
    for _ in range(rounds):
        calls, start = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - start) < seconds / rounds:
            step()
            calls += 1
        best = max(best, calls * num_envs / elapsed / 1e6)
    return best


def by_kernel(manifest: Manifest, num_envs: int) -> Callable[[], object]:
    """Step with the uniform policy of the kernel."""
    envs = Environments(manifest, num_envs)

    def step() -> None:
        envs.suggest("uniform")
        envs.step()

    return step


def within_kernel(manifest: Manifest, num_envs: int) -> Callable[[], object]:
    """Step a hundred times per call, without a return to Python."""
    envs = Environments(manifest, num_envs)
    return lambda: envs.rollout("uniform", steps=100)


def by_numpy(manifest: Manifest, num_envs: int) -> Callable[[], object]:
    """Step with random legal actions that NumPy draws."""
    envs, rng = Environments(manifest, num_envs), np.random.default_rng(1)
    return lambda: envs.step(random_actions(envs.mask, rng))


def by_gymnasium(manifest: Manifest, num_envs: int) -> Callable[[], object] | None:
    """Step Gymnasium's interface with random legal actions that NumPy draws."""
    if len(manifest.agents) > 1:
        return None
    envs, rng = WarpoolVectorEnv(manifest, num_envs), np.random.default_rng(1)
    masks = envs.environments.mask
    envs.reset(seed=1)
    return lambda: envs.step(random_actions(masks, rng))


def cart_pole(num_envs: int) -> Callable[[], object]:
    """Step Gymnasium's own vector environment with random actions that NumPy draws."""
    envs = gymnasium.make_vec(
        "CartPole-v1", num_envs=num_envs, vectorization_mode="vector_entry_point"
    )
    envs.reset(seed=1)
    rng = np.random.default_rng(1)
    return lambda: envs.step(rng.integers(2, size=num_envs))


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("manifests", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=2.0, help="time for each figure")
    options = parser.parse_args()
    print(f"{'million steps/s':32}" + "".join(f"{f'N = {size}':>12}" for size in SIZES))
    for path in options.manifests:
        manifest = Manifest.load(path)
        print(
            f"{path.stem}: {manifest.system}, {len(manifest.features)} features, "
            f"{len(manifest.actions)} actions"
        )
        for name, make, steps in (
            ("rollout within the kernel", within_kernel, 100),
            ("step, policy of the kernel", by_kernel, 1),
            ("step, policy in NumPy", by_numpy, 1),
            ("WarpoolVectorEnv, NumPy", by_gymnasium, 1),
        ):
            played = [(make(manifest, size), size * steps) for size in SIZES]
            _print_row(name, [step and rate(step, n, options.seconds) for step, n in played])
    print("CartPole-v1 of Gymnasium")
    _print_row(
        "step, policy in NumPy", [rate(cart_pole(size), size, options.seconds) for size in SIZES]
    )


def _print_row(name: str, rates: list[float | None]) -> None:
    print(
        f"  {name:30}" + "".join(f"{'-' if each is None else f'{each:.2f}':>12}" for each in rates)
    )


if __name__ == "__main__":
    main()
