"""Runs a sweep on Ray workers, which need access to the folder of the store.

python ray_sweep.py plan.yaml store
"""

import sys

import ray

import warpool


class RayExecutor:
    """Executor that submits tasks to Ray."""

    def submit(self, function, /, *args):
        """Submit a call of `function` and return its future."""
        return ray.remote(function).remote(*args).future()


if __name__ == "__main__":
    plan, store = sys.argv[1:]
    ray.init()  # pass the address of a cluster to use it
    print(warpool.sweep(plan, out=store, resume=True, executor=RayExecutor(), shards=16).digest)
