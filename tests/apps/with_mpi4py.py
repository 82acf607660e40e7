"""mpi4py's MPI.File on top of weir: views, collective, shared and nonblocking access."""
import os
import sys

import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
path = os.path.join(os.environ["TEST_DIR"], "mpi4py.dat")
N = 10


def check(holds, what):
    if not holds:
        print(f"[rank {rank}] FAILED: {what}", flush=True)
        comm.Abort(1)


file = MPI.File.Open(comm, path, MPI.MODE_CREATE | MPI.MODE_RDWR)
check(any(key.startswith("weir_") for key in file.Get_info().keys()), "served by weir")

# Every rank writes every size-th element.
stripes = MPI.INT.Create_vector(N, 1, size).Create_resized(0, N * size * 4)
stripes.Commit()
file.Set_view(rank * 4, MPI.INT, stripes)
mine = numpy.arange(N, dtype="i") * size + rank
file.Write_all(mine)
back = numpy.empty(N, dtype="i")
file.Read_at_all(0, back)
check((back == mine).all(), "what was written collectively")
comm.Barrier()

file.Set_view(0, MPI.INT)
everything = numpy.empty(N * size, dtype="i")
status = MPI.Status()
file.Read_at(0, everything, status)
check((everything == numpy.arange(N * size)).all(), "the array as a whole")
check(status.Get_count(MPI.INT) == N * size, "the count")
comm.Barrier()

requests = [file.Iwrite_at(N * rank + i, mine[i:i + 1]) for i in range(N)]
MPI.Request.Waitall(requests)
file.Iread_at(N * rank, back).Wait()
check((back == mine).all(), "what was written without blocking")

comm.Barrier()
file.Seek_shared(0)
file.Write_ordered(numpy.array([rank], dtype="i"))
check(file.Get_position_shared() == size, "the shared position")

file.Close()
try:
    MPI.File.Open(comm, path + ".missing", MPI.MODE_RDONLY)
    check(False, "a missing file must not open")
except MPI.Exception as error:
    check(error.Get_error_class() == MPI.ERR_NO_SUCH_FILE, "the class of the error")

comm.Barrier()
if rank == 0:
    MPI.File.Delete(path)
    print(f"mpi4py on {size} ranks: all right")
sys.stdout.flush()
