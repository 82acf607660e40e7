#include "programs/print_c.h"

namespace weir::programs {

const char* c_prelude() {
  return R"C(#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kPlain, kOne, kVector, kTiles, kReversed }; /* how data lie in memory: blocks with a gap behind each */
enum { kWait, kBackwards, kWaitall, kWaitany, kWaitsome, kTest, kTestall };
struct share { long offset, count, kind, block, gap; };
struct part { int rank; long at, bytes; int id, from; long position; }; /* bytes of a request, and who wrote them */

static int rank, wrong;
static unsigned char* buf[MOST];
static long buf_bytes[MOST];
static MPI_Status status[MOST];
static MPI_Request request[MOST];
static MPI_Datatype type[MOST];
static int count[MOST];
static const struct share* share_of[MOST];
static long unit_of[MOST];
static unsigned char* sent[MOST];
static unsigned char* received[MOST];
static MPI_Request sending[MOST], receiving[MOST];

static inline int in(unsigned ranks) { return ranks >> rank & 1; }

static inline void check(int code, const char* what) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  if (code == MPI_SUCCESS) return;
  MPI_Error_string(code, text, &length);
  printf("rank %d: %s: %s\n", rank, what, text);
  wrong = 1;
}
#define CHECK(call) check(call, #call)

/* The byte at `position` of what `from` wrote in access `id`; 0: nobody wrote it. */
static inline unsigned char value(int id, int from, long position) {
  unsigned long long origin = (unsigned long long)id << 48 | (unsigned long long)from << 40 | position, mixed;
  unsigned char byte;
  if (id == 0) return 0;
  mixed = (SEED ^ origin >> 3) * 0x9e3779b97f4a7c15ULL;
  mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9ULL;
  mixed ^= mixed >> 32;
  byte = mixed >> 8 * (origin & 7);
  return byte ? byte : 0xa5;
}

static inline MPI_Datatype etype(long bytes) {
  MPI_Datatype t;
  if (bytes == 1) return MPI_BYTE;
  if (bytes == 2) return MPI_SHORT;
  if (bytes == 4) return MPI_INT;
  if (bytes == 8) return MPI_DOUBLE;
  MPI_Type_contiguous(3, bytes == 3 ? MPI_BYTE : MPI_INT, &t);
  MPI_Type_commit(&t);
  return t;
}

static inline MPI_Datatype finish(MPI_Datatype t, long extent) {
  MPI_Datatype made = t;
  if (extent > 0) MPI_Type_create_resized(t, 0, extent, &made);
  MPI_Type_commit(&made);
  return made;
}

static inline MPI_Datatype vector(int blocks, int length, int stride, long extent, long unit) {
  MPI_Datatype t;
  MPI_Type_vector(blocks, length, stride, etype(unit), &t);
  return finish(t, extent * unit);
}

static inline MPI_Datatype indexed(int blocks, const int* lengths, const int* places, long extent, long unit) {
  MPI_Datatype t;
  MPI_Type_indexed(blocks, lengths, places, etype(unit), &t);
  return finish(t, extent * unit);
}

static inline MPI_Datatype subarray(const int* n, long unit) {
  MPI_Datatype t;
  MPI_Type_create_subarray(3, n, n + 3, n + 6, MPI_ORDER_C, etype(unit), &t);
  return finish(t, 0);
}

static inline void set_view(MPI_File f, MPI_Offset displacement, long unit, MPI_Datatype filetype) {
  CHECK(MPI_File_set_view(f, displacement, etype(unit), filetype, "native", MPI_INFO_NULL));
}

/* Where data byte i of access `id` is in its buffer. */
static inline long place(int id, long i) {
  const struct share* s = share_of[id];
  long unit = unit_of[id], length = s->block * unit, stride = (s->block + s->gap) * unit, block = i / length;
  if (s->kind == kPlain || s->kind == kOne) return i;
  if (s->kind == kReversed) block = s->count / s->block - 1 - block;
  return block * stride + i % length;
}

/* Makes the buffer and the datatype of an access. */
static inline void prepare(int id, const struct share* s, long unit, int writes) {
  long blocks = s->block ? s->count / s->block : 0, stride = (s->block + s->gap) * unit, i;
  MPI_Aint* places;
  share_of[id] = s;
  unit_of[id] = unit;
  buf_bytes[id] = s->kind == kPlain || s->kind == kOne ? s->count * unit : blocks * stride;
  buf[id] = malloc(buf_bytes[id] + 1);
  memset(buf[id], 0xee, buf_bytes[id] + 1);
  for (i = 0; writes && i < s->count * unit; ++i) buf[id][place(id, i)] = value(id, rank, i);
  type[id] = etype(unit);
  count[id] = (int)s->count;
  if (s->kind == kPlain || s->count == 0) return;
  count[id] = 1;
  if (s->kind == kOne) MPI_Type_contiguous((int)s->count, etype(unit), &type[id]);
  if (s->kind == kVector) MPI_Type_create_hvector((int)blocks, (int)s->block, stride, etype(unit), &type[id]);
  if (s->kind == kTiles) {
    MPI_Type_contiguous((int)s->block, etype(unit), &type[id]);
    MPI_Type_create_resized(type[id], 0, stride, &type[id]);
    count[id] = (int)blocks;
  }
  if (s->kind == kReversed) {
    places = malloc(blocks * sizeof *places);
    for (i = 0; i < blocks; ++i) places[i] = (blocks - 1 - i) * stride;
    MPI_Type_create_hindexed_block((int)blocks, (int)s->block, places, etype(unit), &type[id]);
    free(places);
  }
  MPI_Type_commit(&type[id]);
}

static inline void moved(int id, long expected) {
  int bytes;
  MPI_Get_count(&status[id], MPI_BYTE, &bytes);
  if (bytes == expected) return;
  printf("rank %d: access %d moved %d bytes, not %ld\n", rank, id, bytes, expected);
  wrong = 1;
}

static inline void compare(const char* what, int number, const struct part* p, long i, unsigned char found) {
  unsigned char expected = value(p->id, p->from, p->position + i);
  if (found == expected || wrong > 20) return;
  printf("rank %d: %s %d: byte %ld is %d, not %d (access %d of rank %d, byte %ld)\n", rank, what, number, p->at + i,
         found, expected, p->id, p->from, p->position + i);
  ++wrong;
}

/* What an access must have read. */
static inline void expect(int id, const struct part* parts, int number) {
  long i;
  int n;
  for (n = 0; n < number; ++n) {
    if (parts[n].rank != rank) continue;
    for (i = 0; i < parts[n].bytes; ++i) compare("access", id, &parts[n], i, buf[id][place(id, parts[n].at + i)]);
  }
}

/* What a file must hold at the end; it is removed. size -1: it must be gone. */
static inline void expect_file(const char* name, long size, const struct part* parts, int number) {
  FILE* file = fopen(name, "rb");
  long i, found = -1;
  int n;
  if (file) fseek(file, 0, SEEK_END), found = ftell(file);
  if (found != size) printf("file %s has %ld bytes, not %ld\n", name, found, size), wrong = 1;
  for (n = 0; file && n < number; ++n) {
    fseek(file, parts[n].at, SEEK_SET);
    for (i = 0; i < parts[n].bytes; ++i) compare("file", 0, &parts[n], i, (unsigned char)fgetc(file));
  }
  if (file) fclose(file);
  unlink(name);
}

static inline void make_file(const char* name, long bytes, int colour) {
  FILE* file;
  long i;
  unlink(name);
  if (bytes < 0) return;
  file = fopen(name, "wb");
  for (i = 0; i < bytes; ++i) fputc(value(1, colour, i), file);
  fclose(file);
}

static inline unsigned char* payload(int id, int from, long bytes) {
  unsigned char* data = malloc(bytes + 1);
  long i;
  for (i = 0; i < bytes; ++i) data[i] = value(60000 + id, from, i);
  return data;
}

static inline void expect_message(int id, int from, long bytes) {
  unsigned char* data = payload(id, from, bytes);
  if (memcmp(data, received[id], bytes)) printf("rank %d: message %d has other contents\n", rank, id), wrong = 1;
  free(data);
}

/* Completes those of the requests that this rank has. */
static inline void complete(int way, int n, MPI_Request** requests, MPI_Status** statuses) {
  MPI_Request row[MOST];
  MPI_Status ends[MOST];
  int i, m = 0, flag, done, used[MOST], indices[MOST];
  for (i = 0; i < n; ++i) {
    if (*requests[i] != MPI_REQUEST_NULL) used[m] = i, row[m++] = *requests[i];
  }
  if (m == 0) return;
  if (way == kWait || way == kBackwards) {
    for (i = 0; i < m; ++i) done = way == kWait ? i : m - 1 - i, CHECK(MPI_Wait(&row[done], &ends[done]));
  } else if (way == kWaitall) {
    CHECK(MPI_Waitall(m, row, ends));
  } else if (way == kWaitany) {
    for (;;) {
      MPI_Status end;
      CHECK(MPI_Waitany(m, row, &done, &end));
      if (done == MPI_UNDEFINED) break;
      ends[done] = end;
    }
  } else if (way == kWaitsome) {
    for (;;) {
      MPI_Status some[MOST];
      CHECK(MPI_Waitsome(m, row, &done, indices, some));
      if (done == MPI_UNDEFINED) break;
      for (i = 0; i < done; ++i) ends[indices[i]] = some[i];
    }
  } else if (way == kTest) {
    for (i = 0; i < m; ++i) {
      for (flag = 0; !flag; usleep(flag ? 0 : 20)) CHECK(MPI_Test(&row[i], &flag, &ends[i]));
    }
  } else {
    for (flag = 0; !flag; usleep(flag ? 0 : 20)) CHECK(MPI_Testall(m, row, &flag, ends));
  }
  for (i = 0; i < m; ++i) *requests[used[i]] = MPI_REQUEST_NULL, *statuses[used[i]] = ends[i];
}
)C";
}

}  // namespace weir::programs
