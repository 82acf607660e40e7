#include "exec/stage/trades.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

namespace weir::exec {

namespace {

std::int64_t sum(std::span<const std::int64_t> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
}

std::span<const std::int64_t> part(std::span<const std::int64_t> numbers, const Trades::Chunks& chunks) {
  return numbers.subspan(chunks.begin, chunks.count());
}

}  // namespace

std::size_t Trades::traders_of(std::size_t parties) { return std::bit_floor(parties); }

std::size_t Trades::place_in_bundle(std::size_t party, std::size_t parties) {
  const std::size_t traders = traders_of(parties);
  return party < traders ? 2 * party : 2 * (party - traders) + 1;
}

Trades::Trades(std::span<const int> parties, std::size_t me, std::int64_t rounds) : rounds_(rounds) {
  const std::size_t traders = traders_of(parties.size());
  level_begin_ = {0, traders};
  if (me >= traders) {
    add_step({parties[me - traders], false, {0, traders}, {}});
  } else {
    if (me + traders < parties.size()) add_step({parties[me + traders], true, {}, {0, traders}});
    for (std::size_t bit = 1; bit < traders; bit *= 2) {
      const std::size_t half = traders / bit / 2;
      const bool lower = (me & bit) == 0;
      const Chunks halves[] = {{0, half}, {half, 2 * half}};
      add_step({parties[me ^ bit], lower, halves[lower ? 1 : 0], halves[lower ? 0 : 1]});
    }
  }
  bytes_.resize(level_begin_.back() * rounds_count());
}

void Trades::add_step(const Step& step) {
  steps_.push_back(step);
  level_begin_.push_back(level_begin_.back() + step.kept.count());
}

std::span<std::int64_t> Trades::level(std::size_t step, std::int64_t round) {
  const std::size_t begin = level_begin_.back() * static_cast<std::size_t>(round) + level_begin_[step];
  return std::span(bytes_).subspan(begin, level_begin_[step + 1] - level_begin_[step]);
}

std::span<std::int64_t> Trades::own(std::int64_t round) { return level(0, round); }

std::span<const std::int64_t> Trades::held(std::size_t step, std::int64_t round) const {
  const std::size_t begin = level_begin_.back() * static_cast<std::size_t>(round) + level_begin_[step];
  return std::span(bytes_).subspan(begin, level_begin_[step + 1] - level_begin_[step]);
}

std::size_t Trades::most_numbers() const {
  std::size_t most = 0;
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    most = std::max(most, told_numbers(step) + heard_numbers(step));
  }
  return most;
}

void Trades::tell(std::size_t step, std::span<std::int64_t> numbers) const {
  auto next = numbers.begin();
  for (std::int64_t round = 0; round < rounds_; ++round) {
    next = std::ranges::copy(part(held(step, round), steps_[step].given), next).out;
  }
}

void Trades::hear(std::size_t step, std::span<const std::int64_t> numbers) {
  const std::size_t count = steps_[step].kept.count();
  for (std::int64_t round = 0; round < rounds_; ++round) {
    const auto kept = part(held(step, round), steps_[step].kept);
    const auto taken = numbers.subspan(count * static_cast<std::size_t>(round), count);
    std::ranges::transform(kept, taken, level(step + 1, round).begin(), std::plus<>());
  }
}

Trades::Load Trades::load(std::size_t step, std::int64_t round) const {
  const Chunks& given = steps_[step].given;
  const Chunks& kept = steps_[step].kept;
  const auto before = held(step, round);
  Load load;
  load.given = sum(part(before, given));
  load.kept = sum(part(before, kept));
  load.given_begin = given.begin == 0 ? 0 : load.kept;
  load.kept_begin = kept.begin == 0 ? 0 : load.given;
  load.taken = sum(held(step + 1, round)) - load.kept;
  return load;
}

std::int64_t Trades::most_bytes() const {
  std::int64_t most = 0;
  for (std::int64_t round = 0; round < rounds_; ++round) {
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      most = std::max(most, sum(held(step + 1, round)));
    }
  }
  return most;
}

}  // namespace weir::exec
