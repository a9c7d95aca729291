"""Solves a balance problem with Optuna, which exchanges JSON lines with `warpool balance --pipe`.

    pip install optuna
    python examples/balance/optuna_search.py examples/balance/three-scenarios-bonuses.yaml 300
"""

import json
import subprocess
import sys

import optuna


def main(problem: str, evaluations: int) -> None:
    """Evaluate this number of settings, and print the best one."""
    search = subprocess.Popen(
        ["npx", "warpool", "balance", problem, "--pipe", "--quiet"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    fields = json.loads(search.stdout.readline())["fields"]
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    for _ in range(evaluations):
        trial = study.ask()
        setting = {
            field["name"]: field["low"] + field["step"] * trial.suggest_int(field["name"], 0, field["count"] - 1)
            for field in fields
        }
        print(json.dumps({"set": setting}), file=search.stdin, flush=True)
        evaluation = json.loads(search.stdout.readline())["evaluation"]
        # The evaluation is null if a scenario does not allow the setting.
        study.tell(trial, evaluation["greatestMiss"] if evaluation else float("inf"))
    search.stdin.close()
    solution = json.loads(search.stdout.readline())["solution"]
    search.wait()
    best = solution["fewestSteps"] if solution["targetsMet"] else solution["nearest"]
    print(f"{solution['meetingCount']} settings meet all targets.", end=" ")
    print(f"Best: {best['set']}; greatest miss {best['greatestMiss']}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300)
