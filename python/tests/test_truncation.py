"""Episodes that end at a limit of steps: observation, mask, player and phase equal those without the limit."""

from __future__ import annotations

import unittest
from collections.abc import Iterator

import numpy as np
from gymnasium.vector import AutoresetMode
from manifests import ROOT, manifest, quiet, scenarios

from warpool import Environments, Manifest
from warpool.gym import WarpoolEnv, WarpoolVectorEnv
from warpool.pettingzoo import WarpoolAEC, WarpoolParallel

ENVS = 64
LIMITS = (1, 2, 3)

#: Scenarios with hidden choices, and the first scenario of each system.
HIDING = ("phased-dice-ground", "strength-cards-pocket", "strength-cards-land", "cube-bag-siege")


def setUpModule():
    quiet()


def games() -> Iterator[Manifest]:
    """Yield environments of all agents."""
    for path in dict.fromkeys([*scenarios(), *(f"{ROOT}/scenarios/{each}.yaml" for each in HIDING)]):
        yield manifest(path).change(agents="all")


def duels() -> Iterator[Manifest]:
    """Yield environments with one agent, for each player."""
    for each in games():
        for player in each.agents:
            yield each.change(agents=[player])


class LowLevel(unittest.TestCase):
    def test_the_last_observation_is_the_next_one_without_the_limit(self):
        for each in games():
            rows = 0
            for mode in each.autoresets:
                for limit in LIMITS:
                    rows += self.compare(each, mode, limit)
            self.assertGreater(rows, ENVS, each.system)

    def compare(self, each, mode, limit):
        options = {"seed": 3, "autoreset": mode}
        cut = Environments(each, ENVS, max_steps=limit, **options)
        whole = Environments(each, ENVS, **options)
        for _ in range(limit):
            cut.step(whole.suggest("uniform").copy())
            whole.step()
        rows = np.flatnonzero(cut.truncated & (whole.episode == 0))
        for name in ("obs", "mask", "player", "phase"):
            expected = getattr(whole, name)[rows]
            np.testing.assert_array_equal(getattr(cut, f"final_{name}")[rows], expected, name)
            if mode != "same-step":
                np.testing.assert_array_equal(getattr(cut, name)[rows], expected, name)
        if mode != "same-step":
            for env in rows[:8].tolist():
                for player in range(len(each.scenarios[0].players)):
                    np.testing.assert_array_equal(cut.look(env, player), whole.look(env, player))
        return rows.size


class Gymnasium(unittest.TestCase):
    def test_many_battles(self):
        for each in duels():
            for mode in AutoresetMode:
                self.compare(each, mode, 2)

    def compare(self, each, mode, limit):
        cut = WarpoolVectorEnv(each, ENVS, autoreset_mode=mode, max_episode_steps=limit)
        whole = WarpoolVectorEnv(each, ENVS, autoreset_mode=mode)
        cut.reset(seed=5)
        whole.reset(seed=5)
        for _ in range(limit):
            actions = whole.environments.suggest("uniform").copy()
            observations, _, _, truncations, infos = cut.step(actions)
            expected, *_, next_infos = whole.step(actions)
        rows = np.flatnonzero(truncations & (whole.environments.episode == 0))
        if mode is AutoresetMode.SAME_STEP and rows.size:
            observations, infos = infos["final_obs"], infos["final_info"]
        for env in rows.tolist():
            np.testing.assert_array_equal(observations[env], expected[env])
        for name in ("action_mask", "player", "phase", "scenario"):
            np.testing.assert_array_equal(infos[name][rows], next_infos[name][rows], name)

    def test_one_battle(self):
        compared = 0
        for each in duels():
            for first in range(8):
                cut = WarpoolEnv(each, first_env=first, max_episode_steps=2)
                whole = WarpoolEnv(each, first_env=first)
                cut.reset(seed=5)
                whole.reset(seed=5)
                truncated = False
                for step in range(2):
                    action = int(whole.environments.suggest("uniform")[0])
                    found, _, terminated, truncated, info = cut.step(action)
                    expected, _, over, is_cut, next_info = whole.step(action)
                    self.assertEqual((terminated, is_cut), (over, False))
                    self.assertEqual(truncated, step == 1 and not over)
                    if over:
                        break
                    np.testing.assert_array_equal(found, expected)
                    same_keys = {key: info[key] for key in next_info}
                    np.testing.assert_equal(same_keys, next_info)
                    np.testing.assert_array_equal(cut.action_masks(), whole.action_masks())
                compared += truncated
        self.assertGreater(compared, 20)


class PettingZoo(unittest.TestCase):
    """Agents observe the same as without the limit, and no hidden choices of others."""

    def test_aec(self):
        compared = hidden = 0
        for each in games():
            for first in range(8):
                cut = WarpoolAEC(each, first_env=first, max_episode_steps=1)
                whole = WarpoolAEC(each, first_env=first)
                cut.reset(seed=9)
                whole.reset(seed=9)
                action = int(whole._battle.environments.suggest("uniform")[0])
                cut.step(action)
                whole.step(action)
                if not all(cut.truncations.values()):
                    continue
                for agent in cut.possible_agents:
                    found, expected = cut.observe(agent), whole.observe(agent)
                    np.testing.assert_array_equal(found["observation"], expected["observation"])
                    np.testing.assert_array_equal(found["action_mask"], expected["action_mask"])
                    compared += 1
                sights = [cut.observe(agent)["observation"].tobytes() for agent in cut.agents]
                hidden += len(set(sights)) > 1
        self.assertGreater(compared, 40)
        self.assertGreater(hidden, 5)

    def test_parallel(self):
        compared = 0
        for each in games():
            cut, whole = WarpoolParallel(each, max_episode_steps=1), WarpoolParallel(each)
            cut.reset(seed=9)
            _, infos = whole.reset(seed=9)
            action = int(whole._battle.environments.suggest("uniform")[0])
            actions = dict.fromkeys(whole.agents, action)
            self.assertIn(each.names(infos[whole.agents[0]])["player"], actions)
            found, _, _, truncations, _ = cut.step(actions)
            expected, *_ = whole.step(actions)
            if not all(truncations.values()):
                continue
            for agent in cut.possible_agents:
                np.testing.assert_equal(found[agent], expected[agent])
                compared += 1
        self.assertGreater(compared, 10)


if __name__ == "__main__":
    unittest.main()
