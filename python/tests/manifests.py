"""Manifests of the shipped scenarios, written by the program of this repository."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import unittest
import warnings
from pathlib import Path

from warpool import Manifest

ROOT = Path(__file__).resolve().parents[2]

if not (ROOT / "bin" / "warpool.js").exists():
    raise unittest.SkipTest(f"these tests need a checkout with its build (npm run build); there is none in {ROOT}")

#: Error message for systems without environments.
REJECTION = "decisions as data"


#: A scenario of a system without a kernel.
COMPILED = "goofspiel-three"

#: One of n cases of a table is tested; `npm run test:deep` tests all.
STRIDE = 1 if os.environ.get("WARPOOL_DEPTH") == "deep" else 4


def warpool(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program."""
    command = ["node", str(ROOT / "bin" / "warpool.js"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def quiet() -> None:
    """Suppress warnings about agents that never decide, because some tests use all players."""
    warnings.filterwarnings("ignore", message="agents: .* had no decision")


@functools.cache
def manifest(*arguments: str) -> Manifest:
    """Return the output of `warpool manifest`, or an equal file of the build."""
    [first, *others] = map(Path, arguments)
    if not others and first.parent == ROOT / "scenarios":
        return Manifest.load(first.stem)
    ran = warpool("manifest", *arguments)
    if ran.returncode != 0:
        raise ValueError(ran.stderr)
    return Manifest.load(json.loads(ran.stdout))


@functools.cache
def scenarios() -> tuple[str, ...]:
    """Return the first scenario of each system that has environments."""
    first: dict[str, str] = {}
    for path in sorted((ROOT / "scenarios").glob("*.yaml")):
        found = re.search(r"^system: *(\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        if found:
            first.setdefault(found[1], str(path))
    return tuple(path for path in first.values() if _is_playable(path))


def _is_playable(path: str) -> bool:
    try:
        manifest(path)
    except ValueError as error:
        if REJECTION not in str(error):
            raise
        return False
    return True


@functools.cache
def duels() -> tuple[Manifest, ...]:
    """Return an environment of one agent for each system, and for a compiled system with two players."""
    return (*(manifest(path) for path in scenarios()), Manifest.load(COMPILED))


@functools.cache
def games() -> tuple[Manifest, ...]:
    """Return the same environments with all agents."""
    return tuple(each.change(agents="all") for each in duels())
