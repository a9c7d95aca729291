"""The class Environments: arrays over kernel memory, and its methods."""

from __future__ import annotations

import copy
import dataclasses
import gc
import json
import pickle
import unittest
from unittest import mock

import numpy as np
import wasmtime
from digest import digest
from manifests import duels, games, manifest, scenarios, warpool

from warpool import Environments, KernelError, Manifest, calls, evaluate, random_actions
from warpool.gym import WarpoolVectorEnv

TYPES = {
    "act": np.int32,
    "obs": np.float32,
    "mask": np.int8,
    "reward": np.float32,
    "terminated": np.bool_,
    "truncated": np.bool_,
    "player": np.int32,
    "phase": np.uint8,
    "final_obs": np.float32,
    "final_return": np.float32,
    "episode": np.uint32,
    "invalid": np.bool_,
    "finished": np.int32,
    "outcome": np.int32,
    "metrics": np.int32,
    "variant": np.int32,
    "length": np.uint32,
    "final_variant": np.int32,
    "final_mask": np.int8,
    "final_player": np.int32,
    "final_phase": np.uint8,
    "reset_mask": np.bool_,
    "record": np.uint8,
}


class Fields(unittest.TestCase):
    def test_are_views_of_the_kernel_by_type_and_shape(self):
        for each in games():
            envs = Environments(each, 5)
            sizes = {
                "obs": len(each.features),
                "mask": len(each.actions),
                "reward": len(each.agents),
                "final_obs": len(each.features),
                "final_mask": len(each.actions),
                "final_return": len(each.agents),
                "metrics": max(len(scenario.metrics) for scenario in each.scenarios),
                "record": envs.record.shape[1],
            }
            self.assertEqual(set(envs.fields), set(TYPES))
            for name, dtype in TYPES.items():
                field = getattr(envs, name)
                self.assertEqual(field.dtype, np.dtype(dtype), name)
                self.assertEqual(field.shape, (5, sizes[name]) if name in sizes else (5,), name)
                self.assertTrue(np.shares_memory(field, envs.kernel.everything), name)

    def test_outlive_their_environments(self):
        envs = Environments(duels()[0], 64)
        obs, expected = envs.obs, envs.obs.copy()
        del envs
        gc.collect()
        # Other memory would lie where the first one was.
        others = [Environments(duels()[0], 64, seed=seed) for seed in range(1, 9)]
        np.testing.assert_array_equal(obs, expected)
        self.assertFalse(any(np.shares_memory(obs, other.obs) for other in others))

    def test_stay_within_their_bounds(self):
        rng = np.random.default_rng(1)
        for each in games():
            low = np.array([feature.low for feature in each.features], dtype=np.float32)
            high = np.array([feature.high for feature in each.features], dtype=np.float32)
            envs = Environments(each, 32, seed=3)
            for _ in range(300):
                self.assertTrue(((envs.obs >= low) & (envs.obs <= high)).all())
                self.assertTrue(np.isin(envs.mask, (0, 1)).all())
                self.assertTrue(envs.mask.any(axis=1).all())
                ended = envs.step(random_actions(envs.mask, rng))
                np.testing.assert_array_equal(ended, np.flatnonzero(envs.terminated))
                self.assertFalse(envs.invalid.any())
            self.assertGreater(envs.episode.max(), 0)


