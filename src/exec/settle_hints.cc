#include "exec/settle_hints.h"

#include <algorithm>
#include <iterator>
#include <limits>

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

// Of all ranks whose info differs from rank 0's, the lowest one tells.
Status tell_differences(comm::Comm& comm, const Pairs& rank0, const Pairs& mine, std::vector<std::string>& notices) {
  std::vector<hints::Difference> differences = hints::compare(rank0, mine);
  constexpr auto kNobody = std::numeric_limits<std::int64_t>::max();
  Result<std::int64_t> teller = comm::all_min(comm, differences.empty() ? kNobody : comm.rank());
  if (!teller.ok()) return teller.status();
  if (teller.value() != comm.rank()) return {};
  for (const hints::Difference& difference : differences) notices.push_back(hints::sentence(difference));
  return {};
}

}  // namespace

Result<SettledHints> settle_hints(comm::Comm& comm, const hints::HintSet& before, const HintSources& mine,
                                  hints::When when) {
  std::vector<std::byte> bytes;
  if (comm.rank() == 0) bytes = message_of(mine);
  Status status = comm::broadcast_sized(comm, 0, bytes);
  if (!status.ok()) return status;
  Result<Pairs> message = hints::decode(bytes);
  if (!message.ok()) return message.status();

  SettledHints settled{before, take_marked(message.value(), kReport).at(0).second, {}, {}};
  hints::Changes changes = hints::apply(settled.hints, take_marked(message.value(), kEffective), when);
  std::copy_if(changes.begin(), changes.end(), std::back_inserter(settled.not_followed), worth_telling);
  status = tell_differences(comm, take_marked(message.value(), kInfo), mine.info, settled.notices);
  if (!status.ok()) return status;
  if (comm.rank() != 0) return settled;
  settled.notices.insert(settled.notices.end(), mine.complaints.begin(), mine.complaints.end());
  for (const hints::Change& change : settled.not_followed) settled.notices.push_back(hints::sentence(change));
  return settled;
}

}  // namespace weir::exec
