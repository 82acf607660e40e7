#include "compare/measured.h"

#include <unistd.h>

#include <filesystem>
#include <utility>

#include "compare/beffio.h"
#include "compare/groups.h"
#include "compare/programs.h"

namespace weir::tool::compare {

Result<std::vector<Group>> measured(const BenchOptions& options) {
  const auto hosts = find_hosts(options.mpis);
  if (!hosts.ok()) return hosts.status();
  Words left_out;
  const bool beffio = options.workloads == Words{kBeffio};
  const std::vector<Host> first = {hosts.value().front()};
  auto groups = beffio ? beffio_groups(options, first, left_out) : plan_groups(options, first, left_out);
  if (!groups.ok()) return groups.status();
  const auto data = Scratch::make(options.directory);
  if (!data.ok()) return data.status();
  const auto memory = Scratch::make(std::filesystem::temp_directory_path().string());
  if (!memory.ok()) return memory.status();
  const Places places{.data = data.value().path(), .private_directory = memory.value().path()};
  const StartOptions start{.launcher_words = {},
                           .keep_spinning = options.keep_spinning,
                           .cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))};
  Signals signals;
  const Session session{.start = start,
                        .directory = places.data,
                        .private_directory = places.private_directory,
                        .rounds = beffio ? 1 : options.rounds,
                        .timeout_seconds = beffio ? beffio_timeout(options) : options.timeout,
                        .keep = [] {}};
  measure(groups.value(), beffio ? beffio_program(options, start, places) : workload_program(options, start, places),
          session, signals);
  if (signals.stopped()) return cannot("stopped");
  return std::move(groups).value();
}

}  // namespace weir::tool::compare
