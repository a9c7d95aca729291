"""Battles of tabletop war games as vector environments, simulated by the WASM kernels of warpool.

>>> import warpool
>>> envs = warpool.Environments("phased-dice-ground", num_envs=1024, seed=1)
>>> envs.suggest("uniform")
>>> ended = envs.step()
>>> envs.obs.shape
(1024, 26)
"""

import importlib.util

if importlib.util.find_spec("warpool.words") is None or importlib.util.find_spec("warpool.ready") is None:
    raise ImportError(
        "warpool: this source folder has no kernels. `npm ci && npm run build` in the parent folder "
        "builds them (Node 20.19 or newer); then run `pip install .` here. Wheels of a release include them."
    )

from warpool.answers import Record, Result
from warpool.chance import random_actions
from warpool.decisions import count_decisions
from warpool.environments import Environments, Playouts
from warpool.errors import (
    AbortError,
    BudgetError,
    InputError,
    NodeError,
    RulesError,
    RunError,
    WarpoolError,
)
from warpool.kernel import Kernel, KernelError
from warpool.loaded_scenario import LoadedScenario, load_scenario
from warpool.manifest import Manifest
from warpool.ready.functions import (
    balance,
    balance_scenarios,
    best_response,
    certify_matchup,
    check,
    check_expectations,
    compare,
    compare_rules,
    create_store,
    equilibrium,
    estimate_sweep,
    exact,
    exploitability,
    find,
    fit,
    matchup,
    merge,
    rare,
    replay,
    run,
    sensitivity,
    sweep,
    verify,
)
from warpool.returns import Evaluation, evaluate
from warpool.scenario import Feature, Metric, Scenario
from warpool.shipped import excluded_scenarios, scenarios
from warpool.stores import Store

__all__ = [
    "AbortError",
    "BudgetError",
    "Environments",
    "Evaluation",
    "Feature",
    "InputError",
    "Kernel",
    "KernelError",
    "LoadedScenario",
    "Manifest",
    "Metric",
    "NodeError",
    "Playouts",
    "Record",
    "Result",
    "RulesError",
    "RunError",
    "Scenario",
    "Store",
    "WarpoolError",
    "balance",
    "balance_scenarios",
    "best_response",
    "certify_matchup",
    "check",
    "check_expectations",
    "compare",
    "compare_rules",
    "count_decisions",
    "create_store",
    "equilibrium",
    "estimate_sweep",
    "evaluate",
    "exact",
    "excluded_scenarios",
    "exploitability",
    "find",
    "fit",
    "load_scenario",
    "matchup",
    "merge",
    "random_actions",
    "rare",
    "replay",
    "run",
    "scenarios",
    "sensitivity",
    "sweep",
    "verify",
]
__version__ = "0.2.0"
