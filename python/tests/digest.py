"""Digests of trajectories, which are equal in all hosts of a kernel.

For each environment SHA-256 over step after step of `act` i32, `player` i32, `phase` u8,
`terminated` u8, `truncated` u8, `invalid` u8, `reward` f32, `obs` f32 and `mask` u8, little-endian;
then SHA-256 over the digests of the environments. The uniform policy of the kernel acts.

As a program: prints the digests of manifests as JSON, simulated by one thread and by two.
"""

from __future__ import annotations

import hashlib
import json
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpool import Environments, Manifest

SHOWN = (
    "act",
    "player",
    "phase",
    "terminated",
    "truncated",
    "invalid",
    "reward",
    "obs",
    "mask",
)


def digests(envs: Environments, steps: int) -> list[bytes]:
    """Simulate, and return the digest of each environment."""
    hashes = [hashlib.sha256() for _ in range(envs.num_envs)]
    columns = [getattr(envs, name).reshape(envs.num_envs, -1).view(np.uint8) for name in SHOWN]
    for _ in range(steps):
        envs.suggest("uniform")
        envs.step()
        for each, row in zip(hashes, np.concatenate(columns, axis=1), strict=True):
            each.update(row.tobytes())
    return [each.digest() for each in hashes]


def digest(manifest: Manifest, num_envs: int, steps: int, seed: int, slices: int = 1) -> str:
    """Return the digest of environments, divided among n threads."""
    size = num_envs // slices

    def play(index: int) -> list[bytes]:
        envs = Environments(manifest, size, first_env=index * size, seed=seed)
        return digests(envs, steps)

    with ThreadPoolExecutor(slices) as threads:
        played = [part for parts in threads.map(play, range(slices)) for part in parts]
    return hashlib.sha256(b"".join(played)).hexdigest()


def main(paths: list[str]) -> None:
    """Print the digests of manifests."""
    result = {}
    for path in paths:
        manifest = Manifest.load(path)
        result[path] = [digest(manifest, 16, 200, 1, slices) for slices in (1, 2)]
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
