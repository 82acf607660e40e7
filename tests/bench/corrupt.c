// Spoils what a program writes or reads, to see whether it notices. Preloaded ahead of everything else. Rank 0 changes
//   after MPI_File_close of a file that was not read: the byte at CORRUPT_FILE_AT of the file
//   after MPI_File_read_at_all: the byte at CORRUPT_MEMORY_AT of the buffer
// where these are set.
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[4096];

static int is_asked(const char* name, off_t* position) {
  const char* text = getenv(name);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (text == NULL || rank != 0) return 0;
  *position = (off_t)atoll(text);
  return 1;
}

int MPI_File_open(MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* file) {
  snprintf(path, sizeof path, "%s", filename);
  return PMPI_File_open(comm, filename, amode, info, file);
}

int MPI_File_close(MPI_File* file) {
  const int code = PMPI_File_close(file);
  off_t position = 0;
  if (!is_asked("CORRUPT_FILE_AT", &position)) return code;
  const int fd = open(path, O_RDWR);
  unsigned char byte = 0;
  if (fd < 0 || pread(fd, &byte, 1, position) < 0) abort();
  byte ^= 1;
  if (pwrite(fd, &byte, 1, position) != 1) abort();
  close(fd);
  return code;
}

int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                         MPI_Status* status) {
  const int code = PMPI_File_read_at_all(file, offset, buffer, count, type, status);
  off_t position = 0;
  if (is_asked("CORRUPT_MEMORY_AT", &position)) ((unsigned char*)buffer)[position] ^= 1;
  return code;
}
