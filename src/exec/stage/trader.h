// Trader: a party's way through the steps of the pairwise exchange, as Trades has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "base/extent.h"
#include "base/status.h"
#include "comm/comm.h"
#include "exec/stage/trades.h"
#include "trace/counters.h"

namespace weir::exec {

// COLLECTIVE over the parties: each learns the sizes of what it will hold, from its own blocks; one message to each
// partner that is given chunks, with no more memory than `numbers`, of trades.most_numbers(). A party whose transfer
// failed stays in step; its sizes are of no use.
Status learn_sizes(comm::Comm& comm, Trades& trades, std::span<std::int64_t> numbers);

// Carries bundles. A failure changes nothing in what is sent and waited for.
class Trader {
 public:
  static constexpr std::size_t kBuffers = 3;  // of trades.most_bytes() each
  using Sent = std::function<void(int to, std::int64_t bytes)>;

  // REQUIRES memory for the buffers; sizes that were learnt. `trades` outlives it. Times go to `counters`.
  Trader(comm::Comm& comm, const Trades& trades, std::span<std::byte> memory, trace::Counters& counters, Sent sent);

  // COLLECTIVE over the parties. Writing: from `own`, this party's blocks, by chunk and without gaps, to bundle().
  // Reading, the reverse.
  void carry(Direction direction, std::int64_t round, std::byte* own);
  // The bundle of this party's chunk: where writing leaves it, and reading finds it. Of a trader.
  std::byte* bundle() const { return held_; }

  const Status& status() const { return status_; }

 private:
  void write_step(std::size_t step, std::int64_t round, std::byte* before);
  void read_step(std::size_t step, std::int64_t round, std::byte* before);
  void join(Direction direction, std::size_t step, std::int64_t round, std::byte* mine);
  void swap(int partner, std::span<const std::byte> given, std::span<std::byte> taken);

  comm::Comm& comm_;
  const Trades& trades_;
  trace::Counters& counters_;
  const Sent sent_;
  std::byte* held_;
  std::byte* next_;
  std::byte* partners_;  // what comes from the partner or goes to it, of the chunks that are kept
  Status status_;
};

}  // namespace weir::exec
