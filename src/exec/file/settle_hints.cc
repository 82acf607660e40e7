#include "exec/file/settle_hints.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>

#include "base/guarded.h"
#include "comm/agree.h"
#include "comm/collectives.h"
#include "hints/pairs.h"

namespace weir::exec {

namespace {

using hints::Pairs;

constexpr char kEffective = 'e';
constexpr char kInfo = 'i';
constexpr char kReport = 'r';

void append_marked(Pairs& message, char mark, const Pairs& pairs) {
  for (const hints::Pair& pair : pairs) message.emplace_back(mark + pair.first, pair.second);
}

Pairs take_marked(const Pairs& message, char mark) {
  Pairs pairs;
  for (const hints::Pair& pair : message) {
    if (pair.first[0] == mark) pairs.emplace_back(pair.first.substr(1), pair.second);
  }
  return pairs;
}

std::vector<std::byte> message_of(const HintSources& sources) {
  Pairs message;
  append_marked(message, kEffective, hints::merge(hints::merge(sources.file, sources.info), sources.command_line));
  append_marked(message, kInfo, sources.info);
  message.emplace_back(std::string(1, kReport), sources.report);
  return hints::encode(message);
}

// Whether the user should hear of it. PnetCDF puts its own hints into the info it passes on, and returns to weir what
// MPI_File_get_info gave it, the file name included.
bool worth_telling(const hints::Change& change) {
  if (change.outcome == hints::Outcome::kAccepted || change.id == hints::Id::kFilename) return false;
  return !change.key.starts_with("nc_") && !change.key.starts_with("pnetcdf_");
}

// What this rank makes of rank 0's message, and how its own info differs from rank 0's.
Status apply_message(std::span<const std::byte> bytes, const HintSources& mine, hints::When when, SettledHints& settled,
                     std::vector<hints::Difference>& differences) {
  Result<Pairs> message = hints::decode(bytes);
  if (!message.ok()) return message.status();
  settled.report = take_marked(message.value(), kReport).at(0).second;
  hints::Changes changes = hints::apply(settled.hints, take_marked(message.value(), kEffective), when);
  std::copy_if(changes.begin(), changes.end(), std::back_inserter(settled.not_followed), worth_telling);
  differences = hints::compare(take_marked(message.value(), kInfo), mine.info);
  return {};
}

// COLLECTIVE: of all ranks whose info differs from rank 0's, the lowest one tells. When some rank is not ready, all
// return its failure.
Status tell_differences(comm::Comm& comm, const Status& ready, std::span<const hints::Difference> differences,
                        std::vector<std::string>& notices) {
  constexpr auto kNobody = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kNotReady = -1;
  const std::int64_t teller_or_nobody = differences.empty() ? kNobody : comm.rank();
  Result<std::int64_t> teller = comm::all_min(comm, ready.ok() ? teller_or_nobody : kNotReady);
  if (!teller.ok()) return teller.status();
  if (teller.value() == kNotReady) return comm::agree(comm, ready);
  if (teller.value() != comm.rank()) return {};
  for (const hints::Difference& difference : differences) notices.push_back(hints::sentence(difference));
  return {};
}

}  // namespace

Result<SettledHints> settle_hints(comm::Comm& comm, const hints::HintSet& before, const HintSources& mine,
                                  hints::When when) {
  std::vector<std::byte> bytes;
  Status ready = mine.refused;
  if (comm.rank() == 0 && ready.ok()) {
    ready = guarded([&]() -> Status {
      bytes = message_of(mine);
      return {};
    });
  }
  Status status = comm::broadcast_sized(comm, 0, bytes);
  if (!status.ok()) return status;
  SettledHints settled{before, {}, {}, {}};
  std::vector<hints::Difference> differences;
  if (ready.ok() && !bytes.empty()) {
    ready = guarded([&] { return apply_message(bytes, mine, when, settled, differences); });
  }
  status = tell_differences(comm, ready, differences, settled.notices);
  if (!status.ok()) return status;
  if (comm.rank() != 0) return settled;
  settled.notices.insert(settled.notices.end(), mine.complaints.begin(), mine.complaints.end());
  for (const hints::Change& change : settled.not_followed) settled.notices.push_back(hints::sentence(change));
  return settled;
}

}  // namespace weir::exec
