"""Compute alpha-rank with OpenSpiel, of the games in a JSON file."""

import json
import sys
import types

import numpy as np

# The functions need no figures, whose packages may be missing.
sys.modules["open_spiel.python.egt.alpharank_visualizer"] = types.ModuleType("alpharank_visualizer")

from open_spiel.python.egt import alpharank, utils  # noqa: E402


def compute_role_shares(game):
    """Compute the shares of the rows, then those of the columns."""
    payoffs = np.array(game["payoffs"]).reshape(game["size"], game["columns"])
    pairs = alpharank.compute([payoffs, -payoffs], m=game["population"], alpha=game["alpha"])[2]
    shares = [np.zeros(game["size"]), np.zeros(game["columns"])]
    for pair, share in enumerate(pairs):
        for player, strategy in enumerate(utils.get_strat_profile_from_id(payoffs.shape, pair)):
            shares[player][strategy] += share
    return [*shares[0], *shares[1]]


def compute_shares(game):
    if "columns" in game:
        return compute_role_shares(game)
    payoffs = np.array(game["payoffs"]).reshape(game["size"], game["size"])
    is_local = game["selection"] == "local"
    result = alpharank.compute(
        [payoffs], m=game["population"], alpha=game["alpha"], use_local_selection_model=is_local
    )
    return result[2].tolist()


with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps([compute_shares(game) for game in json.load(file)]))
