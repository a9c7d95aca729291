"""Mean returns of policies: episodes, interval and range equal those of `warpool rollout`."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import unittest

import numpy as np
from manifests import ROOT, manifest, warpool

from warpool import Environments, evaluate
from warpool.gym import WarpoolVectorEnv
from warpool.returns import _student95

NAME = "phased-dice-ground"
GROUND = str(ROOT / "scenarios" / f"{NAME}.yaml")


def rollout(*options: str) -> dict:
    """Return the output of the program for the same episodes."""
    ran = warpool("rollout", GROUND, "--json", *options)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


class Program(unittest.TestCase):
    def test_policies_of_the_kernel_have_the_returns_of_the_program(self):
        for options, choices in (
            ((), {}),
            (("--policy", "uniform", "--reward", "material"), {"reward": "material"}),
            (("--agents", "defender", "--max-steps", "3"), {"agents": "defender", "max_steps": 3}),
        ):
            told = rollout("--envs", "1024", "--episodes", "3", "--seed", "7", *options)
            policy = "uniform" if "uniform" in options else "scenario"
            found = evaluate(manifest(GROUND), policy, 3072, seed=7, **choices)
            [(agent, mean)] = told["returns"].items()
            self.assertAlmostEqual(found.mean, mean, 12)
            np.testing.assert_allclose(found.interval, told["returnsCi95"][agent], rtol=0, atol=1e-9)
            outcomes = told["scenarios"][0]["outcomes"]
            self.assertEqual(found.outcomes, {name: each["count"] for name, each in outcomes.items()})
            self.assertEqual((found.episodes, found.truncated), (3072, told["truncated"]))

    def test_few_episodes_have_quantiles_of_students_distribution(self):
        for envs in (2, 3, 8, 30):
            told = rollout("--envs", str(envs), "--seed", "3")
            found = evaluate(manifest(GROUND), "scenario", envs, seed=3)
            self.assertAlmostEqual(found.mean, told["returns"]["attacker"], 12)
            given = told["returnsCi95"]["attacker"]
            np.testing.assert_allclose(found.interval, given, rtol=0, atol=2e-6)
        self.assertAlmostEqual(_student95(31), 2.039513, 4)


class Policies(unittest.TestCase):
    def test_a_function_receives_observations_and_masks(self):
        shapes = set()

        def first_legal(obs: np.ndarray, mask: np.ndarray) -> np.ndarray:
            shapes.add((obs.shape, mask.shape, bool(obs.max() <= 1)))
            return mask.argmax(axis=1)

        envs = WarpoolVectorEnv(manifest(GROUND), 4, scale=True, decisions=["retreat"])
        found = evaluate(envs, first_legal, 100, seed=1)
        features, actions = envs.single_observation_space.shape[0], envs.single_action_space.n
        self.assertEqual(shapes, {((100, features), (100, actions), True)})
        self.assertEqual(sum(found.outcomes.values()), 100)
        again = evaluate(manifest(GROUND), first_legal, 100, seed=1, decisions=["retreat"], scale=True)
        self.assertEqual(found, again)

    def test_the_requested_episodes_count_regardless_of_length(self):
        # Environments whose battles are short play on, but no further episode of theirs counts.
        found = evaluate(manifest(GROUND), "uniform", 1500, seed=2)
        envs = Environments(manifest(GROUND), 1024, seed=2)
        earned, played = [], np.zeros(1024, dtype=int)
        while len(earned) < 1500:
            envs.suggest("uniform")
            for env in envs.step():
                if played[env] * 1024 + env < 1500:
                    earned.append(float(envs.final_return[env, 0]))
                played[env] += 1
        self.assertAlmostEqual(found.mean, np.mean(earned), 12)

    def test_illegal_actions_count_and_widen_the_range(self):
        found = evaluate(manifest(GROUND), lambda obs, mask: np.full(len(obs), -1), 50)
        self.assertEqual((found.mean, found.invalid, sum(found.outcomes.values())), (-1, 50, 0))
        brave = {"attacker": {"outcomes": {"attacker": 1}}}
        never = evaluate(manifest(GROUND), lambda obs, mask: mask.argmax(axis=1), 50, reward=brave)
        self.assertGreater(never.mean, never.interval[0])
        cut = evaluate(manifest(GROUND), "scenario", 50, max_steps=1, reward=brave)
        self.assertEqual((cut.mean, cut.interval[0], cut.truncated), (0, 0, 50))

    def test_invalid_policies_are_rejected(self):
        for arguments, choices, message in (
            (("scenario", 0), {}, "^episodes: expected 1 or more, found 0"),
            (("scenario", 10), {"agents": "all"}, "^agents: expected one, found attacker, defender"),
            (("greedy", 10), {}, "^policy: expected one of scenario, uniform, found 'greedy'"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                evaluate(manifest(GROUND), *arguments, **choices)


class Example(unittest.TestCase):
    @unittest.skipUnless(importlib.util.find_spec("torch"), "torch is not installed")
    def test_ppo_learns_within_a_few_seconds(self):
        small = ("--steps", "65536", "--rollout", "64", "--learning-rate", "0.003")
        options = ("--scenario", "phased-dice-broadside", *small, "--episodes", "2048")
        command = [sys.executable, str(ROOT / "examples" / "ppo.py"), *options]
        env = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
        ran = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        mean = float(re.match(r"seed 1: (-?\d\.\d+) ", ran.stdout)[1])
        # Uniform actions earn 0.055, the scenario's policy 0.318, the optimum is 0.5076.
        self.assertGreater(mean, 0.3)
        self.assertLess(mean, 0.5076 + 0.05)


if __name__ == "__main__":
    unittest.main()
