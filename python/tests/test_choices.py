"""Agents, decisions and rewards as arguments: the same environments as with options of `warpool manifest`."""

from __future__ import annotations

import itertools
import unittest
from pathlib import Path

import numpy as np
from digest import digest
from manifests import STRIDE, duels, games, manifest, scenarios

from warpool import Environments


class Choices(unittest.TestCase):
    def test_equal_options_of_the_program(self):
        for path, duel in zip(scenarios(), duels()[: len(scenarios())], strict=True):
            players = duel.scenarios[0].players
            rewards = list(duel.scenarios[0].rewards)
            some = itertools.zip_longest(
                [players[-1:], players, players[:1]], rewards, duel.decision_points[::-1], fillvalue=None
            )
            for agents, reward, point in itertools.islice(some, 0, None, STRIDE):
                chosen = {"agents": agents, "reward": reward, "decisions": point and [point]}
                chosen = {name: value for name, value in chosen.items() if value is not None}
                options = [
                    each
                    for name, value in chosen.items()
                    for each in (f"--{name}", value if isinstance(value, str) else ",".join(value))
                ]
                expected, found = manifest(path, *options), duel.change(**chosen)
                self.assertEqual(found, expected)
                self.assertEqual(digest(found, 8, 60, seed=3), digest(expected, 8, 60, seed=3))

    def test_apply_to_each_of_several_scenarios(self):
        folder = Path(scenarios()[0]).parent
        several = [str(each) for each in sorted(folder.glob("attrition-[bdm]*.yaml"))]
        expected = manifest(*several, "--agents", "all", "--reward", "hp")
        found = manifest(*several).change(agents="all", reward="hp")
        self.assertEqual(found, expected)
        self.assertEqual(digest(found, 16, 60, seed=3), digest(expected, 16, 60, seed=3))

    def test_reward_tables_change_rewards(self):
        for each in games():
            scenario = each.scenarios[0]
            metric = scenario.metrics[0]
            agent, other = each.agents[0], each.agents[-1]
            tables = {
                agent: {"outcomes": dict.fromkeys(scenario.outcomes, 3.0)},
                other: {"metrics": {metric.name: -0.5}, "steps": 0.25},
            }
            envs = Environments(each, 200, reward=tables, autoreset="disabled")
            envs.rollout("uniform", episodes=1)
            ended = np.flatnonzero(envs.outcome >= 0)
            self.assertGreater(ended.size, 100)
            if agent != other:
                np.testing.assert_array_equal(envs.final_return[ended, 0], 3)
            self.assertEqual(each.change(reward=tables).reward, tables)
            paid = -0.5 * envs.metrics[ended, 0] + 0.25 * envs.length[ended]
            np.testing.assert_allclose(envs.final_return[ended, -1], paid)

    def test_rewards_can_be_numbers_of_numpy(self):
        each = duels()[0]
        for number in (np.float32(0.25), np.float64(0.25), np.int64(2)):
            tables = [{each.agents[0]: {"steps": value}} for value in (number, number.item())]
            found, expected = (Environments(each, 8, reward=table) for table in tables)
            self.assertEqual(found.manifest, expected.manifest)
            np.testing.assert_array_equal(found.manifest.words, expected.manifest.words)

    def test_can_be_reset_to_defaults(self):
        for duel, game in zip(duels(), games(), strict=True):
            reward, points = list(duel.scenarios[0].rewards)[-1], duel.decision_points[:1]
            there = duel.change(agents="all", reward=reward, decisions=points, max_steps=3)
            back = there.change(agents=duel.agents, reward="win", decisions=duel.decision_points, max_steps=0)
            self.assertEqual(back, duel)
            self.assertEqual(digest(back, 4, 40, seed=1), digest(duel, 4, 40, seed=1))
            self.assertEqual(game.change(), game)

    def test_other_decisions_follow_the_scenario(self):
        each = manifest(f"{Path(scenarios()[0]).parent}/phased-dice-ground.yaml")
        some = Environments(each, 500, decisions=["retreat"], seed=2, autoreset="disabled")
        every = Environments(each, 500, seed=2, autoreset="disabled")
        self.assertEqual(set(some.phase.tolist()), {3})
        few, many = (envs.rollout("scenario", episodes=1) for envs in (some, every))
        self.assertLess(few, many)
        np.testing.assert_array_equal(some.outcome, every.outcome)
        np.testing.assert_array_equal(some.metrics, every.metrics)

    def test_unknown_names_are_rejected(self):
        each = duels()[0]
        agent = each.agents[0]
        for choice, message in (
            ({"agents": ["nobody"]}, "agents: expected names among"),
            ({"agents": [agent, agent]}, "agents: expected unique names"),
            ({"reward": "wim"}, "did you mean win"),
            ({"reward": {"nobody": {}}}, "reward: expected names among"),
            ({"reward": {agent: {"outcome": {}}}}, "did you mean outcomes"),
            ({"reward": {agent: {"metrics": {"glory": 1}}}}, rf"reward.{agent}.metrics: expected"),
            ({"reward": {agent: {"metrics": {"rounds": float("nan")}}}}, "expected a number"),
            ({"reward": {agent: {"steps": "1"}}}, rf"reward.{agent}.steps: expected a number"),
            ({"reward": {agent: {"steps": True}}}, rf"reward.{agent}.steps: expected a number"),
            ({"reward": {agent: {"steps": 1e300}}}, rf"reward.{agent}.steps: .*float32, found 1e\+300"),
            ({"reward": {agent: {"steps": -(10**400)}}}, rf"reward.{agent}.steps: .*float32"),
            ({"reward": {agent: {"steps": np.float32("inf")}}}, rf"reward.{agent}.steps: .*float32"),
            ({"reward": [1]}, r"reward: expected a name, or a mapping of agents to tables, found \[1\]"),
            ({"reward": {agent: 3}}, rf"reward.{agent}: expected a mapping of outcomes, metrics and steps, found 3"),
            ({"reward": {agent: {"metrics": 3}}}, rf"reward.{agent}.metrics: expected a mapping of metrics to numbers"),
            ({"decisions": []}, "decisions: expected at least one"),
            ({"decisions": ["figth"]}, "did you mean fight"),
            ({"autoreset": "samestep"}, "did you mean same-step"),
            ({"max_steps": 2**31}, "max_episode_steps: expected 0"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                each.change(**choice)
            with self.assertRaisesRegex(ValueError, message):
                Environments(each, 1, **choice)
        self.assertRaises(TypeError, each.change, max_step=1)


if __name__ == "__main__":
    unittest.main()
