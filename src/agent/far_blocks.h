// FarBlocks: the blocks whose agents are on other nodes. Their bytes go there and come from there in messages; an agent
// answers from the blocks that its node holds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "agent/binding.h"
#include "agent/block_table.h"
#include "comm/service.h"
#include "driver/file_driver.h"

namespace weir::agent {

// What went between nodes, counted by whoever asked. Thread-safe.
struct ShipCounters {
  std::atomic<std::int64_t> questions = 0;  // and shipments
  std::atomic<std::int64_t> bytes = 0;      // of the file, there and back
};

// The asking side. Thread-safe.
class FarBlocks {
 public:
  // All outlive it.
  FarBlocks(comm::Asker& asker, const Binding& binding, std::int64_t block_bytes, ShipCounters& counters);

  // As driver::File::transfer(). REQUIRES that all requests are in one block.
  driver::IoOutcome transfer(Direction direction, std::span<const driver::IoRequest> requests);

 private:
  driver::IoOutcome read(int agent, std::span<const driver::IoRequest> requests);
  driver::IoOutcome write(int agent, std::span<const driver::IoRequest> requests);
  void count(std::int64_t bytes);

  comm::Asker& asker_;
  const Binding& binding_;
  const std::int64_t block_bytes_;
  ShipCounters& counters_;
};

// The agent's side: what a question of FarBlocks gets from the blocks of this node.
comm::Answer answer_from(BlockTable& table, const comm::Question& question, std::span<std::byte> payload,
                         std::span<std::byte> data);

}  // namespace weir::agent
