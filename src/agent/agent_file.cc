#include "agent/agent_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "agent/packed_requests.h"
#include "agent/ship_gathered.h"
#include "base/guarded.h"
#include "comm/agree.h"
#include "comm/collectives.h"
#include "comm/shared_memory.h"

namespace weir::agent {

using comm::agree;
using driver::IoOutcome;
using driver::IoRequest;

AgentFile::AgentFile(std::unique_ptr<driver::File> file, comm::Comm& comm, std::function<comm::Line()> line)
    : PassingFile(*file), file_(std::move(file)), comm_(comm), line_(std::move(line)) {}

AgentFile::~AgentFile() { end_service().ignore(); }

Status AgentFile::follow(const AgentSettings& wanted) {
  Status status = settle();
  if (!status.ok()) return status;
  on_.store(false, std::memory_order_release);
  if (!wanted.on) return {};
  if (!home_ || settings_ != wanted) status = make(wanted);
  on_.store(status.ok(), std::memory_order_release);
  return status;
}

sys::Waiting AgentFile::waiting() const {
  const auto ranks = static_cast<int>(comm_.topology().ranks_beside(comm_.rank()).size());
  return {asker_ ? asker_->company() : &comm_,
          {"a block that another rank of the node is about to store or fetch"},
          sys::patience_for(ranks)};
}

// The ranks agree before the first of them uses what is new: nobody is in the old tables then.
Status AgentFile::make(const AgentSettings& wanted) {
  Status status = clear();
  settings_ = wanted;
  if (several_nodes()) status = agree(comm_, std::move(status).or_else(make_service()));
  if (status.ok()) status = make_tables();
  if (!status.ok()) clear().ignore();
  return status;
}

// REQUIRES that nobody asks this rank any more.
Status AgentFile::clear() {
  Status status = end_service();
  home_.reset();
  away_.reset();
  far_blocks_.reset();
  asker_.reset();
  return status;
}

// One block of memory has both tables.
Status AgentFile::make_tables() {
  const comm::Topology& topology = comm_.topology();
  TableShape shape = settings_.shape;
  shape.ranks = static_cast<std::int64_t>(topology.largest_node());
  Result<comm::SharedMemory> block = comm::SharedMemory::create(comm_, (several_nodes() ? 2 : 1) * shape.bytes());
  if (!block.ok()) return block.status();
  return agree(comm_, guarded([&]() -> Status {
                 const auto memory = std::make_shared<comm::SharedMemory>(std::move(block).value());
                 const std::vector<int> beside = topology.ranks_beside(comm_.rank());
                 const auto rank = std::ranges::find(beside, comm_.rank()) - beside.begin();
                 const auto make = [&](std::size_t offset, BlockTable::Store backing, TableCounters& counters) {
                   return std::make_unique<BlockTable>(BlockTable::Home{memory, offset, rank}, shape,
                                                       std::move(backing), counters, waiting());
                 };
                 home_ = make(
                     0, [this](auto way, auto requests) { return file_->transfer(way, requests); }, home_counters_);
                 if (!several_nodes()) return {};
                 away_ = make(
                     shape.bytes(), [this](auto way, auto requests) { return ask_agent(way, requests); },
                     away_counters_);
                 return {};
               }));
}

// Agents have services, where these can be asked. Nobody is asked before all have theirs, and the tables.
Status AgentFile::make_service() {
  if (!line_) return {};
  return guarded([this] {
    comm::Line line = line_();
    asker_ = std::make_unique<comm::Asker>(std::move(line.asking));
    far_blocks_ = std::make_unique<FarBlocks>(*asker_, settings_.binding, settings_.shape.block_bytes, ship_counters_);
    if (!std::ranges::binary_search(settings_.binding.agents, comm_.rank())) return Status();
    service_ = std::make_unique<comm::Service>(
        std::move(line.answering), most_packed_bytes(settings_.shape.block_bytes),
        [this](const auto& question, auto payload, auto data) { return answer_from(*home_, question, payload, data); });
    return service_->start();
  });
}

// REQUIRES that nobody asks this rank any more.
Status AgentFile::end_service() {
  if (!service_) return {};
  Status status = asker_->leave(comm_.rank(), comm_.size());
  status = std::move(status).or_else(service_->end(asker_->company()));
  service_.reset();
  return status;
}

// On one node whoever comes first stores for all; the others find nothing left to store. On several, agents store their
// own blocks, as soon as they have what other nodes gathered for them.
Status AgentFile::settle(const std::function<Status()>& then) {
  Status status;
  if (on()) {
    status = take_failure(FailureNote::Audience::kAllRanks);
    if (away_) status = std::move(status).or_else(ship());
    status = std::move(status).or_else(store_own());
    if (status.ok()) forget_ends();
  }
  if (status.ok() && then) status = then();
  status = agree(comm_, status);
  if (status.ok()) gathered_.store(false);
  return status;
}

// Where no rank has written to far blocks, there is nothing to ship. Copies of them go.
Status AgentFile::ship() {
  const Result<std::int64_t> gathered = comm::all_max(comm_, gathered_.load() ? 1 : 0);
  Status status = gathered.status();
  if (status.ok() && gathered.value() != 0) {
    status = ship_gathered(comm_, {settings_.binding, settings_.shape.block_bytes, *away_, *home_, ship_counters_});
  }
  away_->distrust();
  return status;
}

Status AgentFile::store_own() {
  if (!away_) return home_->flush(true);
  return home_->flush(true, [&](std::int64_t number) { return settings_.binding.agent_of(number) == comm_.rank(); });
}

// Where agents cannot be asked, the file has to have everything that this node holds.
Status AgentFile::begin_together() {
  if (!on() || !away_) return {};
  Status status = away_->flush(true);
  return asker_ ? status : std::move(status).or_else(home_->flush(true));
}

void AgentFile::end_together(std::int64_t written_end) {
  if (!on() || !away_) return;
  home_->raise_end(written_end);
  away_->raise_end(written_end);
  away_->distrust();
  if (!asker_) home_->distrust();
}

Status AgentFile::close_together() {
  Status status = settle();
  if (!status.ok() && on()) status = say_lost(std::move(status));
  on_.store(false, std::memory_order_release);
  status = std::move(status).or_else(end_service());
  return std::move(status).or_else(file_->close());
}

// One rank of each node counts.
Status AgentFile::say_lost(Status failure) {
  std::array<std::int64_t, 1> lost = {0};
  if (comm_.topology().ranks_beside(comm_.rank()).front() == comm_.rank()) {
    lost[0] = home_->dirty_bytes() + (away_ ? away_->dirty_bytes() : 0);
  }
  if (!comm::reduce_all(comm_, comm::Reduction::kSum, lost).ok() || lost[0] == 0) return failure;
  return {failure.error_class(),
          fmt::format("{}; {} bytes that were written before are lost with the close", failure.text(), lost[0])};
}

Status AgentFile::leave() {
  Status status;
  alone_.store(true);
  if (on()) {
    status = take_failure(FailureNote::Audience::kAllRanks);
    if (away_) status = std::move(status).or_else(away_->flush(true));
    status = std::move(status).or_else(home_->flush(true));
  }
  if (!asker_) return status;
  for (const int agent : settings_.binding.agents) status = std::move(status).or_else(asker_->leave(agent, 1));
  return status;
}

Status AgentFile::stay() {
  Status status;
  if (service_) status = service_->end(asker_->company());
  service_.reset();
  if (on()) status = std::move(status).or_else(home_->flush(true));
  return std::move(status).or_else(file_->close());
}

bool AgentFile::is_near(std::int64_t block) const {
  if (!away_) return true;
  const std::vector<int>& node_of = comm_.topology().node_of;
  const auto agent = static_cast<std::size_t>(settings_.binding.agent_of(block));
  return node_of[agent] == node_of[static_cast<std::size_t>(comm_.rank())];
}

IoOutcome AgentFile::ask_agent(Direction direction, std::span<const IoRequest> requests) {
  return asker_ && !alone_.load() ? far_blocks_->transfer(direction, requests) : file_->transfer(direction, requests);
}

Status AgentFile::take_failure(FailureNote::Audience audience) {
  return home_->take_failure(audience).or_else(away_ ? away_->take_failure(audience) : Status());
}

IoOutcome AgentFile::transfer(Direction direction, std::span<const IoRequest> requests) {
  return transfer_by(direction, requests, false);
}

IoOutcome AgentFile::transfer_by(Direction direction, std::span<const IoRequest> requests, bool through) {
  if (!on() || (through && away_ && !asker_)) return file_->transfer(direction, requests);
  IoOutcome all{0, take_failure(FailureNote::Audience::kNextCall)};
  for (const IoRequest& request : requests) {
    if (!all.status.ok()) break;
    IoOutcome one = transfer_one(direction, request, through);
    all.bytes_moved += one.bytes_moved;
    all.status = std::move(one.status);
    if (one.bytes_moved < request.bytes) break;
  }
  return all;
}

// Block by block.
IoOutcome AgentFile::transfer_one(Direction direction, const IoRequest& request, bool through) {
  const std::int64_t block_bytes = settings_.shape.block_bytes;
  IoOutcome all;
  while (all.bytes_moved < request.bytes) {
    const std::int64_t offset = request.offset + all.bytes_moved;
    const std::int64_t room = block_bytes - offset % block_bytes;
    const IoRequest part{offset, request.data + all.bytes_moved, std::min(room, request.bytes - all.bytes_moved)};
    IoOutcome one = access(direction, part, through);
    all.bytes_moved += one.bytes_moved;
    all.status = std::move(one.status);
    if (!all.status.ok() || one.bytes_moved < part.bytes) break;
  }
  return all;
}

// Each table has to know where the bytes end that were written through the other.
IoOutcome AgentFile::access(Direction direction, const IoRequest& request, bool through) {
  if (!away_) return home_->access(direction, {&request, 1});
  const bool near = is_near(request.offset / settings_.shape.block_bytes);
  if (!near && through) return ask_agent(direction, {&request, 1});
  if (!near && direction == Direction::kWrite && !gathered_.load(std::memory_order_relaxed)) gathered_.store(true);
  IoOutcome outcome = (near ? home_ : away_)->access(direction, {&request, 1});
  if (direction == Direction::kWrite) (near ? away_ : home_)->raise_end(request.offset + outcome.bytes_moved);
  return outcome;
}

Result<std::int64_t> AgentFile::size() {
  Result<std::int64_t> bytes = file_->size();
  if (!bytes.ok() || !on()) return bytes;
  return std::max({bytes.value(), home_->end(), away_ ? away_->end() : 0});
}

void AgentFile::forget_ends() {
  home_->forget_end();
  if (away_) away_->forget_end();
}

Status AgentFile::close() {
  Status status = leave();
  return std::move(status).or_else(stay());
}

}  // namespace weir::agent
