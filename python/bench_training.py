"""Training speed: Stable-Baselines3 on two kinds of environments, and the time to 1 % regret of examples/ppo.py.

    python bench_training.py

Needs sb3-contrib, Node, and a build of warpool in the parent folder. All processes use one thread. CPU seconds do not
depend on other programs of the machine, so use them to compare.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import json
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from warpool.gym import WarpoolEnv
from warpool.policies import write_network
from warpool.sb3 import WarpoolVecEnv

ROOT = Path(__file__).resolve().parents[1]
SCENARIO = "phased-dice-broadside"
ENVS = 128
STEPS = 65_536
ROUNDS = 3

#: Steps of PPO, and the share of the optimum with 1 % regret.
BUDGETS = (16_384, 32_768, 65_536, 98_304, 131_072, 196_608)
SEEDS = (1, 2, 3)
SHARE = 0.99


def measure(work: Callable[[], object]) -> tuple[float, float]:
    """Return wall and CPU seconds."""
    began = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began[0], time.process_time() - began[1]


def compare_vectors() -> None:
    """Print the training speed of MaskablePPO with both vectors, in turns: the best of some rounds."""
    makers: dict[str, Callable[[], VecEnv]] = {
        "DummyVecEnv of 128 WarpoolEnv": lambda: DummyVecEnv([lambda: WarpoolEnv(SCENARIO, scale=True)] * ENVS),
        "WarpoolVecEnv": lambda: WarpoolVecEnv(SCENARIO, ENVS, scale=True),
    }
    best = dict.fromkeys(makers, (float("inf"), float("inf")))
    for _ in range(ROUNDS):
        for name, make in makers.items():
            model = MaskablePPO("MlpPolicy", make(), n_steps=64, batch_size=2048, n_epochs=4, gamma=1.0, seed=1)
            taken = measure(lambda model=model: model.learn(STEPS))
            best[name] = tuple(map(min, zip(best[name], taken, strict=True)))
    for name, (wall, cpu) in best.items():
        print(f"{name}: {STEPS / wall:,.0f} steps/s, {STEPS / cpu:,.0f} steps per CPU second")


def load_ppo() -> ModuleType:
    """Return examples/ppo.py."""
    spec = importlib.util.spec_from_file_location("ppo", ROOT / "examples" / "ppo.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def grade(path: Path) -> tuple[float, float]:
    """Return the exact value of a policy file, and the optimum."""
    scenario = ROOT / "scenarios" / f"{SCENARIO}.yaml"
    command = ["node", str(ROOT / "bin" / "warpool.js"), "exploitability", str(scenario)]
    ran = subprocess.run(
        [*command, "--policy", f"attacker={path}", "--json"], check=True, capture_output=True, text=True
    )
    found = json.loads(ran.stdout)
    return found["policyValue"], found["value"]


def find_regret() -> None:
    """Print the exact value after each number of steps, and the seconds of training."""
    ppo = load_ppo()
    for seed in SEEDS:
        for steps in BUDGETS:
            options = argparse.Namespace(
                **{"scenario": SCENARIO, "player": None, "decisions": None, "reward": "win", "retreat_cost": None},
                **{"envs": ENVS, "rollout": 64, "learning_rate": 0.002, "entropy": 0.02, "discount": 1, "raw": False},
                **{"steps": steps, "out": "policy.json", "self_play": False},
            )
            agents: dict[str, torch.nn.Module] = {}
            train = functools.partial(ppo.train, options, seed, ["attacker"])
            wall, cpu = measure(lambda agents=agents, train=train: agents.update(train()))
            agent = agents["attacker"]
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "policy.json"
                features = [WarpoolEnv(SCENARIO).manifest.features[column].name for column in agent.columns]
                parameters = agent.actor.state_dict().values()
                write_network(path, SCENARIO, parameters, features=features, scale=True, choose="argmax")
                value, optimum = grade(path)
            seconds = f"{wall:.1f} s, {cpu:.1f} CPU s"
            print(f"seed {seed}, {steps:7,} steps: {value:.6f} of {optimum:.6f}, {seconds}", flush=True)
            if value >= SHARE * optimum:
                break


if __name__ == "__main__":
    torch.set_num_threads(1)
    compare_vectors()
    find_regret()
