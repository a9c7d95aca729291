"""Joins several configurations: the words that a kernel reads (docs/reference/abi.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from warpool.choices import Words
from warpool.scenario import Feature, Scenario
from warpool.words import NONE, Configuration, Flags, Variant


def merged(lists: Sequence[Sequence[Feature]]) -> list[Feature]:
    """Merge features by name, with bounds that hold in all lists; a missing feature is 0."""
    by_name: dict[str, Feature] = {}
    for each in (feature for features in lists for feature in features):
        known = by_name.get(each.name, each)
        low, high = min(known.low, each.low), max(known.high, each.high)
        by_name[each.name] = Feature(known.name, known.unit, low, high)
    for name, each in by_name.items():
        if not all(any(name == feature.name for feature in features) for features in lists):
            by_name[name] = Feature(name, each.unit, min(0, each.low), max(0, each.high))
    return list(by_name.values())


def together(
    parts: Iterable[tuple[np.ndarray, Sequence[Scenario], Sequence[str]]],
    actions: Sequence[str],
    features: Sequence[Feature],
) -> np.ndarray:
    """Join several configurations, without agents, rewards and weights.

    Args:
        parts: words, scenarios and names of actions of each configuration
        actions: names of all actions
        features: all observed features
    """
    parts = list(parts)
    entries = sum(len(scenarios) for _, scenarios, _ in parts)
    head = parts[0][0][: Configuration.SIZE].copy()
    head[[Configuration.VARIANTS, Configuration.ACTIONS, Configuration.FEATURES]] = (
        entries,
        len(actions),
        len(features),
    )
    head[Configuration.METRICS] = max(before[Configuration.METRICS] for before, _, _ in parts)
    words = Words(np.concatenate([head, np.zeros(entries * Variant.SIZE, dtype="<i4")]))
    slots = {feature.name: slot for slot, feature in enumerate(features)}
    at = Configuration.SIZE
    for before, scenarios, names in parts:
        own = Configuration.SIZE
        # The data of its scenarios follows their entries, which have byte offsets.
        begin = own + Variant.SIZE * len(scenarios)
        shift = words.add(before[begin:]) - 4 * begin
        for scenario in scenarios:
            entry = before[own : own + Variant.SIZE].copy()
            first = entry[Variant.ACTION_OF] // 4
            numbers = before[first : first + entry[Variant.ACTIONS]]
            action_of = [actions.index(names[number]) for number in numbers]
            local_of = [action_of.index(a) if a in action_of else NONE for a in range(len(actions))]
            # Omitted features are written to the slot of the player, which is written later.
            slot_of = [slots.get(feature.name, 0) for feature in scenario.features]
            shown = sum(feature.name in slots for feature in scenario.features)
            is_lacking = shown + 1 + int(head[Configuration.POINTS]) < len(features)
            entry[[Variant.BODY, Variant.EXTRAS]] += shift
            entry[Variant.ACTION_OF] = words.add(np.array(action_of, dtype="<i4"))
            entry[Variant.LOCAL_OF] = words.add(np.array(local_of, dtype="<i4"))
            entry[Variant.SLOT_OF] = words.add(np.array(slot_of, dtype="<i4"))
            entry[Variant.FLAGS] = Flags.LACKS_FEATURES if is_lacking else 0
            words.words[at : at + Variant.SIZE] = entry.tolist()
            own, at = own + Variant.SIZE, at + Variant.SIZE
    return np.array(words.words, dtype="<i4")
