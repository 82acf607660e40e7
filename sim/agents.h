// Agents: data shipping. Every access of a rank goes through the I/O agent of its block: in memory on the agent's node,
// else by a message to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "hints/hint_set.h"
#include "sim/block_table.h"
#include "sim/rounds.h"

namespace weir::sim {

struct AgentShape {
  std::int64_t block_bytes = 0;  // 0: there are no agents
  std::int64_t blocks = 0;       // that a table holds; a node has two
};

// What the hints ask for, on several nodes: blocks of 16 of the file system's, or as many as let each rank of a node
// hold eight.
AgentShape agent_shape(const hints::HintSet& hints, std::int64_t block_bytes, int nodes, int ranks_per_node);

// All ranks are agents; blocks are bound to them in turn.
class Agents {
 public:
  Agents(const Stage& stage, AgentShape shape, int ranks, int nodes);

  void access(Direction direction, int rank, Extent piece, std::function<void()> done);
  // When no rank has anything left to do: what is gathered goes to its agents, then what these hold to the file.
  void flush();

 private:
  int agent_of(std::int64_t block) const { return static_cast<int>(block % ranks_); }
  void access_block(Direction direction, int rank, std::int64_t block, std::int64_t bytes, std::function<void()> done);
  void ask(int node, std::int64_t block, BlockTable::Written written, std::function<void()> done);
  void use_file(int node, Direction direction, std::int64_t block, BlockTable::Written written,
                std::function<void()> done);
  void on_taken(const Message& message);

  // A question to an agent, which is answered by a message of the same number.
  struct Question {
    int node = 0;
    std::int64_t block = 0;
    BlockTable::Written written;  // none: the block is asked for
    bool answered = false;
    std::function<void()> done;
  };

  Stage stage_;
  AgentShape shape_;
  int ranks_;
  std::vector<std::unique_ptr<BlockTable>> home_;  // of nodes
  std::vector<std::unique_ptr<BlockTable>> away_;
  std::unordered_map<std::int64_t, Question> questions_;
  std::int64_t asked_ = 0;
  std::size_t flushing_ = 0;
};

}  // namespace weir::sim
