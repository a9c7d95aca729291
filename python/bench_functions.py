"""Time of a call from Python against the library in Node.js, in turns. Needs a build of warpool in the parent folder.

python bench_functions.py [calls]
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import warpool
from warpool.node import find_node
from warpool.node_process import send_request

NAME = "attrition-direct"

#: Calls of the library for each line of its input: microseconds for each call.
LIBRARY = f"""
import {{ createInterface }} from 'node:readline';
import {{ loadScenario, solve }} from './dist/library/index.js';
const scenario = await loadScenario('scenarios/{NAME}.yaml');
for await (const line of createInterface({{ input: process.stdin }})) {{
  const start = performance.now();
  for (let call = 0; call < Number(line); call++) JSON.stringify((await solve(scenario)).toJSON());
  console.log((performance.now() - start) / Number(line) * 1000);
}}
"""

ROUNDS = 10


def measure(call: Callable[[], object], calls: int) -> float:
    """Return microseconds for each call."""
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls * 1e6


def main() -> None:
    """Print the median of the rounds for each kind of call."""
    calls = int((*sys.argv[1:], 10_000)[0]) // ROUNDS
    scenario = warpool.load_scenario(NAME)
    kinds: dict[str, Callable[[], object]] = {
        "exact, scenario by name": lambda: warpool.exact(NAME),
        "exact, loaded scenario": lambda: warpool.exact(scenario),
        "request without work": lambda: send_request({"call": "none", "subjects": []}),
    }
    node = subprocess.Popen(
        [find_node(), "--input-type=module", "-e", LIBRARY],
        cwd="..",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert node.stdin
    assert node.stdout
    times: dict[str, list[float]] = {name: [] for name in ("library: solve and toJSON", *kinds)}
    for _ in range(ROUNDS):
        node.stdin.write(f"{calls}\n")
        node.stdin.flush()
        times["library: solve and toJSON"].append(float(node.stdout.readline()))
        for name, call in kinds.items():
            times[name].append(measure(call, calls))
    node.stdin.close()
    node.wait()
    for name, each in times.items():
        print(f"{name:28} {statistics.median(each):8.0f} µs  (best {min(each):.0f}), {calls * ROUNDS} calls")


if __name__ == "__main__":
    main()
