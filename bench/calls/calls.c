/* calls DIRECTORY [BATCHES]: what one small call costs, in microseconds: raw pwrite and pread, and the independent calls
   of MPI-IO, on one file in DIRECTORY, with contiguous memory and view. Every rank has a part of the file of its own. The
   best of many batches, taken in turn; rank 0 prints, for the slowest rank, one line "BYTES CALL MICROSECONDS" each. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS = 500, WARM_UP = 3, MOST_BYTES = 4096, PART_BYTES = CALLS * MOST_BYTES, KINDS = 6 };

static const char* const kNames[KINDS] = {"pwrite", "pread", "write_at", "read_at", "write", "read"};
static const int kSizes[] = {64, 4096};

struct Place {
  int fd;
  MPI_File file;
  MPI_Offset begin; /* of this rank's part of the file */
  char* memory;
};

/* Whether a system call moved all bytes, or an MPI call succeeded. */
static void must(int went_well, const char* what) {
  if (went_well) return;
  fprintf(stderr, "calls: %s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void call_once(const struct Place* place, int kind, int bytes, int number) {
  MPI_Status status;
  const MPI_Offset offset = place->begin + (MPI_Offset)number * bytes;
  int went_well = 0;
  switch (kind) {
    case 0: went_well = pwrite(place->fd, place->memory, bytes, offset) == bytes; break;
    case 1: went_well = pread(place->fd, place->memory, bytes, offset) == bytes; break;
    case 2: went_well = !MPI_File_write_at(place->file, offset, place->memory, bytes, MPI_BYTE, &status); break;
    case 3: went_well = !MPI_File_read_at(place->file, offset, place->memory, bytes, MPI_BYTE, &status); break;
    case 4: went_well = !MPI_File_write(place->file, place->memory, bytes, MPI_BYTE, &status); break;
    case 5: went_well = !MPI_File_read(place->file, place->memory, bytes, MPI_BYTE, &status); break;
  }
  must(went_well, kNames[kind]);
}

/* Microseconds of one call. */
static double batch(const struct Place* place, int kind, int bytes) {
  must(!MPI_File_seek(place->file, place->begin, MPI_SEEK_SET), "seek");
  const double start = MPI_Wtime();
  for (int number = 0; number < CALLS; ++number) call_once(place, kind, bytes, number);
  return (MPI_Wtime() - start) / CALLS * 1e6;
}

static void measure(const struct Place* place, int bytes, int batches, int rank) {
  double best[KINDS], slowest[KINDS];
  for (int kind = 0; kind < KINDS; ++kind) best[kind] = 1e9;
  for (int round = 0; round < batches + WARM_UP; ++round) {
    for (int kind = 0; kind < KINDS; ++kind) {
      const double microseconds = batch(place, kind, bytes);
      if (round >= WARM_UP && microseconds < best[kind]) best[kind] = microseconds;
    }
  }
  MPI_Reduce(best, slowest, KINDS, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  for (int kind = 0; rank == 0 && kind < KINDS; ++kind) printf("%d %s %.4f\n", bytes, kNames[kind], slowest[kind]);
}

int main(int argc, char** argv) {
  int rank;
  char path[4096];
  struct Place place;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  must(argc > 1, "reading the arguments");
  snprintf(path, sizeof path, "%s/calls.file", argv[1]);
  const int batches = argc > 2 ? atoi(argv[2]) : 60;
  must(!MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &place.file),
       "open");
  place.fd = open(path, O_RDWR);
  place.begin = (MPI_Offset)rank * PART_BYTES;
  place.memory = aligned_alloc(4096, MOST_BYTES);
  must(place.fd >= 0 && place.memory != NULL, "open");
  memset(place.memory, 1, MOST_BYTES);
  for (size_t i = 0; i < sizeof kSizes / sizeof *kSizes; ++i) measure(&place, kSizes[i], batches, rank);
  close(place.fd);
  MPI_File_close(&place.file);
  free(place.memory);
  MPI_Finalize();
  return 0;
}
