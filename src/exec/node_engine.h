// NodeEngine: what the ranks of a communicator need to work together on a file, and keep for the next one: the memory
// that the ranks of a node share, the board they meet at, and the collective engine with its schedules.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "comm/board.h"
#include "comm/comm.h"
#include "comm/shared_memory.h"
#include "exec/collective.h"

namespace weir::exec {

struct NodeEngine {
  // What is set aside of a node's memory for the tables and the buffers of collective calls; taken as it is touched.
  // Calls that need more get it by messages.
  static constexpr std::int64_t kTableBytes = std::int64_t{16} << 20;
  static constexpr std::int64_t kBufferBytes = std::int64_t{63} << 20;

  std::shared_ptr<comm::SharedMemory> memory;  // null: ranks of a node share none
  std::shared_ptr<comm::Board> board;          // null: ranks on several nodes, or no memory
  std::unique_ptr<Collective> collective;

  // COLLECTIVE: all ranks get one, or the same failure. The comm uses the board from then on. Where memory cannot be
  // shared, the engine does without.
  static Result<std::unique_ptr<NodeEngine>> make(comm::Comm& comm);
};

// Engines of one communicator that no file uses at present. Files are opened and closed in the same order on all ranks,
// so that all take and give the same engine. LOCAL; thread-safe.
class EnginePool {
 public:
  std::unique_ptr<NodeEngine> take();  // null when there is none
  void give(std::unique_ptr<NodeEngine> engine);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<NodeEngine>> idle_;
};

}  // namespace weir::exec
