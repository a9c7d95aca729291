"""Scenarios for functions: fields of a scenario file with all defaults."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from warpool.client import request_result

#: A shipped name, the path of a YAML or JSON file, or the fields of one.
ScenarioLike = str | os.PathLike[str] | Mapping[str, Any]


class LoadedScenario(Mapping[str, Any]):
    """A valid scenario with all defaults: a mapping of its fields. It is not changed; `set` returns a copy.

    Attributes:
        name: its name, or that of its file
        hash: SHA-256 of its content
        systems: modules with custom systems that it can use
    """

    def __init__(self, fields: Mapping[str, Any], name: str, content_hash: str, systems: Sequence[str] = ()):
        self._fields = fields
        self.name = name
        self.hash = content_hash
        self.systems = tuple(systems)

    def set(self, path: str | Mapping[str, Any], value: Any = None) -> LoadedScenario:
        """Return a copy with other values.

        Args:
            path: path of a field, such as `attacker.hp`, or values by path
            value: value of the field

        Raises:
            InputError: there is no such field, or the changed scenario is invalid
        """
        return _load(self, path if isinstance(path, Mapping) else {path: value}, self.systems)

    def to_dict(self) -> dict[str, Any]:
        """Return a copy of the fields, for `json.dump` or a YAML library."""
        return copy.deepcopy(dict(self._fields))

    def to_request(self) -> dict[str, Any]:
        """Return the fields with the name, as Node.js receives them."""
        return {"label": self.name, "fields": self._fields}

    def __getitem__(self, field: str) -> Any:
        return self._fields[field]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return f"<scenario {self.name} of {self['system']}>"


def _load(source: ScenarioLike, changes: Mapping[str, Any] | None, systems: Sequence[str]) -> LoadedScenario:
    loaded = request_result("load_scenario", [source] if changes is None else [source, changes], systems)
    return LoadedScenario(loaded["scenario"], loaded["name"], loaded["hash"], systems)


def load_scenario(source: ScenarioLike, *, systems: Sequence[str] | None = None) -> LoadedScenario:
    """Load a scenario, with all defaults.

    Args:
        source: name of a shipped scenario, path of a YAML or JSON file, or its fields
        systems: paths of modules, or names of packages, with custom systems

    Raises:
        InputError: the file or the scenario is invalid
        NodeError: Node.js is missing
    """
    return _load(source, None, tuple(systems or ()))
