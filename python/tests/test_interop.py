"""Libraries for training with default settings, if they are installed: TorchRL, SuperSuit, Stable-Baselines3."""

from __future__ import annotations

# ruff: noqa: PLC0415
import importlib.util
import unittest

import numpy as np

from warpool import evaluate, random_actions
from warpool.gym import WarpoolEnv, WarpoolVectorEnv
from warpool.pettingzoo import WarpoolAEC, WarpoolParallel

NAME = "phased-dice-ground"


def needs(*names):
    """Skip tests where a package is missing."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


@needs("torchrl")
class TorchRL(unittest.TestCase):
    def check(self, env, shape):
        from torchrl.envs.utils import check_env_specs

        check_env_specs(env)
        self.assertEqual(tuple(env.rollout(30, break_when_any_done=False).shape), shape)

    def test_gymnasium(self):
        from torchrl.envs import GymWrapper

        self.check(GymWrapper(WarpoolEnv(NAME)), (30,))
        self.check(GymWrapper(WarpoolVectorEnv(NAME, 4)), (4, 30))

    def test_pettingzoo(self):
        from torchrl.envs import PettingZooWrapper

        for make in (WarpoolAEC, WarpoolParallel):
            self.check(PettingZooWrapper(make(NAME, agents="all"), use_mask=True), (30,))


@needs("supersuit")
class SuperSuit(unittest.TestCase):
    def test_makes_a_vector_of_an_environment(self):
        import supersuit

        envs = supersuit.pettingzoo_env_to_vec_env_v1(WarpoolParallel(NAME, agents="all"))
        envs = supersuit.concat_vec_envs_v1(envs, 4, base_class="gymnasium")
        envs.reset(seed=1)
        for _ in range(50):
            observations, *_ = envs.step(np.zeros(8, dtype=np.int64))
        self.assertEqual(len(observations["observation"]), 8)


@needs("stable_baselines3", "sb3_contrib")
class StableBaselines3(unittest.TestCase):
    def test_environments_are_those_of_gymnasium(self):
        from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

        from warpool.sb3 import WarpoolVecEnv

        envs, twin = WarpoolVecEnv(NAME, 32, max_episode_steps=4), WarpoolVectorEnv(NAME, 32, max_episode_steps=4)
        envs.seed(5)
        observations, (expected, _) = envs.reset(), twin.reset(seed=5)
        np.testing.assert_array_equal(observations, expected)
        self.assertTrue(is_masking_supported(envs))
        rng, ended, truncated = np.random.default_rng(1), 0, 0
        for _ in range(30):
            masks = get_action_masks(envs)
            np.testing.assert_array_equal(masks, twin.action_masks())
            actions = random_actions(masks, rng)
            observations, rewards, dones, infos = envs.step(actions)
            expected, gained, terminations, truncations, last = twin.step(actions)
            np.testing.assert_array_equal(observations, expected)
            np.testing.assert_array_equal(rewards, gained)
            np.testing.assert_array_equal(dones, terminations | truncations)
            for env, info in enumerate(infos):
                self.assertEqual(bool(info), dones[env])
                if info:
                    ended += 1
                    truncated += info["TimeLimit.truncated"]
                    self.assertEqual(info["TimeLimit.truncated"], truncations[env])
                    np.testing.assert_array_equal(info["terminal_observation"], last["final_obs"][env])
                    self.assertEqual(info["episode"]["l"], last["final_info"]["length"][env])
        self.assertTrue(ended > truncated > 10)

    def test_learns(self):
        import torch
        from sb3_contrib import MaskablePPO

        from warpool.sb3 import WarpoolVecEnv

        torch.set_num_threads(1)
        name = "phased-dice-broadside"
        envs = WarpoolVecEnv(name, scale=True)
        model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=256, learning_rate=0.001, seed=1)
        model.learn(16_384)

        def policy(observations, masks):
            return model.predict(observations, action_masks=masks, deterministic=True)[0]

        self.assertGreater(evaluate(name, policy, 2048, scale=True).mean, 0.35)


if __name__ == "__main__":
    unittest.main()
