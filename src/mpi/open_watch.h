// OpenWatch: says who waits in MPI_File_open when ranks of its communicator do not come.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "exec/call/watchdog.h"
#include "exec/file/settle_hints.h"
#include "sys/unique_fd.h"
#include "sys/waiting.h"

namespace weir::mpi {

// What the watchdog's hints say as far as this rank knows, before the ranks have settled them.
exec::WatchSettings watch_settings(const exec::HintSources& mine);

// One rank's, for the time before a file has a Watchdog: nothing is shared with the others yet. Ranks of a node see
// each other by the names of sockets that those make who wait; nobody connects to them, and they go with the call.
// The lowest rank of each node speaks.
class OpenWatch final : public sys::Company, public sys::Watch {
 public:
  struct Place {
    std::string path;
    int rank = 0;
    int ranks = 1;
  };
  OpenWatch(Place place, const exec::WatchSettings& settings, exec::Voice voice);
  OpenWatch(const OpenWatch&) = delete;
  OpenWatch& operator=(const OpenWatch&) = delete;

  sys::Watch* watch() const override { return const_cast<OpenWatch*>(this); }
  void still_waiting(const sys::Step& step, std::chrono::seconds waited) override;

 private:
  std::vector<int> ranks_waiting() const;
  void speak(const std::vector<int>& waiting, std::chrono::seconds waited) const;

  const Place place_;
  const exec::WatchSettings settings_;
  const exec::Voice voice_;
  std::string name_;  // of the sockets, but for the rank
  sys::UniqueFd socket_;
  bool told_ = false;
};

}  // namespace weir::mpi
