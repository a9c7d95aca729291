"""A sweep on the workers of Ray, which reach the folder of the store.

python ray_sweep.py plan.yaml store
"""

import sys

import ray

import warpool


class RayExecutor:
    """Submits tasks to Ray."""

    def submit(self, function, /, *args):
        """Return the future of a task."""
        return ray.remote(function).remote(*args).future()


if __name__ == "__main__":
    plan, store = sys.argv[1:]
    ray.init()  # or the address of a cluster
    print(warpool.sweep(plan, out=store, resume=True, executor=RayExecutor(), shards=16).digest)
