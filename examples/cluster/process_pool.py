"""A sweep on the cores of one machine.

python process_pool.py plan.yaml store [processes]
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import warpool

if __name__ == "__main__":
    plan, store, processes = sys.argv[1], sys.argv[2], int((*sys.argv[3:], 2)[0])
    # A function that creates the pool: another pool continues if a process is killed.
    print(warpool.sweep(plan, out=store, resume=True, executor=partial(ProcessPoolExecutor, processes)).digest)
