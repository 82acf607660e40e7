// What the tests of workloads have in common: shares as plain lists of pieces.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "workloads/pieces.h"
#include "workloads/workload.h"

namespace bench {

// Position and length in bytes.
using Piece = std::pair<std::int64_t, std::int64_t>;

// The settled workload; an empty one, with a failure, if it is refused.
inline Settled settled(const std::string& text, int ranks, std::int64_t bytes) {
  const auto spec = parse_spec(text);
  EXPECT_TRUE(spec.ok()) << spec.status().text();
  if (!spec.ok()) return {};
  const auto result = settle(spec.value(), {.ranks = ranks, .bytes = bytes});
  EXPECT_TRUE(result.ok()) << result.status().text();
  return result.ok() ? result.value() : Settled{};
}

// Why the workload is refused; empty, with a failure, if it is not.
inline std::string refusal(const std::string& text, int ranks, std::int64_t bytes) {
  const auto spec = parse_spec(text);
  if (!spec.ok()) return spec.status().text();
  const weir::Status status = check(spec.value(), {.ranks = ranks, .bytes = bytes});
  EXPECT_FALSE(status.ok()) << text;
  return status.text();
}

// Adds a piece; joined with the last one where they touch.
inline void add_piece(std::vector<Piece>& pieces, std::int64_t position, std::int64_t bytes) {
  if (!pieces.empty() && pieces.back().first + pieces.back().second == position) {
    pieces.back().second += bytes;
  } else {
    pieces.emplace_back(position, bytes);
  }
}

// The pieces of one call in the file, in the order of the calls' memory, joined where they touch.
inline std::vector<Piece> pieces_in_file(const Access& access, int call) {
  std::vector<Piece> pieces;
  for_each_piece(access.file, call_origin(access, call),
                 [&](std::int64_t position, std::int64_t bytes) { add_piece(pieces, position, bytes); });
  return pieces;
}

// The pieces of all calls, one after another.
inline std::vector<Piece> pieces_in_file(const Share& share) {
  std::vector<Piece> pieces;
  for_each_call(share, [&](const Access& access, int call, std::int64_t) {
    for (const Piece& piece : pieces_in_file(access, call)) pieces.push_back(piece);
  });
  return pieces;
}

}  // namespace bench
