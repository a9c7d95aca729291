"""Opponents whose policies Python evaluates: the same battles as with all players as agents."""

from __future__ import annotations

import copy
import json
import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np
from manifests import ROOT
from manifests import warpool as program

import warpool
from warpool import Environments, evaluate
from warpool.chance import stream_words
from warpool.gym import WarpoolEnv, WarpoolVectorEnv
from warpool.pettingzoo import WarpoolAEC
from warpool.policies import NetworkPolicy, TablePolicy, read_policy, write_network, write_table

#: Agents and opponents, which decide several times in a row, at the same time, or first, so that a battle can end
#: before the agent has a decision (cube-bag-battering).
PLAYERS = {
    "block-dice-raid": ("defender", "attacker"),
    "symbol-dice-hill": ("attacker", "defender"),
    "strength-cards-pocket": ("attacker", "defender"),
    "robots-wet": ("red", "blue"),
    "cube-bag-battering": ("defender", "attacker"),
}

FIELDS = ("obs", "mask", "player", "phase", "terminated", "truncated", "invalid", "outcome", "length", "metrics")


def last_legal(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Return the last legal action of each row."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


class _Halves:
    """A policy with probabilities: half for the first legal action, half for the last one."""

    def probabilities(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        shares = np.zeros(masks.shape)
        rows = np.arange(len(masks))
        np.add.at(shares, (rows, masks.argmax(axis=1)), 0.5)
        np.add.at(shares, (rows, last_legal(observations, masks)), 0.5)
        return shares


def by_scenario(player: int) -> tuple[list[Environments], object]:
    """Return an opponent that uses the policy of the scenario from the kernel, and a list for its environments."""
    held: list[Environments] = []

    def policy(observations: np.ndarray, _masks: np.ndarray) -> np.ndarray:
        if not held:
            raise AssertionError("no environments")
        rows = held[0].player == player
        assert rows.sum() == len(observations)
        return held[0].suggest("scenario")[rows].copy()

    return held, policy


class Opponents(unittest.TestCase):
    def test_the_policy_of_the_scenario_as_a_function_changes_nothing(self):
        for name, (agent, other) in PLAYERS.items():
            for mode, limit in (("same-step", 0), ("same-step", 3), ("next-step", 2), ("disabled", 0)):
                with self.subTest(name=name, mode=mode, limit=limit):
                    self.check_scenario_policy(name, (agent, other), mode, limit)

    def check_scenario_policy(self, name, players, mode, limit):
        choices = {"agents": players[0], "autoreset_mode": mode, "max_episode_steps": limit}
        within = Environments(name, 32, seed=3, **choices)
        around = Environments(name, 32, **choices)
        index = around.manifest.scenarios[0].players.index(players[1])
        held, policy = by_scenario(index)
        held.append(around)
        around.set_opponents({players[1]: policy})
        around.reset(3)
        rng, over = np.random.default_rng(2), 0
        for step in range(60):
            for field in FIELDS:
                np.testing.assert_array_equal(getattr(around, field), getattr(within, field), field)
            actions = warpool.random_actions(within.mask, rng)
            ended, expected = around.step(actions), within.step(actions)
            np.testing.assert_array_equal(ended, expected)
            np.testing.assert_array_equal(around.reward, within.reward)
            np.testing.assert_array_equal(around.final_return[ended], within.final_return[ended])
            np.testing.assert_array_equal(around.final_obs[ended], within.final_obs[ended])
            over += len(ended)
            if mode == "disabled" and step % 20 == 19:
                flags = (within.terminated | within.truncated).copy()
                around.reset(mask=flags)
                within.reset(mask=flags)
        self.assertGreater(over, 30)

    def test_battles_equal_those_with_all_agents(self):
        for name, (agent, other) in PLAYERS.items():
            envs = Environments(name, 8, agents=agent, opponents={other: last_legal}, autoreset_mode="disabled", seed=5)
            both = Environments(name, 8, agents=(agent, other), autoreset_mode="disabled", seed=5)
            mine = both.manifest.scenarios[0].players.index(agent)
            for env in range(8):
                while both.player[env] != -4:
                    masks = both.mask[env : env + 1]
                    action = masks.argmax() if both.player[env] == mine else last_legal(None, masks)[0]
                    state = both.state(env)
                    single = Environments(
                        name, 1, agents=(agent, other), autoreset_mode="disabled", first_env=env, seed=5
                    )
                    single.set_state(0, state)
                    single.step([action])
                    both.set_state(env, single.state(0))
            for _ in range(200):
                envs.step(envs.mask.argmax(axis=1))
            record = both.record.view("<i4")
            np.testing.assert_array_equal(envs.outcome, record[:, 7])

    def test_random_choices_do_not_depend_on_the_batch(self):
        for policy in (_Halves(), "uniform"):
            whole = Environments("block-dice-raid", 48, opponents={"attacker": policy}, seed=9)
            parts = [
                Environments("block-dice-raid", size, first_env=first, opponents={"attacker": policy}, seed=9)
                for first, size in ((0, 5), (5, 43))
            ]
            for _ in range(40):
                for field in FIELDS:
                    joined = np.concatenate([getattr(each, field) for each in parts])
                    np.testing.assert_array_equal(getattr(whole, field), joined, field)
                for each in (whole, *parts):
                    each.step(each.suggest("uniform"))

    def test_random_words_equal_the_stream(self):
        envs = Environments("phased-dice-ground", 64, seed=4)
        heads = envs.record.view("<u4")
        words = stream_words(heads[:, 0], heads[:, 1], np.full(64, 0xC000_0000, dtype=np.uint32))
        expected = []
        for row, word in zip(envs.mask, words.tolist(), strict=True):
            legal = np.flatnonzero(row)
            expected.append(legal[word * len(legal) >> 32])
        np.testing.assert_array_equal(envs.suggest("uniform"), np.array(expected, dtype=np.int32))

    def test_the_mean_against_a_uniform_opponent_is_exact(self):
        found = evaluate("strength-cards-pocket", "scenario", 20_000, seed=1, opponents={"defender": "uniform"})
        path = str(ROOT / "scenarios" / "strength-cards-pocket.yaml")
        ran = program("exact", path, "--set", "policies.defender=uniform", "--json")
        exact = json.loads(ran.stdout)["outcomes"]
        value = exact["attacker"]["p"] - exact["defender"]["p"]
        low, high = found.interval
        self.assertLess(abs(found.mean - value), high - low)

    def test_probabilities_can_be_lists_and_are_checked(self):
        def make(change):
            policy = _Halves()
            halves = policy.probabilities
            policy.probabilities = lambda observations, masks: change(halves(observations, masks))
            envs = Environments("strength-cards-pocket", 4, opponents={"defender": policy})
            envs.step(envs.mask.argmax(axis=1))
            return envs

        np.testing.assert_array_equal(make(np.ndarray.tolist).obs, make(np.asarray).obs)
        for change, message in (
            (lambda shares: -shares, r"probabilities >= 0, one above 0, found \[-"),
            (lambda shares: shares * np.nan, r"probabilities >= 0, one above 0, found \[nan"),
            (lambda shares: np.where(shares > 0, np.inf, 0), "probabilities >= 0, one above 0, found .*inf"),
            (lambda shares: shares * 0, "probabilities >= 0, one above 0, found"),
            (lambda shares: shares[:, 1:], r"probabilities of shape \(4, \d+\), found float64 of shape"),
            (lambda shares: shares.astype(str), r"probabilities of shape .*found <U\d+ of shape"),
        ):
            with self.assertRaisesRegex(ValueError, f"^opponents.defender: expected {message}"):
                make(change)

    def test_opponents_are_replaced_between_steps(self):
        envs = Environments("strength-cards-pocket", 256, opponents={"defender": "uniform"}, seed=1)
        twin = Environments("strength-cards-pocket", 256, seed=1)
        self.assertFalse(np.array_equal(self.outcomes(envs), self.outcomes(twin)))
        envs.set_opponents({"defender": "scenario"})
        envs.reset(1)
        twin.reset(1)
        np.testing.assert_array_equal(self.outcomes(envs), self.outcomes(twin))
        self.assertEqual(envs.rollout("uniform", steps=2), 512)
        envs.set_opponents({"defender": last_legal})
        with self.assertRaisesRegex(ValueError, "^rollout: expected opponents with the policy scenario"):
            envs.rollout(steps=2)

    def outcomes(self, envs: Environments) -> list[np.ndarray]:
        return [envs.step(envs.suggest("scenario")).copy() for _ in range(10)] and envs.outcome.copy()

    def test_copies_continue_with_their_opponents(self):
        envs = Environments("strength-cards-pocket", 16, opponents={"defender": last_legal}, seed=1)
        envs.step(envs.suggest("uniform"))
        others = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))]
        saved = envs.snapshot()
        for _ in range(5):
            envs.step(envs.suggest("uniform"))
            for other in others:
                other.step(other.suggest("uniform"))
                np.testing.assert_array_equal(other.obs, envs.obs)
                np.testing.assert_array_equal(other.outcome, envs.outcome)
        again = Environments("strength-cards-pocket", 16, opponents={"defender": last_legal})
        again.restore(saved)
        for _ in range(5):
            again.step(again.suggest("uniform"))
        np.testing.assert_array_equal(again.obs, envs.obs)

    def test_mistakes_are_named(self):
        def make(opponents, **choices):
            return Environments("strength-cards-pocket", 4, opponents=opponents, **choices)

        for opponents, choices, message in (
            ({"defnder": "uniform"}, {}, "^opponents: .*did you mean defender"),
            ({"attacker": "uniform"}, {"agents": "attacker"}, "^opponents: expected players that are not agents"),
            ({"defender": 3}, {}, "^opponents.defender: expected scenario, uniform, a policy file or a function"),
            (
                {"defender": lambda obs, _: np.full(len(obs), 99)},
                {},
                "^opponents.defender: .*found 99 in environment 0",
            ),
            ({"defender": lambda obs, _: np.zeros(len(obs))}, {}, r"^opponents.defender: expected \d integers"),
            ({"defender": lambda obs, _: [0]}, {}, r"^opponents.defender: expected \d integers"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                make(opponents, **choices).step([0, 0, 0, 0])
        with self.assertRaisesRegex(FileNotFoundError, "^opponents.defender: .*policy file, found 'unifrom'"):
            make({"defender": "unifrom"})

    def test_agents_are_the_other_players(self):
        for agents in (None, "all"):
            envs = Environments("strength-cards-pocket", 4, agents=agents, opponents={"attacker": "uniform"})
            self.assertEqual(envs.manifest.agents, ("defender",))
            self.assertEqual(set(envs.player.tolist()), {1})

    def test_other_interfaces_have_opponents(self):
        choices = {"opponents": {"defender": last_legal}}
        envs = WarpoolVectorEnv("strength-cards-pocket", 3, **choices)
        below = Environments("strength-cards-pocket", 3, **choices)
        below.reset(7)
        observations, _ = envs.reset(seed=7)
        single, battle = WarpoolEnv("strength-cards-pocket", **choices), WarpoolAEC("strength-cards-pocket", **choices)
        first, _ = single.reset(seed=7)
        battle.reset(seed=7)
        self.assertEqual(battle.possible_agents, ["attacker"])
        np.testing.assert_array_equal(observations, below.obs)
        for _ in range(3):
            np.testing.assert_array_equal(first, below.obs[0])
            np.testing.assert_array_equal(battle.observe("attacker")["observation"], below.obs[0])
            action = int(below.mask[0].argmax())
            below.step(below.mask.argmax(axis=1))
            first, _, over, _, _ = single.step(action)
            battle.step(action)
            if over:
                break
        envs.set_opponents({"defender": "uniform"})
        self.assertEqual(envs.environments.opponents, {"defender": "uniform"})
        # Environments give their opponents to evaluations.
        found = evaluate(envs, "scenario", 512, seed=3)
        self.assertEqual(
            found, evaluate("strength-cards-pocket", "scenario", 512, seed=3, opponents={"defender": "uniform"})
        )


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "policy.json"

    def test_tables_of_warpool_have_their_values(self):
        """The equilibrium of both players as tables, one as the agent and one as the opponent."""
        scenario = str(ROOT / "scenarios" / "strength-cards-bluff.yaml")
        folder = self.path.parent
        ran = program("equilibrium", scenario, "--reward", "hp", "--out", str(folder), "--json")
        value = json.loads(ran.stdout)["value"]
        policy = read_policy(folder / "attacker.json", "strength-cards-bluff", seed=1)
        self.assertIsInstance(policy, TablePolicy)
        opponents = {"defender": folder / "defender.json"}
        found = evaluate("strength-cards-bluff", policy, 40_000, seed=1, reward="hp", opponents=opponents)
        low, high = found.interval
        self.assertLess(abs(found.mean - value), high - low)

    def test_written_tables_have_the_value_that_warpool_computes(self):
        name = "strength-cards-bluff"
        envs = Environments(name, 512, agents="all", seed=1)
        rows = np.unique(np.column_stack([envs.obs, envs.mask]), axis=0)
        observations, masks = np.hsplit(rows, [envs.obs.shape[1]])
        write_table(self.path, name, observations, masks / masks.sum(axis=1, keepdims=True), otherwise="uniform")
        ran = program(
            "exploitability", str(ROOT / "scenarios" / f"{name}.yaml"), "--policy", f"attacker={self.path}", "--json"
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)
        uniform = program(
            "exploitability", str(ROOT / "scenarios" / f"{name}.yaml"), "--policy", "attacker=uniform", "--json"
        )
        self.assertEqual(json.loads(ran.stdout)["policyValue"], json.loads(uniform.stdout)["policyValue"])
        table, envs = TablePolicy(self.path, name), Environments(name, 64, seed=2)
        np.testing.assert_allclose(
            table.probabilities(envs.obs, envs.mask), envs.mask / envs.mask.sum(axis=1, keepdims=True)
        )

    def test_networks_are_opponents(self):
        name, width = "strength-cards-pocket", Environments("strength-cards-pocket", 1).obs.shape[1]
        rng = np.random.default_rng(1)
        layers = [rng.standard_normal((12, width)), rng.standard_normal(12)]
        write_network(self.path, name, layers, choose="argmax")
        network = NetworkPolicy(self.path, name)
        runs = [
            Environments(name, 64, opponents={"defender": each}, seed=2)
            for each in (network, self.path, network.__call__)
        ]
        for _ in range(20):
            for each in runs:
                each.step(each.suggest("uniform"))
                np.testing.assert_array_equal(each.obs, runs[0].obs)
        # Opponents have unscaled observations, also in scaled environments.
        vectors = [WarpoolVectorEnv(name, 64, opponents={"defender": network}, scale=scale) for scale in (True, False)]
        for each in vectors:
            each.reset(seed=2)
            for _ in range(20):
                each.step(each.action_masks().argmax(axis=1))
        np.testing.assert_array_equal(vectors[0].environments.obs, vectors[1].environments.obs)
        with self.assertRaisesRegex(ValueError, "^opponents.defender: expected a policy for the features"):
            Environments("strength-cards-bluff", 2, opponents={"defender": network})

    def test_invalid_tables_are_rejected(self):
        name = "strength-cards-bluff"
        envs = Environments(name, 4, seed=2)
        shares = envs.mask / envs.mask.sum(axis=1, keepdims=True)
        twice = (np.repeat(envs.obs[:1], 2, axis=0), np.array([shares[0], shares[0, ::-1]]))
        for observations, probabilities, message in (
            (envs.obs[:, 1:], shares, "^observations: expected shape"),
            (envs.obs, shares[:2], "^probabilities: expected shape"),
            (envs.obs, shares * 2, r"^probabilities\[0\]: expected numbers >= 0"),
            (envs.obs, shares * (1 + 2e-6), r"^probabilities\[0\]: expected numbers >= 0 whose sum is 1"),
            (envs.obs, shares * np.nan, r"^probabilities\[0\]: expected numbers >= 0 whose sum is 1"),
            (envs.obs * np.nan, shares, r"^observations\[0\]: expected finite numbers in float32, found \[nan"),
            (envs.obs + np.float64(1e39), shares, r"^observations\[0\]: expected finite numbers .*found \[1e\+39"),
            (envs.obs[:0], shares[:0], "^observations: expected at least one state, found none"),
            (*twice, r"^probabilities\[1\]: expected \[.*\], as in row 0 of the same state, found \["),
        ):
            with self.assertRaisesRegex(ValueError, message):
                write_table(self.path, name, observations, probabilities)
        write_table(self.path, name, np.repeat(envs.obs[:1] + 1, 2, axis=0), np.repeat(shares[:1], 2, axis=0))
        with self.assertRaisesRegex(ValueError, "^policy: no entry for card with "):
            TablePolicy(self.path, name)(envs.obs, envs.mask)
        content = json.loads(self.path.read_text(encoding="utf-8"))
        [entry] = content["states"]
        for change, message in (
            ({"features": None}, "^policy.features: expected a list, found None"),
            ({"states": []}, r"^policy.states: expected a list, found \[\]"),
            ({"states": [entry, 7]}, r"^policy.states\[1\]: expected decision, observation and actions, found 7"),
            ({"states": [{**entry, "actions": []}]}, r"^policy.states\[0\]: expected decision"),
            (
                {"states": [{**entry, "observation": [1]}]},
                r"^policy.states\[0\].observation: expected \d+ numbers, found \[1\]",
            ),
            (
                {"states": [{**entry, "observation": [float("nan")] * len(entry["observation"])}]},
                r"^policy.states\[0\].observation: expected \d+ numbers, found \[nan",
            ),
            (
                {"states": [{**entry, "actions": dict.fromkeys(entry["actions"], 0.4)}]},
                "^.*: expected probabilities",
            ),
            ({"states": [entry, entry]}, "^policy.states: expected one entry for each state"),
            ({"otherwise": "zz"}, "^policy.otherwise: expected uniform or none in Python, found 'zz'"),
            ({"otherwise": "scenario"}, "^policy.otherwise: expected uniform or none"),
            ({"system": "phased-dice"}, "^policy.system: expected strength-cards, found phased-dice"),
            ({"states": [{**content["states"][0], "minRoundsLeft": 2}]}, "^policy.states: .*found minRoundsLeft"),
            ({"kind": "network"}, "^policy.kind: expected table"),
        ):
            self.path.write_text(json.dumps(content | change), encoding="utf-8")
            with self.assertRaisesRegex(ValueError, message):
                TablePolicy(self.path, name)
        self.path.write_text("[]", encoding="utf-8")
        with self.assertRaisesRegex(ValueError, r"^policy: expected a mapping, found \[\]"):
            read_policy(self.path, name)


if __name__ == "__main__":
    unittest.main()
