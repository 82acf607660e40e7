// Lists of hints on their way between sources and ranks: bytes, merging, comparing.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "hints/hint_set.h"

namespace weir::hints {

// `pairs` as bytes, for sending from rank to rank. Keys and values may hold any bytes.
std::vector<std::byte> encode(std::span<const Pair> pairs);

// What encode() made the bytes from. Fails with kInfo when they are anything else.
Result<Pairs> decode(std::span<const std::byte> bytes);

// `weak` without the hints that `strong` names (by whatever alias), followed by `strong`. The order
// of strength: ROMIO_HINTS file, then MPI_Info, then the command line.
Pairs merge(std::span<const Pair> weak, std::span<const Pair> strong);

// A hint that two ranks were given differently; no value where a rank was not given it.
struct Difference {
  std::string key;
  std::optional<std::string> rank0;
  std::optional<std::string> mine;

  bool operator==(const Difference&) const = default;
};

// The hints that differ, by canonical name, in the order they appear, rank 0's first. Two spellings
// of one value (4m, 4194304) do not differ; hints that are ignored anyway are left out; unknown
// keys are compared as they are.
std::vector<Difference> compare(std::span<const Pair> rank0, std::span<const Pair> mine);

// One line for a report, e.g. `hint cb_nodes differs between ranks: rank 0 has "4", this rank "8";
// rank 0's value is used`.
std::string sentence(const Difference& difference);

}  // namespace weir::hints
