/* pingpong [FILE]: half the time of a round trip of 4 bytes between two ranks, in microseconds, the best of many
   batches. With FILE it is taken while that file is open on both ranks. Rank 0 prints one number. */
#include <mpi.h>
#include <stdio.h>

enum { BATCHES = 400, ROUND_TRIPS = 1000, WARM_UP = 20 };

/* REQUIRES two ranks. The time of one batch, in seconds. */
static double batch(int rank) {
  int word = 0;
  double start = MPI_Wtime();
  for (int i = 0; i < ROUND_TRIPS; ++i) {
    if (rank == 0) {
      MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
  }
  return MPI_Wtime() - start;
}

int main(int argc, char** argv) {
  int rank;
  double best = 1e9;
  MPI_File file = MPI_FILE_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) {
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
  }
  for (int i = 0; i < WARM_UP; ++i) {
    batch(rank);
  }
  for (int i = 0; i < BATCHES; ++i) {
    double seconds = batch(rank);
    best = seconds < best ? seconds : best;
  }
  if (rank == 0) {
    printf("%.4f\n", best / ROUND_TRIPS / 2 * 1e6);
  }
  if (file != MPI_FILE_NULL) {
    MPI_File_close(&file);
  }
  MPI_Finalize();
  return 0;
}
