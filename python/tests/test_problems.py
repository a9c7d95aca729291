"""Functions for several scenarios, files of claims, rosters, and games of two players."""

import json
import tempfile
import unittest
from pathlib import Path

import warpool

EXAMPLES = Path(__file__).parents[2] / "examples"
NAME = "attrition-direct"
GAME = "strength-cards-bluff"


class BalanceProblems(unittest.TestCase):
    def test_file_and_fields_have_equal_results(self) -> None:
        content = {
            "scenarios": {
                "plain": NAME,
                "hill": {"scenario": NAME, "set": {"defender.defense": 3}},
                "ambush": warpool.load_scenario(NAME).set("attacker.attack", 3),
            },
            "fields": [
                {"name": "swordsmen", "path": "attacker.hp", "range": [16, 36]},
                {"name": "pikemen", "path": "defender.hp", "range": [16, 36]},
            ],
            "targets": [
                {"target": "plain.attacker = 50%", "tolerance": "2pp"},
                *("hill.attacker >= 30%", "ambush.attacker >= 70%", "plain.rounds <= 8"),
            ],
        }
        ours = warpool.balance_scenarios(content)
        theirs = warpool.balance_scenarios(EXAMPLES / "balance/three-scenarios.yaml")
        self.assertFalse(ours.targets_met)
        self.assertEqual(ours.nearest, theirs.nearest)
        self.assertEqual(len(ours.front), ours.front_count)
        easy = [f"{name}.attacker >= 20%" for name in ("plain", "hill", "ambush")]
        easier = warpool.balance_scenarios({**content, "targets": easy})
        self.assertTrue(easier.targets_met)
        self.assertGreater(len(easier.meeting), 0)

    def test_errors(self) -> None:
        for problem, message in (
            ({"scenarios": {"a": "attrition-dirct"}}, r"name of a shipped .* \(did you mean attrition-direct\?\)"),
            ({"scenarios": {"a": 3}}, "found 3"),
            (3, "balance problem: expected a path or the fields"),
        ):
            with self.subTest(problem=problem), self.assertRaisesRegex(warpool.InputError, message):
                warpool.balance_scenarios(problem)  # type: ignore[arg-type]


class Expectations(unittest.TestCase):
    def test_verdicts(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "claims.json")
            claims = [{"name": share, "expect": f"attacker at least {share}"} for share in ("55%", "60%")]
            scenario = str(EXAMPLES.parent / "scenarios" / f"{NAME}.yaml")
            path.write_text(json.dumps({"scenario": scenario, "expectations": claims}))
            result = warpool.check_expectations(path)
            self.assertEqual((result.passed, result.holds, result.fails), (False, 1, 1))
            self.assertEqual([each.verdict for each in result.expectations], ["holds", "fails"])
            both = warpool.check_expectations([path, path])
            self.assertEqual((both.holds, both.fails), (2, 2))
        with self.assertRaises(warpool.InputError):
            warpool.check_expectations("missing.yaml")


class Rosters(unittest.TestCase):
    def test_certified_value_is_between_those_of_pure_choices(self) -> None:
        roster = EXAMPLES / "rosters/duels.yaml"
        certified = warpool.certify_matchup(roster, tolerance=0.01)
        self.assertTrue(certified.is_reached)
        self.assertLessEqual(certified.value.upper - certified.value.lower, 0.02)
        self.assertLess(certified.cells, certified.all_cells)
        payoffs = warpool.matchup(roster).values
        maximin, minimax = max(map(min, payoffs)), min(map(max, zip(*payoffs, strict=True)))
        self.assertLessEqual(certified.value.lower, minimax + 1e-9)
        self.assertGreaterEqual(certified.value.upper, maximin - 1e-9)


class Games(unittest.TestCase):
    def test_exploitability_of_policies(self) -> None:
        equilibrium = warpool.equilibrium(GAME, reward="hp", policy_table=True)
        tables = equilibrium.policy_tables
        own = warpool.exploitability(GAME, reward="hp")
        self.assertEqual(own.players["attacker"].exploitability, equilibrium.players["attacker"].exploitability)
        self.assertAlmostEqual(own.nash_conv, 0.3)
        self.assertAlmostEqual(warpool.exploitability(GAME, reward="hp", policies=tables).nash_conv, 0)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "attacker.json")
            path.write_text(json.dumps(tables["attacker"]))
            mixed = warpool.exploitability(GAME, reward="hp", policies={"attacker": str(path), "defender": "uniform"})
            self.assertAlmostEqual(mixed.players["attacker"].exploitability, 0)
            self.assertGreater(mixed.players["defender"].exploitability, 0.01)
            changed = warpool.load_scenario(GAME).set("policies.attacker", str(path))
            found = warpool.exploitability(changed, reward="hp")
            self.assertEqual(found.players["attacker"], mixed.players["attacker"])
        self.assertIsNone(own.policy_tables)

    def test_best_response_is_its_own_best_response(self) -> None:
        best = warpool.best_response("phased-dice-fleet", policy_table=True)
        changed = warpool.load_scenario("phased-dice-fleet").set("policies.attacker", best.policy_table)
        again = warpool.best_response(changed)
        self.assertAlmostEqual(again.policy_value, best.value)
        self.assertEqual(list(again.corrections), [])

    def test_errors(self) -> None:
        with self.assertRaisesRegex(warpool.InputError, r"^policies\.attacker: expected uniform, .* found \"nope\""):
            warpool.exploitability(GAME, policies={"attacker": "nope"})
        with self.assertRaisesRegex(warpool.InputError, "^policies: expected policies by player"):
            warpool.exploitability(GAME, policies="uniform")  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
