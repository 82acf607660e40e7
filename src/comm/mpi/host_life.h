// HostLife: what of the host is alive in this process: the world (MPI_Init to MPI_Finalize), and sessions.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <mutex>

#include "comm/mpi/host.h"

namespace weir::comm {

// LOCAL; thread-safe.
class HostLife {
 public:
  // The one of this process. Never destroyed: helper threads and the host may call in until the process is gone.
  static HostLife& get();

  // `level` is the thread level that the host gives.
  void world_began(int level);
  void world_ended();
  void session_began(host::Session session, int level);
  // Before the host ends it. Whether nothing else is alive.
  bool last_alive(host::Session session);
  void session_ended(host::Session session);

  // Whether MPI_COMM_WORLD and MPI_COMM_SELF may be used.
  bool world();
  // The lowest thread level of all that is alive: what weir's threads may do wherever a communicator comes from.
  int level();
  bool sessions_alive();
  // Whether the process has ever had a session. Its communicators must go before it does, and none tells where it
  // comes from.
  bool sessions_used() const { return sessions_used_.load(); }
  // Grows when the last of all that was alive ends: whatever was made in the host before is gone with it.
  unsigned epoch() const { return epoch_.load(); }

 private:
  HostLife() = default;
  void add(int level);     // REQUIRES mutex_ held
  void remove(int level);  // REQUIRES mutex_ held
  bool known() const { return level_.load(std::memory_order_relaxed) >= 0; }

  static constexpr int kNothing = -1;  // is alive, as far as weir has seen
  std::atomic<int> level_ = kNothing;  // the lowest
  std::atomic<unsigned> epoch_ = 0;
  std::atomic<bool> sessions_used_ = false;
  std::atomic<int> world_level_ = kNothing;
  std::mutex mutex_;
  std::array<int, 4> alive_ = {};          // by place of the level, the lowest first; guarded
  std::map<host::Session, int> sessions_;  // and their levels; guarded
};

}  // namespace weir::comm
