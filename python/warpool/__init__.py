"""Battles of tabletop war games as vector environments, simulated by the WASM kernels of warpool.

>>> import warpool
>>> envs = warpool.Environments("phased-dice-ground", num_envs=1024, seed=1)
>>> envs.suggest("uniform")
>>> ended = envs.step()
>>> envs.obs.shape
(1024, 26)
"""

import importlib.util

if importlib.util.find_spec("warpool.words") is None:
    raise ImportError(
        "warpool: this source folder has no kernels. `npm ci && npm run build` in the parent folder "
        "builds them (Node 20.19 or newer); then run `pip install .` here. Wheels of a release include them."
    )

from warpool.chance import random_actions
from warpool.decisions import count_decisions
from warpool.environments import Environments, Playouts
from warpool.kernel import Kernel, KernelError
from warpool.manifest import Manifest
from warpool.returns import Evaluation, evaluate
from warpool.scenario import Feature, Metric, Scenario
from warpool.shipped import excluded_scenarios, scenarios

__all__ = [
    "Environments",
    "Evaluation",
    "Feature",
    "Kernel",
    "KernelError",
    "Manifest",
    "Metric",
    "Playouts",
    "Scenario",
    "count_decisions",
    "evaluate",
    "excluded_scenarios",
    "random_actions",
    "scenarios",
]
__version__ = "0.2.0"
