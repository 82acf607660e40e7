"""Writes and reads a dataset by h5py, collectively and independently; prints the seconds that took on rank 0."""
import os
import sys
import time

import h5py
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
ROWS, COLUMNS, STEPS = 64, 1024, 4

path = os.path.join(sys.argv[1], "busy.h5")
mine = slice(rank * ROWS, (rank + 1) * ROWS)
data = numpy.full((ROWS, COLUMNS), rank, dtype="f8")

comm.Barrier()
start = time.monotonic()
for step in range(STEPS):
    with h5py.File(path, "w", driver="mpio", comm=comm) as file:
        for name in ("collective", "independent"):
            file.create_dataset(name, (ROWS * size, COLUMNS), dtype="f8")
        with file["collective"].collective:
            file["collective"][mine] = data + step
        file["independent"][mine] = data + step
    with h5py.File(path, "r", driver="mpio", comm=comm) as file:
        with file["collective"].collective:
            found = file["collective"][mine]
        if not (found == data + step).all() or not (file["independent"][mine] == data + step).all():
            print(f"rank {rank}: wrong data in step {step}", flush=True)
            comm.Abort(1)
comm.Barrier()
if rank == 0:
    os.unlink(path)
    print(f"{time.monotonic() - start:.1f}")
