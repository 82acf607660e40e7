// HintSet: the values of all hints of one file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "hints/table.h"
#include "hints/value.h"

namespace weir::hints {

using Pair = std::pair<std::string, std::string>;  // key, value
using Pairs = std::vector<Pair>;

// A value; starts with every hint at its default. See apply() for how users change it.
class HintSet {
 public:
  HintSet();

  // False when nobody gave a value and there is no default: weir decides.
  bool has(Id id) const { return !at(id).text.empty(); }

  // REQUIRES type kBytes, kCount or kOctal. 0 when it has no value.
  std::int64_t integer(Id id) const { return at(id).number; }

  // REQUIRES type kBoolean. False when it has no value.
  bool boolean(Id id) const { return at(id).number != 0; }

  // REQUIRES type kWord, and that E is the enum that table.h names for this hint.
  template <typename E>
  E choice(Id id) const {
    return static_cast<E>(at(id).number);
  }

  // The value as MPI_File_get_info returns it; empty when it has none.
  const std::string& text(Id id) const { return at(id).text; }

  // For weir itself: gives a hint the value it found or chose (filename, cb_nodes, striping_unit,
  // ...), also one that users may not set. Fails with kInfo, and changes nothing, when `value` is
  // not one of the hint's or had to be adjusted.
  Status set(Id id, std::string_view value);

  // Puts `value` in. REQUIRES that parse() or default_value() of this hint's row made it.
  void assign(Id id, Value value);

  // Notes that the user called hint `id` by `alias`, so that describe() answers to that name too.
  // Does nothing when `alias` is not one of the row's aliases.
  void remember_alias(Id id, std::string_view alias);

  // Whether hints that only a switchable file takes later may change: MPI_File_open was told so.
  bool switchable() const { return switchable_; }
  void make_switchable() { switchable_ = true; }

  // The same values, called by the same names.
  bool operator==(const HintSet&) const = default;

  // Of the values alone: equal on all ranks and in all runs for equal values.
  std::uint64_t hash() const;

  // What MPI_File_get_info returns: each hint that has a value and is not ignored, under its
  // canonical name in the table's order, each followed by the aliases the user called it by. Values
  // longer than `longest_value` characters are left out, not cut.
  Pairs describe(std::size_t longest_value = kShortestValueLimit) const;

 private:
  const Value& at(Id id) const { return values_[static_cast<std::size_t>(id)]; }

  std::array<Value, kHintCount> values_;
  std::vector<std::pair<Id, std::string_view>> aliases_;  // sorted, views into the table
  bool switchable_ = false;
};

// Same as hints.describe().
inline Pairs describe(const HintSet& hints) { return hints.describe(); }

}  // namespace weir::hints
