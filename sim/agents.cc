#include "sim/agents.h"

#include <algorithm>
#include <utility>

#include "hints/table.h"
#include "plan/wishes.h"

namespace weir::sim {

AgentShape agent_shape(const hints::HintSet& hints, std::int64_t block_bytes, int nodes, int ranks_per_node) {
  if (!plan::wants_agents(hints) || nodes < 2) return {};
  const std::int64_t memory = hints.integer(hints::Id::kWeirAgentMemory) / 2;  // for each of two tables
  const std::int64_t block = plan::agent_block(hints, block_bytes, memory / ranks_per_node);
  return {block, std::max<std::int64_t>(memory / block, 1)};
}

Agents::Agents(const Stage& stage, AgentShape shape, int ranks, int nodes)
    : stage_(stage), shape_(shape), ranks_(ranks) {
  for (int node = 0; node < nodes; ++node) {
    const auto table = [&](auto use) {
      return std::make_unique<BlockTable>(
          shape.block_bytes, shape.blocks,
          BlockTable::Backing{
              .fetch = [use](std::int64_t block, std::function<void()> done) { use(block, {}, std::move(done)); },
              .store = use});
    };
    home_.push_back(table([this, node](std::int64_t block, BlockTable::Written written, std::function<void()> done) {
      use_file(node, written.bytes > 0 ? Direction::kWrite : Direction::kRead, block, written, std::move(done));
    }));
    away_.push_back(table([this, node](std::int64_t block, BlockTable::Written written, std::function<void()> done) {
      ask(node, block, written, std::move(done));
    }));
  }
  stage_.network.set_users({.arrived = [this](std::size_t number) { stage_.network.take(number); },
                            .taken = [this](const Message& message) { on_taken(message); }});
}

void Agents::access(Direction direction, int rank, Extent piece, std::function<void()> done) {
  if (piece.empty()) {
    done();
    return;
  }
  const std::int64_t block = piece.begin / shape_.block_bytes;
  const std::int64_t end = std::min(piece.end, (block + 1) * shape_.block_bytes);
  access_block(direction, rank, block, end - piece.begin,
               [this, direction, rank, rest = Extent{end, piece.end}, done = std::move(done)]() mutable {
                 access(direction, rank, rest, std::move(done));
               });
}

void Agents::access_block(Direction direction, int rank, std::int64_t block, std::int64_t bytes,
                          std::function<void()> done) {
  const int node = stage_.network.node_of(rank);
  const bool near = stage_.network.node_of(agent_of(block)) == node;
  BlockTable& table = *(near ? home_ : away_)[static_cast<std::size_t>(node)];
  const model::Memory& memory = stage_.machine.memory;
  const Micros copying = memory.piece_us + static_cast<double>(bytes) / memory.copy_mb_s;
  table.access(direction, block, {bytes, 1},
               [this, copying, done = std::move(done)]() mutable { stage_.events.after(copying, std::move(done)); });
}

// The bytes go there, or the block comes here.
void Agents::ask(int node, std::int64_t block, BlockTable::Written written, std::function<void()> done) {
  const int ranks_per_node = std::max(1, ranks_ / static_cast<int>(home_.size()));
  questions_[asked_] = {node, block, written, false, std::move(done)};
  stage_.network.send({node * ranks_per_node, agent_of(block), written.bytes, written.runs, asked_++});
}

void Agents::on_taken(const Message& message) {
  Question& question = questions_.at(message.tag);
  if (question.answered) {
    const std::function<void()> done = std::move(question.done);
    questions_.erase(message.tag);
    done();
    return;
  }
  question.answered = true;
  const bool writing = question.written.bytes > 0;
  BlockTable& table = *home_[static_cast<std::size_t>(stage_.network.node_of(message.to))];
  table.access(
      writing ? Direction::kWrite : Direction::kRead, question.block, question.written, [this, message, writing] {
        stage_.network.send({message.to, message.from, writing ? 0 : shape_.block_bytes, writing ? 0 : 1, message.tag});
      });
}

void Agents::use_file(int node, Direction direction, std::int64_t block, BlockTable::Written written,
                      std::function<void()> done) {
  const std::int64_t begin = block * shape_.block_bytes;
  FileAccess access;
  access.direction = direction;
  access.rank = agent_of(block);
  access.node = node;
  access.extents = {{begin, begin + shape_.block_bytes}};
  access.bytes = shape_.block_bytes;
  if (direction == Direction::kWrite) {
    access.bytes = written.bytes;
    access.more_calls = written.runs - 1;
  }
  stage_.store.access(access, std::move(done));
}

void Agents::flush() {
  flushing_ = away_.size();
  for (const auto& table : away_) {
    table->flush([this] {
      if (--flushing_ > 0) return;
      for (const auto& home : home_) home->flush([] {});
    });
  }
}

}  // namespace weir::sim
