"""Runs a sweep on the cores of one machine.

python process_pool.py plan.yaml store [processes]
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import warpool

if __name__ == "__main__":
    plan, store, processes = sys.argv[1], sys.argv[2], int((*sys.argv[3:], 2)[0])
    # The executor is a function that creates a pool, so that a new pool can continue after a process is killed.
    print(warpool.sweep(plan, out=store, resume=True, executor=partial(ProcessPoolExecutor, processes)).digest)
