"""Policy files: networks and tables as players in all commands of warpool (docs/reference/policy-files.md).

>>> actor = nn.Sequential(nn.Linear(15, 64), nn.ReLU(), nn.Linear(64, 5))
>>> write_network("policy.json", "phased-dice-broadside", actor.state_dict().values(), scale=True)
>>> warpool.evaluate("phased-dice-broadside", NetworkPolicy("policy.json", "phased-dice-broadside"))
"""

from __future__ import annotations

import abc
import base64
import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from warpool.chance import choose
from warpool.choices import check_name, some_of
from warpool.manifest import Manifest, Sources
from warpool.reading import Reader

FORMAT = "warpool-policy-1"
CHOICES = ("softmax", "argmax")

#: Required lists of policy files by kind.
_LISTS = {"table": ("features", "states"), "network": ("features", "actions", "layers")}

#: Readers of tables reject a sum of probabilities that differs by this much from 1.
_TOLERANCE = 1e-6


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


def write_table(
    path: str | PathLike[str],
    source: Sources,
    observations: ArrayLike,
    probabilities: ArrayLike,
    *,
    features: Iterable[str] | None = None,
    otherwise: str | None = None,
) -> None:
    """Write a policy file with a table.

    Args:
        path: the file
        source: scenario or manifest of the training, with the names of features and actions
        observations: one row for each state, as in `Environments.obs`, S x F
        probabilities: of the actions in each state, S x A; states that are repeated with equal ones are merged
        features: names of the features that identify a state; default: all
        otherwise: policy in other states, `scenario` or `uniform`; default: an error

    Raises:
        ValueError: there is no state, a shape does not fit, a name is unknown, a number is not finite in float32,
            or probabilities are invalid or differ for equal states
    """
    manifest = Manifest.load(source)
    columns = [feature.name for feature in manifest.features]
    names = columns if features is None else list(some_of("features", features, columns))
    rows, shares = np.asarray(observations, dtype=np.float64), np.asarray(probabilities, dtype=np.float64)
    if rows.shape[:1] == (0,):
        raise ValueError("observations: expected at least one state, found none")
    for name, array, width in (("observations", rows, len(columns)), ("probabilities", shares, len(manifest.actions))):
        if array.shape != (*rows.shape[:1], width):
            raise ValueError(f"{name}: expected shape {(*rows.shape[:1], width)}, found {array.shape}")
    with np.errstate(over="ignore"):
        singles = rows.astype(np.float32)
    is_distribution = (shares >= 0).all(axis=1) & (abs(shares.sum(axis=1) - 1) < _TOLERANCE)
    for name, array, is_valid, expected in (
        ("observations", rows, np.isfinite(singles).all(axis=1), "finite numbers in float32"),
        ("probabilities", shares, is_distribution, "numbers >= 0 whose sum is 1"),
    ):
        if not is_valid.all():
            at = int(is_valid.argmin())
            raise ValueError(f"{name}[{at}]: expected {expected}, found {array[at].tolist()}")
    if otherwise is not None:
        check_name("otherwise", otherwise, ("scenario", "uniform"))
    points = rows[:, 1 : 1 + len(manifest.decision_points)].argmax(axis=1)
    chosen = [columns.index(name) for name in names]
    first: dict[bytes, int] = {}
    for at, key in enumerate(_encode_rows(points, singles[:, chosen]).tolist()):
        known = first.setdefault(key, at)
        if (shares[at] != shares[known]).any():
            expected = f"{shares[known].tolist()}, as in row {known} of the same state"
            raise ValueError(f"probabilities[{at}]: expected {expected}, found {shares[at].tolist()}")
    states = [
        {
            "decision": manifest.decision_points[points[at]],
            "observation": rows[at, chosen].tolist(),
            "actions": {
                name: share for name, share in zip(manifest.actions, shares[at].tolist(), strict=True) if share > 0
            },
        }
        for at in first.values()
    ]
    content = {"format": FORMAT, "system": manifest.system, "kind": "table", "features": names, "states": states}
    if otherwise is not None:
        content["otherwise"] = otherwise
    Path(path).write_text(json.dumps(content) + "\n", encoding="utf-8")


