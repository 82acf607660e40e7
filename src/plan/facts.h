// Facts and wishes: all that planning knows beside the ranks' summaries. Equal on all ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/extent.h"
#include "base/lock_protocol.h"
#include "model/machine.h"
#include "plan/access_method.h"
#include "plan/aggregators.h"
#include "plan/domains.h"

namespace weir::plan {

struct Storage {
  std::int64_t lock_bytes = 4096;  // granularity at which writers disturb each other
  int servers = 1;
  LockProtocol protocol = LockProtocol::kNone;
  bool network = false;  // other nodes may have the file open too

  bool operator==(const Storage&) const = default;
};

struct Machine {
  std::vector<int> node_of;        // of each rank
  std::vector<int> sharing_of;     // of each rank: ranks with the same number share memory
  std::vector<int> most_per_node;  // aggregators a node may hold, or kAnyNumber
  int cores_per_node = 1;

  int ranks() const { return static_cast<int>(node_of.size()); }
  int nodes() const { return static_cast<int>(most_per_node.size()); }
  bool shares_memory() const;  // some ranks share memory with others

  // All ranks on one node.
  static Machine one_node(int ranks);
  // Nodes filled one after the other, each with as many ranks; the last one may have fewer.
  static Machine evenly(int ranks, int ranks_per_node);

  bool operator==(const Machine&) const = default;
};

enum class Method : std::uint8_t {
  kNothing,      // no rank has bytes to move, or a rank's arguments were refused
  kIndependent,  // every rank reaches the file for itself
  kTwoPhase,     // aggregators reach the file for all
};

const char* name(Method method);

enum class Exchange : std::uint8_t {
  kShared,    // through memory inside a node, by local aggregators' messages between nodes
  kDirect,    // every rank sends its own messages to every aggregator
  kPairwise,  // trades of halves between partners, in as many phases as the number of ranks has binary digits
};

const char* name(Exchange exchange);

// Whether the requests of the ranks that a local aggregator serves become one before they leave the node.
enum class Merging : std::uint8_t {
  kOff,
  kTry,  // where counting pieces shows that it pays
  kOn,
};

const char* name(Merging merging);

// What hints force. Empty: planning decides.
struct Wishes {
  std::optional<Method> method;
  std::optional<DomainKind> domains;
  std::optional<int> aggregators;
  std::optional<int> local_aggregators;
  std::optional<Exchange> exchange;
  std::optional<bool> merging;
  std::optional<bool> sparse;
  std::int64_t most_window_bytes = 16 << 20;
  bool window_asked = false;  // that number of bytes, by hint
  std::optional<int> depth;
  std::int64_t max_acc = 0;             // of Prefetch
  std::vector<std::string> unreadable;  // wishes that could not be understood

  bool operator==(const Wishes&) const = default;
};

struct Facts {
  Direction direction = Direction::kRead;
  bool atomic = false;
  Machine machine;
  Storage storage;
  Wishes wishes;
  std::optional<model::MachineModel> model = {};  // of the machine, where somebody gave one

  bool operator==(const Facts&) const = default;
};

}  // namespace weir::plan
