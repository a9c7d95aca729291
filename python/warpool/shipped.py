"""Bundled scenarios, which `node scripts/build-python.js` adds to the package."""

from __future__ import annotations

import base64
import difflib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

#: Manifests without kernels, and the kernel of each system.
_MANIFESTS = files("warpool") / "ready" / "scenarios"
_KERNELS = files("warpool") / "ready" / "kernels"


#: Alternative for rules without a kernel.
_SERVED = (
    "for rules without a kernel, such as all games, "
    "use `warpool serve-environments` (docs/reference/environment-protocol.md)"
)


def scenarios() -> tuple[str, ...]:
    """Return the names of the bundled scenarios."""
    if not _MANIFESTS.is_dir():
        return ()
    return tuple(sorted(each.name.removesuffix(".json") for each in _MANIFESTS.iterdir()))


def read(source: str | Path) -> dict[str, Any]:
    """Return the manifest of a file, or of a bundled scenario by its name.

    Raises:
        FileNotFoundError: neither exists
        ValueError: the file is a scenario
    """
    if Path(source).exists():
        if Path(source).suffix in {".yaml", ".yml"}:
            raise ValueError(
                f"manifest: expected a file written by `warpool manifest {source}`, found a scenario; {_SERVED}"
            )
        found: dict[str, Any] = json.loads(Path(source).read_text(encoding="utf-8"))
        return found
    names = scenarios()
    if str(source) not in names:
        close = difflib.get_close_matches(str(source), names, 1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        known = f"one of the {len(names)} of warpool.scenarios()" if names else "but none is bundled here"
        raise FileNotFoundError(
            f"manifest: expected a file or the name of a scenario, {known}, found {str(source)!r}{hint}; {_SERVED}"
        )
    manifest: dict[str, Any] = json.loads((_MANIFESTS / f"{source}.json").read_text(encoding="utf-8"))
    kernel = (_KERNELS / f"{manifest['system']}.wasm").read_bytes()
    manifest["kernel"]["base64"] = base64.b64encode(kernel).decode()
    return manifest
