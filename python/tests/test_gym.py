"""Environments of Gymnasium: its environment checker, and its vector environment as the reference."""

from __future__ import annotations

import copy
import html
import json
import pickle
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from manifests import STRIDE, duels, games, manifest, quiet, scenarios, warpool

from warpool import Environments, NodeError, random_actions, replay
from warpool import scenarios as warpool_scenarios
from warpool.gym import WarpoolEnv, WarpoolVectorEnv

ENVS = 6
SEED = 11

#: Major and minor version of Gymnasium.
GYMNASIUM = tuple(map(int, gymnasium.__version__.split(".")[:2]))


def same(found: object, expected: object, place: str = "") -> None:
    """Compare results of environments: arrays, numbers, dicts of them, None."""
    if isinstance(expected, dict):
        assert set(found) == set(expected), f"{place}: {set(found)} is not {set(expected)}"
        for key, value in expected.items():
            same(found[key], value, f"{place}.{key}")
    elif isinstance(expected, np.ndarray) and expected.dtype == object:
        assert found.dtype == object, place
        for env, value in enumerate(expected):
            same(found[env], value, f"{place}[{env}]")
    else:
        np.testing.assert_array_equal(found, expected, place)


def setUpModule():
    quiet()


class Checks(unittest.TestCase):
    def test_passes_the_environment_checker(self):
        for each in duels():
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.filterwarnings("ignore", message=".*not having a spec.*|.*had no decision.*")
                check_env(WarpoolEnv(each))

    def test_make_accepts_the_id(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "duel.json"
            warpool("manifest", scenarios()[0], "--out", str(path))
            env = gymnasium.make("warpool.gym:Warpool-v1", manifest=str(path), first_env=3)
            check_env(env.unwrapped)
            self.assertEqual(env.unwrapped.environments.first_env, 3)
            envs = gymnasium.make_vec(
                "warpool.gym:Warpool-v1",
                num_envs=5,
                vectorization_mode="vector_entry_point",
                manifest=str(path),
            )
            self.assertIsInstance(envs.unwrapped, WarpoolVectorEnv)
            self.assertEqual(envs.num_envs, 5)
            self.assertEqual(envs.metadata["autoreset_mode"], AutoresetMode.NEXT_STEP)

    def test_each_scenario_has_an_id(self):
        for name in warpool_scenarios()[::STRIDE]:
            spec = gymnasium.spec(f"warpool/{name}-v1")
            self.assertEqual(spec.kwargs, {"scenario": name})
        env = gymnasium.make("warpool.gym:warpool/robots-wet-v1", agents="blue")
        self.assertEqual(env.unwrapped.manifest.agents, ("blue",))
        envs = gymnasium.make_vec("warpool.gym:warpool/robots-wet-v1", num_envs=3)
        self.assertEqual(envs.reset(seed=1)[0].shape, (3, *env.observation_space.shape))

    def test_spaces_match_the_manifest(self):
        for each in duels():
            envs = WarpoolVectorEnv(each, 3)
            self.assertEqual(envs.single_action_space, gymnasium.spaces.Discrete(len(each.actions)))
            self.assertEqual(envs.single_observation_space.dtype, np.float32)
            for feature, low, high in zip(
                each.features,
                envs.single_observation_space.low,
                envs.single_observation_space.high,
                strict=True,
            ):
                self.assertEqual((low, high), (np.float32(feature.low), np.float32(feature.high)))
            observations, infos = envs.reset(seed=1)
            self.assertIn(observations, envs.observation_space)
            actions = envs.action_space.sample(mask=tuple(infos["action_mask"]))
            observations, *_ = envs.step(actions)
            self.assertIn(observations, envs.observation_space)

    def test_several_agents_are_rejected(self):
        several = [each for each in games() if len(each.agents) > 1]
        self.assertTrue(several)
        for each in several:
            for make in (WarpoolEnv, WarpoolVectorEnv):
                self.assertRaisesRegex(ValueError, "warpool.pettingzoo", make, each)

    def test_infos_without_a_battle_have_no_metrics(self):
        env = WarpoolEnv(duels()[0])
        _, info = env.reset(seed=1)
        terminated = False
        while not terminated:
            action = env.action_space.sample(mask=info["action_mask"])
            *_, terminated, _, info = env.step(action)
        self.assertTrue(info["metrics"].any())
        env.reset()
        *_, info = env.step(len(env.manifest.actions))
        self.assertEqual((info["outcome"], info["invalid"]), (-1, True))
        self.assertFalse(info["metrics"].any())


class Scaled(unittest.TestCase):
    def test_observations_are_divided_by_the_greater_of_their_bounds(self):
        for each in duels():
            plain, scaled = WarpoolVectorEnv(each, ENVS), WarpoolVectorEnv(each, ENVS, scale=True)
            box = scaled.single_observation_space
            rounds = np.array([feature.unit == "rounds" for feature in each.features])
            self.assertEqual((box.low.min() >= -1, box.high[~rounds].max()), (True, 1))
            self.assertTrue((each.scales[rounds] <= 32).all())
            rng = np.random.default_rng(1)
            (seen, infos), (found, _) = plain.reset(seed=SEED), scaled.reset(seed=SEED)
            ended = 0
            for _ in range(60):
                np.testing.assert_array_equal(found, seen / each.scales)
                self.assertEqual(found.dtype, np.float32)
                self.assertIn(found, scaled.observation_space)
                actions = random_actions(infos["action_mask"], rng)
                (seen, *_, infos), (found, *_, others) = plain.step(actions), scaled.step(actions)
                for env in np.flatnonzero(infos.get("_final_obs", [])):
                    ended += 1
                    last = infos["final_obs"][env] / each.scales
                    np.testing.assert_array_equal(others["final_obs"][env], last)
            self.assertGreater(ended, 0)
            one = WarpoolEnv(each, scale=True)
            check_env(one, skip_render_check=True)
            np.testing.assert_array_equal(one.reset(seed=SEED)[0], scaled.reset(seed=SEED)[0][0])

    def test_wrappers_of_observations_need_the_next_step_mode(self):
        wrappers = gymnasium.wrappers.vector
        name = duels()[0]
        makes = (
            wrappers.NormalizeObservation,
            wrappers.FlattenObservation,
            lambda envs: wrappers.RescaleObservation(envs, 0, 1),
            lambda envs: wrappers.DtypeObservation(envs, np.float64),
        )
        for make in makes:
            # Gymnasium 1.1 to 1.3 raise AssertionError, 1.4 raises ValueError.
            with self.assertRaises((AssertionError, ValueError)):
                make(WarpoolVectorEnv(name, ENVS, autoreset_mode="same-step"))
            envs = make(WarpoolVectorEnv(name, ENVS, autoreset_mode="next-step"))
            envs.reset(seed=SEED)
            observations, *_ = envs.step(np.zeros(ENVS, dtype=np.int64))
            self.assertEqual(observations.shape[0], ENVS)


class Rejected(unittest.TestCase):
    def test_ambiguous_arguments_are_rejected(self):
        envs = WarpoolVectorEnv(duels()[0], ENVS)
        with self.assertRaisesRegex(ValueError, "^seed: expected one, or 6, found 5"):
            envs.reset(seed=[1] * (ENVS - 1))
        envs.reset(seed=SEED)
        before = envs.environments.snapshot()
        with self.assertRaisesRegex(ValueError, r"^actions: expected shape \(6,\), found \(\)"):
            envs.step(None)
        self.assertEqual(envs.environments.snapshot(), before)
        with self.assertRaisesRegex(ValueError, "^agents: expected at least one of .*, found none"):
            WarpoolVectorEnv(duels()[0], ENVS, agents=[])


class Vector(unittest.TestCase):
    def sources(self):
        """Return a scenario of each system, a truncated one, and several scenarios together."""
        path = scenarios()[0]
        several = [str(each) for each in sorted(Path(path).parent.glob("attrition-[di]*.yaml"))]
        self.assertGreater(len(several), 1)
        return [*duels(), manifest(path, "--max-steps", "3"), manifest(*several)]

    def play(self, each, mode, steps=80):
        """Compare with Gymnasium's vector of single environments, illegal actions included."""
        rng = np.random.default_rng(8)
        envs = WarpoolVectorEnv(each, ENVS, autoreset_mode=mode)
        oracle = SyncVectorEnv(
            [lambda e=e: WarpoolEnv(each, first_env=e) for e in range(ENVS)], autoreset_mode=mode
        )
        for env in oracle.envs:
            self.assertEqual(env.environments.max_steps, each.max_steps)
        self.assertEqual(oracle.observation_space, envs.observation_space)
        self.assertEqual(oracle.action_space, envs.action_space)
        observations, infos = envs.reset(seed=SEED)
        expected, expected_infos = oracle.reset(seed=[SEED] * ENVS)
        same(observations, expected)
        same(infos, expected_infos)
        ended = 0
        for step in range(steps):
            actions = random_actions(infos["action_mask"], rng)
            if step % 10 == 9:
                actions[step % ENVS] = -1
            given, wanted = envs.step(actions), oracle.step(actions)
            infos = given[-1]
            for found, value in zip(given[:-1], wanted[:-1], strict=True):
                same(found, value)
            ended += (given[2] | given[3]).sum()
            same(infos, wanted[-1], f"step {step}")
            if mode is AutoresetMode.DISABLED and (given[2] | given[3]).any():
                mask = given[2] | given[3]
                observations, infos = envs.reset(options={"reset_mask": mask})
                expected, _ = oracle.reset(options={"reset_mask": mask.copy()})
                same(observations, expected)
        self.assertGreater(ended, ENVS)

    def test_next_step_mode_equals_gymnasium(self):
        for each in self.sources():
            self.play(each, AutoresetMode.NEXT_STEP)

    def test_same_step_mode_equals_gymnasium(self):
        for each in self.sources():
            self.play(each, AutoresetMode.SAME_STEP)

    def test_disabled_mode_equals_gymnasium(self):
        for each in self.sources():
            self.play(each, AutoresetMode.DISABLED)

    def test_equals_the_class_environments(self):
        for each in duels():
            envs = WarpoolVectorEnv(each, 7, first_env=5, autoreset_mode="same-step")
            below = Environments(each, 7, first_env=5)
            envs.reset(seed=3)
            below.reset(seed=3)
            for _ in range(60):
                actions = below.suggest("uniform").copy()
                observations, rewards, terminations, truncations, infos = envs.step(actions)
                below.step()
                np.testing.assert_array_equal(observations, below.obs)
                np.testing.assert_array_equal(rewards, below.reward[:, 0])
                np.testing.assert_array_equal(terminations, below.terminated)
                np.testing.assert_array_equal(truncations, below.truncated)
                np.testing.assert_array_equal(infos["action_mask"], below.mask)

    def test_resets_continue_or_restart_episodes(self):
        envs = WarpoolVectorEnv(duels()[0], 4)
        self.assertRaises(ValueError, envs.reset, options={"reset_mask": np.ones(4, bool)})
        envs.reset()
        self.assertNotEqual(envs.environments.seed, 0)
        envs.reset(seed=5)
        envs.step(np.zeros(4, int))
        envs.reset()
        self.assertEqual(envs.environments.seed, 5)
        self.assertEqual(envs.environments.episode.tolist(), [1, 1, 1, 1])
        mask = np.array([True, False, False, True])
        envs.reset(options={"reset_mask": mask})
        self.assertEqual(envs.environments.episode.tolist(), [2, 1, 1, 2])
        self.assertRaises(ValueError, envs.reset, seed=1, options={"reset_mask": mask})

    def test_copies_keep_values_and_views_do_not(self):
        for copies in (True, False):
            envs = WarpoolVectorEnv(duels()[0], 16, copy=copies)
            observations, infos = envs.reset(seed=1)
            step = envs.step(envs.environments.suggest("uniform").copy())
            shown = [array for name, array in step[-1].items() if not name.startswith("_")]
            arrays = [observations, infos["action_mask"], *step[:4], *shown]
            for array in arrays:
                inside = np.shares_memory(array, envs.environments.kernel.everything)
                self.assertEqual(inside, not copies)

    def test_wrappers_of_gymnasium_work(self):
        if GYMNASIUM < (1, 2):
            self.skipTest("DictInfoToList of Gymnasium 1.1 does not take what its RecordEpisodeStatistics gives")
        vector = gymnasium.make_vec("warpool.gym:Warpool-v1", num_envs=8, scenario=duels()[0])
        envs = DictInfoToList(RecordEpisodeStatistics(vector))
        _, infos = envs.reset(seed=4)
        ended = []
        for _ in range(100):
            masks = np.stack([info["action_mask"] for info in infos])
            *_, infos = envs.step(random_actions(masks, np.random.default_rng(1)))
            ended += [info for info in infos if "episode" in info]
        self.assertGreater(len(ended), 8)
        for info in ended:
            self.assertEqual(info["episode"]["l"], info["length"])
            self.assertIn(info["episode"]["r"], (-1, 0, 1))


class Statistics(unittest.TestCase):
    """`infos["episode"]`: equal to the results of Gymnasium's wrapper in the modes that it supports."""

    def play(self, mode, steps=60):
        """Yield infos of episodes with and without the wrapper, and the expected counts."""
        each = duels()[1].change(max_steps=5)
        envs = RecordEpisodeStatistics(
            WarpoolVectorEnv(each, ENVS, autoreset_mode=mode, episode_statistics=True), stats_key="wrapped"
        )
        envs.reset(seed=4)
        returns, lengths = np.zeros(ENVS), np.zeros(ENVS, int)
        waits = np.zeros(ENVS, bool)
        for _ in range(steps):
            actions = envs.unwrapped.environments.suggest("uniform").copy()
            _, rewards, terminations, truncations, infos = envs.step(actions)
            returns += rewards
            lengths += ~waits
            ended = terminations | truncations
            waits = ended & (mode is AutoresetMode.NEXT_STEP)
            if ended.any():
                yield infos, ended, returns.copy(), lengths.copy()
                returns[ended] = lengths[ended] = 0
                if mode is AutoresetMode.DISABLED:
                    envs.reset(options={"reset_mask": ended})
            else:
                self.assertNotIn("episode", infos)

    def test_are_correct_in_every_mode(self):
        for mode in AutoresetMode:
            seen = 0
            for infos, ended, returns, lengths in self.play(mode):
                given = infos["episode"]
                np.testing.assert_array_equal(infos["_episode"], ended)
                np.testing.assert_array_equal(given["l"], np.where(ended, lengths, 0))
                np.testing.assert_allclose(given["r"], np.where(ended, returns, 0), atol=1e-6)
                self.assertTrue((given["t"] >= 0).all() and not given["t"][~ended].any())
                seen += ended.sum()
            self.assertGreater(seen, 4 * ENVS)

    def test_equal_the_wrapper_of_gymnasium_where_it_is_correct(self):
        for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED):
            for infos, ended, *_ in self.play(mode):
                for key in ("r", "l"):
                    np.testing.assert_allclose(infos["episode"][key], infos["wrapped"][key])
                np.testing.assert_array_equal(infos["_wrapped"], ended)

    def test_the_wrapper_is_correct_in_same_step_mode_since_gymnasium_1_4(self):
        steps = [
            (infos["episode"]["l"], infos["wrapped"]["l"])
            for infos, *_ in self.play(AutoresetMode.SAME_STEP)
        ]
        is_right = all((given == wrapped).all() for given, wrapped in steps)
        self.assertEqual(is_right, GYMNASIUM >= (1, 4))

    def test_replace_the_wrapper(self):
        envs = RecordEpisodeStatistics(WarpoolVectorEnv(duels()[0], 8, episode_statistics=True))
        envs.reset(seed=1)
        with self.assertRaisesRegex(ValueError, "already exists"):
            for _ in range(100):
                envs.step(envs.unwrapped.environments.suggest("uniform").copy())


