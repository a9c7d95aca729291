"""Exact probabilities and digests of scenarios, for tests/rpc/python.test.ts, which compares them with the library."""

import json
import sys

import warpool

names, battles = sys.argv[2:], int(sys.argv[1])
print(
    json.dumps(
        {
            name: {
                "exact": {outcome: each.p for outcome, each in warpool.exact(name, budget=1e6).outcomes.items()},
                "digest": warpool.run(name, battles=battles, seed=3).digest,
            }
            for name in names
        }
    )
)