class FilePolicy(abc.ABC):
    """Policy of a policy file: a function of observations and masks, for `warpool.evaluate` and `opponents`.

    Random choices of a call use a generator of NumPy, so they differ from those of other programs. As an opponent, the
    policy uses the stream of the battle instead.
    """

    def __init__(self, content: Mapping[str, Any], source: Sources, *, seed: int = 0):
        """Bind the content of a policy file to the observations of a scenario or manifest, without scaling.

        Raises:
            ValueError: the file has names that the manifest lacks, or `otherwise` is not `uniform`
        """
        self.manifest = Manifest.load(source)
        if content.get("system") != self.manifest.system:
            raise ValueError(f"policy.system: expected {self.manifest.system}, found {content.get('system')}")
        known = [feature.name for feature in self.manifest.features]
        self._columns = [known.index(name) for name in some_of("features", content["features"], known)]
        self._otherwise: str | None = content.get("otherwise")
        if self._otherwise not in (None, "uniform"):
            raise ValueError(f"policy.otherwise: expected uniform or none in Python, found {self._otherwise!r}")
        self._random = np.random.default_rng(seed)

    @abc.abstractmethod
    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the probabilities of all actions, N x A, f64; 0 for illegal ones."""

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Choose an action for each row.

        Raises:
            ValueError: an observation is not an integer, as of environments with scaling
        """
        numbers = np.asarray(observations)
        is_scaled = numbers != np.rint(numbers)
        if is_scaled.any():
            found = f"{numbers[is_scaled][0]:g}: create the environment without scale"
            raise ValueError(f"observations: expected integers in the units of the features, found {found}")
        words = self._random.integers(2**32, size=len(observations), dtype=np.uint32)
        return choose(self.probabilities(observations, masks), words)

    def _fill(self, shares: np.ndarray, masks: np.ndarray, is_missing: np.ndarray, problem: str) -> np.ndarray:
        """Replace the rows without an answer by the uniform policy."""
        if is_missing.any() and self._otherwise is None:
            raise ValueError(f"policy: {problem}, and the file has no `otherwise`")
        legal = np.asarray(masks, dtype=np.float64)
        shares[is_missing] = legal[is_missing] / legal[is_missing].sum(axis=1, keepdims=True)
        return shares


class NetworkPolicy(FilePolicy):
    """Policy of a network in a policy file."""

    def __init__(self, path: str | PathLike[str], source: Sources, *, seed: int = 0):
        """Read a policy file for environments of a scenario or manifest, without scaling.

        Raises:
            ValueError: the file has a table, names that the manifest lacks, or invalid layers
        """
        content = _read_content(path, "network")
        super().__init__(content, source, seed=seed)
        actions = some_of("actions", content["actions"], self.manifest.actions)
        self._actions = [self.manifest.actions.index(name) for name in actions]
        check_name("policy.choose", str(content.get("choose")), CHOICES)
        self._is_greedy: bool = content["choose"] == "argmax"
        self._layers = _decode_layers(content["layers"], len(self._columns), len(actions))

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
        is_legal = np.asarray(masks) != 0
        outputs[~is_legal] = -np.inf
        is_missing = (is_legal & np.isneginf(outputs)).any(axis=1)
        greatest = np.where(is_missing, 0, outputs.max(axis=1))[:, None]
        shares: np.ndarray = np.exp(outputs - greatest)
        if self._is_greedy:
            # The first of equal outputs, in the order of the file.
            first = (outputs == greatest)[:, self._actions].argmax(axis=1)
            shares = np.zeros(outputs.shape)
            shares[np.arange(len(shares)), np.array(self._actions)[first]] = 1
        shares = self._fill(shares, masks, is_missing, "the network has no output for a legal action")
        total: np.ndarray = shares.sum(axis=1, keepdims=True)
        shares /= total
        return shares


