// The words that programs are written in, as tables: the place in the table is the value of the enum.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace weir::programs {

inline constexpr std::array<std::string_view, 21> kStepWords = {
    "open",    "close",    "view",   "seek",     "seek_shared", "access", "join",
    "end",     "complete", "isend",  "irecv",    "send",        "recv",   "exchange",
    "barrier", "sync",     "settle", "set_size", "preallocate", "atomic", "ask"};
inline constexpr std::array<std::string_view, 4> kCommunicatorWords = {"world", "self", "dup", "split"};
inline constexpr std::array<std::string_view, 4> kViewWords = {"plain", "vector", "indexed", "subarray"};
inline constexpr std::array<std::string_view, 5> kMemoryWords = {"plain", "one", "vector", "tiles", "reversed"};
inline constexpr std::array<std::string_view, 4> kPointerWords = {"explicit", "individual", "shared", "ordered"};
inline constexpr std::array<std::string_view, 3> kMannerWords = {"blocking", "split", "nonblocking"};
inline constexpr std::array<std::string_view, 7> kWayWords = {"wait",     "backwards", "waitall", "waitany",
                                                              "waitsome", "test",      "testall"};
inline constexpr std::array<std::string_view, 3> kWhenceWords = {"set", "current", "end"};
inline constexpr std::array<std::string_view, 2> kDirectionWords = {"read", "write"};
inline constexpr std::array<std::string_view, 4> kLevelWords = {"single", "funneled", "serialized", "multiple"};
inline constexpr std::string_view kModeLetters = "rwcxdua";  // in the order of Mode's members

template <typename Words, typename Enum>
std::string_view word(const Words& words, Enum value) {
  return words[static_cast<std::size_t>(value)];
}

template <typename Enum, typename Words>
std::optional<Enum> find_word(const Words& words, std::string_view text) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == text) return static_cast<Enum>(i);
  }
  return {};
}

}  // namespace weir::programs
