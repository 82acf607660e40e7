#include "exec/file/node_engine.h"

#include <sys/random.h>

#include <algorithm>
#include <cstdint>

#include "base/bytes.h"
#include "comm/collectives.h"
#include "exec/stage/share_group.h"

namespace weir::exec {

namespace {

// Where things lie in the memory that the ranks of a node share; the same on all nodes. The word of a shared file
// pointer comes first.
struct NodeBlock {
  static constexpr std::size_t kPointerBytes = 64;
  static constexpr std::size_t kTableBytes = NodeEngine::kTableBytes;
  static constexpr std::size_t kBufferBytes = NodeEngine::kBufferBytes;
  static constexpr std::size_t kPage = 4096;
  std::size_t presence_begin = 0;
  std::size_t rings_begin = 0;
  std::size_t tables_begin = 0;

  explicit NodeBlock(const comm::Comm& comm) {
    const comm::Topology& topology = comm.topology();
    const std::size_t most_ranks = topology.largest_node();
    presence_begin = kPointerBytes + comm::Board::bytes_for(topology);
    rings_begin = presence_begin + PresenceBoard::bytes_for(most_ranks);
    tables_begin = round_up(rings_begin + ShareGroup::word_bytes_for(most_ranks), kPage);
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
  auto group = std::make_unique<ShareGroup>(topology.ranks_beside(comm.rank()), memory,
                                            memory->bytes().data() + block.rings_begin);
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
    engine->presence = PresenceBoard::in(engine->memory->bytes().data() + block.presence_begin, group->ranks().size());
    engine->board =
        std::make_shared<comm::Board>(engine->memory, NodeBlock::kPointerBytes, comm.topology(), comm.rank());
    comm.use_board(engine->board);
  }
  std::uint64_t seed = 0;
  if (comm.rank() == 0 && getrandom(&seed, sizeof(seed), 0) != sizeof(seed)) seed = 0;
  Status status = comm::broadcast_value(comm, 0, seed);
  if (!status.ok()) return status;
  engine->collective = std::make_unique<Collective>(comm.rank(), std::move(group), seed);
  return engine;
}

EnginePool::Choice EnginePool::choose() {
  std::scoped_lock lock(mutex_);
  for (int place = 0; place < kPlaces; ++place) {
    Place& candidate = at(place);
    if (candidate.chosen || (candidate.made && !candidate.engine)) continue;
    candidate.chosen = true;
    return {place, !candidate.made};
  }
  return {};
}

EngineLease EnginePool::take_kept(int place) {
  std::scoped_lock lock(mutex_);
  at(place).chosen = false;
  return {shared_from_this(), place, at(place).tag, std::move(at(place).engine)};
}

EngineLease EnginePool::take_empty(int place) {
  std::scoped_lock lock(mutex_);
  at(place) = {nullptr, true, false, at(place).tag + 1};
  return {shared_from_this(), place, at(place).tag, nullptr};
}

// A rank that has none while rank 0 has: another thread of it is closing the file that has it.
EngineLease EnginePool::take(Choice choice, sys::Company* company) {
  if (choice.place == kNoPlace) return {};
  if (choice.make) return take_empty(choice.place);
  for (;;) {
    std::uint32_t gifts = 0;
    {
      std::scoped_lock lock(mutex_);
      gifts = gifts_;
      if (at(choice.place).engine) break;
    }
    given_.wait_for(gifts + 1, {company, {"another thread that closes a file of the same communicator"}});
  }
  return take_kept(choice.place);
}

// Null: the place is free for another.
void EnginePool::give(int place, std::uint32_t tag, std::unique_ptr<NodeEngine> engine) {
  std::scoped_lock lock(mutex_);
  if (at(place).tag != tag) return;  // another engine has the place by now
  const bool made = engine != nullptr;
  at(place) = {std::move(engine), made, false, tag};
  given_.raise_to(++gifts_);
}

EngineLease& EngineLease::operator=(EngineLease&& other) noexcept {
  give_back();
  pool_ = std::move(other.pool_);
  place_ = other.place_;
  tag_ = other.tag_;
  engine_ = std::move(other.engine_);
  return *this;
}

Status EngineLease::ensure(comm::Comm& comm) {
  if (engine_) return {};
  Result<std::unique_ptr<NodeEngine>> made = NodeEngine::make(comm);
  if (!made.ok()) return made.status();
  engine_ = std::move(made).value();
  return {};
}

void EngineLease::give_back() {
  if (pool_) pool_->give(place_, tag_, std::move(engine_));
  pool_.reset();
  engine_.reset();
}

void EngineLease::discard() {
  engine_.reset();
  give_back();
}

}  // namespace weir::exec
