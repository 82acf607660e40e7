#include "access_ops.h"

namespace mpi_test {

namespace {

int wait_for(int start_code, MPI_Request* pending, MPI_Status* status) {
  if (start_code != MPI_SUCCESS) return start_code;
  return MPI_Wait(pending, status);
}

// The arguments of every op below: file f, offset o, data d, count n, type t, status s. COUNT is the type that the
// function takes for the count; the parts of the name around the words are pasted together.
#define ARGUMENTS MPI_File f, [[maybe_unused]] MPI_Offset o, void *d, MPI_Count n, MPI_Datatype t, MPI_Status *s

#define BLOCKING(name, COUNT, ...) \
  [](ARGUMENTS) { return MPI_File_##name(f, __VA_ARGS__ d, static_cast<COUNT>(n), t, s); }

#define NONBLOCKING(name, COUNT, ...)                                                       \
  [](ARGUMENTS) {                                                                           \
    MPI_Request pending = MPI_REQUEST_NULL;                                                 \
    const int code = MPI_File_##name(f, __VA_ARGS__ d, static_cast<COUNT>(n), t, &pending); \
    return wait_for(code, &pending, s);                                                     \
  }

#define SPLIT(name, suffix, COUNT, ...)                                                           \
  [](ARGUMENTS) {                                                                                 \
    const int code = MPI_File_##name##_begin##suffix(f, __VA_ARGS__ d, static_cast<COUNT>(n), t); \
    return code != MPI_SUCCESS ? code : MPI_File_##name##_end(f, d, s);                           \
  }

#define WITH_OFFSET o,

// clang-format off
// All functions of one direction: VERB is read or write, S the suffix of the large-count functions.
#define OPS(VERB, DIRECTION, S, COUNT)                                                                              \
  {#VERB "_at" #S, DIRECTION, Pointer::kExplicit, false, false, BLOCKING(VERB##_at##S, COUNT, WITH_OFFSET)},        \
  {"i" #VERB "_at" #S, DIRECTION, Pointer::kExplicit, false, true, NONBLOCKING(i##VERB##_at##S, COUNT, WITH_OFFSET)}, \
  {#VERB "_at_all" #S, DIRECTION, Pointer::kExplicit, true, false, BLOCKING(VERB##_at_all##S, COUNT, WITH_OFFSET)}, \
  {"i" #VERB "_at_all" #S, DIRECTION, Pointer::kExplicit, true, true,                                               \
   NONBLOCKING(i##VERB##_at_all##S, COUNT, WITH_OFFSET)},                                                           \
  {#VERB "_at_all_begin" #S, DIRECTION, Pointer::kExplicit, true, false, SPLIT(VERB##_at_all, S, COUNT, WITH_OFFSET)}, \
  {#VERB #S, DIRECTION, Pointer::kIndividual, false, false, BLOCKING(VERB##S, COUNT, )},                            \
  {"i" #VERB #S, DIRECTION, Pointer::kIndividual, false, true, NONBLOCKING(i##VERB##S, COUNT, )},                   \
  {#VERB "_all" #S, DIRECTION, Pointer::kIndividual, true, false, BLOCKING(VERB##_all##S, COUNT, )},                \
  {"i" #VERB "_all" #S, DIRECTION, Pointer::kIndividual, true, true, NONBLOCKING(i##VERB##_all##S, COUNT, )},       \
  {#VERB "_all_begin" #S, DIRECTION, Pointer::kIndividual, true, false, SPLIT(VERB##_all, S, COUNT, )},             \
  {#VERB "_shared" #S, DIRECTION, Pointer::kShared, false, false, BLOCKING(VERB##_shared##S, COUNT, )},             \
  {"i" #VERB "_shared" #S, DIRECTION, Pointer::kShared, false, true, NONBLOCKING(i##VERB##_shared##S, COUNT, )},    \
  {#VERB "_ordered" #S, DIRECTION, Pointer::kOrdered, true, false, BLOCKING(VERB##_ordered##S, COUNT, )},           \
  {#VERB "_ordered_begin" #S, DIRECTION, Pointer::kOrdered, true, false, SPLIT(VERB##_ordered, S, COUNT, )}
// clang-format on

}  // namespace

const std::vector<AccessOp>& all_ops() {
  static const std::vector<AccessOp> kOps = {
    OPS(write, Direction::kWrite, , int),
    OPS(read, Direction::kRead, , int),
#if MPI_VERSION >= 4
    OPS(write, Direction::kWrite, _c, MPI_Count),
    OPS(read, Direction::kRead, _c, MPI_Count),
#endif
  };
  return kOps;
}

}  // namespace mpi_test
