// AgentFile: a file whose bytes go through the I/O agents of its ranks.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "agent/binding.h"
#include "agent/block_table.h"
#include "agent/far_blocks.h"
#include "comm/comm.h"
#include "comm/line.h"
#include "comm/service.h"
#include "driver/file_driver.h"
#include "driver/passing_file.h"

namespace weir::agent {

// What the ranks of a file want of its agents. Equal on all ranks.
struct AgentSettings {
  bool on = false;
  TableShape shape = {};  // of each table; a node has two where there are several nodes
  Binding binding = {};   // REQUIRES agents where there are several nodes

  bool operator==(const AgentSettings&) const = default;
};

// Every file block has one agent. The agents of a node hold their blocks in one BlockTable, which the ranks of that
// node reach by themselves. What ranks of other nodes do to them is gathered in a second table of their node, and goes
// to the agents when all ranks meet, and block by block as it has to make room, in messages that a thread of the
// agent's rank answers. Locks of the first kind of table are held while the file is accessed, locks of the second while
// an agent is asked: nobody waits in a circle. Without a line nobody is asked between meetings: what has to make room
// goes to the file, far blocks are read from it, and so it has everything before ranks act for others.
//
// While the agents are off it passes everything on to the file it stands for. Transfers are thread-safe as File says.
//
// Bytes that were written are in the file after settle() and where agents are switched off; the ranks of the node can
// read them at once. Aggregators read and write for ranks of other nodes, and so use through(): whoever takes part in a
// collective access comes and goes by begin_together() and end_together(). A block that could not be stored before is
// told as FailureNote says.
class AgentFile final : public driver::PassingFile {
 public:
  // `comm` outlives it. `line` makes the ends of a line of its own for each rank; it may be empty.
  AgentFile(std::unique_ptr<driver::File> file, comm::Comm& comm, std::function<comm::Line()> line);
  ~AgentFile() override;

  // COLLECTIVE, and no access runs meanwhile: the agents do as the settings say from now on. The same outcome on all
  // ranks: where a block cannot be stored, nothing has changed; where there is no memory to share or no thread,
  // they are off.
  Status follow(const AgentSettings& wanted);
  // COLLECTIVE, and no access runs meanwhile: everything written is in the file, and nothing is held; then `then`, on
  // each rank. The same outcome on all ranks; `then` may have failed or have been left out.
  Status settle(const std::function<Status()>& then = {});
  // COLLECTIVE, instead of close(): settles, ends the services and closes. What could not be stored is lost, and the
  // failure says how many bytes.
  Status close_together();
  // The file as aggregators use it: what is far is asked of its agent at once, and nothing of it is held here.
  driver::File& through() { return through_; }
  // LOCAL, before a collective access: the agents have what was gathered for them, or the file everything, where they
  // cannot be asked. A failure changes nothing.
  Status begin_together();
  // LOCAL, after one: what is held of far blocks may be old. This rank has written bytes up to `written_end`, or none.
  void end_together(std::int64_t written_end);

  // LOCAL, instead of close(): stores what this node holds without the others, who may ask for blocks until they leave
  // too. stay() REQUIRED before destruction. Nothing of the comm is used any more.
  Status leave();
  // LOCAL, after leave(): returns when all ranks have left, and closes.
  Status stay();

  // As they were followed; off where they are.
  AgentSettings in_force() const { return on() ? settings_ : AgentSettings(); }
  bool serves() const { return service_ != nullptr; }  // other nodes
  // Whether agents of other nodes, where there are any, can be asked at any time.
  bool can_ask() const { return !away_ || asker_ != nullptr; }
  bool on() const { return on_.load(std::memory_order_acquire); }
  // Of this node's agents, as far as this rank acted: for its own program or, asked, for others.
  const TableCounters& home_counters() const { return home_counters_; }
  // Of what was gathered for agents of other nodes; blocks that are fetched and stored come from them and go to them.
  const TableCounters& away_counters() const { return away_counters_; }
  const ShipCounters& ship_counters() const { return ship_counters_; }

  driver::IoOutcome transfer(Direction direction, std::span<const driver::IoRequest> requests) override;
  std::int64_t prefetch(std::span<const Extent> ranges) override { return on() ? 0 : passed().prefetch(ranges); }
  Result<std::int64_t> size() override;
  // resize(), preallocate() and sync() REQUIRE that nothing is held, while agents are on.
  // REQUIRES that it serves nobody.
  Status close() override;

 private:
  class Through final : public driver::PassingFile {
   public:
    explicit Through(AgentFile& agents) : PassingFile(agents), agents_(agents) {}
    driver::IoOutcome transfer(Direction direction, std::span<const driver::IoRequest> requests) override {
      return agents_.transfer_by(direction, requests, true);
    }

   private:
    AgentFile& agents_;
  };

  bool several_nodes() const { return comm_.topology().node_count() > 1; }
  bool is_near(std::int64_t block) const;
  sys::Waiting waiting() const;  // for a block
  Status make(const AgentSettings& wanted);
  Status clear();
  Status make_tables();
  Status make_service();
  Status end_service();
  Status ship();
  Status store_own();
  driver::IoOutcome transfer_by(Direction direction, std::span<const driver::IoRequest> requests, bool through);
  driver::IoOutcome transfer_one(Direction direction, const driver::IoRequest& request, bool through);
  driver::IoOutcome access(Direction direction, const driver::IoRequest& request, bool through);
  driver::IoOutcome ask_agent(Direction direction, std::span<const driver::IoRequest> requests);
  Status take_failure(FailureNote::Audience audience);
  Status say_lost(Status failure);
  void forget_ends();

  std::unique_ptr<driver::File> file_;
  comm::Comm& comm_;
  const std::function<comm::Line()> line_;
  TableCounters home_counters_;
  TableCounters away_counters_;
  ShipCounters ship_counters_;
  AgentSettings settings_;              // that the tables were made for
  std::unique_ptr<comm::Asker> asker_;  // null on one node and without a line
  std::unique_ptr<FarBlocks> far_blocks_;
  std::unique_ptr<BlockTable> home_;  // the blocks of this node's agents; null until the agents were on
  std::unique_ptr<BlockTable> away_;  // what was done to blocks of other nodes' agents; null on one node
  std::unique_ptr<comm::Service> service_;
  std::atomic<bool> on_ = false;
  std::atomic<bool> gathered_ = false;  // this rank may have written to far blocks since all was settled
  Through through_{*this};
  std::atomic<bool> alone_ = false;  // has left: other nodes' agents are not asked any more
};

}  // namespace weir::agent
