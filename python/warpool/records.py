"""Validation of record heads, which all systems share, before a kernel loads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from warpool.words import NONE, Record, Status

if TYPE_CHECKING:
    from warpool.manifest import Manifest


def check_records(place: str, records: np.ndarray, manifest: Manifest) -> None:
    """Reject records that no environment of this manifest can have, as far as heads show.

    The words of the battle after the head belong to the system and are not checked.

    Args:
        place: name of the records in messages
        records: in rows, N x bytes, u8
        manifest: of the environments that load them

    Raises:
        ValueError: a word of a head is out of range; the message has name, range and value
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
    """Yield name, index, minimum and maximum of each bounded word."""
    scenarios = manifest.scenarios
    yield "variant", Record.VARIANT, 0, len(scenarios) - 1
    # After the first check, every variant is a valid scenario.
    variants = heads[:, Record.VARIANT]
    yield "point", Record.POINT, NONE, len(manifest.decision_points) - 1
    yield "player", Record.PLAYER, 0, np.array([len(s.players) - 1 for s in scenarios])[variants]
    outcomes = np.array([len(s.outcomes) - 1 for s in scenarios])[variants]
    yield "outcome", Record.OUTCOME, NONE, outcomes
    # With same-step autoreset no environment waits after an episode: it would be stepped forever.
    ends_at_once = manifest.autoreset == "same-step"
    yield "status", Record.STATUS, Status.OPEN, Status.OPEN if ends_at_once else Status.TRUNCATED
    for word in range(Record.UNUSED, Record.SIZE):
        yield f"word {word}", word, 0, 0
