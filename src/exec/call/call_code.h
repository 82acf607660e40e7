// CallCode: which function of the file chapter a rank is in, in four bytes that ranks tell each other.
#pragma once

#include <cstdint>
#include <string>

#include "base/extent.h"
#include "exec/independent/access.h"

namespace weir::exec {

// The functions that all ranks of a file call together.
enum class CallKind : std::uint8_t {
  kNone,
  kOpen,
  kAccess,
  kClose,
  kSync,
  kSetView,
  kSetInfo,
  kSetSize,
  kPreallocate,
  kSetAtomicity,
  kSeekShared,
  kInit,
};

struct CallCode {
  CallKind kind = CallKind::kNone;
  // Of an access.
  Direction direction = Direction::kRead;
  Positioning positioning = Positioning::kExplicit;
  Manner manner = Manner::kBlocking;

  bool operator==(const CallCode&) const = default;
};
static_assert(sizeof(CallCode) == 4);

CallCode call_of(const Access& access);

// Whether ranks in these two functions take the same steps. Where the standard asks for the same name, weir minds only
// what it cannot serve: direction, and a place in rank order.
bool match(CallCode a, CallCode b);
// A number for the steps that a rank takes: equal for functions that match.
std::int64_t steps_of(CallCode call);

// "MPI_File_write_at_all".
std::string name_of(CallCode call);

// The same of an access that may be one rank's alone: "MPI_File_write_at".
std::string name_of(const Access& access);

// As one number, for a word that processes share.
std::uint32_t pack(CallCode call);
CallCode unpack(std::uint32_t word);

}  // namespace weir::exec
