#include "layout/external32.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cstring>

namespace weir::layout {

namespace {

// The x87 extended format keeps the leading 1 of the mantissa, in 64 bits; IEEE quad hides it, in 112 bits. Sign and
// exponent are the same 16 bits.
constexpr std::int64_t kExtendedBytes = 10;
constexpr std::int64_t kQuadBytes = 16;

void extended_to_quad(const std::byte* native, std::byte* external) {
  std::uint64_t mantissa = 0;
  std::uint16_t sign_exponent = 0;
  std::memcpy(&mantissa, native, sizeof mantissa);
  std::memcpy(&sign_exponent, native + sizeof mantissa, sizeof sign_exponent);
  std::uint64_t fraction = mantissa << 1;  // 63 bits of fraction, left-aligned
  external[0] = std::byte(sign_exponent >> 8);
  external[1] = std::byte(sign_exponent & 0xff);
  for (int i = 0; i < 8; ++i) external[2 + i] = std::byte((fraction >> (56 - 8 * i)) & 0xff);
  std::fill(external + 10, external + kQuadBytes, std::byte{0});
}

void quad_to_extended(const std::byte* external, std::byte* native) {
  auto sign_exponent = static_cast<std::uint16_t>((std::to_integer<unsigned>(external[0]) << 8) |
                                                  std::to_integer<unsigned>(external[1]));
  std::uint64_t fraction = 0;
  for (int i = 0; i < 8; ++i) fraction = (fraction << 8) | std::to_integer<std::uint64_t>(external[2 + i]);
  std::uint64_t leading = (sign_exponent & 0x7fff) != 0 ? std::uint64_t{1} << 63 : 0;
  std::uint64_t mantissa = (fraction >> 1) | leading;
  // A NaN stays one when all that told it from an infinity is cut off: it gets the bit of a quiet NaN.
  const bool cut_off = (fraction & 1U) != 0 ||
                       std::any_of(external + 10, external + kQuadBytes, [](std::byte b) { return b != std::byte{0}; });
  if ((sign_exponent & 0x7fff) == 0x7fff && cut_off) mantissa |= std::uint64_t{1} << 62;
  std::memcpy(native, &mantissa, sizeof mantissa);
  std::memcpy(native + sizeof mantissa, &sign_exponent, sizeof sign_exponent);
  std::fill(native + kExtendedBytes, native + kQuadBytes, std::byte{0});
}

struct Sizes {
  std::int64_t native;
  std::int64_t external;
};

// Reverses the bytes; the longer side is filled with `fill` at its significant end.
void reverse_bytes(std::byte* to, std::int64_t to_bytes, bool to_big, const std::byte* from, std::int64_t from_bytes,
                   std::byte fill) {
  for (std::int64_t weight = 0; weight < to_bytes; ++weight) {
    // `from` has the other byte order than `to`.
    std::int64_t from_index = to_big ? weight : from_bytes - 1 - weight;
    std::byte value = weight < from_bytes ? from[from_index] : fill;
    to[to_big ? to_bytes - 1 - weight : weight] = value;
  }
}

std::byte sign_fill(bool is_signed, std::byte most_significant) {
  return is_signed && (most_significant & std::byte{0x80}) != std::byte{0} ? std::byte{0xff} : std::byte{0};
}

// Whether a native little-endian integer keeps its value in `bytes` bytes.
bool fits(const std::byte* native, Sizes sizes, bool is_signed) {
  if (sizes.native <= sizes.external) return true;
  std::byte fill = sign_fill(is_signed, native[sizes.external - 1]);
  return std::all_of(native + sizes.external, native + sizes.native, [&](std::byte b) { return b == fill; });
}

void convert_integer(Direction direction, Sizes sizes, bool is_signed, std::byte* native, std::byte* external) {
  if (direction == Direction::kWrite) {
    reverse_bytes(external, sizes.external, true, native, sizes.native, sign_fill(is_signed, native[sizes.native - 1]));
  } else {
    reverse_bytes(native, sizes.native, false, external, sizes.external, sign_fill(is_signed, external[0]));
  }
}

void convert_float(Direction direction, Sizes sizes, bool extended, std::byte* native, std::byte* external) {
  if (!extended) return convert_integer(direction, sizes, false, native, external);
  if (direction == Direction::kWrite) return extended_to_quad(native, external);
  quad_to_extended(external, native);
}

// Whether values are in the x87 format, which elsewhere no kind is.
bool is_extended(BasicKind kind) {
  if (LDBL_MANT_DIG != 64) return false;
  switch (kind) {
    case BasicKind::kLongDouble:
    case BasicKind::kCLongDoubleComplex:
    case BasicKind::kCxxLongDoubleComplex: return true;
    default: return false;
  }
}

}  // namespace

Status convert_external32(Direction direction, BasicKind kind, std::int64_t count, const Representation& native_sizes,
                          std::byte* native, std::byte* external) {
  const Sizes sizes = {native_sizes.bytes(kind), Representation::external32().bytes(kind)};
  const ValueClass value = value_class(kind);
  const bool is_signed = value == ValueClass::kSigned;
  if (value == ValueClass::kOpaque || (sizes.native == 1 && sizes.external == 1)) {
    auto bytes = static_cast<std::size_t>(count * sizes.native);
    direction == Direction::kWrite ? std::memcpy(external, native, bytes) : std::memcpy(native, external, bytes);
    return {};
  }
  for (std::int64_t i = 0; i < count; ++i, native += sizes.native, external += sizes.external) {
    if (value == ValueClass::kFloat) {
      convert_float(direction, sizes, is_extended(kind), native, external);
    } else if (value == ValueClass::kComplex) {
      const Sizes half = {sizes.native / 2, sizes.external / 2};
      convert_float(direction, half, is_extended(kind), native, external);
      convert_float(direction, half, is_extended(kind), native + half.native, external + half.external);
    } else {
      if (direction == Direction::kWrite && !fits(native, sizes, is_signed)) {
        return {ErrorClass::kConversion, fmt::format("a value of {} does not fit the {} bytes external32 has for it",
                                                     name(kind), sizes.external)};
      }
      convert_integer(direction, sizes, is_signed, native, external);
    }
  }
  return {};
}

}  // namespace weir::layout
