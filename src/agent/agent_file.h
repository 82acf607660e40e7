// AgentFile: a file whose bytes go through the I/O agents of its ranks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "agent/block_table.h"
#include "comm/comm.h"
#include "driver/file_driver.h"

namespace weir::agent {

// What the ranks of a file want of its agents. Equal on all ranks.
struct AgentSettings {
  bool on = false;
  TableShape shape = {};  // of each node's table

  bool operator==(const AgentSettings&) const = default;
};

// Every file block has one agent, and the agents of a node hold their blocks in one BlockTable. While the agents are
// off it passes everything on to the file it stands for. Transfers are thread-safe as File says.
//
// Bytes that were written are in the file after sync() and close() and where agents are switched off; they can be read
// here at once. A block that could not be stored before is told as FailureNote says.
class AgentFile final : public driver::File {
 public:
  // `company` outlives it.
  AgentFile(std::unique_ptr<driver::File> file, sys::Company* company, int ranks_on_node);

  // COLLECTIVE, and no access runs meanwhile: the agents do as the settings say from now on. REQUIRES one node. The
  // same outcome on all ranks: where a block cannot be stored, nothing has changed; where there is no memory to share,
  // they are off.
  Status follow(comm::Comm& comm, const AgentSettings& wanted);
  bool on() const { return on_.load(std::memory_order_acquire); }
  const TableCounters& table_counters() const { return table_counters_; }

  driver::IoOutcome transfer(Direction direction, std::span<const driver::IoRequest> requests) override;
  std::int64_t prefetch(std::span<const Extent> ranges) override { return on() ? 0 : file_->prefetch(ranges); }
  void release(std::span<const Extent> ranges) override { file_->release(ranges); }
  Result<std::int64_t> size() override;
  Status resize(std::int64_t bytes) override;
  Status preallocate(std::int64_t bytes) override;
  Status sync() override;
  Result<std::unique_ptr<driver::RangeLock>> lock(Extent range, driver::LockKind kind) override {
    return file_->lock(range, kind);
  }
  Result<bool> locked_by_other(Extent range) override { return file_->locked_by_other(range); }
  driver::Capabilities capabilities() const override { return file_->capabilities(); }
  driver::StorageLayout storage() const override { return file_->storage(); }
  driver::IoCounters counters() const override { return file_->counters(); }
  std::uint64_t identity() const override { return file_->identity(); }
  Status close() override;

 private:
  driver::IoOutcome transfer_one(Direction direction, const driver::IoRequest& request);
  Status store_all();
  Status make_table(comm::Comm& comm, const TableShape& shape);

  std::unique_ptr<driver::File> file_;
  const sys::Waiting waiting_;
  TableCounters table_counters_;
  std::unique_ptr<BlockTable> table_;  // null until the agents were on
  std::atomic<bool> on_ = false;
};

}  // namespace weir::agent
