"""Damaged manifests, states and snapshots raise ValueError or have no effect; failures of a kernel raise errors."""

from __future__ import annotations

import base64
import copy
import json
import unittest

import numpy as np
from digest import digest
from manifests import scenarios, warpool

from warpool import Environments, KernelError, Manifest
from warpool.words import Record, Status

#: Wrong values for any field.
STRANGE = (None, True, -1, 10**9, 0.5, float("nan"), "x", "", [], ["x"], [None], {}, {"x": 1})


def paths(value, path=()):
    """Yield the path of every value in an object; of long lists, only the first elements."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, each in value.items():
            yield from paths(each, (*path, key))
    elif isinstance(value, list):
        for index, each in list(enumerate(value))[:2]:
            yield from paths(each, (*path, index))


def changed(source, path, change):
    """Return a copy in which a function changed the container of a path at its last key."""
    copied = copy.deepcopy(source)
    holder = copied
    for key in path[:-1]:
        holder = holder[key]
    change(holder, path[-1])
    return copied


class Damage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.source = json.loads(warpool("manifest", scenarios()[2], "--agents", "all").stdout)
        cls.expected = digest(Manifest.load(cls.source), 2, 15, seed=1)

    def outcome(self, source):
        """Return the result: rejected, same or other, with the error if there is one."""
        try:
            manifest = Manifest.load(source)
            found = digest(manifest, 2, 15, seed=1)
            Environments(manifest, 2).playouts(0, 3)
        except ValueError as error:
            return str(error) and "rejected"
        return "same" if found == self.expected else "other"

    def test_each_missing_field_is_rejected(self):
        optional = {("scenarios", 0, "name"), ("warpool",), ("ruleset",), ("metrics",)}
        for path in paths(self.source):
            if isinstance(path[-1], int) or path in optional or "rewards" in path[:-1]:
                continue
            without = changed(self.source, path, lambda holder, key: holder.pop(key))
            self.assertEqual(self.outcome(without), "rejected", path)

    def test_wrong_values_are_rejected_or_change_nothing(self):
        for path in paths(self.source):
            for value in STRANGE:
                strange = changed(
                    self.source,
                    path,
                    lambda holder, key, value=value: holder.__setitem__(key, copy.deepcopy(value)),
                )
                with self.subTest(path=path, value=value):
                    self.assertIn(self.outcome(strange), ("rejected", "same"))

    def test_each_changed_bit_of_kernel_and_configuration_is_rejected(self):
        rng = np.random.default_rng(1)
        for name in ("kernel", "configuration"):
            content = base64.b64decode(self.source[name]["base64"])
            for _ in range(200):
                damaged = bytearray(content)
                damaged[rng.integers(len(content))] ^= 1 << rng.integers(8)
                text = base64.b64encode(damaged).decode()
                source = self.source | {name: self.source[name] | {"base64": text}}
                with self.assertRaisesRegex(ValueError, f"manifest.{name} is damaged"):
                    Manifest.load(source)


class DamagedStates(unittest.TestCase):
    """States and snapshots that no environment created."""

    def setUp(self):
        self.rng = np.random.default_rng(1)
        self.envs = Environments("phased-dice-ground", 4, seed=1, agents="all")
        self.envs.rollout("uniform", steps=3)

    def test_random_bytes_are_rejected_and_change_nothing(self):
        before = self.envs.snapshot()
        for _ in range(100):
            with self.assertRaisesRegex(ValueError, "^state, .*: expected .*, found"):
                self.envs.set_state(1, self.rng.bytes(len(self.envs.state(1))))
            noise = before[:16] + self.rng.bytes(len(before) - 16)
            with self.assertRaisesRegex(ValueError, "^snapshot, .*: expected .*, found"):
                self.envs.restore(noise)
        self.assertEqual(self.envs.snapshot(), before)

    def test_each_word_of_a_head_has_a_range(self):
        words = {"variant": 4, "point": 5, "player": 6, "outcome": 7, "status": 8, "word 10": 10}
        for name, word in words.items():
            for value in (-2, 10**6):
                state = np.frombuffer(self.envs.state(0), dtype="<i4").copy()
                state[word] = value
                with self.assertRaisesRegex(ValueError, f"^state, {name}: expected .* {value}$"):
                    self.envs.set_state(0, state.tobytes())

    def test_final_states_are_rejected_with_autoreset_in_the_same_step(self):
        state = np.frombuffer(self.envs.state(0), dtype="<i4").copy()
        for ended in (Status.DONE, Status.TRUNCATED):
            state[Record.STATUS] = ended
            with self.assertRaisesRegex(ValueError, f"^state, status: expected 0, found {ended:d}$"):
                self.envs.set_state(0, state.tobytes())
            later = Environments("phased-dice-ground", 4, agents="all", autoreset="next-step")
            later.set_state(0, state.tobytes())

    def test_snapshots_of_other_environments_are_rejected(self):
        for other in (
            Environments("phased-dice-ground", 4, agents="all", reward="material"),
            Environments("phased-dice-great-wall", 4, agents="all"),
        ):
            with self.assertRaisesRegex(ValueError, "^snapshot: expected"):
                self.envs.restore(other.snapshot())

    def test_no_damage_causes_a_trap(self):
        state = self.envs.state(0)
        envs = self.envs
        for _ in range(200):
            damaged = bytearray(state)
            damaged[self.rng.integers(len(state))] ^= 1 << self.rng.integers(8)
            try:
                envs.set_state(0, bytes(damaged))
                envs.rollout("uniform", episodes=1)
            except ValueError:
                continue
            except KernelError as error:
                self.assertIn("cannot be used any more", str(error))
                # All later calls fail too, because the memory may be damaged.
                self.assertRaises(KernelError, envs.step)
                envs = Environments("phased-dice-ground", 4, seed=1, agents="all")


if __name__ == "__main__":
    unittest.main()
