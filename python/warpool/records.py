"""The heads of records, checked before a kernel takes them: what every state has in any system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from warpool.words import NONE, Record, Status

if TYPE_CHECKING:
    from warpool.manifest import Manifest


def check_records(place: str, records: np.ndarray, manifest: Manifest) -> None:
    """Refuse records that no environment of this manifest has made, as far as heads tell it.

    The words of a battle behind a head are the system's own and are not checked.

    Args:
        place: what messages call the records
        records: one a row; N x bytes, u8
        manifest: of the environments that are to take them

    Raises:
        ValueError: a word of a head is out of its range; the message names word, range and finding
    """
    heads = np.ascontiguousarray(records).view("<i4")[:, : Record.SIZE]
    for name, word, least, most in _bounds(heads, manifest):
        found = heads[:, word]
        strays = np.flatnonzero((found < least) | (found > most))
        if strays.size == 0:
            continue
        highest = int(np.broadcast_to(most, found.shape)[strays[0]])
        expected = str(least) if least == highest else f"{least}..{highest}"
        raise ValueError(f"{place}, {name}: expected {expected}, found {found[strays[0]]}")


def _bounds(
    heads: np.ndarray, manifest: Manifest
) -> Iterator[tuple[str, int, int, int | np.ndarray]]:
    """Yield the name of each bounded word, its place, the least and the most that it may be."""
    scenarios = manifest.scenarios
    yield "variant", Record.VARIANT, 0, len(scenarios) - 1
    # Behind the first bound every variant is one of the scenarios.
    variants = heads[:, Record.VARIANT]
    yield "point", Record.POINT, NONE, len(manifest.decision_points) - 1
    yield "player", Record.PLAYER, 0, np.array([len(s.players) - 1 for s in scenarios])[variants]
    outcomes = np.array([len(s.outcomes) - 1 for s in scenarios])[variants]
    yield "outcome", Record.OUTCOME, NONE, outcomes
    # The step that ends an episode begins the next one: what has ended would be stepped for ever.
    ends_at_once = manifest.autoreset == "same-step"
    yield "status", Record.STATUS, Status.OPEN, Status.OPEN if ends_at_once else Status.TRUNCATED
    for word in range(Record.UNUSED, Record.SIZE):
        yield f"word {word}", word, 0, 0
