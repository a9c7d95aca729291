"""Several scenarios in one environment: equal to the manifest that `warpool manifest` writes for the same files."""

from __future__ import annotations

import unittest
from pathlib import Path

import numpy as np
from manifests import ROOT, STRIDE, manifest

from warpool import Environments, Feature, Manifest, evaluate
from warpool.gym import WarpoolEnv, WarpoolVectorEnv
from warpool.joining import merged

FIELDS = ("obs", "mask", "player", "phase", "reward", "terminated", "variant", "outcome", "metrics")


def paths(pattern: str) -> list[str]:
    """Return scenario files."""
    return [str(path) for path in sorted((ROOT / "scenarios").glob(pattern))]


def same(case: unittest.TestCase, one: Manifest, other: Manifest, **choices: object) -> None:
    """Compare names and simulated battles."""
    for name in ("system", "agents", "decision_points", "actions", "features", "autoreset", "scenarios"):
        case.assertEqual(getattr(one, name), getattr(other, name), name)
    found, expected = (Environments(each, 64, seed=5, **choices) for each in (one, other))
    variants = set()
    for _ in range(60):
        for field in FIELDS:
            np.testing.assert_array_equal(getattr(found, field), getattr(expected, field), field)
        variants |= set(found.variant.tolist())
        for envs in (found, expected):
            envs.suggest("uniform")
            envs.step()
    case.assertGreater(len(variants), 1)


class Joined(unittest.TestCase):
    def test_each_system_equals_the_manifest_of_the_program(self):
        systems = ("attrition", "phased-dice", "cube-bag", "strength-cards", "token-conflict")
        for system in systems if STRIDE == 1 else systems[:3]:
            files = paths(f"{system}-*.yaml")[:3]
            joined = Manifest.load([Path(file).stem for file in files])
            same(self, joined, manifest(*files))
            same(self, joined.change(agents="all"), manifest(*files).change(agents="all"))

    def test_compiled_scenarios_are_joined(self):
        games = ROOT / "examples" / "games"
        files = [str(games / f"conquest-dice-{name}.yaml") for name in ("siege", "assault", "raid")]
        joined = Manifest.load([Path(file).stem for file in files])
        same(self, joined, manifest(*files))

    def test_weights_equal_the_program(self):
        files = paths("phased-dice-[bg]*.yaml")[:3]
        weighted = Manifest.load([Path(file).stem for file in files]).change(weights=[3, 0, 1])
        expected = manifest(*files, "--weights", "3,0,1")
        same(self, weighted, expected)
        same(self, manifest(*files).change(weights=[3, 0, 1]), expected)

    def test_joined_manifests_can_be_joined_again(self):
        one, two, three = (Path(file).stem for file in paths("attrition-*.yaml")[:3])
        same(self, Manifest.load([Manifest.load([one, two]), three]), Manifest.load([one, two, three]))

    def test_environments_of_gymnasium_take_lists(self):
        names = ["phased-dice-ground", "phased-dice-broadside"]
        envs = WarpoolVectorEnv(names, 4096, weights=[3, 1], scale=True)
        _, infos = envs.reset(seed=1)
        share = infos["scenario"].mean()
        # A standard error is 0.0068.
        self.assertAlmostEqual(share, 0.25, delta=0.03)
        self.assertEqual(WarpoolEnv(names).observation_space.shape, envs.single_observation_space.shape)
        both = evaluate(names, "scenario", 4096, weights=[3, 1], seed=1)
        one, other = (evaluate(name, "scenario", 4096, seed=1).mean for name in names)
        self.assertAlmostEqual(both.mean, 0.75 * one + 0.25 * other, delta=0.06)

    def test_bounds_hold_in_each_scenario_and_missing_features_are_0(self):
        one = [Feature("a", "hp", 2, 5), Feature("b", "hp", 3, 4)]
        found = merged([one, [Feature("a", "hp", 1, 3)]])
        self.assertEqual(found, [Feature("a", "hp", 1, 5), Feature("b", "hp", 0, 4)])
        self.assertEqual(merged([[], [Feature("c", "hp", -4, -1)]]), [Feature("c", "hp", -4, 0)])

    def test_incompatible_scenarios_are_rejected(self):
        for names, weights, message in (
            ([], None, "^manifest: expected at least one scenario, found none"),
            (["phased-dice-ground", "attrition-direct"], None, "^manifest: expected scenarios of system"),
            (["phased-dice-ground"], [1, 2], "^weights: expected 1 numbers, found 2"),
            (["phased-dice-ground"] * 2, [0, 0], "^weights: expected numbers >= 0, one above 0"),
            (["phased-dice-ground"] * 2, [-1, 2], "^weights: expected numbers >= 0, one above 0"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                WarpoolVectorEnv(names, 2, weights=weights)


if __name__ == "__main__":
    unittest.main()
