"""The heads of records, checked before a kernel takes them: what every state has in any system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from warpool.manifest import Manifest

#: Words of a head, in the order of RECORD in src/rollout/layout.ts, before those of the battle.
HEAD_WORDS = 12

#: The index of the scenario; the pending decision point, -1 if the battle is over; the player who
#: decides; the outcome of a battle that is over, or -1; not 0 if a reset is due; words without use.
VARIANT, POINT, PLAYER, OUTCOME, STATUS, UNUSED = 4, 5, 6, 7, 8, 9

#: The greatest status: the limit of steps has ended the episode.
_TRUNCATED = 2


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
    heads = np.ascontiguousarray(records).view("<i4")[:, :HEAD_WORDS]
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
    yield "variant", VARIANT, 0, len(scenarios) - 1
    # Behind the first bound every variant is one of the scenarios.
    variants = heads[:, VARIANT]
    yield "point", POINT, -1, len(manifest.points) - 1
    yield "player", PLAYER, 0, np.array([len(s.players) - 1 for s in scenarios])[variants]
    yield "outcome", OUTCOME, -1, np.array([len(s.outcomes) - 1 for s in scenarios])[variants]
    yield "status", STATUS, 0, _TRUNCATED
    for word in range(UNUSED, HEAD_WORDS):
        yield f"word {word}", word, 0, 0
