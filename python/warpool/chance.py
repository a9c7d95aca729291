"""Seeds, and random actions outside of the kernel's policies."""

from __future__ import annotations

import operator

import numpy as np

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15


def checked_seed(seed: int) -> int:
    """Return a seed as an int.

    Raises:
        ValueError: the seed is not within 0..2^64-1
        TypeError: the seed is not an integer
    """
    seed = operator.index(seed)
    if not 0 <= seed <= _MASK:
        raise ValueError(f"seed: expected an integer 0..{_MASK}, found {seed}")
    return seed


def run_key(seed: int) -> int:
    """Return the key that the battles of a run share: splitmix64, as in src/core/chance/stream.ts."""
    z = (seed + _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def random_actions(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Choose legal actions uniformly.

    Args:
        mask: N x A, 1 for legal actions
        rng: random generator

    Returns:
        N action indices
    """
    # In (0, 1], so that a legal action always beats an illegal one.
    scores = 1 - rng.random(mask.shape, dtype=np.float32)
    scores *= mask
    chosen: np.ndarray = scores.argmax(axis=1)
    return chosen
