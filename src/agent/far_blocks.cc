#include "agent/far_blocks.h"

#include "agent/packed_requests.h"

namespace weir::agent {

namespace {

using driver::IoOutcome;
using driver::IoRequest;

// Of a question. A read is for one request; a write for several, which are packed in the payload.
enum Kind : std::int64_t { kRead, kWrite };

}  // namespace

FarBlocks::FarBlocks(comm::Asker& asker, const Binding& binding, std::int64_t block_bytes, ShipCounters& counters)
    : asker_(asker), binding_(binding), block_bytes_(block_bytes), counters_(counters) {}

IoOutcome FarBlocks::transfer(Direction direction, std::span<const IoRequest> requests) {
  if (requests.empty()) return {};
  const int agent = binding_.agent_of(requests.front().offset / block_bytes_);
  return direction == Direction::kRead ? read(agent, requests) : write(agent, requests);
}

IoOutcome FarBlocks::read(int agent, std::span<const IoRequest> requests) {
  IoOutcome all;
  for (const IoRequest& request : requests) {
    comm::Answer answer =
        asker_.ask(agent, {kRead, request.offset}, {}, {request.data, static_cast<std::size_t>(request.bytes)});
    count(answer.data_bytes);
    all.bytes_moved += answer.data_bytes;
    all.status = std::move(answer.status);
    if (!all.status.ok() || answer.data_bytes < request.bytes) break;
  }
  return all;
}

IoOutcome FarBlocks::write(int agent, std::span<const IoRequest> requests) {
  IoOutcome all;
  std::vector<std::byte> payload;
  payload.reserve(most_packed_bytes(block_bytes_));
  while (!requests.empty() && all.status.ok()) {
    const auto now = fitting(requests, 0, most_packed_bytes(block_bytes_));
    requests = requests.subspan(now.size());
    pack(now, payload);
    comm::Answer answer = asker_.ask(agent, {kWrite, static_cast<std::int64_t>(now.size())}, payload, {});
    count(answer.value);
    all.bytes_moved += answer.value;
    all.status = std::move(answer.status);
  }
  return all;
}

void FarBlocks::count(std::int64_t bytes) {
  counters_.questions.fetch_add(1, std::memory_order_relaxed);
  counters_.bytes.fetch_add(bytes, std::memory_order_relaxed);
}

comm::Answer answer_from(BlockTable& table, const comm::Question& question, std::span<std::byte> payload,
                         std::span<std::byte> data) {
  if (question.kind == kRead) {
    const IoRequest request{question.value, data.data(), question.wanted_bytes};
    IoOutcome outcome = table.access(Direction::kRead, {&request, 1});
    return {std::move(outcome.status), outcome.bytes_moved, outcome.bytes_moved};
  }
  IoOutcome outcome = table.access(Direction::kWrite, unpack(question.value, payload));
  return {std::move(outcome.status), outcome.bytes_moved};
}

}  // namespace weir::agent
