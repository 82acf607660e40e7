// Trades: what one party holds, gives and takes in the steps of the pairwise exchange, in numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::exec {

// Parties are the ranks that send and receive for themselves or for others. The traders, the greatest power of two of
// them, are the aggregators: each ends with the chunk whose number is its own with the bits reversed. Of 6 parties, 4
// are traders:
//
//   first      parties 4 and 5 give all they have to 0 and 1
//   phase 0    0 <-> 1, 2 <-> 3    each keeps two of four chunks: 0 and 2 the lower ones, 1 and 3 the upper ones
//   phase 1    0 <-> 2, 1 <-> 3    each keeps one of two: 0 has chunk 0 then, 1 has 2, 2 has 1, 3 has 3
//
// What a party has itself for a chunk is a block. What it holds for a chunk is a bundle, of blocks from several
// parties: the lower partner's before the upper one's in every step, so that nobody but the aggregator needs to know
// which blocks there are. A step tells one number for each chunk that is given.
class Trades {
 public:
  struct Chunks {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t count() const { return end - begin; }
  };
  // `given` and `kept` are, one after the other, what is held before the step, counted from the first of it.
  struct Step {
    int partner = 0;     // a rank
    bool first = false;  // this party's part of a bundle comes before the partner's
    Chunks given;
    Chunks kept;
  };
  // The bytes of one step in one round. Held bundles follow each other by chunk, without gaps.
  struct Load {
    std::int64_t given = 0;
    std::int64_t given_begin = 0;  // in what is held before
    std::int64_t kept = 0;
    std::int64_t kept_begin = 0;
    std::int64_t taken = 0;  // from the partner: for the chunks that are kept
  };

  Trades() = default;  // of a rank that is no party
  // `parties` has the rank of each; `me` is one of them. All sizes are 0.
  Trades(std::span<const int> parties, std::size_t me, std::int64_t rounds);

  // How many parties trade; where the blocks of a party stand in a bundle, beside those of others.
  static std::size_t traders_of(std::size_t parties);
  static std::size_t place_in_bundle(std::size_t party, std::size_t parties);

  const std::vector<Step>& steps() const { return steps_; }
  std::int64_t rounds() const { return rounds_; }

  // The sizes of this party's own blocks, by chunk; to be set before the first step is told.
  std::span<std::int64_t> own(std::int64_t round);
  // The sizes of the bundles held before a step, by chunk; steps().size(): in the end. REQUIRES that the steps before
  // were heard.
  std::span<const std::int64_t> held(std::size_t step, std::int64_t round) const;

  // How many numbers the partners tell each other of a step; the most of any step, both together.
  std::size_t told_numbers(std::size_t step) const { return steps_[step].given.count() * rounds_count(); }
  std::size_t heard_numbers(std::size_t step) const { return steps_[step].kept.count() * rounds_count(); }
  std::size_t most_numbers() const;
  // The sizes of what is given, in all rounds. REQUIRES that the steps before were heard.
  void tell(std::size_t step, std::span<std::int64_t> numbers) const;
  // What the partner told.
  void hear(std::size_t step, std::span<const std::int64_t> numbers);

  // REQUIRES that the step was heard.
  Load load(std::size_t step, std::int64_t round) const;
  // The most bytes that are held after a step, or taken in one. REQUIRES that all steps were heard.
  std::int64_t most_bytes() const;

 private:
  std::size_t rounds_count() const { return static_cast<std::size_t>(rounds_); }
  void add_step(const Step& step);
  std::span<std::int64_t> level(std::size_t step, std::int64_t round);

  std::vector<Step> steps_;
  std::vector<std::size_t> level_begin_;  // what is held before each step, among a round's numbers; and the end of all
  std::int64_t rounds_ = 0;
  std::vector<std::int64_t> bytes_;  // by round, step and chunk
};

}  // namespace weir::exec
