"""Scenarios that come with the package, ready to be played: `node scripts/build-python.js` puts them in."""

from __future__ import annotations

import base64
import difflib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

#: Manifests without their kernels, and the kernels, one for each system.
_MANIFESTS = files("warpool") / "ready" / "scenarios"
_KERNELS = files("warpool") / "ready" / "kernels"


#: Where rules are played that have no kernel.
_SERVED = (
    "what has no kernel, as the games have none, "
    "is played by `warpool serve-environments` (docs/reference/environment-protocol.md)"
)


def scenarios() -> tuple[str, ...]:
    """Return the names of the scenarios that come with the package."""
    if not _MANIFESTS.is_dir():
        return ()
    return tuple(sorted(each.name.removesuffix(".json") for each in _MANIFESTS.iterdir()))


def read(source: str | Path) -> dict[str, Any]:
    """Return the manifest of a file, or of a scenario that comes with the package, by its name.

    Raises:
        FileNotFoundError: there is neither
        ValueError: the file is a scenario
    """
    if Path(source).exists():
        if Path(source).suffix in {".yaml", ".yml"}:
            raise ValueError(
                f"manifest: expected a file that `warpool manifest {source}` makes, found a scenario; {_SERVED}"
            )
        found: dict[str, Any] = json.loads(Path(source).read_text(encoding="utf-8"))
        return found
    names = scenarios()
    if str(source) not in names:
        close = difflib.get_close_matches(str(source), names, 1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        known = f"one of the {len(names)} of warpool.scenarios()" if names else "none is shipped here"
        raise FileNotFoundError(
            f"manifest: expected a file or the name of a scenario, {known}, found {str(source)!r}{hint}; {_SERVED}"
        )
    manifest: dict[str, Any] = json.loads((_MANIFESTS / f"{source}.json").read_text(encoding="utf-8"))
    kernel = (_KERNELS / f"{manifest['system']}.wasm").read_bytes()
    manifest["kernel"]["base64"] = base64.b64encode(kernel).decode()
    return manifest
