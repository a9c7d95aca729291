"""Seeds, and random actions outside of the kernel's policies."""

from __future__ import annotations

import operator

import numpy as np

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15


def checked_integer(place: str, value: int) -> int:
    """Return an integer, also of NumPy, as an int."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{place}: expected an integer, found {value!r}") from None


def checked_seed(seed: int) -> int:
    """Return a seed as an int.

    Raises:
        ValueError: the seed is not within 0..2^64-1
        TypeError: the seed is not an integer
    """
    seed = checked_integer("seed", seed)
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


def stream_words(low: np.ndarray, high: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Return words of the streams of battles, u32, as in src/core/chance/stream.ts.

    Args:
        low: first half of the key of each battle, u32
        high: second half
        positions: of the words in the streams, u32
    """
    x = positions + low
    x = (x ^ (x >> np.uint32(17))) * np.uint32(0xED5AD4BB)
    x = ((x ^ (x >> np.uint32(11))) + high) * np.uint32(0xAC4C1B51)
    x = (x ^ (x >> np.uint32(15))) * np.uint32(0x31848BAB)
    words: np.ndarray = x ^ (x >> np.uint32(14))
    return words


def choose(probabilities: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Choose an action for each row.

    Args:
        probabilities: N x A; the sum of each row is above 0
        words: random words, N, u32

    Returns:
        N action indices: the first action with a cumulative probability above word / 2^32
    """
    below = probabilities.cumsum(axis=1)
    chosen: np.ndarray = (below > words[:, None] / 2**32 * below[:, -1:]).argmax(axis=1)
    return chosen
