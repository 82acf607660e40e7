// Capture: what a program asked of its files, without the data. docs/capture.md says what is in one.
//
// A value: the job's ranks, tables of what repeats (structures, hints, communicators, opens), and for each rank the
// calls it made, in order. Calls that differ only in their place, evenly, are one entry.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/access_words.h"
#include "base/extent.h"
#include "hints/hint_set.h"
#include "layout/layout.h"

namespace weir::capture {

enum class OpKind : std::uint8_t {
  kOpen,      // what: index into opens
  kSetView,   // what: structure of the file type, which begins at `first`; place: displacement in bytes
  kSetInfo,   // what: index into hints
  kAccess,    // what: structure of the memory; place: in etypes of the view, wherever the pointer was
  kEndSplit,  // the end of a split collective call
  kSync,
  kSetSize,       // place: bytes
  kPreallocate,   // place: bytes
  kSetAtomicity,  // place: 0 or 1
  kClose,
};
inline constexpr OpKind kLastOpKind = OpKind::kClose;

inline constexpr int kNothing = -1;

// `count` calls of one kind, one after the other; the i-th at place + i * step.
struct Op {
  OpKind kind = OpKind::kClose;
  Direction direction = Direction::kRead;  // of an access, as the next three
  Positioning positioning = Positioning::kExplicit;
  Manner manner = Manner::kBlocking;
  bool collective = false;
  int file = 0;         // which of the files that this rank has opened, counted from 0
  int what = kNothing;  // as the kind says; an access without bytes has kNothing
  std::int64_t place = 0;
  std::int64_t step = 0;
  std::int64_t count = 1;
  std::int64_t first = 0;        // offset of the structure's first byte; in memory, from its lowest one
  std::int64_t etype_bytes = 1;  // of a view, as the next
  std::int64_t extent = 0;
  std::int64_t before = 0;  // nanoseconds of all of them: outside, since the call before ended
  std::int64_t inside = 0;  // and in them

  bool operator==(const Op&) const = default;
};

enum ModeBit : std::uint8_t {
  kReads = 1,
  kWrites = 2,
  kCreates = 4,
  kExclusive = 8,
  kDeletesOnClose = 16,
  kUniqueOpen = 32,
  kSequential = 64,
  kAppends = 128,
};

struct Open {
  std::string path;             // as the program said it
  unsigned mode = 0;            // ModeBits
  int ranks = kNothing;         // index into groups
  int hints = kNothing;         // index into hints: those that the program gave
  std::int64_t size_bytes = 0;  // of the file right after the open

  bool operator==(const Open&) const = default;
};

using Group = std::vector<int>;  // ranks of the job, by their rank in a communicator

struct Capture {
  std::string made_by;                     // "weir 0.1.0"
  int ranks = 0;                           // of the job
  std::vector<layout::Layout> structures;  // each begins at 0
  std::vector<hints::Pairs> hints;
  std::vector<Group> groups;
  std::vector<Open> opens;
  std::vector<std::vector<Op>> programs;  // of each rank; of one, where a rank hands in its own

  bool operator==(const Capture&) const = default;
};

// Adds the program of the next rank, in which `one` has its only one, with what it needs of one's tables.
void join(Capture& all, const Capture& one);

// Adds a call to the end of a program; to its last entry where it goes on evenly.
void append(std::vector<Op>& program, const Op& op);

// The index of `value`, which is added where it is new.
template <typename T>
int number_of(std::vector<T>& table, const T& value) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i] == value) return static_cast<int>(i);
  }
  table.push_back(value);
  return static_cast<int>(table.size()) - 1;
}

}  // namespace weir::capture
