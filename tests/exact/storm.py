"""Prints what Storm computes for chains that warpool has exported: for each folder the probability of each outcome, and the
mean of rounds if there are rewards. It takes the folders as arguments."""

import json
import os
import sys

import stormpy


def judge(folder):
    path = {name: os.path.join(folder, f"storm.{name}") for name in ("tra", "lab", "srew")}
    rewards = {"state_rewards": path["srew"]} if os.path.exists(path["srew"]) else {}
    model = stormpy.build_model_from_explicit(path["tra"], path["lab"], **rewards)
    environment = stormpy.environments.sound()
    environment.solver().native().precision = stormpy.Rational("1/1000000000000")

    def value(text):
        (formula,) = stormpy.parse_properties(text)
        result = stormpy.model_checking(model, formula, environment=environment)
        return result.get_value(model.initial_states[0])

    with open(path["lab"], encoding="utf-8") as file:
        _, _, *outcomes = file.read().split("\n")[1].split(" ")
    return {
        "outcomes": [value(f'P=? [F "{outcome}"]') for outcome in outcomes],
        "over": value('P=? [F "over"]'),
        "rounds": value('R=? [F "over"]') if rewards else None,
    }


print(json.dumps([judge(folder) for folder in sys.argv[1:]]))
