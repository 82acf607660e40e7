// Block I/O, the limit: every rank moves a contiguous share of the same bytes, by plain system calls and in memory that
// the kernel copies to and from as fast as it can. No MPI-IO stands behind it.
#pragma once

#include <cstdint>

#include "workloads/program/subject.h"

namespace bench {

class BlockIo : public Subject {
 public:
  // COLLECTIVE. `bytes`: by all ranks. REQUIRES: a multiple of 4. Keeps the reference.
  BlockIo(FileUse use, std::int64_t bytes, const Meeting& meeting);

  void prepare(std::uint32_t salt) override;
  Stopwatch run() override;
};

}  // namespace bench
