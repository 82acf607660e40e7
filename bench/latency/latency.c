/* latency FILE PIECES [make] [collective] [write]: reads (or writes) random pieces of 4 KiB of a file in one call with
   an indexed view, each rank its own, and verifies what it read. Rank 0 prints the seconds that the call took. "make"
   writes the file instead, with room for kSparsity pieces for each one that is asked for. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kPiece = 4096, kSparsity = 8 };

static void fail(const char* what) {
  fprintf(stderr, "latency: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* What stands in the file: every 8 bytes their own number, and, written by this program, a mark. */
static uint64_t word_at(int64_t offset, int written) { return (uint64_t)offset / 8 + (written ? 1ull << 60 : 0); }

static void fill(uint64_t* words, int64_t offset, int written) {
  for (int i = 0; i < kPiece / 8; ++i) words[i] = word_at(offset + 8 * i, written);
}

/* Block numbers in ascending order, one of each kSparsity. */
static void choose(int rank, int pieces, int* blocks) {
  unsigned state = 12345u + (unsigned)rank;
  for (int i = 0; i < pieces; ++i) blocks[i] = i * kSparsity + rand_r(&state) % kSparsity;
}

static void make_file(const char* path, int64_t bytes) {
  FILE* file = fopen(path, "w");
  static uint64_t words[kPiece / 8];
  if (file == NULL) fail("the file cannot be made");
  for (int64_t at = 0; at < bytes; at += kPiece) {
    fill(words, at, 0);
    if (fwrite(words, kPiece, 1, file) != 1) fail("the file cannot be written");
  }
  if (fclose(file) != 0) fail("the file cannot be closed");
}

static int has(int argc, char** argv, const char* word) {
  for (int i = 3; i < argc; ++i)
    if (strcmp(argv[i], word) == 0) return 1;
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 3) fail("usage: latency FILE PIECES [make] [collective] [write]");
  const int pieces = atoi(argv[2]);
  const int writing = has(argc, argv, "write");
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int64_t share = (int64_t)pieces * kSparsity * kPiece;
  if (has(argc, argv, "make")) {
    make_file(argv[1], share * ranks);
    MPI_Finalize();
    return 0;
  }
  int* blocks = malloc(sizeof(int) * (size_t)pieces);
  char* memory = malloc((size_t)pieces * kPiece);
  if (blocks == NULL || memory == NULL) fail("no memory");
  choose(rank, pieces, blocks);
  memset(memory, 0, (size_t)pieces * kPiece);
  for (int i = 0; writing && i < pieces; ++i)
    fill((uint64_t*)(memory + (size_t)i * kPiece), rank * share + (int64_t)blocks[i] * kPiece, 1);

  MPI_Datatype block, view;
  MPI_Type_contiguous(kPiece, MPI_BYTE, &block);
  MPI_Type_create_indexed_block(pieces, 1, blocks, block, &view);
  MPI_Type_commit(&block);
  MPI_Type_commit(&view);
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS) fail("open");
  MPI_File_set_view(file, rank * share, block, view, "native", MPI_INFO_NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  MPI_Status status;
  const int collective = has(argc, argv, "collective");
  int error = MPI_SUCCESS;
  if (writing)
    error = (collective ? MPI_File_write_at_all : MPI_File_write_at)(file, 0, memory, pieces, block, &status);
  else
    error = (collective ? MPI_File_read_at_all : MPI_File_read_at)(file, 0, memory, pieces, block, &status);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - begin;
  int count = 0;
  MPI_Get_count(&status, block, &count);
  if (error != MPI_SUCCESS || count != pieces) fail("not all bytes were moved");
  uint64_t wanted[kPiece / 8];
  for (int i = 0; !writing && i < pieces; ++i) {
    fill(wanted, rank * share + (int64_t)blocks[i] * kPiece, 0);
    if (memcmp(memory + (size_t)i * kPiece, wanted, kPiece) != 0) fail("wrong bytes");
  }
  MPI_File_close(&file);
  if (rank == 0) printf("%.4f\n", seconds);
  MPI_Type_free(&view);
  MPI_Type_free(&block);
  free(memory);
  free(blocks);
  MPI_Finalize();
  return 0;
}