class Simulation(unittest.TestCase):
    def test_equals_the_run_of_the_program_battle_by_battle(self):
        for path in scenarios():
            ran = warpool("run", path, "--seed", "7", "--battles", "1000", "--json")
            outcomes = json.loads(ran.stdout)["outcomes"]
            envs = Environments(manifest(path), 1000, seed=7, autoreset="disabled")
            envs.rollout("scenario", episodes=1)
            names = envs.manifest.scenarios[0].outcomes
            counts = np.bincount(envs.outcome, minlength=len(names))
            expected = {name: outcome["count"] for name, outcome in outcomes.items()}
            self.assertEqual(dict(zip(names, counts.tolist(), strict=True)), expected)

    def test_with_sampled_actions_equals_the_rollout_of_the_kernel(self):
        for each in duels():
            inside, outside = Environments(each, 9, seed=5), Environments(each, 9, seed=5)
            self.assertEqual(inside.rollout("uniform", steps=50), 450)
            for _ in range(50):
                outside.step(outside.suggest("uniform").astype(np.int64))
            for name in set(TYPES) - {"finished"}:
                np.testing.assert_array_equal(inside.fields[name], outside.fields[name], name)

    def test_slices_and_threads_have_the_results_of_one_run(self):
        for each in games():
            whole = digest(each, 16, 60, seed=9)
            self.assertEqual(digest(each, 16, 60, seed=9, slices=2), whole)
            self.assertEqual(digest(each, 16, 60, seed=9, slices=8), whole)
            self.assertNotEqual(digest(each, 16, 60, seed=10), whole)

    def test_public_calls_of_wasmtime_have_the_same_results(self):
        self.assertTrue(calls.HAS_UNCHECKED, "this wasmtime has no unchecked calls")
        each = games()[0]
        expected = digest(each, 16, 20, seed=1)
        with mock.patch.object(calls, "HAS_UNCHECKED", False):
            self.assertEqual(digest(each, 16, 20, seed=2**64 - 1), digest(each, 16, 20, 2**64 - 1))
            self.assertEqual(digest(each, 16, 20, seed=1), expected)
            plain = Environments(each, 2)
            found = plain.playouts(0, 100, seed=2**64 - 1)
        usual = Environments(each, 2).playouts(0, 100, seed=2**64 - 1)
        np.testing.assert_array_equal(found.counts, usual.counts)

    def test_a_failed_kernel_raises_an_error(self):
        for unchecked in (True, False):
            with mock.patch.object(calls, "HAS_UNCHECKED", unchecked):
                envs = Environments(duels()[0], 2)
            beyond = 2**31 // envs.record.shape[1]
            with self.assertRaisesRegex(KernelError, "out of bounds memory access") as failed:
                envs.kernel.env_refresh(beyond, beyond + 1)
            self.assertIsInstance(failed.exception.__cause__, wasmtime.Trap)
            # The step may be incomplete.
            with self.assertRaises(KernelError):
                envs.kernel.env_refresh(0, 1)
        with self.assertRaises(TypeError):
            Environments(duels()[0], 2).kernel.env_step(0)
        with self.assertRaises(AttributeError):
            _ = Environments(duels()[0], 2).kernel.env_nothing

    def test_an_illegal_action_loses(self):
        for each in games():
            for action in (-1, len(each.actions), 2**32, -(2**63)):
                envs = Environments(each, 3, autoreset="disabled")
                actions = envs.suggest().astype(np.int64)
                actions[1] = action
                self.assertIn(1, envs.step(actions))
                self.assertEqual(sorted(envs.reward[1])[:2], [-1, 0][: len(each.agents)])
                self.assertTrue(envs.terminated[1])
                self.assertEqual(envs.invalid.tolist(), [False, True, False])
                self.assertEqual((envs.player[1], envs.phase[1], envs.outcome[1]), (-4, 0, -1))

    def test_actions_are_n_integers(self):
        envs = Environments(duels()[0], 3)
        before = envs.snapshot()
        for actions in ([0, 0], 0, [[0, 0, 0]]):
            with self.assertRaisesRegex(ValueError, r"actions: expected shape \(3,\), found"):
                envs.step(actions)
        with self.assertRaises(TypeError):
            envs.step([0.0, 0.0, 0.0])
        self.assertEqual(envs.snapshot(), before)


