// Numbers that look random and are the same on every rank and machine.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace bench {

inline constexpr std::int64_t kDefaultSeed = 20;

// A small generator (splitmix64).
class Random {
 public:
  explicit Random(std::int64_t seed) : state_(static_cast<std::uint64_t>(seed)) {}

  // A generator of its own for number `stream`.
  Random(std::int64_t seed, std::int64_t stream) : state_(static_cast<std::uint64_t>(seed)) {
    state_ = next() + static_cast<std::uint64_t>(stream);
    state_ = next();
  }

  // A number in [0, bound).
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
  }

  template <typename T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
    }
  }

  // `count` different numbers in [0, bound), ascending. REQUIRES: count <= bound.
  std::vector<std::int64_t> sample(std::int64_t count, std::int64_t bound) {
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < bound && count > 0; ++i) {
      if (below(bound - i) >= count) continue;
      chosen.push_back(i);
      --count;
    }
    return chosen;
  }

 private:
  std::uint64_t next() {
    std::uint64_t x = (state_ += 0x9E3779B97F4A7C15u);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }

  std::uint64_t state_;
};

}  // namespace bench
