#include "sim/store.h"

#include <algorithm>
#include <utility>

#include "plan/thresholds.h"

namespace weir::sim {

namespace {

// Streams of requests that a server tells apart, so that none of them makes another seek.
constexpr auto kStreams = static_cast<std::size_t>(plan::kStreamsOfServer);

}  // namespace

Store::Store(const model::MachineModel& machine, int nodes, EventQueue& events)
    : machine_(machine),
      events_(events),
      servers_(static_cast<std::size_t>(machine.storage.servers)),
      client_free_(static_cast<std::size_t>(nodes)),
      dirty_(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(machine.storage.servers)) {
  if (machine.locks.protocol == LockProtocol::kToken) tables_.push_back(std::make_unique<Tokens>());
  if (machine.locks.protocol == LockProtocol::kServer) {
    for (int server = 0; server < machine.storage.servers; ++server)
      tables_.push_back(std::make_unique<ServerExtents>());
  }
}

// Under tokens a node has one pool of memory for all servers.
Store::Dirty& Store::dirty_of(int node, int server) {
  if (machine_.locks.protocol == LockProtocol::kToken) server = 0;
  return dirty_[static_cast<std::size_t>(node) * servers_.size() + static_cast<std::size_t>(server)];
}

GrantTable& Store::table_of(std::int64_t block) {
  if (machine_.locks.protocol == LockProtocol::kToken) return *tables_.front();
  return *tables_[static_cast<std::size_t>(server_of(block))];
}

std::int64_t Store::lock_number(std::int64_t block) const {
  return machine_.locks.protocol == LockProtocol::kToken ? block : block / machine_.storage.servers;
}

void Store::access(const FileAccess& access, std::function<void()> done) {
  auto operation = std::make_shared<Operation>();
  operation->access = access;
  operation->done = std::move(done);
  std::int64_t all = 0;
  for (const Extent& extent : access.extents) {
    const std::int64_t block = machine_.storage.block_bytes;
    for (std::int64_t begin = extent.begin; begin < extent.end;) {
      const std::int64_t end = std::min(extent.end, (begin / block + 1) * block);
      operation->parts.push_back({{begin, end}, begin == extent.begin});
      begin = end;
    }
    all += extent.bytes();
  }
  if (all > 0) operation->filled = static_cast<double>(access.bytes) / static_cast<double>(all);
  const auto parts = static_cast<std::int64_t>(operation->parts.size());
  if (parts > 0) operation->runs_of_part = 1 + access.more_calls / parts;
  if (!machine_.storage.behind_network) {
    use_local(operation);
  } else if (access.direction == Direction::kWrite) {
    next_part(operation);
  } else {
    read_all(operation);
  }
}

void Store::use_local(const OperationPtr& operation) {
  const FileAccess& access = operation->access;
  const auto calls = static_cast<double>(static_cast<std::int64_t>(access.extents.size()) + access.more_calls);
  const Micros time =
      calls * machine_.storage.call_us + static_cast<double>(access.bytes) / machine_.storage.cache_mb_s;
  const bool writing = access.direction == Direction::kWrite;
  const Micros begin = writing ? std::max(events_.now(), file_free_) : events_.now();
  if (writing) file_free_ = begin + time;
  if (writing) clean_at_ = file_free_;
  events_.at(begin + time, [operation] { operation->done(); });
}

Micros Store::request(const Request& request, Micros from) {
  const model::Storage& storage = machine_.storage;
  const std::int64_t block = request.bytes.begin / storage.block_bytes;
  Server& server = servers_[static_cast<std::size_t>(server_of(block))];
  Micros& client = client_free_[static_cast<std::size_t>(request.node)];
  const auto moved = static_cast<double>(request.moved);
  client = std::max(from, client) + moved / storage.client_mb_s;
  const std::int64_t own = block / storage.servers * storage.block_bytes + request.bytes.begin % storage.block_bytes;
  const auto followed = std::ranges::find(server.ends, own);
  const bool seeks = followed == server.ends.end() || request.runs > 1;
  if (followed != server.ends.end()) server.ends.erase(followed);
  server.ends.push_back(own + request.bytes.bytes());
  if (server.ends.size() > kStreams) server.ends.pop_front();
  const auto runs = static_cast<double>(request.runs);
  const Micros begin = std::max(client + storage.latency_us / 2, server.free);
  server.free = begin + runs * (storage.request_us + (seeks ? storage.seek_us : 0)) + moved / storage.server_mb_s;
  counts_.requests += request.runs;
  return server.free + storage.latency_us / 2;
}

void Store::next_part(const OperationPtr& operation) {
  if (operation->next == operation->parts.size()) {
    leave_call(operation);
    operation->done();
    return;
  }
  const Part& part = operation->parts[operation->next];
  if (machine_.locks.protocol == LockProtocol::kToken) {
    ask(operation, block_of(part), [this, operation] { write_part(operation); });
  } else if (machine_.locks.protocol == LockProtocol::kServer && part.first) {
    leave_call(operation);
    lock_call(operation);
  } else {
    write_part(operation);
  }
}

// In the order of servers, so that no two calls wait for each other.
void Store::lock_call(const OperationPtr& operation) {
  auto blocks = std::make_shared<std::vector<std::int64_t>>();
  std::size_t part = operation->next;
  do {
    blocks->push_back(block_of(operation->parts[part++]));
  } while (part < operation->parts.size() && !operation->parts[part].first);
  std::ranges::sort(*blocks, {}, [this](std::int64_t block) { return std::pair(server_of(block), block); });
  lock_next(operation, blocks, 0);
}

void Store::lock_next(const OperationPtr& operation, const BlocksPtr& blocks, std::size_t next) {
  if (next == blocks->size()) {
    write_part(operation);
  } else {
    ask(operation, (*blocks)[next], [this, operation, blocks, next] { lock_next(operation, blocks, next + 1); });
  }
}

void Store::leave_call(const OperationPtr& operation) {
  const std::vector<GrantPtr> held = std::exchange(operation->held, {});
  for (const GrantPtr& grant : held) grant->users.leave();
}

Taken Store::take(const OperationPtr& operation, std::int64_t block) {
  Taken taken = table_of(block).take(operation->access.node, lock_number(block));
  if (machine_.locks.protocol == LockProtocol::kServer) {
    taken.grant->users.add();
    operation->held.push_back(taken.grant);
  }
  return taken;
}

// The manager is the block's server, or that of all tokens.
void Store::ask(const OperationPtr& operation, std::int64_t block, std::function<void()> have) {
  if (table_of(block).holds(operation->access.node, lock_number(block))) {
    take(operation, block).grant->ready->when_open(std::move(have));
    return;
  }
  const bool tokens = machine_.locks.protocol == LockProtocol::kToken;
  Micros& manager = servers_[tokens ? 0 : static_cast<std::size_t>(server_of(block))].lock_free;
  manager = std::max(events_.now() + machine_.storage.latency_us / 2, manager) + machine_.locks.grant_us;
  events_.at(manager, [this, operation, block, have = std::move(have)] { decide(operation, block, have); });
}

void Store::decide(const OperationPtr& operation, std::int64_t block, const std::function<void()>& have) {
  const Taken taken = take(operation, block);
  taken.grant->ready->when_open(have);
  if (!taken.asked) return;
  ++counts_.asked;
  const std::shared_ptr<Gate> ready = taken.grant->ready;
  if (taken.given_up == nullptr) {
    events_.after(machine_.storage.latency_us / 2, [ready] { ready->open(); });
    return;
  }
  ++counts_.called_back;
  taken.given_up->ready->when_open([this, taken, block] {
    events_.after(machine_.locks.revoke_us,
                  [this, taken, block] { taken.given_up->users.when_none([=, this] { call_back(taken, block); }); });
  });
}

// The holder writes back what it has dirty under what it gives up: where servers grant locks, all that it wrote there,
// under tokens the block.
void Store::call_back(const Taken& taken, std::int64_t block) {
  Micros clean = events_.now();
  if (machine_.locks.protocol == LockProtocol::kServer)
    clean = std::max(clean, dirty_of(taken.given_up->node, server_of(block)).until);
  const auto writer = writers_.find(block);
  if (writer != writers_.end() && writer->second.node == taken.given_up->node)
    clean = std::max(clean, writer->second.until);
  events_.at(clean + machine_.storage.latency_us / 2, [ready = taken.grant->ready] { ready->open(); });
}

void Store::write_part(const OperationPtr& operation) {
  const FileAccess& access = operation->access;
  const Part& part = operation->parts[operation->next++];
  const std::int64_t block = block_of(part);
  const auto moved = static_cast<std::int64_t>(operation->filled * static_cast<double>(part.bytes.bytes()));
  Micros ready = events_.now() + static_cast<double>(moved) / machine_.storage.cache_mb_s +
                 static_cast<double>(operation->runs_of_part - (part.first ? 0 : 1)) * machine_.storage.call_us;
  // Under tokens nodes keep whole blocks: a block of which another has written a part is read before it is completed.
  const auto known = writers_.find(block);
  const bool other = known != writers_.end() && known->second.node != access.node;
  if (other && machine_.locks.protocol == LockProtocol::kToken && part.bytes.bytes() < machine_.storage.block_bytes) {
    const std::int64_t begin = block * machine_.storage.block_bytes;
    ready =
        request({access.node, {begin, begin + machine_.storage.block_bytes}, machine_.storage.block_bytes, 1}, ready);
  }
  const Micros until = request({access.node, part.bytes, moved, operation->runs_of_part}, ready);
  writers_[block] = {access.node, until};
  clean_at_ = std::max(clean_at_, until);
  Dirty& dirty = dirty_of(access.node, server_of(block));
  dirty.writes.push_back({until, moved});
  dirty.bytes += moved;
  dirty.until = std::max(dirty.until, until);
  events_.at(std::max(ready, room_at(dirty)), [this, operation] { next_part(operation); });
}

// When no more than dirty_bytes are left of what is on its way.
Micros Store::room_at(Dirty& dirty) const {
  const int servers = machine_.locks.protocol == LockProtocol::kToken ? machine_.storage.servers : 1;
  const std::int64_t most = machine_.storage.dirty_bytes * servers;
  Micros time = events_.now();
  while (!dirty.writes.empty() && (dirty.writes.front().until <= time || dirty.bytes > most)) {
    time = std::max(time, dirty.writes.front().until);
    dirty.bytes -= dirty.writes.front().bytes;
    dirty.writes.pop_front();
  }
  return time;
}

void Store::read_all(const OperationPtr& operation) {
  const FileAccess& access = operation->access;
  Reader& reader = readers_[access.rank];
  Micros all = events_.now();
  for (const Part& part : operation->parts) {
    if (!intersection(reader.ahead, part.bytes).empty()) all = std::max(all, reader.ahead_at);
    const Extent below{part.bytes.begin, std::min(part.bytes.end, reader.ahead.begin)};
    const Extent above{std::max(part.bytes.begin, reader.ahead.end), part.bytes.end};
    for (const Extent& missing : reader.ahead.empty() ? std::vector{part.bytes} : std::vector{below, above}) {
      if (missing.empty()) continue;
      const auto moved = static_cast<std::int64_t>(operation->filled * static_cast<double>(missing.bytes()));
      all = std::max(all, request({access.node, missing, moved, operation->runs_of_part}, events_.now()));
    }
  }
  for (const Extent& extent : access.extents) read_ahead(operation, extent);
  const auto calls = static_cast<double>(static_cast<std::int64_t>(access.extents.size()) + access.more_calls);
  all += calls * machine_.storage.call_us + static_cast<double>(access.bytes) / machine_.storage.cache_mb_s;
  events_.at(all, [operation] { operation->done(); });
}

void Store::advise(int node, Extent bytes, std::function<void()> there) {
  events_.at(fetch(node, bytes), std::move(there));
}

// When all of it is there, if it is asked for now.
Micros Store::fetch(int node, Extent bytes) {
  Micros all = events_.now();
  const std::int64_t block = machine_.storage.block_bytes;
  for (std::int64_t begin = bytes.begin; begin < bytes.end;) {
    const std::int64_t end = std::min(bytes.end, (begin / block + 1) * block);
    all = std::max(all, request({node, {begin, end}, end - begin, 1}, events_.now()));
    begin = end;
  }
  return all;
}

// A block behind a read of a block or more, and one more each time that access goes on where it ended; where it goes
// elsewhere, what was read ahead was in vain.
void Store::read_ahead(const OperationPtr& operation, Extent last) {
  const std::int64_t most = machine_.storage.read_ahead_bytes;
  if (most == 0) return;
  Reader& reader = readers_[operation->access.rank];
  const bool sequential = reader.next == last.begin;
  const bool goes_on = sequential || (reader.ahead.contains(last.begin) && last.end <= reader.ahead.end);
  if (!goes_on && reader.next >= 0) counts_.unused_bytes += reader.ahead.bytes();
  if (sequential) reader.window += machine_.storage.block_bytes;
  if (!goes_on) reader.window = last.bytes() < machine_.storage.block_bytes ? 0 : machine_.storage.block_bytes;
  reader.window = std::min(reader.window, most);
  reader.next = last.end;
  const Extent wanted{last.end, last.end + reader.window};
  const Extent missing{std::max(wanted.begin, goes_on ? reader.ahead.end : wanted.begin), wanted.end};
  reader.ahead = wanted;
  const Micros at = fetch(operation->access.node, missing);
  reader.ahead_at = std::max(at, goes_on ? reader.ahead_at : 0);
}

}  // namespace weir::sim
