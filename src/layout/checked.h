// Checked: 64-bit arithmetic that remembers that it overflowed.
#pragma once

#include <cstdint>

namespace weir::layout {

// A sum or product of any depth is right when ok() at its end; no operation in between needs a test.
class Checked {
 public:
  Checked(std::int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor): a plain number is one

  bool ok() const { return ok_; }
  std::int64_t value() const { return value_; }

  friend Checked operator+(Checked a, Checked b) {
    Checked sum = combine(a, b);
    sum.ok_ &= !__builtin_add_overflow(a.value_, b.value_, &sum.value_);
    return sum;
  }
  friend Checked operator-(Checked a, Checked b) {
    Checked difference = combine(a, b);
    difference.ok_ &= !__builtin_sub_overflow(a.value_, b.value_, &difference.value_);
    return difference;
  }
  friend Checked operator*(Checked a, Checked b) {
    Checked product = combine(a, b);
    product.ok_ &= !__builtin_mul_overflow(a.value_, b.value_, &product.value_);
    return product;
  }
  Checked& operator+=(Checked other) { return *this = *this + other; }
  Checked& operator*=(Checked other) { return *this = *this * other; }

 private:
  static Checked combine(Checked a, Checked b) {
    Checked result(0);
    result.ok_ = a.ok_ && b.ok_;
    return result;
  }

  std::int64_t value_;
  bool ok_ = true;
};

}  // namespace weir::layout
