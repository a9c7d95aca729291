"""Joins several configurations: the words that a kernel reads (docs/reference/abi.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from warpool.choices import Words
from warpool.scenario import Feature, Scenario
from warpool.words import NONE, Configuration, DecisionAutomaton, Flags, Variant


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


@dataclass(frozen=True)
class Part:
    """A configuration to join."""

    words: np.ndarray
    scenarios: Sequence[Scenario]
    #: Names of actions, and observed features.
    actions: Sequence[str]
    features: Sequence[Feature]
    #: True for compiled scenarios, which contain the rows of all observations.
    is_compiled: bool


def together(parts: Iterable[Part], actions: Sequence[str], features: Sequence[Feature]) -> np.ndarray:
    """Join several configurations, without agents, rewards and weights.

    Args:
        parts: configurations
        actions: names of all actions
        features: all observed features
    """
    parts = list(parts)
    entries = sum(len(part.scenarios) for part in parts)
    head = parts[0].words[: Configuration.SIZE].copy()
    head[[Configuration.VARIANTS, Configuration.ACTIONS, Configuration.FEATURES]] = (
        entries,
        len(actions),
        len(features),
    )
    head[Configuration.METRICS] = max(part.words[Configuration.METRICS] for part in parts)
    words = Words(np.concatenate([head, np.zeros(entries * Variant.SIZE, dtype="<i4")]))
    slots = {feature.name: slot for slot, feature in enumerate(features)}
    at = Configuration.SIZE
    common = 1 + int(head[Configuration.POINTS])
    for part in parts:
        before, scenarios, names = part.words, part.scenarios, part.actions
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
            is_lacking = shown + common < len(features)
            entry[[Variant.BODY, Variant.EXTRAS]] += shift
            if part.is_compiled:
                _rearrange_rows(words, int(entry[Variant.BODY]), scenario, part.features[common:], features[common:])
            entry[Variant.ACTION_OF] = words.add(np.array(action_of, dtype="<i4"))
            entry[Variant.LOCAL_OF] = words.add(np.array(local_of, dtype="<i4"))
            entry[Variant.SLOT_OF] = words.add(np.array(slot_of, dtype="<i4"))
            entry[Variant.FLAGS] = Flags.LACKS_FEATURES if is_lacking else 0
            words.words[at : at + Variant.SIZE] = entry.tolist()
            own, at = own + Variant.SIZE, at + Variant.SIZE
    return np.array(words.words, dtype="<i4")


def _rearrange_rows(
    words: Words, body: int, scenario: Scenario, before: Sequence[Feature], after: Sequence[Feature]
) -> None:
    """Replace the table of observations of a compiled scenario: other columns, constant ones included.

    Args:
        words: of all configurations
        body: offset of the compiled scenario in bytes
        scenario: has all features
        before: columns of the table
        after: new columns
    """
    columns = [feature.name for feature in before]
    if columns == [feature.name for feature in after]:
        return
    first = body // 4
    start, stop = (words.words[first + word] // 4 for word in (DecisionAutomaton.ROW_TABLE, DecisionAutomaton.RECORDS))
    count = (stop - start) // len(columns) if columns else 1
    rows = np.array(words.words[first + start : first + stop], dtype="<i4").view("<f4").reshape(count, len(columns))
    constants = {feature.name: feature.low for feature in scenario.features}
    table = np.zeros((count, len(after)), dtype="<f4")
    for column, feature in enumerate(after):
        known = feature.name in columns
        table[:, column] = rows[:, columns.index(feature.name)] if known else constants.get(feature.name, 0)
    words.words[first + DecisionAutomaton.ROW_TABLE] = words.add(table.ravel()) - body
