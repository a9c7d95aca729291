"""Runs a sweep on Dask workers, which need access to the folder of the store.

python dask_sweep.py plan.yaml store [address of the scheduler]
"""

import sys

from distributed import Client, LocalCluster

import warpool

if __name__ == "__main__":
    plan, store, *address = sys.argv[1:]
    with Client(*(address or [LocalCluster(n_workers=2, threads_per_worker=1)])) as client:
        print(warpool.sweep(plan, out=store, resume=True, executor=client.get_executor(), shards=16).digest)
