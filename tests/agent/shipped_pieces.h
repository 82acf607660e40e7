// What the tests of files with agents have in common.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "agent/agent_file.h"
#include "driver/memory.h"
#include "driver/support.h"

namespace weir::agent {

using driver::Bytes;
using driver::IoOutcome;
using driver::IoRequest;
using driver::MemoryDriver;
using driver::pattern;

inline constexpr std::int64_t kBlock = 64;

inline IoOutcome access(driver::File& file, Direction direction, std::int64_t offset, Bytes& bytes) {
  const IoRequest request{offset, bytes.data(), std::ssize(bytes)};
  return file.transfer(direction, {&request, 1});
}

// Calls body(offset, bytes) for the places of `piece` bytes that are this rank's, every `ranks`-th.
template <typename Body>
void for_own_pieces(const comm::Comm& comm, std::int64_t piece, const Bytes& all, const Body& body) {
  for (std::int64_t at = comm.rank() * piece; at < std::ssize(all); at += comm.size() * piece) {
    body(at, driver::part(all, at, std::min(at + piece, std::ssize(all))));
  }
}

}  // namespace weir::agent
