"""Infos of Gymnasium and PettingZoo environments: numbers, which `Manifest.names` replaces by names."""

from __future__ import annotations

from typing import Any

import numpy as np

from warpool.client import request_result
from warpool.environments import Environments
from warpool.errors import WarpoolError


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


class Story:
    """Text of a single environment: the events of its episode, the last action, and the present decision.

    Node.js replays the events of a shipped scenario, if there is Node.js and no opponent has another policy.
    """

    def __init__(self, environments: Environments, source: object):
        self._environments = environments
        self._source = source if isinstance(source, str) else None
        self.begin()

    def begin(self) -> None:
        """Begin with the first decision of an episode."""
        self._actions: list[str] = []
        self._last = ""

    def add(self, action: int) -> None:
        """Add an action before it is taken."""
        decision, actions = self._decision(), self._environments.manifest.actions
        name = actions[action] if 0 <= action < len(actions) else f"invalid action {action}"
        self._actions.append(name)
        self._last = f"{decision['player']}: {name}\n" if decision else ""

    def text(self) -> str:
        """Return the text."""
        events = self._replay()
        return "\n".join([*events, ""] if events else []) + self._last + self._environments.text()

    def _decision(self) -> dict[str, str] | None:
        """Return the pending decision; None after the end of the battle."""
        environments, manifest = self._environments, self._environments.manifest
        player, phase = int(environments.player[0]), int(environments.phase[0])
        if player < 0 or phase == 0:
            return None
        players = manifest.scenarios[int(environments.variant[0])].players
        return {"point": manifest.decision_points[phase - 1], "player": players[player]}

    def _replay(self) -> list[str]:
        """Return the events; none if Node.js, the scenario or a policy is unknown."""
        environments, manifest = self._environments, self._environments.manifest
        if self._source is None or environments.opponents:
            return []
        episode = {
            "seed": environments.seed,
            "env": environments.first_env,
            "episode": int(environments.episode[0]),
            "agents": manifest.agents,
            "decisions": manifest.decisions,
            "actions": self._actions,
        }
        try:
            replayed = request_result("replay_episode", [self._source, episode])
        except WarpoolError:
            self._source = None
            return []
        # The state may be another one: after `set_state`, or an illegal action.
        is_same = (replayed["hash"], replayed["pending"]) == (manifest.scenarios[0].hash, self._decision())
        return list(replayed["lines"]) if is_same else []


def check_render_mode(mode: str | None) -> str | None:
    """Return a valid render mode.

    Raises:
        ValueError: the mode is unknown
    """
    if mode not in (None, "ansi"):
        raise ValueError(f"render_mode: expected ansi or None, found {mode!r}")
    return mode
