// BasicKind: the named datatypes of MPI, and how large their values are in memory or in a file representation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace weir::layout {

// Synonyms of the standard share a kind: MPI_LONG_LONG_INT is kLongLong, MPI_C_COMPLEX is kCFloatComplex.
// clang-format off
enum class BasicKind : std::uint8_t {
  // C
  kByte, kPacked, kChar, kSignedChar, kUnsignedChar, kWchar,
  kShort, kUnsignedShort, kInt, kUnsigned, kLong, kUnsignedLong, kLongLong, kUnsignedLongLong,
  kInt8, kInt16, kInt32, kInt64, kUint8, kUint16, kUint32, kUint64,
  kAint, kOffset, kCount,
  kFloat, kDouble, kLongDouble, kCBool,
  kCFloatComplex, kCDoubleComplex, kCLongDoubleComplex,
  // C++
  kCxxBool, kCxxFloatComplex, kCxxDoubleComplex, kCxxLongDoubleComplex,
  // Fortran
  kCharacter, kLogical, kInteger, kReal, kDoublePrecision, kComplex, kDoubleComplex,
  kLogical1, kLogical2, kLogical4, kLogical8, kLogical16,
  kInteger1, kInteger2, kInteger4, kInteger8, kInteger16,
  kReal2, kReal4, kReal8, kReal16,
  kComplex4, kComplex8, kComplex16, kComplex32,
  // Pairs, for MINLOC and MAXLOC: named, but with the holes of a struct
  kFloatInt, kDoubleInt, kLongInt, kShortInt, kLongDoubleInt, kTwoInt,
  kTwoReal, kTwoDoublePrecision, kTwoInteger, kTwoComplex, kTwoDoubleComplex,
};
// clang-format on
constexpr std::size_t kBasicKinds = static_cast<std::size_t>(BasicKind::kTwoDoubleComplex) + 1;

// What a value means, as far as converting it between sizes needs to know.
enum class ValueClass : std::uint8_t { kOpaque, kCharacter, kSigned, kUnsigned, kFloat, kComplex, kLogical, kPair };

struct PairMembers {
  BasicKind first;
  BasicKind second;
};

// The name of the standard, e.g. "MPI_SHORT_INT".
const char* name(BasicKind kind);
ValueClass value_class(BasicKind kind);
// The two members of a pair; nothing for all other kinds.
std::optional<PairMembers> pair_members(BasicKind kind);

// How many bytes each kind takes, and how it is aligned inside a struct. A value; pairs follow from their members.
class Representation {
 public:
  // As the C compiler has it; Fortran's defaults as gfortran and flang have them without options.
  static Representation native();
  // The standard's canonical file representation: fixed sizes, no padding anywhere.
  static Representation external32();

  // Of a pair: the data bytes of both members, and the greater alignment.
  std::int64_t bytes(BasicKind kind) const;
  std::int64_t alignment(BasicKind kind) const;
  // Of a pair: where its second member begins.
  std::int64_t second_offset(PairMembers pair) const;

  // For compilers that differ, e.g. INTEGER of 8 bytes. REQUIRES: not a pair; alignment a power of two.
  void set(BasicKind kind, std::int64_t bytes, std::int64_t alignment);

  bool operator==(const Representation&) const = default;

 private:
  struct Size {
    std::int16_t bytes = 0;
    std::int16_t alignment = 1;
    bool operator==(const Size&) const = default;
  };
  std::array<Size, kBasicKinds> sizes_{};
};

}  // namespace weir::layout
