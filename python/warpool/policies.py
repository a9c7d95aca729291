"""Policy files: neural networks as players in all commands of warpool (docs/reference/policy-files.md).

>>> actor = nn.Sequential(nn.Linear(15, 64), nn.ReLU(), nn.Linear(64, 5))
>>> write_network("policy.json", "phased-dice-broadside", actor.state_dict().values(), scale=True)
>>> warpool.evaluate("phased-dice-broadside", NetworkPolicy("policy.json", "phased-dice-broadside"))
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from warpool.choices import check_name, some_of
from warpool.manifest import Manifest, Sources

FORMAT = "warpool-policy-1"
CHOICES = ("softmax", "argmax")


def write_network(
    path: str | PathLike[str],
    source: Sources,
    parameters: Iterable[ArrayLike],
    *,
    features: Iterable[str] | None = None,
    scale: bool = False,
    choose: str = "softmax",
) -> None:
    """Write a policy file with a network of affine layers, and ReLU between them.

    Args:
        path: the file
        source: scenario or manifest of the training, with the names of inputs and actions
        parameters: weights and biases of each layer, as `state_dict().values()` of a `nn.Sequential`
        features: the inputs; default: all features of the manifest
        scale: True if the network was trained with scaled observations, as of `WarpoolVectorEnv(scale=True)`
        choose: `softmax`: random, in proportion to exp(output); `argmax`: the greatest output

    Raises:
        ValueError: a name is unknown, a shape does not fit, a number is not finite in float32, or the agents
            decide only at some decision points
    """
    manifest = Manifest.load(source)
    columns = [feature.name for feature in manifest.features]
    inputs = columns if features is None else list(some_of("features", features, columns))
    check_name("choose", choose, CHOICES)
    if manifest.decisions != manifest.decision_points:
        found = ", ".join(manifest.decisions)
        raise ValueError(f"decisions: expected {', '.join(manifest.decision_points)}, found {found}")
    # Weights are divided by the scales in double precision, and rounded once.
    arrays = [np.asarray(each, dtype=np.float64) for each in parameters]
    if scale and arrays and arrays[0].shape[-1:] == (len(inputs),):
        arrays[0] = arrays[0] / manifest.scales.astype(np.float64)[[columns.index(name) for name in inputs]]
    content = {
        "format": FORMAT,
        "system": manifest.system,
        "kind": "network",
        "features": inputs,
        "actions": manifest.actions,
        "layers": _encode_layers(arrays, len(inputs), len(manifest.actions)),
        "choose": choose,
    }
    Path(path).write_text(json.dumps(content) + "\n", encoding="utf-8")


def _encode_layers(arrays: Sequence[np.ndarray], inputs: int, actions: int) -> list[dict[str, Any]]:
    if not arrays or len(arrays) % 2:
        raise ValueError(f"parameters: expected weights and biases of each layer, found {len(arrays)} arrays")
    layers: list[dict[str, Any]] = []
    for index in range(0, len(arrays), 2):
        weights, biases = arrays[index : index + 2]
        is_last = index == len(arrays) - 2
        outputs = actions if is_last else len(biases)
        for at, array, shape in ((index, weights, (outputs, inputs)), (index + 1, biases, (outputs,))):
            if array.shape != shape:
                raise ValueError(f"parameters[{at}]: expected shape {shape}, found {array.shape}")
        layer = {"inputs": inputs, "outputs": outputs, "weights": _encode(weights), "biases": _encode(biases)}
        layers.append(layer if is_last else layer | {"relu": True})
        inputs = outputs
    return layers


def _encode(array: np.ndarray) -> str:
    with np.errstate(over="ignore"):
        numbers = array.astype("<f4")
    if not np.isfinite(numbers).all():
        raise ValueError("parameters: expected finite numbers in float32")
    return base64.b64encode(numbers.tobytes()).decode()


class NetworkPolicy:
    """Policy of a network in a policy file: a function of observations and masks for `warpool.evaluate`.

    Random choices use a generator of NumPy, so they differ from those of other programs.
    """

    def __init__(self, path: str | PathLike[str], source: Sources, *, seed: int = 0):
        """Read a policy file for environments of a scenario or manifest, without scaling.

        Raises:
            ValueError: the file has a table, or names that the manifest lacks
        """
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        manifest = Manifest.load(source)
        for key, expected in (("format", FORMAT), ("kind", "network")):
            if content.get(key) != expected:
                raise ValueError(f"policy.{key}: expected {expected}, found {content.get(key)!r}")
        known = [feature.name for feature in manifest.features]
        self._columns = [known.index(name) for name in some_of("features", content["features"], known)]
        actions = some_of("actions", content["actions"], manifest.actions)
        self._actions = [manifest.actions.index(name) for name in actions]
        self._is_greedy: bool = content["choose"] == "argmax"
        self._layers = [_decode_layer(layer) for layer in content["layers"]]
        self._random = np.random.default_rng(seed)

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the probabilities of all actions, N x A, f64; 0 for illegal ones."""
        values = np.asarray(observations, dtype=np.float32)[:, self._columns]
        for weights, biases, relu in self._layers:
            # One input after the other: the order of rounding of docs/reference/policy-files.md.
            sums = np.repeat(biases[None, :], len(values), axis=0)
            for column in range(weights.shape[1]):
                sums += weights[:, column] * values[:, column, None]
            values = np.where(sums < 0, np.float32(0), sums) if relu else sums
        outputs = np.full(np.shape(masks), -np.inf)
        outputs[:, self._actions] = values
        outputs[np.asarray(masks) == 0] = -np.inf
        greatest = outputs.max(axis=1, keepdims=True)
        shares: np.ndarray = np.exp(outputs - greatest)
        if self._is_greedy:
            # The first of equal outputs, in the order of the file.
            first = (outputs == greatest)[:, self._actions].argmax(axis=1)
            shares = np.zeros(outputs.shape)
            shares[np.arange(len(shares)), np.array(self._actions)[first]] = 1
        total: np.ndarray = shares.sum(axis=1, keepdims=True)
        shares /= total
        return shares

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Choose an action for each row."""
        below = self.probabilities(observations, masks).cumsum(axis=1)
        chosen: np.ndarray = (below > self._random.random((len(below), 1)) * below[:, -1:]).argmax(axis=1)
        return chosen


def _decode_layer(layer: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, bool]:
    shape = (layer["outputs"], layer["inputs"])
    weights, biases = (np.frombuffer(base64.b64decode(layer[key]), dtype="<f4") for key in ("weights", "biases"))
    return weights.reshape(shape), biases, layer.get("relu", False)