class States(unittest.TestCase):
    """Resets, states, and futures with other random numbers."""

    def test_resets(self):
        envs = Environments(duels()[0], 4, seed=2)
        at_first = envs.snapshot()
        envs.rollout("uniform", steps=7)
        envs.reset()
        self.assertEqual(envs.seed, 2)
        envs.reset(seed=2**64 - 1)
        self.assertEqual(envs.seed, 2**64 - 1)
        episodes = envs.episode.copy()
        envs.step(envs.suggest())
        before = envs.record.copy()
        envs.reset(mask=[False, True, False, True])
        np.testing.assert_array_equal(envs.episode, episodes + np.array([0, 1, 0, 1]))
        np.testing.assert_array_equal(envs.record[[0, 2]], before[[0, 2]])
        self.assertEqual(envs.seed, 2**64 - 1)
        fresh = Environments(duels()[0], 4, seed=2)
        self.assertEqual(fresh.snapshot(), at_first)
        envs.reset(seed=1)
        envs.reset(mask=[0, 256, 0.5, -1])
        self.assertEqual(envs.episode.tolist(), [0, 1, 1, 1])
        for arguments in ({"mask": [True]}, {"mask": [True] * 4, "seed": 1}, {"seed": -1}):
            with self.assertRaises(ValueError):
                envs.reset(**arguments)
        self.assertRaises(ValueError, envs.reset, 2**64)
        self.assertRaises(TypeError, envs.reset, 1.0)

    def test_snapshots_continue_with_the_same_results(self):
        for each in games():
            envs, other = Environments(each, 6, seed=4), Environments(each, 6, seed=1)
            envs.rollout("uniform", steps=11)
            snapshot = envs.snapshot()
            envs.rollout("uniform", steps=40)
            expected = envs.snapshot()
            other.restore(snapshot)
            self.assertEqual(other.seed, 4)
            other.rollout("uniform", steps=40)
            self.assertEqual(other.snapshot(), expected)
            self.assertRaises(ValueError, other.restore, snapshot[:-1])

    def test_states_move_between_environments(self):
        for each in games():
            envs = Environments(each, 4, seed=4)
            envs.rollout("uniform", steps=3)
            other = Environments(each, 2, seed=1)
            other.set_state(1, envs.state(2))
            for name in ("obs", "mask", "player", "phase", "episode", "variant", "record"):
                np.testing.assert_array_equal(other.fields[name][1], envs.fields[name][2], name)
            for env in (-1, 2):
                self.assertRaises(ValueError, other.set_state, env, envs.state(2))
            self.assertRaises(ValueError, other.set_state, 1, envs.state(2)[1:])

    def test_playouts_are_the_futures_of_a_state(self):
        for each in duels():
            envs = Environments(each, 64, seed=6, autoreset="disabled")
            envs.rollout("uniform", steps=1)
            if envs.terminated.all():
                envs.reset()
            env = int(np.argmin(envs.terminated))
            before = envs.snapshot()
            found = envs.playouts(env, 200, seed=2**63 + 5, start=50)
            self.assertEqual(envs.snapshot(), before)
            # Battle `i` of a run is the first episode of environment `i`.
            futures = Environments(each, 200, first_env=50, autoreset="disabled")
            for future in range(200):
                futures.set_state(future, envs.state(env))
            futures.rekey(2**63 + 5)
            futures.rollout("scenario", episodes=1)
            self.assertRaises(ValueError, futures.rollout, episodes=1)
            scenario = each.scenarios[0]
            counts = np.bincount(futures.outcome, minlength=len(scenario.outcomes))
            np.testing.assert_array_equal(found.counts, counts)
            units = [metric.unit for metric in scenario.metrics]
            np.testing.assert_allclose(found.means, futures.metrics.mean(axis=0) * units)

    def test_rekeyed_environments_have_other_futures(self):
        envs = Environments(duels()[0], 64, seed=6)
        envs.rollout("uniform", steps=1)
        before, snapshot = envs.obs.copy(), envs.snapshot()
        envs.rekey(1, 0, 32)
        np.testing.assert_array_equal(envs.obs, before)
        envs.rollout("uniform", steps=3)
        changed = envs.obs.copy()
        envs.restore(snapshot)
        envs.rollout("uniform", steps=3)
        self.assertTrue((envs.obs[:32] != changed[:32]).any())
        np.testing.assert_array_equal(envs.obs[32:], changed[32:])
        for bounds in ((-1, 3), (3, 65), (4, 3)):
            self.assertRaises(ValueError, envs.rekey, 1, *bounds)

    def test_reading_changes_nothing(self):
        for each in games():
            envs = Environments(each, 2, seed=6)
            envs.rollout("uniform", steps=2)
            before = envs.snapshot()
            for player in range(len(each.scenarios[0].players)):
                seen = envs.look(1, player)
                self.assertEqual(seen[0], envs.player[1])
                if player == envs.player[1]:
                    np.testing.assert_array_equal(seen, envs.obs[1])
            self.assertEqual(envs.snapshot(), before)

    def test_each_player_has_a_separate_observation(self):
        # Players choose at once: only the first of them sees what that one has chosen.
        for each in [each for each in games() if each.system == "strength-cards"]:
            envs = Environments(each, 64, seed=6)
            differ = 0
            for _ in range(20):
                for env, decider in enumerate(envs.player.tolist()):
                    differ += (envs.look(env, 1 - decider) != envs.obs[env]).any()
                envs.step(envs.suggest("uniform"))
            self.assertGreater(differ, 0)


