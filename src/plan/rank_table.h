// RankTable: a number for each rank, which does not change. Copies share the numbers: plans that are kept do not cost
// memory for every rank each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace weir::plan {

class RankTable {
 public:
  RankTable() = default;
  RankTable(std::vector<int> numbers) : numbers_(std::make_shared<const std::vector<int>>(std::move(numbers))) {}
  RankTable(std::initializer_list<int> numbers) : RankTable(std::vector<int>(numbers)) {}

  std::size_t size() const { return all().size(); }
  int operator[](std::size_t rank) const { return (*numbers_)[rank]; }
  std::span<const int> all() const { return numbers_ ? std::span<const int>(*numbers_) : std::span<const int>(); }

  // Lets go of its own numbers where `other` has the same.
  void share(const RankTable& other) {
    if (*this == other) numbers_ = other.numbers_;
  }
  bool shares(const RankTable& other) const { return numbers_ == other.numbers_; }

  bool operator==(const RankTable& other) const {
    return numbers_ == other.numbers_ || std::ranges::equal(all(), other.all());
  }

 private:
  std::shared_ptr<const std::vector<int>> numbers_;
};

}  // namespace weir::plan
