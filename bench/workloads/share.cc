#include "workloads/share.h"

namespace bench {

std::int64_t call_origin(const Access& access, int call) {
  const std::int64_t offset =
      access.offsets.empty() ? call * access.stride_bytes : access.offsets[static_cast<std::size_t>(call)];
  return access.displacement + offset;
}

std::int64_t memory_bytes(const Share& share) {
  std::int64_t bytes = 0;
  for (const Access& access : share.accesses) bytes += access.calls * span_bytes(access.memory);
  return bytes;
}

std::int64_t moved_bytes(const Share& share) {
  std::int64_t bytes = 0;
  for (const Access& access : share.accesses) bytes += access.calls * data_bytes(access.file);
  return bytes;
}

std::int64_t call_count(const Share& share) {
  std::int64_t calls = 0;
  for (const Access& access : share.accesses) calls += access.calls;
  return calls;
}

Share even_share(std::int64_t bytes, int ranks, int rank) {
  const Element word = element_of(Basic::kInt);
  const std::int64_t words = bytes / word.bytes();
  const std::int64_t begin = words / ranks * rank + words % ranks * rank / ranks;
  const std::int64_t end = words / ranks * (rank + 1) + words % ranks * (rank + 1) / ranks;
  const Plain own{.element = word, .count = end - begin};
  const Access access{
      .displacement = begin * word.bytes(), .file = own, .memory = own, .calls = 1, .stride_bytes = 0, .offsets = {}};
  return {.accesses = {access}, .file_bytes = bytes, .collective = false, .holes = false};
}

}  // namespace bench
