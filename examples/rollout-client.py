#!/usr/bin/env python3
"""Plays battles with random legal actions over warpool's rollout protocol, and prints what they are worth.

    python3 rollout-client.py scenarios/attrition-direct.yaml --envs 1024 --steps 1000
    warpool serve-environments scenarios/attrition-direct.yaml --socket /tmp/warpool.sock &
    python3 rollout-client.py --socket /tmp/warpool.sock

The protocol is described in docs/reference/environment-protocol.md. Needs Python 3.9 and numpy 1.21 or newer.
"""

import argparse
import json
import shlex
import socket
import struct
import subprocess
import time

import numpy as np

HELLO, RESET, STEP, LOOK, SUGGEST, ROLLOUT, SNAPSHOT, RESTORE, REKEY, CLOSE = range(1, 11)
SEED, MASK, ALL = 1, 2, 1  # flags of RESET and LOOK
REPLY, ERROR = 0x80, 0xFF
HEADER = struct.Struct("<IBBH")  # bytes of the payload, type, flags, number of the request
DTYPES = {"i32": "<i4", "u32": "<u4", "f32": "<f4", "u8": "u1"}


class Environments:
    """Environments of a server. What a method returns is valid until the next call: copy what you keep."""

    def __init__(self, connection, **hello):
        self.connection = connection
        self.request_id = 0
        self.buffer = bytearray(1 << 16)
        self.manifest = json.loads(bytes(self.request(HELLO, json.dumps({"protocol": 1, **hello}).encode())))
        self.num_envs = self.manifest["envs"]

    @classmethod
    def spawn(cls, command, **hello):
        """Starts a server and talks to it over its standard input and output, one socket for both."""
        ours, theirs = socket.socketpair()
        with theirs:
            subprocess.Popen(command, stdin=theirs, stdout=theirs)
        return cls(ours, **hello)

    @classmethod
    def connect(cls, path, **hello):
        """Talks to a server that listens at a Unix socket."""
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        return cls(connection, **hello)

    def request(self, kind, payload=b"", flags=0):
        """Sends a frame and returns the payload of its reply, a view that the next request writes over."""
        self.request_id = (self.request_id + 1) % 65536
        payload = bytes(payload)
        self.connection.sendall(HEADER.pack(len(payload), kind, flags, self.request_id) + payload)
        length, kind_found, _, id_found = HEADER.unpack(self.receive(HEADER.size))
        found = self.receive(length)
        if kind_found == ERROR:
            raise ValueError(str(found, "utf-8"))
        if (kind_found, id_found) != (kind | REPLY, self.request_id):
            raise ConnectionError("the reply to another request")
        return found

    def receive(self, size):
        if size > len(self.buffer):
            self.buffer = bytearray(2 * size)
        view = memoryview(self.buffer)[:size]
        have = 0
        while have < size:
            got = self.connection.recv_into(view[have:])
            if not got:
                raise ConnectionError("the server is gone")
            have += got
        return view

    def sight(self, payload):
        """A dict of arrays from a reply: a row for each environment; under "last" those whose episodes are over."""
        (over,) = struct.unpack_from("<I", payload)
        arrays, end = {}, 8
        for field in self.manifest["fields"]:
            arrays[field["name"]], end = column(payload, field, field["offset"], self.num_envs)
        last = {}
        for field in self.manifest["last"] if over else []:
            last[field["name"]], end = column(payload, field, end, over)
        return {**arrays, "over": over, "last": last}

    def reset(self, seed=None, mask=None):
        if seed is not None:
            return self.sight(self.request(RESET, struct.pack("<Q", seed), SEED))
        if mask is not None:
            return self.sight(self.request(RESET, np.ascontiguousarray(mask, "u1"), MASK))
        return self.sight(self.request(RESET))

    def step(self, actions):
        return self.sight(self.request(STEP, np.ascontiguousarray(actions, "<i4")))

    def look(self, everything=False):
        return self.sight(self.request(LOOK, flags=ALL if everything else 0))

    def suggest(self, policy):
        return np.frombuffer(self.request(SUGGEST, struct.pack("<I", self.manifest["policies"].index(policy))), "<i4")

    def rollout(self, policy, steps, episodes=0):
        """Lets a policy act within the server; returns how many actions were taken."""
        index = self.manifest["policies"].index(policy)
        return struct.unpack_from("<I", self.request(ROLLOUT, struct.pack("<III", index, steps, episodes)))[0]

    def snapshot(self):
        return bytes(self.request(SNAPSHOT))

    def restore(self, snapshot):
        self.request(RESTORE, snapshot)

    def rekey(self, seed, start=0, end=None):
        self.request(REKEY, struct.pack("<QII", seed, start, self.num_envs if end is None else end))

    def close(self):
        self.request(CLOSE)
        self.connection.close()


def column(payload, field, offset, rows):
    """The array of a field, and where the next one begins: at a multiple of 8."""
    dtype, columns = np.dtype(DTYPES[field["kind"]]), field["columns"]
    array = np.frombuffer(payload, dtype, rows * columns, offset)
    end = offset + array.nbytes
    return array if columns == 1 else array.reshape(rows, columns), -(-end // 8) * 8


def random_legal(rng, mask):
    """One of the legal actions of each row, all alike."""
    mask = mask.reshape(len(mask), -1)
    return np.where(mask, rng.random(mask.shape, dtype=np.float32), -1).argmax(axis=1)


def play(envs, steps, seed):
    rng = np.random.default_rng(seed)
    returns = []
    waited, begun = 0.0, time.perf_counter()
    sight = envs.reset(seed=seed)
    for _ in range(steps):
        actions = random_legal(rng, sight["mask"])
        asked = time.perf_counter()
        sight = envs.step(actions)
        waited += time.perf_counter() - asked
        if sight["over"]:
            returns.append(sight["last"]["finalReturn"].reshape(sight["over"], -1).copy())
    return np.concatenate(returns) if returns else np.empty((0, 0)), time.perf_counter() - begun, waited


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scenario", nargs="*", help="scenario files, for a server of its own")
    parser.add_argument("--socket", help="a server that listens here, instead of one of its own")
    parser.add_argument("--warpool", default="npx warpool", help="how the command line is started")
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.socket is None:
        command = [*shlex.split(given.warpool), "serve-environments", *given.scenario, "--envs", str(given.envs)]
        envs = Environments.spawn(command, fields=["obs", "mask"], last=["finalReturn"])
    else:
        envs = Environments.connect(given.socket, envs=given.envs, fields=["obs", "mask"], last=["finalReturn"])
    returns, seconds, waited = play(envs, given.steps, given.seed)
    for agent, name in enumerate(envs.manifest["agents"] if len(returns) else []):
        print(f"{name}: mean return {returns[:, agent].mean():.4f} of {len(returns)} episodes")
    rate = given.envs * given.steps / np.array([seconds, waited])
    print(f"{rate[0]:.3g} steps/s, {rate[1]:.3g} steps/s if choosing actions took no time")
    envs.close()


if __name__ == "__main__":
    main()
