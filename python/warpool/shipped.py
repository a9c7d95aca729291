"""Bundled scenarios, which `node scripts/build-python.js` adds to the package."""

from __future__ import annotations

import base64
import difflib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

#: Manifests without kernels, the kernels, and the reasons for scenarios without a manifest.
_READY = files("warpool") / "ready"
_MANIFESTS = _READY / "scenarios"
_KERNELS = _READY / "kernels"
_EXCLUDED = _READY / "excluded.json"


def scenarios() -> tuple[str, ...]:
    """Return the names of the bundled scenarios: of shipped systems, games, and custom systems of the examples."""
    if not _MANIFESTS.is_dir():
        return ()
    return tuple(sorted(each.name.removesuffix(".json") for each in _MANIFESTS.iterdir()))


def excluded_scenarios() -> dict[str, str]:
    """Return the shipped scenarios that have no environments, and the reason of each."""
    if not _EXCLUDED.is_file():
        return {}
    reasons: dict[str, str] = json.loads(_EXCLUDED.read_text(encoding="utf-8"))
    return reasons


def read(source: str | Path) -> dict[str, Any]:
    """Return the manifest of a file, or of a bundled scenario by its name.

    Raises:
        FileNotFoundError: neither exists
        ValueError: the file is a scenario, or the scenario has no environments
    """
    if Path(source).exists():
        if Path(source).suffix in {".yaml", ".yml"}:
            raise ValueError(
                "manifest: expected the name of a bundled scenario, or a manifest, found a scenario file; "
                f"`warpool manifest {source} --out manifest.json` writes its manifest"
            )
        found: dict[str, Any] = json.loads(Path(source).read_text(encoding="utf-8"))
        return found
    names = scenarios()
    if str(source) not in names:
        raise _missing(str(source), names)
    manifest: dict[str, Any] = json.loads((_MANIFESTS / f"{source}.json").read_text(encoding="utf-8"))
    kernel = (_KERNELS / f"{manifest['kernel']['name']}.wasm").read_bytes()
    manifest["kernel"]["base64"] = base64.b64encode(kernel).decode()
    return manifest


def _missing(name: str, names: tuple[str, ...]) -> Exception:
    """Return the error for a name without a manifest."""
    reason = excluded_scenarios().get(name)
    if reason is not None:
        return ValueError(f"scenario: expected one with environments, found {name}: {reason}")
    close = difflib.get_close_matches(name, names, 1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    known = f"one of the {len(names)} of warpool.scenarios()" if names else "but none is bundled here"
    return FileNotFoundError(
        f"manifest: expected a file or the name of a scenario, {known}, found {name!r}{hint}; "
        "`warpool manifest <scenario>` writes the manifest of another scenario"
    )
