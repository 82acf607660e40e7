#include "exec/call/call_code.h"

#include <bit>
#include <string_view>

namespace weir::exec {

namespace {

std::string_view suffix_of(Positioning positioning) {
  switch (positioning) {
    case Positioning::kExplicit: return "_at_all";
    case Positioning::kIndividual: return "_all";
    case Positioning::kShared: return "_shared";
    case Positioning::kOrdered: break;
  }
  return "_ordered";
}

std::string access_name(CallCode call) {
  std::string name = call.manner == Manner::kPersistent ? "MPIX_File_" : "MPI_File_";
  if (call.manner == Manner::kNonblocking) name += "i";
  name += call.direction == Direction::kRead ? "read" : "write";
  name += suffix_of(call.positioning);
  if (call.manner == Manner::kSplit) name += "_begin";
  return name;
}

}  // namespace

CallCode call_of(const Access& access) {
  return {CallKind::kAccess, access.direction, access.positioning, access.manner};
}

std::int64_t steps_of(CallCode call) {
  const std::int64_t kind = 4 * static_cast<std::int64_t>(call.kind);
  if (call.kind != CallKind::kAccess) return kind;
  return kind + (call.direction == Direction::kRead ? 0 : 2) + (call.positioning == Positioning::kOrdered ? 1 : 0);
}

bool match(CallCode a, CallCode b) { return steps_of(a) == steps_of(b); }

std::string name_of(CallCode call) {
  switch (call.kind) {
    case CallKind::kOpen: return "MPI_File_open";
    case CallKind::kAccess: return access_name(call);
    case CallKind::kClose: return "MPI_File_close";
    case CallKind::kSync: return "MPI_File_sync";
    case CallKind::kSetView: return "MPI_File_set_view";
    case CallKind::kSetInfo: return "MPI_File_set_info";
    case CallKind::kSetSize: return "MPI_File_set_size";
    case CallKind::kPreallocate: return "MPI_File_preallocate";
    case CallKind::kSetAtomicity: return "MPI_File_set_atomicity";
    case CallKind::kSeekShared: return "MPI_File_seek_shared";
    case CallKind::kInit: return "MPIX_File_*_init";
    case CallKind::kNone: break;
  }
  return "no call";
}

std::string name_of(const Access& access) {
  constexpr std::string_view kTogether = "_all";
  std::string name = name_of(call_of(access));
  if (!access.collective && name.ends_with(kTogether)) name.resize(name.size() - kTogether.size());
  return name;
}

std::uint32_t pack(CallCode call) { return std::bit_cast<std::uint32_t>(call); }
CallCode unpack(std::uint32_t word) { return std::bit_cast<CallCode>(word); }

}  // namespace weir::exec
