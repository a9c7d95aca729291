"""Runs a sweep as Slurm jobs on a shared file system, or as local processes on a machine without Slurm.

python submitit_sweep.py plan.yaml store
"""

import sys

import submitit

import warpool

if __name__ == "__main__":
    plan, store = sys.argv[1:]
    executor = submitit.AutoExecutor(folder="submitit-log")
    executor.update_parameters(timeout_min=240, cpus_per_task=4)
    print(warpool.sweep(plan, out=store, resume=True, executor=executor, shards=8, workers=4).digest)
