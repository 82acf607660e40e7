"""h5py with HDF5's MPI-IO driver on top of weir."""
import os

import h5py
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
path = os.path.join(os.environ["TEST_DIR"], "h5py.h5")
ROWS = 8


def check(holds, what):
    if not holds:
        print(f"[rank {rank}] FAILED: {what}", flush=True)
        comm.Abort(1)


check(h5py.get_config().mpi, "h5py was built for MPI")
check("libweir" in open("/proc/self/maps", encoding="ascii").read(), "weir is in the process")

expected = numpy.arange(ROWS * size * 6).reshape(ROWS * size, 6)
mine = slice(rank * ROWS, (rank + 1) * ROWS)
with h5py.File(path, "w", driver="mpio", comm=comm) as file:
    plain = file.create_dataset("plain", expected.shape, dtype="i8")
    chunked = file.create_dataset("chunked", expected.shape, dtype="i8", chunks=(3, 4))
    plain[mine] = expected[mine]
    with chunked.collective:
        chunked[mine] = expected[mine]

comm.Barrier()
with h5py.File(path, "r", driver="mpio", comm=comm) as file:
    for name in ("plain", "chunked"):
        with file[name].collective:
            check((file[name][rank::size] == expected[rank::size]).all(), f"{name}, collectively")
        check((file[name][:] == expected).all(), f"{name}, independently")

comm.Barrier()
if rank == 0:
    with h5py.File(path, "r") as file:
        check((file["plain"][:] == expected).all(), "serially")
    os.unlink(path)
    print(f"h5py on {size} ranks: all right")
