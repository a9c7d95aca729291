"""Environments of PettingZoo: its tests, and the same battles as the class Environments."""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
import unittest
import warnings

import numpy as np
import pettingzoo
from gymnasium.error import ResetNeeded
from manifests import duels, games
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from warpool import Environments
from warpool import scenarios as warpool_scenarios
from warpool.pettingzoo import WarpoolAEC, WarpoolParallel


@contextlib.contextmanager
def quiet():
    """Suppress the output of PettingZoo, and its advice on names, dicts and images."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        for advice in (
            "We recommend agents to be named",
            "Observation space for each agent probably should be",
            "Observation is not a NumPy array",
            "Environment has not defined a render",
            "Action mask numpy array is all zeros",
        ):
            warnings.filterwarnings("ignore", message=advice)
        yield


class Checks(unittest.TestCase):
    def test_passes_the_tests_of_pettingzoo(self):
        for each in (*games(), *duels()):
            with quiet():
                api_test(WarpoolAEC(each), num_cycles=300)
                parallel_api_test(WarpoolParallel(each), num_cycles=300)
                seed_test(lambda each=each: WarpoolAEC(each), num_cycles=100)
                parallel_seed_test(lambda each=each: WarpoolParallel(each), num_cycles=100)


@unittest.skipUnless(hasattr(pettingzoo, "register"), "this PettingZoo has no registries")
class Ids(unittest.TestCase):
    def test_make_creates_both_kinds(self):
        for kind, expected in (("aec", WarpoolAEC), ("parallel", WarpoolParallel)):
            env = pettingzoo.make(kind, "Warpool-v1", scenario=games()[0], max_episode_steps=3)
            self.assertIs(type(env), expected)
            self.assertEqual(env.possible_agents, list(games()[0].agents))
            self.assertEqual(pettingzoo.spec(kind, "Warpool").id, "Warpool-v1")

    def test_each_scenario_has_an_id(self):
        for kind in ("aec", "parallel"):
            env = pettingzoo.make(kind, "warpool/robots-wet-v1")
            self.assertEqual(env.possible_agents, ["red", "blue"])
            for name in warpool_scenarios():
                self.assertEqual(pettingzoo.spec(kind, f"warpool/{name}").kwargs["scenario"], name)


class Battles(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(2)

    def choose(self, mask):
        return int(self.rng.choice(np.flatnonzero(mask)))

    def test_aec_battles_equal_the_class_environments(self):
        for each in games():
            env = WarpoolAEC(each, first_env=4)
            below = Environments(each, 1, first_env=4, autoreset="disabled")
            below.reset(seed=13)
            env.reset(seed=13)
            for episode in range(5):
                total = dict.fromkeys(env.possible_agents, 0.0)
                for agent in env.agent_iter():
                    observation, reward, terminated, _, info = env.last()
                    total[agent] += reward
                    np.testing.assert_array_equal(observation["observation"], below.obs[0])
                    np.testing.assert_array_equal(observation["action_mask"], below.mask[0])
                    if terminated:
                        env.step(None)
                        self.check_ending(each, below, info)
                        continue
                    scenario = each.scenarios[below.variant[0]]
                    self.assertEqual(agent, scenario.players[below.player[0]])
                    self.assertEqual((info["player"], info["phase"]), (below.player[0], below.phase[0]))
                    names = each.names(info)
                    point = each.decision_points[below.phase[0] - 1]
                    self.assertEqual((names["player"], names["phase"]), (agent, point))
                    action = self.choose(observation["action_mask"])
                    env.step(action)
                    below.step([action])
                self.assertEqual(list(total.values()), below.final_return[0].tolist())
                self.assertEqual(env.agents, [])
                env.reset()
                below.reset(mask=[True])
                self.assertEqual(below.episode[0], episode + 1)

    def check_ending(self, each, below, info):
        scenario = each.scenarios[below.variant[0]]
        self.assertEqual(info["length"], below.length[0])
        self.assertFalse([value for value in info.values() if isinstance(value, str | dict)])
        info = each.names(info)
        self.assertEqual((info["player"], info["phase"]), (None, None))
        self.assertEqual(info["outcome"], scenario.outcomes[below.outcome[0]])
        self.assertEqual(list(info["metrics"]), [metric.name for metric in scenario.metrics])
        steps = [
            value / metric.unit
            for value, metric in zip(info["metrics"].values(), scenario.metrics, strict=True)
        ]
        np.testing.assert_allclose(steps, below.metrics[0, : len(steps)])

    def test_parallel_battles_equal_aec_battles(self):
        for each in games():
            turns, at_once = WarpoolAEC(each), WarpoolParallel(each)
            turns.reset(seed=17)
            observations, infos = at_once.reset(seed=17)
            while at_once.agents:
                agent = turns.agent_selection
                self.assertEqual({each.names(info)["player"] for info in infos.values()}, {agent})
                for each_agent in at_once.agents:
                    seen = turns.observe(each_agent)
                    found = observations[each_agent]
                    np.testing.assert_array_equal(found["observation"], seen["observation"])
                    if each_agent == agent:
                        np.testing.assert_array_equal(found["action_mask"], seen["action_mask"])
                    else:
                        self.assertFalse(seen["action_mask"].any())
                        self.assertTrue(found["action_mask"].all())
                action = self.choose(observations[agent]["action_mask"])
                others = {each_agent: self.rng.integers(1000) for each_agent in at_once.agents}
                observations, rewards, ended, *_, infos = at_once.step(others | {agent: action})
                turns.step(action)
                self.assertEqual(rewards, turns.rewards)
                self.assertEqual(ended, turns.terminations)
            self.assertEqual(at_once.step({}), ({}, {}, {}, {}, {}))

    def test_illegal_actions_lose(self):
        for each in games():
            env = WarpoolAEC(each)
            env.reset(seed=1)
            agent = env.agent_selection
            env.step(len(each.actions))
            expected = {other: -1.0 if other == agent else 0.0 for other in env.possible_agents}
            self.assertEqual(env.rewards, expected)
            self.assertTrue(all(env.terminations.values()))
            self.assertTrue(env.infos[agent]["invalid"])
            self.assertEqual(env.infos[agent]["outcome"], -1)
            self.assertFalse(env.infos[agent]["metrics"].any())

    def test_a_step_before_a_reset_is_rejected(self):
        for make in (WarpoolAEC, WarpoolParallel):
            env = make(games()[0])
            self.assertRaisesRegex(ResetNeeded, "expected a reset", env.step, {})

    def test_copies_and_pickles_continue_with_the_same_results(self):
        for each in games():
            env = WarpoolAEC(each)
            env.reset(seed=5)
            twins = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
            for agent in env.agent_iter():
                observation, reward, terminated, _, info = env.last()
                action = None if terminated else self.choose(observation["action_mask"])
                for twin in twins:
                    self.assertEqual(twin.agent_selection, agent)
                    seen, *rest = twin.last()
                    np.testing.assert_array_equal(seen["observation"], observation["observation"])
                    np.testing.assert_equal(rest, [reward, terminated, False, info])
                    twin.step(action)
                env.step(action)
            self.assertEqual([twin.agents for twin in twins], [[], []])

    def test_agents_reward_and_decisions_are_arguments(self):
        for each in games():
            [*_, last] = each.decision_points
            env = WarpoolAEC(each, agents=each.agents[:1], decisions=[last], max_episode_steps=4)
            env.reset(seed=1)
            self.assertEqual(env.possible_agents, list(each.agents[:1]))
            self.assertIn(each.names(env.infos[env.agents[0]])["phase"], (last, None))

    def test_the_decider_must_act(self):
        env = WarpoolParallel(games()[0])
        env.reset(seed=1)
        self.assertRaisesRegex(ValueError, "the deciding agent", env.step, {})

    def test_all_agents_are_the_players_that_decide(self):
        for make in (WarpoolAEC, WarpoolParallel):
            self.assertEqual(make("phased-dice-broadside", agents="all").possible_agents, ["attacker"])
            self.assertEqual(make("phased-dice-ground", agents="all").possible_agents, ["attacker", "defender"])

    def test_render_returns_text(self):
        for make in (WarpoolAEC, WarpoolParallel):
            self.assertIsNone(make(games()[0]).render_mode)
            env = make(games()[0], render_mode="ansi")
            env.reset(seed=1)
            self.assertIn("episode 0", env.render())
            decider = env._battle.decider
            action = self.choose(env._battle.environments.mask[0])
            env.step(action if make is WarpoolAEC else {decider: action})
            self.assertEqual(env.render().splitlines()[-4], f"{decider}: {env.manifest.actions[action]}")

    def test_environments_without_a_seed_differ(self):
        seeds = set()
        for _ in range(3):
            env = WarpoolAEC(games()[0])
            env.reset()
            seeds.add(env._battle.environments.seed)
        self.assertEqual(len(seeds), 3)


if __name__ == "__main__":
    unittest.main()
