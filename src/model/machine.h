// MachineModel: what things cost on a machine. A plain value of numbers, which a file, a measurement or weir itself
// provides; plan::Machine says who is where on it.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "base/lock_protocol.h"

namespace weir::model {

// Times are in microseconds, rates in 10^6 bytes a second, which is as many bytes a microsecond.
struct Nodes {
  int count = 1;
  int ranks_per_node = 1;  // as the machine is commonly used
  int cores_per_node = 1;

  bool operator==(const Nodes&) const = default;
};

// Between nodes.
struct Network {
  double latency_us = 0;  // from one node to another, of a message without bytes
  double link_mb_s = 0;   // of a node, in each direction
  double core_mb_s = 0;   // that one core sends or receives, at most
  double send_us = 0;     // a message takes of its sender's core
  double receive_us = 0;  // and of its receiver's,
  double waiting_us = 0;  // and more for each message that waits there already

  bool operator==(const Network&) const = default;
};

// Inside a node.
struct Memory {
  double copy_mb_s = 0;       // by one core
  double node_copy_mb_s = 0;  // by all cores together
  double piece_us = 0;        // one more piece takes of whoever copies, beside its bytes
  double sleep_us = 0;        // a rank that is put to sleep and woken

  bool operator==(const Memory&) const = default;
};

struct Storage {
  bool behind_network = false;        // nodes have the same files
  int servers = 1;                    // that a file is spread over
  double server_mb_s = 0;             // of each
  double request_us = 0;              // a request takes of its server, beside its bytes
  double seek_us = 0;                 // and more where it does not follow the request before
  double latency_us = 0;              // from a node to a server and back
  double client_mb_s = 0;             // between a node and all servers
  double call_us = 0;                 // a system call takes of its caller
  double cache_mb_s = 0;              // between memory and page cache, by one core
  std::int64_t block_bytes = 1;       // of stripes, and what is locked at least
  std::int64_t read_ahead_bytes = 0;  // that are read on where access is sequential
  std::int64_t dirty_bytes = 0;       // that a node may keep back of what it wrote to a server

  bool operator==(const Storage&) const = default;
};

struct Locks {
  LockProtocol protocol = LockProtocol::kNone;
  double grant_us = 0;   // a lock that nobody holds: of who grants it, beside the way there
  double revoke_us = 0;  // calling one back from another node: the way there and back; dirty data come on top

  bool operator==(const Locks&) const = default;
};

struct MachineModel {
  Nodes nodes;
  Network network;
  Memory memory;
  Storage storage;
  Locks locks;

  bool operator==(const MachineModel&) const = default;
};

static_assert(std::is_trivially_copyable_v<MachineModel>, "ranks send it to each other as bytes");

// What is impossible in the model, naming the field; empty where nothing is.
std::string impossible(const MachineModel& machine);

}  // namespace weir::model
