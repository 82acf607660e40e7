#include "exec/file/storage_hints.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "driver/systems/registry.h"

namespace weir::exec {

namespace {

using hints::Id;

struct StripingHint {
  Id id;
  std::optional<std::int64_t> found;
};

std::array<StripingHint, 3> striping_hints(const driver::Striping& striping) {
  std::array<StripingHint, 3> found = {{{Id::kStripingFactor, {}}, {Id::kStripingUnit, {}}, {Id::kStartIodevice, {}}}};
  if (striping.servers > 0) found[0].found = striping.servers;
  if (striping.unit_bytes > 0) found[1].found = striping.unit_bytes;
  if (striping.first_server >= 0) found[2].found = striping.first_server;
  return found;
}

// The name of the driver that somebody wants: a hint wins over a prefix of the path. Empty: nobody does.
std::string driver_asked(const OpenArguments& arguments) {
  const std::string& hint = arguments.hints.text(Id::kWeirDriver);
  return hint == "auto" ? arguments.prefix : hint;
}

}  // namespace

void wish_storage(const OpenArguments& arguments, const comm::Comm& comm, driver::OpenMode& mode) {
  const hints::HintSet& hints = arguments.hints;
  mode.forced = driver::find_file_system(driver_asked(arguments));
  driver::StripingWish& wish = mode.striping;
  wish.asked.unit_bytes = hints.integer(Id::kStripingUnit);
  wish.asked.servers = static_cast<int>(hints.integer(Id::kStripingFactor));
  if (hints.has(Id::kStartIodevice)) wish.asked.first_server = static_cast<int>(hints.integer(Id::kStartIodevice));
  wish.sharers = {comm.size(), comm.topology().node_count()};
  wish.choose = hints.choice<hints::ChooseStriping>(Id::kWeirStriping) == hints::ChooseStriping::kAuto;
}

void settle_striping(hints::HintSet& hints, const driver::Striping& striping) {
  for (const StripingHint& hint : striping_hints(striping)) {
    hints.assign(hint.id, hints::default_value(hints::row(hint.id)));
    if (hint.found) hints.set(hint.id, fmt::format("{}", *hint.found)).ignore();  // larger ones than users may give
  }
}

hints::Changes unfulfilled_wishes(const OpenArguments& arguments, const driver::StorageLayout& storage) {
  hints::Changes changes;
  const std::string asked = driver_asked(arguments);
  const driver::FileSystem* forced = driver::find_file_system(asked);
  const bool serves = asked.empty() || (forced != nullptr && forced->name == storage.driver);
  if (!serves) {
    changes.push_back({"weir_driver", asked, Id::kWeirDriver, hints::Outcome::kAdjusted,
                       fmt::format("{}; the file is on {}, which driver {} serves",
                                   forced == nullptr ? "there is no such driver" : "that is for other file systems",
                                   storage.file_system, storage.driver)});
  }
  const bool told = !storage.striping_refused.empty();
  const std::string reason = told ? storage.striping_refused : "as the file system has it";
  for (const StripingHint& hint : striping_hints(storage.striping())) {
    const hints::HintSet& hints = arguments.hints;
    if (!hints.has(hint.id) || hint.found == hints.integer(hint.id)) continue;
    changes.push_back(
        {std::string(hints::row(hint.id).name), hints.text(hint.id), hint.id, hints::Outcome::kAdjusted,
         hint.found ? fmt::format("{} used: {}", *hint.found, reason) : fmt::format("none known: {}", reason)});
  }
  return changes;
}

}  // namespace weir::exec
