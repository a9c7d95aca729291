"""Gymnasium spaces of a manifest."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from warpool.manifest import Manifest


def observation_box(manifest: Manifest, scale: bool = False) -> spaces.Box:
    """Return the observation space: F features within their declared bounds, f32.

    Args:
        manifest: of the environments
        scale: True divides features by `manifest.scales`
    """
    low = np.array([feature.low for feature in manifest.features], dtype=np.float32)
    high = np.array([feature.high for feature in manifest.features], dtype=np.float32)
    by = manifest.scales if scale else np.float32(1)
    return spaces.Box(low / by, high / by, dtype=np.float32)


def mask_box(manifest: Manifest) -> spaces.Box:
    """Return the space of action masks: 0 or 1 for each of A actions, i8."""
    return spaces.Box(0, 1, shape=(len(manifest.actions),), dtype=np.int8)


def action_numbers(manifest: Manifest) -> spaces.Discrete:
    """Return the action space: indices of the A actions."""
    return spaces.Discrete(len(manifest.actions))
