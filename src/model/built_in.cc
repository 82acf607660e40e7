#include "model/built_in.h"

#include <cstdint>

namespace weir::model {

namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMiB = 1024 * kKiB;

// The numbers of the shipped model `local`, which says where they are from; a test compares the two.
constexpr MachineModel kLocal = {
    .nodes = {.count = 1, .ranks_per_node = 4, .cores_per_node = 2},
    .network =
        {.latency_us = 30, .link_mb_s = 1000, .core_mb_s = 1000, .send_us = 1, .receive_us = 1, .waiting_us = 0.001},
    .memory = {.copy_mb_s = 8000, .node_copy_mb_s = 16000, .piece_us = 0.004, .sleep_us = 5},
    .storage = {.behind_network = false,
                .servers = 1,
                .server_mb_s = 4000,
                .request_us = 0,
                .seek_us = 0,
                .latency_us = 0,
                .client_mb_s = 4000,
                .call_us = 0.7,
                .cache_mb_s = 4000,
                .block_bytes = 4096,
                .read_ahead_bytes = 128 * kKiB,
                .dirty_bytes = 1024 * kMiB},
    .locks = {},
};

// Assumed, and cautious: servers that answer in 200 us, and four of which fill four clients' links.
constexpr Storage kServers = {
    .behind_network = true,
    .servers = 4,
    .server_mb_s = 1000,
    .request_us = 20,
    .seek_us = 100,
    .latency_us = 180,
    .client_mb_s = 1000,
    .call_us = 0.7,
    .cache_mb_s = 2000,
    .block_bytes = kMiB,
    .read_ahead_bytes = 4 * kMiB,
    .dirty_bytes = 32 * kMiB,
};
constexpr Locks kServerLocks = {.protocol = LockProtocol::kServer, .grant_us = 20, .revoke_us = 500};
constexpr Locks kTokens = {.protocol = LockProtocol::kToken, .grant_us = 50, .revoke_us = 1000};

}  // namespace

MachineModel built_in(bool behind_network, LockProtocol protocol) {
  MachineModel machine = kLocal;
  if (behind_network) machine.storage = kServers;
  if (protocol == LockProtocol::kServer) machine.locks = kServerLocks;
  if (protocol == LockProtocol::kToken) machine.locks = kTokens;
  return machine;
}

}  // namespace weir::model