class Single(unittest.TestCase):
    def test_maskable_ppo_finds_the_masks(self):
        for each in duels():
            env = gymnasium.make("warpool.gym:Warpool-v1", manifest=each)
            _, info = env.reset(seed=2)
            mask = env.get_wrapper_attr("action_masks")()
            self.assertEqual((mask.dtype, mask.shape), (np.bool_, (len(each.actions),)))
            np.testing.assert_array_equal(mask, info["action_mask"])
            env.step(int(mask.argmax()))
            self.assertFalse(np.shares_memory(mask, env.unwrapped.environments.mask))

    def test_a_step_before_a_reset_is_rejected(self):
        one, many = WarpoolEnv(duels()[0]), WarpoolVectorEnv(duels()[0], 3)
        self.assertRaisesRegex(ResetNeeded, "expected a reset", one.step, 0)
        self.assertRaisesRegex(ResetNeeded, "expected a reset", many.step, [0, 0, 0])

    def test_unknown_options_are_rejected(self):
        one, many = WarpoolEnv(duels()[0]), WarpoolVectorEnv(duels()[0], 3)
        with self.assertRaisesRegex(ValueError, "options: expected names among none"):
            one.reset(options={"reset_mask": [True]})
        with self.assertRaisesRegex(ValueError, "did you mean reset_mask"):
            many.reset(options={"resetmask": [True] * 3})
        for make in (WarpoolEnv, WarpoolVectorEnv, Environments):
            self.assertRaises(TypeError, make, duels()[0], max_step=3)

    def test_copies_and_pickles_continue_with_the_same_results(self):
        for each in duels():
            for make in (WarpoolEnv, lambda manifest: WarpoolVectorEnv(manifest, 4)):
                env = make(each.change(max_steps=6))
                env.reset(seed=3)
                self.step(env)
                twins = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
                for _ in range(20):
                    expected = self.step(env)
                    for twin in twins:
                        same(self.step(twin), expected)
                shared = [np.shares_memory(twin.environments.obs, env.environments.obs) for twin in twins]
                self.assertFalse(any(shared))

    def step(self, env):
        """Step, reset finished episodes, and return all infos except times."""
        actions = env.environments.suggest("uniform").copy()
        is_one = isinstance(env, WarpoolEnv)
        *given, infos = env.step(int(actions[0]) if is_one else actions)
        infos.pop("episode", None)
        if is_one and (given[2] or given[3]):
            given.append(env.reset()[0])
        return {str(index): np.asarray(each) for index, each in enumerate(given)} | {"infos": infos}


