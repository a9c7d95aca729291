"""Compute alpha-rank with OpenSpiel, of the games in a JSON file."""

import json
import sys
import types

import numpy as np

# The functions need no figures, whose packages may be missing.
sys.modules["open_spiel.python.egt.alpharank_visualizer"] = types.ModuleType("alpharank_visualizer")

from open_spiel.python.egt import alpharank  # noqa: E402


def compute_shares(game):
    payoffs = np.array(game["payoffs"]).reshape(game["size"], game["size"])
    is_local = game["selection"] == "local"
    result = alpharank.compute(
        [payoffs], m=game["population"], alpha=game["alpha"], use_local_selection_model=is_local
    )
    return result[2].tolist()


with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps([compute_shares(game) for game in json.load(file)]))
