// Numbers as bytes. Internal to capture/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace weir::capture {

// 7 bits a byte, low bits first; signed ones zigzag-coded.
class Writer {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<std::byte>(value | 0x80U));
    bytes_.push_back(static_cast<std::byte>(value));
  }
  void signed_number(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void bytes(std::span<const std::byte> data) {
    number(data.size());
    bytes_.insert(bytes_.end(), data.begin(), data.end());
  }
  void text(const std::string& text) { bytes(std::as_bytes(std::span(text))); }

  std::vector<std::byte>& out() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// The reverse. After a failure, which failed() tells from then on, everything is 0 or empty.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : in_(in) {}

  bool failed() const { return failed_; }
  void fail() {
    failed_ = true;
    in_ = {};
  }
  bool at_end() const { return in_.empty(); }
  std::span<const std::byte>& in() { return in_; }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !in_.empty(); shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(in_.front());
      in_ = in_.subspan(1);
      value |= (byte & 0x7fU) << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>((value >> 1U) ^ (0 - (value & 1U)));
  }
  // A number of things that take a byte or more each.
  std::size_t count() {
    const std::uint64_t value = number();
    if (value > in_.size()) fail();
    return failed_ ? 0 : static_cast<std::size_t>(value);
  }
  std::span<const std::byte> bytes() {
    const std::size_t size = count();
    const auto data = in_.first(size);
    in_ = in_.subspan(size);
    return data;
  }
  std::string text() {
    const auto data = bytes();
    return {reinterpret_cast<const char*>(data.data()), data.size()};
  }

 private:
  std::span<const std::byte> in_;
  bool failed_ = false;
};

}  // namespace weir::capture