class TablePolicy(FilePolicy):
    """Policy of a table in a policy file."""

    def __init__(self, path: str | PathLike[str], source: Sources, *, seed: int = 0):
        """Read a policy file for environments of a scenario or manifest.

        Raises:
            ValueError: the file has a network, names that the manifest lacks, or entries for numbers of remaining
                rounds, which observations do not show
        """
        content = _read_content(path, "table")
        super().__init__(content, source, seed=seed)
        states = content["states"]
        for index, entry in enumerate(states):
            _check_entry(f"policy.states[{index}]", entry, len(self._columns))
        if any("minRoundsLeft" in entry for entry in states):
            raise ValueError("policy.states: expected entries for all rounds in Python, found minRoundsLeft")
        points, actions = self.manifest.decision_points, self.manifest.actions
        for name in {entry["decision"] for entry in states}:
            check_name("policy.states.decision", name, points)
        for name in {name for entry in states for name in entry["actions"]}:
            check_name("policy.states.actions", name, actions)
        keys = _encode_rows(
            np.array([points.index(entry["decision"]) for entry in states]),
            np.array([entry["observation"] for entry in states], dtype=np.float32),
        )
        order = np.argsort(keys)
        self._keys = keys[order]
        twice = np.flatnonzero(self._keys[1:] == self._keys[:-1])
        if len(twice):
            raise ValueError(f"policy.states: expected one entry for each state, found two like [{order[twice[0]]}]")
        shares = np.array([[entry["actions"].get(name, 0) for name in actions] for entry in states], dtype=np.float64)
        self._shares = shares[order]

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the probabilities of all actions, N x A, f64; 0 for illegal ones."""
        rows = np.asarray(observations, dtype=np.float32)
        phases = rows[:, 1 : 1 + len(self.manifest.decision_points)].argmax(axis=1)
        keys = _encode_rows(phases, rows[:, self._columns])
        entries = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        is_missing = self._keys[entries] != keys
        if is_missing.any() and self._otherwise is None:
            env = int(is_missing.argmax())
            names = [self.manifest.features[column].name for column in self._columns]
            seen = zip(names, rows[env, self._columns].tolist(), strict=True)
            state = ", ".join(f"{name} {value:g}" for name, value in seen)
            raise ValueError(f"policy: no entry for {self.manifest.decision_points[phases[env]]} with {state}")
        shares = self._fill(self._shares[entries], masks, is_missing, "a state has no entry")
        if (shares[np.asarray(masks) == 0] > 0).any():
            raise ValueError("policy: an entry of the table has an illegal action")
        return shares


def read_policy(path: str | PathLike[str], source: Sources, *, seed: int = 0) -> FilePolicy:
    """Read a policy file, with a network or a table, for environments of a scenario or manifest."""
    kind = _read_content(path)["kind"]
    return (TablePolicy if kind == "table" else NetworkPolicy)(path, source, seed=seed)


def _read_content(path: str | PathLike[str], *kinds: str) -> dict[str, Any]:
    """Read a policy file of one of these kinds, or any.

    Raises:
        ValueError: it is not JSON, has another kind, or lacks a field
    """
    content = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        raise ValueError(f"policy: expected a mapping, found {content!r:.40}")
    for key, expected in (("format", (FORMAT,)), ("kind", kinds or tuple(_LISTS))):
        if content.get(key) not in expected:
            raise ValueError(f"policy.{key}: expected {' or '.join(expected)}, found {content.get(key)!r}")
    for key in _LISTS[content["kind"]]:
        if not isinstance(content.get(key), list) or not content[key]:
            raise ValueError(f"policy.{key}: expected a list, found {content.get(key)!r:.80}")
    return content


def _check_entry(place: str, entry: Any, width: int) -> None:
    """Check an entry of a table with this number of features."""
    fields = entry if isinstance(entry, dict) else {}
    for key, kind in (("decision", str), ("observation", list), ("actions", dict)):
        if not isinstance(fields.get(key), kind):
            raise ValueError(f"{place}: expected decision, observation and actions, found {entry!r:.80}")
    if len(entry["observation"]) != width or not _are_finite(entry["observation"]):
        raise ValueError(f"{place}.observation: expected {width} numbers, found {entry['observation']!r:.80}")
    shares = entry["actions"].values()
    if not _are_finite(shares) or min(shares, default=-1) < 0 or abs(sum(shares) - 1) >= _TOLERANCE:
        raise ValueError(f"{place}.actions: expected probabilities whose sum is 1, found {entry['actions']}")


def _are_finite(values: Collection[Any]) -> bool:
    return {int, float}.issuperset(map(type, values)) and all(map(math.isfinite, values))


def _encode_rows(points: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return a sortable key for each decision point and row of features."""
    joined = np.column_stack([points.astype(np.float32), rows + np.float32(0)])
    return np.ascontiguousarray(joined).view(f"V{joined.itemsize * joined.shape[1]}")[:, 0]


def _decode_layers(layers: Sequence[Any], inputs: int, actions: int) -> list[tuple[np.ndarray, np.ndarray, bool]]:
    """Return weights, biases and ReLU of the layers of a network with these numbers of inputs and actions."""
    decoded = []
    for index, each in enumerate(layers):
        layer = Reader(each, f"policy.layers[{index}]")
        outputs = layer.get("outputs", int)
        expected = actions if index == len(layers) - 1 else max(1, outputs)
        for key, found, wanted in (("inputs", layer.get("inputs", int), inputs), ("outputs", outputs, expected)):
            if found != wanted:
                raise ValueError(f"{layer.place}.{key}: expected {wanted}, found {found}")
        weights, biases = (_decode(layer, *each) for each in (("weights", outputs * inputs), ("biases", outputs)))
        relu = layer.value.get("relu", False)
        if not isinstance(relu, bool):
            raise ValueError(f"{layer.place}.relu: expected true or false, found {relu!r:.80}")
        decoded.append((weights.reshape(outputs, inputs), biases, relu))
        inputs = outputs
    return decoded


def _decode(layer: Reader, key: str, count: int) -> np.ndarray:
    """Return finite numbers in float32."""
    text = layer.get(key, str)
    try:
        content = base64.b64decode("".join(text.split()), validate=True)
    except ValueError:
        content = b""
    numbers = np.frombuffer(content[: len(content) // 4 * 4], dtype="<f4")
    if len(content) != 4 * count or not np.isfinite(numbers).all():
        found = f"{len(content)} bytes: {text!r:.40}"
        raise ValueError(f"{layer.place}.{key}: expected {count} finite float32 numbers in base64, found {found}")
    return numbers
