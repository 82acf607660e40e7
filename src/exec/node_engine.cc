#include "exec/node_engine.h"

#include <sys/random.h>

#include <algorithm>
#include <cstdint>

#include "comm/collectives.h"
#include "exec/share_group.h"

namespace weir::exec {

namespace {

// Programs with many files open at a time are not served all of their memory for ever.
constexpr std::size_t kMostIdle = 2;

// Where things lie in the memory that the ranks of a node share; the same on all nodes. The word of a shared file
// pointer comes first.
struct NodeBlock {
  static constexpr std::size_t kPointerBytes = 64;
  static constexpr std::size_t kTableBytes = NodeEngine::kTableBytes;
  static constexpr std::size_t kBufferBytes = NodeEngine::kBufferBytes;
  static constexpr std::size_t kPage = 4096;
  std::size_t rings_begin = 0;
  std::size_t tables_begin = 0;

  explicit NodeBlock(const comm::Comm& comm) {
    const comm::Topology& topology = comm.topology();
    std::size_t most_ranks = 0;
    for (int node = 0; node < topology.node_count(); ++node) {
      most_ranks = std::max(most_ranks, topology.ranks_of(node).size());
    }
    const bool has_board = topology.node_count() == 1;
    rings_begin = kPointerBytes + (has_board ? comm::Board::bytes_for(comm.size()) : 0);
    tables_begin = (rings_begin + ShareGroup::word_bytes_for(most_ranks) + kPage - 1) / kPage * kPage;
  }
  std::size_t buffers_begin() const { return tables_begin + kTableBytes; }
  std::size_t total_bytes() const { return buffers_begin() + kBufferBytes; }
};

std::shared_ptr<comm::SharedMemory> share_memory(comm::Comm& comm, const NodeBlock& block) {
  if (comm.size() > 1 && comm.topology().node_count() == comm.size()) return nullptr;
  auto created = comm::SharedMemory::create(comm, block.total_bytes());
  if (!created.ok()) return nullptr;
  return std::make_shared<comm::SharedMemory>(std::move(created).value());
}

std::unique_ptr<ShareGroup> group_in(const std::shared_ptr<comm::SharedMemory>& memory, const comm::Comm& comm,
                                     const NodeBlock& block) {
  const comm::Topology& topology = comm.topology();
  auto group = std::make_unique<ShareGroup>(topology.ranks_of(topology.node_of[static_cast<std::size_t>(comm.rank())]),
                                            memory, memory->bytes().data() + block.rings_begin);
  group->tables().begin_with(memory->bytes().subspan(block.tables_begin, NodeBlock::kTableBytes));
  group->buffers().begin_with(memory->bytes().subspan(block.buffers_begin(), NodeBlock::kBufferBytes));
  return group;
}

}  // namespace

Result<std::unique_ptr<NodeEngine>> NodeEngine::make(comm::Comm& comm) {
  auto engine = std::make_unique<NodeEngine>();
  const NodeBlock block(comm);
  engine->memory = share_memory(comm, block);
  std::unique_ptr<ShareGroup> group;
  if (engine->memory) {
    group = group_in(engine->memory, comm, block);
    if (comm.topology().node_count() == 1) {
      engine->board = std::make_shared<comm::Board>(engine->memory, NodeBlock::kPointerBytes, comm.rank(), comm.size());
      comm.use_board(engine->board);
    }
  }
  std::uint64_t seed = 0;
  if (comm.rank() == 0 && getrandom(&seed, sizeof(seed), 0) != sizeof(seed)) seed = 0;
  Status status = comm::broadcast_value(comm, 0, seed);
  if (!status.ok()) return status;
  engine->collective = std::make_unique<Collective>(comm.rank(), std::move(group), seed);
  return engine;
}

std::unique_ptr<NodeEngine> EnginePool::take() {
  std::scoped_lock lock(mutex_);
  if (idle_.empty()) return nullptr;
  std::unique_ptr<NodeEngine> engine = std::move(idle_.back());
  idle_.pop_back();
  return engine;
}

void EnginePool::give(std::unique_ptr<NodeEngine> engine) {
  std::scoped_lock lock(mutex_);
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(engine));
}

}  // namespace weir::exec
