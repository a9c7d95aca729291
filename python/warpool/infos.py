"""Infos of Gymnasium and PettingZoo environments: numbers, which `Manifest.names` replaces by names."""

from __future__ import annotations

from typing import Any

import numpy as np

from warpool.environments import Environments


def decision_infos(environments: Environments) -> dict[str, np.ndarray]:
    """Return infos about the pending decision of every environment."""
    return {
        "action_mask": environments.mask,
        "player": environments.player,
        "phase": environments.phase,
        "scenario": environments.variant,
    }


def final_decision_infos(environments: Environments, ended: np.ndarray) -> dict[str, np.ndarray]:
    """Return infos about the last decision of finished episodes."""
    return {
        "action_mask": environments.final_mask[ended],
        "player": environments.final_player[ended],
        "phase": environments.final_phase[ended],
        "scenario": environments.final_variant[ended],
    }


def ending_infos(environments: Environments, ended: np.ndarray) -> dict[str, np.ndarray]:
    """Return infos about the end of finished episodes."""
    outcome = environments.outcome[ended]
    metrics = environments.metrics[ended]
    metrics[outcome < 0] = 0
    return {
        "outcome": outcome,
        "metrics": metrics,
        "length": environments.length[ended],
        "invalid": environments.invalid[ended],
    }


def only(infos: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return the infos of a single environment: rows as arrays, numbers as Python numbers."""
    return {
        name: values[0].copy() if values.ndim > 1 else values[0].item()
        for name, values in infos.items()
    }


def describe_action(environments: Environments, action: int) -> str:
    """Return a line with the deciding player and its action, for texts; empty without a decision."""
    player, actions = int(environments.player[0]), environments.manifest.actions
    if player < 0:
        return ""
    name = environments.manifest.scenarios[int(environments.variant[0])].players[player]
    return f"{name}: {actions[action] if 0 <= action < len(actions) else f'invalid action {action}'}\n"


def check_render_mode(mode: str | None) -> str | None:
    """Return a valid render mode.

    Raises:
        ValueError: the mode is unknown
    """
    if mode not in (None, "ansi"):
        raise ValueError(f"render_mode: expected ansi or None, found {mode!r}")
    return mode
