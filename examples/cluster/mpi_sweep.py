"""Runs a sweep on MPI workers, which need access to the folder of the store. The first process only submits shards.

mpirun -n 3 python -m mpi4py.futures mpi_sweep.py plan.yaml store
"""

import sys

from mpi4py.futures import MPIPoolExecutor

import warpool

if __name__ == "__main__":
    plan, store = sys.argv[1:]
    with MPIPoolExecutor() as executor:
        print(warpool.sweep(plan, out=store, resume=True, executor=executor).digest)