class Interface(unittest.TestCase):
    """Interface of vector environments of Gymnasium, and alternative names of arguments."""

    def test_a_list_of_seeds_has_one_for_each_first_episode(self):
        for each in duels():
            envs, one = WarpoolVectorEnv(each, 3), WarpoolVectorEnv(each, 3)
            seeds = [7, 5, 2**64 - 1]
            observations, infos = envs.reset(seed=seeds)
            for env, seed in enumerate(seeds):
                expected, others = one.reset(seed=seed)
                np.testing.assert_array_equal(observations[env], expected[env])
                np.testing.assert_array_equal(infos["action_mask"][env], others["action_mask"][env])
            self.assertEqual(envs.environments.seed, 7)

    def test_call_and_attributes_reach_each_environment(self):
        envs = WarpoolVectorEnv(duels()[0], 3, render_mode="ansi")
        _, infos = envs.reset(seed=1)
        masks = envs.call("action_masks")
        np.testing.assert_array_equal(masks, infos["action_mask"].astype(bool))
        self.assertEqual(envs.get_attr("render_mode"), ("ansi",) * 3)
        self.assertEqual(envs.render(), envs.call("render"))

    def test_text_has_player_observation_and_legal_actions(self):
        env = gymnasium.make("warpool.gym:Warpool-v1", scenario="phased-dice-ground", render_mode="ansi")
        env.reset(seed=1)
        head, seen, legal = env.render().splitlines()[-3:]
        self.assertRegex(head, ", episode 0: attacker decides (target|losses|retreat)$")
        self.assertRegex(seen, "^round 1, .*left.attacker.cannon 3")
        self.assertRegex(legal, "^legal: ")
        name = legal.removeprefix("legal: ").split(", ")[0]
        env.step(env.unwrapped.manifest.actions.index(name))
        self.assertEqual(env.render().splitlines()[-4], f"attacker: {name}")
        env.step(-1)
        last, head, _ = env.render().splitlines()
        self.assertEqual(last, "attacker: invalid action -1")
        self.assertRegex(head, "episode 0: over, illegal action$")
        env.reset()
        self.assertIsNone(WarpoolEnv(duels()[0]).render())
        with self.assertRaisesRegex(ValueError, "^render_mode: expected ansi or None, found 'human'"):
            WarpoolVectorEnv(duels()[0], render_mode="human")

    def test_text_has_the_events_of_the_episode(self):
        env = WarpoolEnv("phased-dice-ground", first_env=3, render_mode="ansi")
        env.reset(seed=2**63)
        env.reset()
        try:
            battle = 2**21 + 3
            replayed = html.unescape(replay("phased-dice-ground", seed=2**63, battle=battle).to_html())
        except NodeError:
            self.skipTest("Node.js is missing")
        shown = []
        while not env.environments.terminated[0]:
            events = env.render().splitlines()[: -4 if shown else -3]
            self.assertEqual(events[: len(shown)], shown)
            shown = events
            env.step(int(env.environments.suggest()[0]))
        events = env.render().splitlines()[:-3]
        self.assertGreater(len(events), len(shown))
        for line in events:
            self.assertTrue(line in replayed, line)
        env.reset()
        self.assertGreater(len(env.render().splitlines()), 3)
        with mock.patch("warpool.infos.request_result", side_effect=NodeError("none")):
            self.assertEqual(len(env.render().splitlines()), 3)
        self.assertEqual(len(env.render().splitlines()), 3)

    def test_alternative_names_of_arguments_are_equal(self):
        each = duels()[0]
        for mode in ("next-step", "NextStep", AutoresetMode.NEXT_STEP):
            made = [
                WarpoolVectorEnv(scenario=each, autoreset_mode=mode, max_episode_steps=3),
                WarpoolVectorEnv(manifest=each, autoreset=mode, max_steps=3),
                Environments(scenario=each, autoreset_mode=mode, max_episode_steps=3),
                Environments(manifest=each, autoreset=mode, max_steps=3),
            ]
            found = {(env.manifest.autoreset, env.manifest.max_steps) for env in made}
            self.assertEqual(found, {("next-step", 3)})
        with self.assertRaisesRegex(TypeError, "^max_episode_steps: expected one value, found another one as"):
            WarpoolEnv(each, max_steps=3, max_episode_steps=3)

    def test_a_warning_names_agents_that_never_decide(self):
        with self.assertWarnsRegex(UserWarning, "^agents: defender had no decision .* players: attacker$"):
            WarpoolEnv("phased-dice-broadside", agents="defender")


class Sources(unittest.TestCase):
    def test_manifests_may_be_objects_too(self):
        source = json.loads(warpool("manifest", scenarios()[0]).stdout)
        self.assertEqual(WarpoolEnv(source).manifest, duels()[0].change(autoreset="disabled"))


if __name__ == "__main__":
    unittest.main()
