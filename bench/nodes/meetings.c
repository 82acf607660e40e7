// Microseconds of small collective calls: the median of rank 0 over many, of each kind in turn.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBytes = 64, kCalls = 200 };

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

static void report(int rank, const char* name, double* seconds) {
  qsort(seconds, kCalls, sizeof *seconds, compare);
  if (rank == 0) printf("%s %.1f\n", name, seconds[kCalls / 2] * 1e6);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Datatype turns;
  MPI_Type_vector(4, kBytes / 4, ranks * (kBytes / 4), MPI_BYTE, &turns);
  MPI_Type_commit(&turns);
  char bytes[kBytes];
  memset(bytes, rank, sizeof bytes);
  static double view[kCalls], write[kCalls], resize[kCalls];
  for (int call = 0; call < kCalls; ++call) {
    const double begin = MPI_Wtime();
    MPI_File_set_view(file, (MPI_Offset)rank * (kBytes / 4), MPI_BYTE, turns, "native", MPI_INFO_NULL);
    const double viewed = MPI_Wtime();
    MPI_File_write_at_all(file, 0, bytes, kBytes, MPI_BYTE, MPI_STATUS_IGNORE);
    const double written = MPI_Wtime();
    MPI_File_set_size(file, (MPI_Offset)ranks * kBytes);
    const double resized = MPI_Wtime();
    view[call] = viewed - begin;
    write[call] = written - viewed;
    resize[call] = resized - written;
  }
  report(rank, "set_view", view);
  report(rank, "write_at_all", write);
  report(rank, "set_size", resize);
  MPI_Type_free(&turns);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
