"""Prints what OpenSpiel and nashpy compute for games that warpool has exported: for each file the value of the first player by the
sequence form of OpenSpiel, and by a matrix game of nashpy for each pair of simultaneous choices. It takes .efg files as arguments."""

import json
import sys

import nashpy
import numpy
import pyspiel
from open_spiel.python.algorithms import sequence_form_lp


def information_set(state):
    return state.current_player(), state.information_state_string(state.current_player())


def is_simultaneous(state):
    if state.is_terminal() or state.is_chance_node() or state.current_player() != 0:
        return False
    children = [state.child(action) for action in state.legal_actions()]
    if any(child.is_terminal() or child.is_chance_node() or child.current_player() != 1 for child in children):
        return False
    return len({information_set(child) for child in children}) == 1


def evaluate(state):
    """Backward induction, with a matrix game for each pair of simultaneous choices."""
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance_node():
        return sum(probability * evaluate(state.child(action)) for action, probability in state.chance_outcomes())
    children = [state.child(action) for action in state.legal_actions()]
    if not is_simultaneous(state):
        return (max if state.current_player() == 0 else min)(evaluate(child) for child in children)
    payoffs = numpy.array([[evaluate(row.child(action)) for action in row.legal_actions()] for row in children])
    row, column = nashpy.Game(payoffs).linear_program()
    return float(row @ payoffs @ column)


def solve(path):
    with open(path, encoding="utf-8") as file:
        game = pyspiel.load_efg_game(file.read())
    first, second, _, _ = sequence_form_lp.solve_zero_sum_game(game)
    return {
        "utility": str(game.get_type().utility),
        "openSpiel": [first, -second],
        "nashpy": evaluate(game.new_initial_state()),
    }


print(json.dumps([solve(path) for path in sys.argv[1:]]))
