#include "agent/agent_file.h"

#include <algorithm>

#include "comm/agree.h"
#include "comm/shared_memory.h"

namespace weir::agent {

using driver::IoOutcome;
using driver::IoRequest;

AgentFile::AgentFile(std::unique_ptr<driver::File> file, sys::Company* company, int ranks_on_node)
    : file_(std::move(file)),
      waiting_{company,
               {"a block that another rank of the node is about to store or fetch"},
               sys::looks_for(ranks_on_node)} {}

Status AgentFile::follow(comm::Comm& comm, const AgentSettings& wanted) {
  Status status = comm::agree(comm, store_all());
  if (!status.ok()) return status;
  on_.store(false, std::memory_order_release);
  if (!wanted.on) return {};
  if (!table_ || table_->shape() != wanted.shape) status = make_table(comm, wanted.shape);
  on_.store(status.ok(), std::memory_order_release);
  return status;
}

// The ranks agree before the first of them uses the new table: nobody is in the old one then.
Status AgentFile::make_table(comm::Comm& comm, const TableShape& shape) {
  table_.reset();
  Result<comm::SharedMemory> memory = comm::SharedMemory::create(comm, shape.bytes());
  if (!memory.ok()) return memory.status();
  table_ = std::make_unique<BlockTable>(std::make_shared<comm::SharedMemory>(std::move(memory).value()), shape, *file_,
                                        table_counters_, waiting_);
  return {};
}

// Whoever comes first stores for all; the others find nothing left to store.
Status AgentFile::store_all() {
  if (!on()) return {};
  return table_->take_failure(FailureNote::Audience::kAllRanks).or_else(table_->flush(true));
}

IoOutcome AgentFile::transfer(Direction direction, std::span<const IoRequest> requests) {
  if (!on()) return file_->transfer(direction, requests);
  Status failed = table_->take_failure(FailureNote::Audience::kNextCall);
  IoOutcome all{0, std::move(failed)};
  for (const IoRequest& request : requests) {
    if (!all.status.ok()) break;
    IoOutcome one = transfer_one(direction, request);
    all.bytes_moved += one.bytes_moved;
    all.status = std::move(one.status);
    if (one.bytes_moved < request.bytes) break;
  }
  return all;
}

// Block by block.
IoOutcome AgentFile::transfer_one(Direction direction, const IoRequest& request) {
  const std::int64_t block_bytes = table_->shape().block_bytes;
  IoOutcome all;
  while (all.bytes_moved < request.bytes) {
    const std::int64_t offset = request.offset + all.bytes_moved;
    const std::int64_t room = block_bytes - offset % block_bytes;
    const IoRequest part{offset, request.data + all.bytes_moved, std::min(room, request.bytes - all.bytes_moved)};
    IoOutcome one = table_->access(direction, part);
    all.bytes_moved += one.bytes_moved;
    all.status = std::move(one.status);
    if (!all.status.ok() || one.bytes_moved < part.bytes) break;
  }
  return all;
}

Result<std::int64_t> AgentFile::size() {
  Result<std::int64_t> bytes = file_->size();
  if (!bytes.ok() || !on()) return bytes;
  return std::max(bytes.value(), table_->end());
}

Status AgentFile::resize(std::int64_t bytes) {
  Status status = store_all();
  if (!status.ok()) return status;
  status = file_->resize(bytes);
  if (status.ok() && on()) table_->forget_end();
  return status;
}

Status AgentFile::preallocate(std::int64_t bytes) {
  Status status = store_all();
  return status.ok() ? file_->preallocate(bytes) : status;
}

Status AgentFile::sync() { return store_all().or_else(file_->sync()); }

Status AgentFile::close() { return store_all().or_else(file_->close()); }

}  // namespace weir::agent
