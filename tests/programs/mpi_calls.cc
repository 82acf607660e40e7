#include "programs/mpi_calls.h"

namespace weir::programs {

namespace {

using Arguments = CallArguments;

// By direction: read, write.
#define BOTH(before, after, ...) \
  (writes ? MPI_File_##before##write##after(__VA_ARGS__) : MPI_File_##before##read##after(__VA_ARGS__))

int explicit_call(const Step& step, bool writes, const Arguments& a) {
  switch (step.manner) {
    case Manner::kBlocking:
      if (step.collective) return BOTH(, _at_all, a.file, a.offset, a.data, a.count, a.type, a.status);
      return BOTH(, _at, a.file, a.offset, a.data, a.count, a.type, a.status);
    case Manner::kNonblocking:
      if (step.collective) return BOTH(i, _at_all, a.file, a.offset, a.data, a.count, a.type, a.request);
      return BOTH(i, _at, a.file, a.offset, a.data, a.count, a.type, a.request);
    default: return BOTH(, _at_all_begin, a.file, a.offset, a.data, a.count, a.type);
  }
}

int individual_call(const Step& step, bool writes, const Arguments& a) {
  switch (step.manner) {
    case Manner::kBlocking:
      if (step.collective) return BOTH(, _all, a.file, a.data, a.count, a.type, a.status);
      return BOTH(, , a.file, a.data, a.count, a.type, a.status);
    case Manner::kNonblocking:
      if (step.collective) return BOTH(i, _all, a.file, a.data, a.count, a.type, a.request);
      return BOTH(i, , a.file, a.data, a.count, a.type, a.request);
    default: return BOTH(, _all_begin, a.file, a.data, a.count, a.type);
  }
}

}  // namespace

int call_access(const Step& step, const CallArguments& a) {
  const bool writes = step.direction == Direction::kWrite;
  switch (step.pointer) {
    case Pointer::kExplicit: return explicit_call(step, writes, a);
    case Pointer::kIndividual: return individual_call(step, writes, a);
    case Pointer::kShared:
      if (step.manner == Manner::kNonblocking) return BOTH(i, _shared, a.file, a.data, a.count, a.type, a.request);
      return BOTH(, _shared, a.file, a.data, a.count, a.type, a.status);
    default:
      if (step.manner == Manner::kSplit) return BOTH(, _ordered_begin, a.file, a.data, a.count, a.type);
      return BOTH(, _ordered, a.file, a.data, a.count, a.type, a.status);
  }
}

int call_end(const Step& step, MPI_File file, void* data, MPI_Status* status) {
  const bool writes = step.direction == Direction::kWrite;
  switch (step.pointer) {
    case Pointer::kExplicit: return BOTH(, _at_all_end, file, data, status);
    case Pointer::kIndividual: return BOTH(, _all_end, file, data, status);
    default: return BOTH(, _ordered_end, file, data, status);
  }
}

}  // namespace weir::programs
