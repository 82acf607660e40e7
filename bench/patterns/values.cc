#include "values.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "pattern_pieces.h"

namespace bench {
namespace {

constexpr std::int64_t kWordBytes = 4;
constexpr std::byte kGap{0xA5};
constexpr std::int64_t kWindowBytes = 1 << 20;

using Words = std::vector<std::uint32_t>;

std::uint32_t value_of(std::int64_t word, std::uint32_t salt) {
  const auto wide = static_cast<std::uint64_t>(word);
  std::uint32_t x = static_cast<std::uint32_t>(wide) + static_cast<std::uint32_t>(wide >> 32) * 0xC2B2AE3Du + salt;
  x *= 0x9E3779B1u;
  x ^= x >> 15;
  x *= 0x85EBCA77u;
  return x ^ (x >> 13);
}

// The values of the words in [position, position + bytes) of the file.
void write_values(std::int64_t position, std::int64_t bytes, std::uint32_t salt, std::uint32_t* words) {
  const std::int64_t first = position / kWordBytes;
  for (std::int64_t i = 0; i < bytes / kWordBytes; ++i) words[i] = value_of(first + i, salt);
}

// The values of one call's pieces in the file, one after another.
Words values_of(const Access& access, int call, std::uint32_t salt) {
  Words words(static_cast<std::size_t>(data_bytes(access.file) / kWordBytes));
  std::uint32_t* next = words.data();
  for_each_piece(access.file, access.displacement + call * access.stride_bytes,
                 [&](std::int64_t position, std::int64_t bytes) {
                   write_values(position, bytes, salt, next);
                   next += bytes / kWordBytes;
                 });
  return words;
}

// Calls visit(access, call, origin of the memory instance) for every call of the workload.
template <typename Visit>
void for_each_call(const Workload& workload, Visit visit) {
  std::int64_t origin = 0;
  for (const Access& access : workload.accesses) {
    for (int call = 0; call < access.calls; ++call) {
      visit(access, call, origin);
      origin += span_bytes(access.memory);
    }
  }
}

// Compares the pieces of one memory instance with the words, and makes them gaps.
bool take_pieces(const TypeSpec& type, std::int64_t origin, const Words& words, std::byte* memory) {
  const auto* next = reinterpret_cast<const std::byte*>(words.data());
  bool right = true;
  for_each_piece(type, origin, [&](std::int64_t position, std::int64_t bytes) {
    const auto length = static_cast<std::size_t>(bytes);
    right = right && std::memcmp(memory + position, next, length) == 0;
    std::memset(memory + position, std::to_integer<int>(kGap), length);
    next += length;
  });
  return right;
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

// Calls visit(position, words) for the windows of a part, with the right values, until it returns false.
template <typename Visit>
bool for_each_window(const FilePart& part, std::uint32_t salt, Visit visit) {
  const std::int64_t words = part.file_bytes / kWordBytes;
  const std::int64_t begin = words * part.part / part.parts * kWordBytes;
  const std::int64_t end = words * (part.part + 1) / part.parts * kWordBytes;
  for (std::int64_t position = begin; position < end; position += kWindowBytes) {
    const std::int64_t bytes = std::min(kWindowBytes, end - position);
    Words values(static_cast<std::size_t>(bytes / kWordBytes));
    write_values(position, bytes, salt, values.data());
    if (!visit(position, values)) return false;
  }
  return true;
}

}  // namespace

void clear_memory(std::span<std::byte> memory) { std::ranges::fill(memory, kGap); }

void fill_memory(const Workload& workload, std::uint32_t salt, std::span<std::byte> memory) {
  clear_memory(memory);
  for_each_call(workload, [&](const Access& access, int call, std::int64_t origin) {
    const Words words = values_of(access, call, salt);
    const auto* next = reinterpret_cast<const std::byte*>(words.data());
    for_each_piece(access.memory, origin, [&](std::int64_t position, std::int64_t bytes) {
      std::memcpy(memory.data() + position, next, static_cast<std::size_t>(bytes));
      next += bytes;
    });
  });
}

bool memory_is_right(const Workload& workload, std::uint32_t salt, std::span<std::byte> memory) {
  bool right = true;
  for_each_call(workload, [&](const Access& access, int call, std::int64_t origin) {
    right = take_pieces(access.memory, origin, values_of(access, call, salt), memory.data()) && right;
  });
  const bool only_gaps = std::ranges::all_of(memory, [](std::byte value) { return value == kGap; });
  clear_memory(memory);
  return right && only_gaps;
}

bool write_part(const FilePart& part, std::uint32_t salt) {
  const Descriptor file(part.path, O_WRONLY | O_CREAT);
  if (file.get() < 0) return false;
  return for_each_window(part, salt, [&](std::int64_t position, const Words& values) {
    const std::size_t bytes = values.size() * kWordBytes;
    return ::pwrite(file.get(), values.data(), bytes, position) == static_cast<ssize_t>(bytes);
  });
}

bool part_is_right(const FilePart& part, std::uint32_t salt) {
  const Descriptor file(part.path, O_RDONLY);
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0 || status.st_size != part.file_bytes) return false;
  Words found(kWindowBytes / kWordBytes);
  return for_each_window(part, salt, [&](std::int64_t position, const Words& values) {
    const std::size_t bytes = values.size() * kWordBytes;
    return ::pread(file.get(), found.data(), bytes, position) == static_cast<ssize_t>(bytes) &&
           std::equal(values.begin(), values.end(), found.begin());
  });
}

}  // namespace bench
