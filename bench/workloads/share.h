// What one rank does with one file, described as data. No MPI is needed here.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/type_spec.h"

namespace bench {

// One view and the calls made through it, one after another. Call k moves one instance of `file`, with its origin at
// call_origin(access, k) in the file, to or from the k-th instance of `memory`. All pieces begin and end at multiples
// of 4 bytes, in the file and in memory.
struct Access {
  std::int64_t displacement = 0;
  TypeSpec file;
  TypeSpec memory;
  int calls = 1;
  // From call to call. Unless `file` is Plain, this is its span, so that the view repeats itself.
  std::int64_t stride_bytes = 0;
  // Where given, `file` is Plain, there is one entry per call, and call k begins offsets[k] bytes after `displacement`.
  std::vector<std::int64_t> offsets;
};

// All ranks have equally many accesses, with equally many calls and equal elements in the file. No two ranks touch the
// same byte.
struct Share {
  std::vector<Access> accesses;
  std::int64_t file_bytes = 0;  // the whole file, equal on all ranks
  bool collective = true;
  bool holes = false;     // some bytes of the file belong to no rank; equal on all ranks
  bool to_close = false;  // small accesses, which may be written behind: writing, the close counts too
};

std::int64_t call_origin(const Access& access, int call);

// How much memory the accesses need, one after another.
std::int64_t memory_bytes(const Share& share);

// How many bytes of data the calls move.
std::int64_t moved_bytes(const Share& share);

// How many calls move data.
std::int64_t call_count(const Share& share);

// Calls visit(access, call, origin of the memory instance) for every call of the share.
template <typename Visit>
void for_each_call(const Share& share, Visit visit) {
  std::int64_t origin = 0;
  for (const Access& access : share.accesses) {
    const std::int64_t step = span_bytes(access.memory);
    for (int call = 0; call < access.calls; ++call) {
      visit(access, call, origin);
      origin += step;
    }
  }
}

// Every rank moves a contiguous share of `bytes` by one independent call. Shares differ by at most 4 bytes. REQUIRES:
// bytes is a multiple of 4.
Share even_share(std::int64_t bytes, int ranks, int rank);

}  // namespace bench
