// Store: the servers of a file system, and what its clients, the nodes, keep of a file: locks, dirty data, read-ahead.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/extent.h"
#include "model/machine.h"
#include "sim/events.h"
#include "sim/grants.h"

namespace weir::sim {

// One access to the file by a rank.
struct FileAccess {
  Direction direction = Direction::kWrite;
  int rank = 0;
  int node = 0;
  std::vector<Extent> extents;  // a system call each, in this order
  // System calls more than those, where only a part of each extent is moved.
  std::int64_t more_calls = 0;
  std::int64_t bytes = 0;  // that are moved; those of all extents unless there are holes
};

struct StoreCounts {
  std::int64_t requests = 0;      // to servers
  std::int64_t asked = 0;         // locks that had to be asked for
  std::int64_t called_back = 0;   // of these, held by another node
  std::int64_t unused_bytes = 0;  // read ahead in vain
};

// Writing: an access goes through the blocks that it touches in order. For each it needs the lock, then the bytes are
// in the node's cache and are sent to the server in the background; the access goes on unless more than
// storage.dirty_bytes are on their way there. A lock that is called back is given up when its holder has written back
// what it wrote under it; a system call has all locks of what it writes before it writes any of it, and keeps them to
// its end, where servers grant them.
// Reading takes no locks: the requests of an access are under way together, and reading on runs ahead of it.
class Store {
 public:
  Store(const model::MachineModel& machine, int nodes, EventQueue& events);

  void access(const FileAccess& access, std::function<void()> done);
  // Reads the extent into the memory of a node, and says when it is there.
  void advise(int node, Extent bytes, std::function<void()> there);

  // When everything that was written is on the servers.
  Micros clean_at() const { return clean_at_; }
  const StoreCounts& counts() const { return counts_; }

 private:
  // What an access touches of one block.
  struct Part {
    Extent bytes;
    bool first = false;  // of a system call
  };
  struct Operation {
    FileAccess access;
    std::vector<Part> parts;
    std::size_t next = 0;
    std::vector<GrantPtr> held = {};  // for the system call that is under way
    double filled = 1;                // the share of each part that is moved
    std::int64_t runs_of_part = 1;    // in which it is moved
    std::function<void()> done;
  };
  using OperationPtr = std::shared_ptr<Operation>;
  using BlocksPtr = std::shared_ptr<std::vector<std::int64_t>>;
  struct Server {
    Micros free = 0;
    Micros lock_free = 0;
    std::deque<std::int64_t> ends;  // of the last requests, in the server's own bytes
  };
  struct Pending {
    Micros until;
    std::int64_t bytes;
  };
  struct Dirty {
    std::deque<Pending> writes;
    std::int64_t bytes = 0;
    Micros until = 0;
  };
  struct Writer {
    int node = 0;
    Micros until = 0;
  };
  struct Reader {
    std::int64_t next = -1;   // where sequential access would go on
    std::int64_t window = 0;  // bytes to read ahead
    Extent ahead;             // read ahead already
    Micros ahead_at = 0;
  };
  struct Request {
    int node;
    Extent bytes;
    std::int64_t moved;
    std::int64_t runs;
  };

  void use_local(const OperationPtr& operation);
  void next_part(const OperationPtr& operation);
  void lock_call(const OperationPtr& operation);
  void lock_next(const OperationPtr& operation, const BlocksPtr& blocks, std::size_t next);
  void leave_call(const OperationPtr& operation);
  Taken take(const OperationPtr& operation, std::int64_t block);
  // Calls `have` when the operation's node may write the block.
  void ask(const OperationPtr& operation, std::int64_t block, std::function<void()> have);
  void decide(const OperationPtr& operation, std::int64_t block, const std::function<void()>& have);
  void call_back(const Taken& taken, std::int64_t block);
  void write_part(const OperationPtr& operation);
  void read_all(const OperationPtr& operation);
  void read_ahead(const OperationPtr& operation, Extent last);

  // When the server has done it, if it leaves its node now or then.
  Micros request(const Request& request, Micros from);
  Micros fetch(int node, Extent bytes);
  Micros room_at(Dirty& dirty) const;

  std::int64_t block_of(const Part& part) const { return part.bytes.begin / machine_.storage.block_bytes; }
  int server_of(std::int64_t block) const { return static_cast<int>(block % machine_.storage.servers); }
  Dirty& dirty_of(int node, int server);
  GrantTable& table_of(std::int64_t block);
  std::int64_t lock_number(std::int64_t block) const;

  model::MachineModel machine_;
  EventQueue& events_;
  std::vector<Server> servers_;
  std::vector<std::unique_ptr<GrantTable>> tables_;   // of each server, or of the file
  std::vector<Micros> client_free_;                   // of nodes
  std::vector<Dirty> dirty_;                          // of nodes and servers
  std::unordered_map<std::int64_t, Writer> writers_;  // of blocks, last
  std::unordered_map<int, Reader> readers_;           // of ranks
  Micros file_free_ = 0;                              // a local file takes one write at a time
  Micros clean_at_ = 0;
  StoreCounts counts_;
};

}  // namespace weir::sim
