#include "workloads/program/values.h"

#include <fcntl.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "workloads/pieces.h"
#include "workloads/program/raw_file.h"

namespace bench {
namespace {

constexpr std::int64_t kWordBytes = 4;
constexpr std::byte kGap{0xA5};
constexpr std::int64_t kWindowWords = 1 << 18;

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
  for_each_piece(access.file, call_origin(access, call), [&](std::int64_t position, std::int64_t bytes) {
    write_values(position, bytes, salt, next);
    next += bytes / kWordBytes;
  });
  return words;
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

// Words [begin, end) of the file.
struct WordRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

WordRange words_of(const FilePart& part) {
  const std::int64_t words = part.file_bytes / kWordBytes;
  return {.begin = words * part.part / part.parts, .end = words * (part.part + 1) / part.parts};
}

// Calls visit(first word, values) for the windows of a part, with the values of `salt`, until it returns false.
template <typename Visit>
bool for_each_window(const FilePart& part, std::uint32_t salt, Visit visit) {
  const WordRange range = words_of(part);
  for (std::int64_t word = range.begin; word < range.end; word += kWindowWords) {
    Words values(static_cast<std::size_t>(std::min(kWindowWords, range.end - word)));
    write_values(word * kWordBytes, static_cast<std::int64_t>(values.size()) * kWordBytes, salt, values.data());
    if (!visit(word, values)) return false;
  }
  return true;
}

// The bytes of the words.
std::span<std::byte> bytes_of(Words& words) { return std::as_writable_bytes(std::span(words)); }

}  // namespace

void put_values(std::int64_t position, std::uint32_t salt, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const std::uint32_t word = value_of(position / kWordBytes, salt);
    const auto begin = static_cast<std::size_t>(position % kWordBytes);
    const std::size_t length = std::min(bytes.size(), sizeof(word) - begin);
    std::memcpy(bytes.data(), reinterpret_cast<const std::byte*>(&word) + begin, length);
    bytes = bytes.subspan(length);
    position += static_cast<std::int64_t>(length);
  }
}

void clear_memory(std::span<std::byte> memory) { std::ranges::fill(memory, kGap); }

void fill_memory(const Share& share, std::uint32_t salt, std::span<std::byte> memory) {
  clear_memory(memory);
  for_each_call(share, [&](const Access& access, int call, std::int64_t origin) {
    const Words words = values_of(access, call, salt);
    const auto* next = reinterpret_cast<const std::byte*>(words.data());
    for_each_piece(access.memory, origin, [&](std::int64_t position, std::int64_t bytes) {
      std::memcpy(memory.data() + position, next, static_cast<std::size_t>(bytes));
      next += bytes;
    });
  });
}

bool memory_is_right(const Share& share, std::uint32_t salt, std::span<std::byte> memory) {
  bool right = true;
  for_each_call(share, [&](const Access& access, int call, std::int64_t origin) {
    right = take_pieces(access.memory, origin, values_of(access, call, salt), memory.data()) && right;
  });
  const bool only_gaps = std::ranges::all_of(memory, [](std::byte value) { return value == kGap; });
  clear_memory(memory);
  return right && only_gaps;
}

void cover(const FilePart& part, const Share& share, Coverage& coverage) {
  const WordRange range = words_of(part);
  coverage.resize(static_cast<std::size_t>(range.end - range.begin));
  for_each_call(share, [&](const Access& access, int call, std::int64_t) {
    for_each_piece(access.file, call_origin(access, call), [&](std::int64_t position, std::int64_t bytes) {
      const std::int64_t begin = std::max(position / kWordBytes, range.begin);
      const std::int64_t end = std::min((position + bytes) / kWordBytes, range.end);
      for (std::int64_t word = begin; word < end; ++word) coverage[static_cast<std::size_t>(word - range.begin)] = true;
    });
  });
}

void make_file(const std::string& path) { RawFile(path, O_WRONLY | O_CREAT | O_TRUNC); }

void write_part(const FilePart& part, std::uint32_t salt) {
  const RawFile file(part.path, O_WRONLY);
  for_each_window(part, salt, [&](std::int64_t word, Words& values) {
    file.move(Direction::kWrite, word * kWordBytes, bytes_of(values));
    return true;
  });
}

bool part_is_right(const FilePart& part, std::uint32_t salt, const Coverage& coverage) {
  const RawFile file(part.path, O_RDONLY);
  if (file.bytes() != part.file_bytes) return false;
  const std::int64_t first = words_of(part).begin;
  Words found;
  return for_each_window(part, salt, [&](std::int64_t word, Words& values) {
    for (std::size_t i = 0; !coverage.empty() && i < values.size(); ++i) {
      const std::int64_t number = word + static_cast<std::int64_t>(i);
      if (!coverage[static_cast<std::size_t>(number - first)]) values[i] = value_of(number, kUntouched);
    }
    found.resize(values.size());
    file.move(Direction::kRead, word * kWordBytes, bytes_of(found));
    return found == values;
  });
}

}  // namespace bench
