// A machine with round numbers.
#pragma once

#include <limits>

#include "model/machine.h"

namespace weir::sim {

inline model::MachineModel toy_machine() {
  constexpr double kFast = std::numeric_limits<double>::infinity();
  model::MachineModel machine;
  machine.nodes = {.count = 64, .ranks_per_node = 4, .cores_per_node = 4};
  machine.network = {
      .latency_us = 10, .link_mb_s = 1000, .core_mb_s = kFast, .send_us = 2, .receive_us = 3, .waiting_us = 0};
  machine.memory = {.copy_mb_s = kFast, .node_copy_mb_s = kFast, .piece_us = 0, .sleep_us = 0};
  machine.storage.behind_network = true;
  machine.storage.servers = 4;
  machine.storage.server_mb_s = 100;
  machine.storage.request_us = 50;
  machine.storage.seek_us = 0;
  machine.storage.latency_us = 20;
  machine.storage.client_mb_s = kFast;
  machine.storage.call_us = 0;
  machine.storage.cache_mb_s = kFast;
  machine.storage.block_bytes = 1000;
  machine.storage.read_ahead_bytes = 0;
  machine.storage.dirty_bytes = 0;
  machine.locks = {.protocol = LockProtocol::kNone, .grant_us = 5, .revoke_us = 100};
  return machine;
}

}  // namespace weir::sim