class Copies(unittest.TestCase):
    def test_copies_and_pickles_continue_with_the_same_results(self):
        for each in games():
            envs = Environments(each, 5, seed=4, max_steps=7, reward=list(each.scenarios[0].rewards)[-1])
            envs.rollout("uniform", steps=3)
            twins = [pickle.loads(pickle.dumps(envs)), copy.deepcopy(envs)]
            envs.rollout("uniform", steps=30)
            for twin in twins:
                self.assertFalse(np.shares_memory(twin.obs, envs.obs))
                self.assertEqual((twin.manifest, twin.seed), (envs.manifest, 4))
                twin.rollout("uniform", steps=30)
                self.assertEqual(twin.snapshot(), envs.snapshot())


class Options(unittest.TestCase):
    def test_modes_can_be_changed(self):
        each = duels()[0]
        for mode in each.autoresets:
            envs = Environments(each, 8, autoreset=mode, max_steps=2)
            self.assertEqual(
                envs.step(envs.suggest()).tolist(), np.flatnonzero(envs.terminated).tolist()
            )
            is_open = ~envs.terminated
            envs.step(envs.suggest())
            ended = envs.truncated | envs.terminated
            self.assertTrue(ended[is_open].all())
            expected = 1 if mode == "same-step" else 0
            self.assertTrue((envs.episode[is_open] == expected).all(), mode)
            envs.step(envs.suggest())
            self.assertEqual(envs.episode[is_open].min(), 0 if mode == "disabled" else 1)

    def test_are_checked(self):
        each = duels()[0]
        for options in (
            {"num_envs": 0},
            {"num_envs": 2**21 + 1},
            {"num_envs": 2, "first_env": 2**21 - 1},
            {"first_env": -1},
            {"seed": -1},
            {"seed": 2**64},
            {"autoreset": "never"},
            {"max_steps": -1},
        ):
            with self.assertRaises(ValueError, msg=str(options)):
                Environments(each, **options)
        envs = Environments(each, 2)
        for call in (
            lambda: envs.suggest("best"),
            lambda: envs.rollout("uniform"),
            lambda: envs.rollout("uniform", steps=-1),
            lambda: Environments(each, autoreset="disabled").rollout("uniform", episodes=2),
            lambda: envs.playouts(2, 1),
            lambda: envs.look(2, 0),
            lambda: envs.look(0, -1),
            lambda: envs.look(0, len(each.scenarios[0].players)),
            lambda: envs.playouts(0, -1),
            lambda: envs.playouts(0, 1, start=2**53),
        ):
            self.assertRaises(ValueError, call)

    def test_limits_of_steps_are_integers(self):
        each = duels()[0]

        def evaluate_with(source: Manifest, episodes: int, **options: object) -> object:
            return evaluate(source, "uniform", episodes, **options)

        self.assertEqual(Environments(each, 2, max_episode_steps=np.int64(3)).max_steps, 3)
        for limit in (1.5, 3.0, "3", [3]):
            for make in (Environments, WarpoolVectorEnv, evaluate_with):
                with self.assertRaisesRegex(TypeError, "^max_episode_steps: expected an integer, found"):
                    make(each, 2, max_episode_steps=limit)

    def test_too_many_environments_for_the_memory_are_rejected(self):
        each = dataclasses.replace(duels()[0], envs_max=2**40)
        with self.assertRaisesRegex(ValueError, "cannot hold"):
            Environments(each, 2**26)

    def test_manifests_are_checked(self):
        source = json.loads(warpool("manifest", scenarios()[0]).stdout)
        self.assertEqual(Manifest.load(source), duels()[0])
        for change in (
            {"abi": 2},
            {"kernel": source["kernel"] | {"sha256": "0" * 64}},
            {"scenarios": None},
        ):
            with self.assertRaises(ValueError, msg=str(change)):
                Manifest.load(source | change)
        self.assertRaisesRegex(ValueError, "manifest: expected abi, found none", Manifest.load, {})
        source["environment"] = 0
        self.assertRaisesRegex(ValueError, "expected environment 1", Manifest.load, source)
        with self.assertRaisesRegex(FileNotFoundError, "expected a file or the name of a scenario"):
            Manifest.load("nowhere")


class Chance(unittest.TestCase):
    def test_random_actions_are_legal_and_uniform(self):
        mask = np.tile(np.array([0, 1, 0, 1, 1], dtype=np.int8), (30000, 1))
        actions = random_actions(mask, np.random.default_rng(5))
        counts = np.bincount(actions, minlength=5)
        self.assertEqual((counts[0], counts[2]), (0, 0))
        # Five standard deviations of a binomial count.
        self.assertTrue((abs(counts[[1, 3, 4]] - 10000) < 5 * 82).all(), counts)


if __name__ == "__main__":
    unittest.main()
