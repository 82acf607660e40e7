#include "layout/basic_kind.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace weir::layout {
namespace {

using enum BasicKind;

// One row per kind that is not a pair.
struct BasicRow {
  BasicKind kind;
  const char* name;
  ValueClass value_class;
  std::int16_t native_bytes;
  std::int16_t native_alignment;
  std::int16_t external32_bytes;
};

template <typename T>
constexpr BasicRow row(BasicKind kind, const char* name, ValueClass value_class, std::int16_t external32_bytes) {
  return {kind, name, value_class, sizeof(T), alignof(T), external32_bytes};
}

// A Fortran type that no C type need match: aligned to its (part's) size.
constexpr BasicRow fortran(BasicKind kind, const char* name, ValueClass value_class, std::int16_t bytes) {
  const auto part = static_cast<std::int16_t>(value_class == ValueClass::kComplex ? bytes / 2 : bytes);
  return {kind, name, value_class, bytes, part, bytes};
}

template <typename T>
struct ComplexOf {
  T real;
  T imaginary;
};

constexpr auto kOpaque = ValueClass::kOpaque;
constexpr auto kText = ValueClass::kCharacter;
constexpr auto kSignedInt = ValueClass::kSigned;
constexpr auto kUnsignedInt = ValueClass::kUnsigned;
constexpr auto kFloating = ValueClass::kFloat;
constexpr auto kComplexValue = ValueClass::kComplex;
constexpr auto kTruth = ValueClass::kLogical;

constexpr std::array kBasicRows = {
    row<char>(kByte, "MPI_BYTE", kOpaque, 1),
    row<char>(kPacked, "MPI_PACKED", kOpaque, 1),
    row<char>(kChar, "MPI_CHAR", kText, 1),
    row<signed char>(kSignedChar, "MPI_SIGNED_CHAR", kSignedInt, 1),
    row<unsigned char>(kUnsignedChar, "MPI_UNSIGNED_CHAR", kUnsignedInt, 1),
    row<wchar_t>(kWchar, "MPI_WCHAR", kText, 2),
    row<short>(kShort, "MPI_SHORT", kSignedInt, 2),
    row<unsigned short>(kUnsignedShort, "MPI_UNSIGNED_SHORT", kUnsignedInt, 2),
    row<int>(kInt, "MPI_INT", kSignedInt, 4),
    row<unsigned>(kUnsigned, "MPI_UNSIGNED", kUnsignedInt, 4),
    row<long>(kLong, "MPI_LONG", kSignedInt, 4),
    row<unsigned long>(kUnsignedLong, "MPI_UNSIGNED_LONG", kUnsignedInt, 4),
    row<long long>(kLongLong, "MPI_LONG_LONG", kSignedInt, 8),
    row<unsigned long long>(kUnsignedLongLong, "MPI_UNSIGNED_LONG_LONG", kUnsignedInt, 8),
    row<std::int8_t>(kInt8, "MPI_INT8_T", kSignedInt, 1),
    row<std::int16_t>(kInt16, "MPI_INT16_T", kSignedInt, 2),
    row<std::int32_t>(kInt32, "MPI_INT32_T", kSignedInt, 4),
    row<std::int64_t>(kInt64, "MPI_INT64_T", kSignedInt, 8),
    row<std::uint8_t>(kUint8, "MPI_UINT8_T", kUnsignedInt, 1),
    row<std::uint16_t>(kUint16, "MPI_UINT16_T", kUnsignedInt, 2),
    row<std::uint32_t>(kUint32, "MPI_UINT32_T", kUnsignedInt, 4),
    row<std::uint64_t>(kUint64, "MPI_UINT64_T", kUnsignedInt, 8),
    row<std::ptrdiff_t>(kAint, "MPI_AINT", kSignedInt, 8),
    row<std::int64_t>(kOffset, "MPI_OFFSET", kSignedInt, 8),
    row<std::int64_t>(kCount, "MPI_COUNT", kSignedInt, 8),
    row<float>(kFloat, "MPI_FLOAT", kFloating, 4),
    row<double>(kDouble, "MPI_DOUBLE", kFloating, 8),
    row<long double>(kLongDouble, "MPI_LONG_DOUBLE", kFloating, 16),
    row<bool>(kCBool, "MPI_C_BOOL", kTruth, 1),
    row<ComplexOf<float>>(kCFloatComplex, "MPI_C_FLOAT_COMPLEX", kComplexValue, 8),
    row<ComplexOf<double>>(kCDoubleComplex, "MPI_C_DOUBLE_COMPLEX", kComplexValue, 16),
    row<ComplexOf<long double>>(kCLongDoubleComplex, "MPI_C_LONG_DOUBLE_COMPLEX", kComplexValue, 32),
    row<bool>(kCxxBool, "MPI_CXX_BOOL", kTruth, 1),
    row<ComplexOf<float>>(kCxxFloatComplex, "MPI_CXX_FLOAT_COMPLEX", kComplexValue, 8),
    row<ComplexOf<double>>(kCxxDoubleComplex, "MPI_CXX_DOUBLE_COMPLEX", kComplexValue, 16),
    row<ComplexOf<long double>>(kCxxLongDoubleComplex, "MPI_CXX_LONG_DOUBLE_COMPLEX", kComplexValue, 32),
    fortran(kCharacter, "MPI_CHARACTER", kText, 1),
    fortran(kLogical, "MPI_LOGICAL", kTruth, 4),
    fortran(kInteger, "MPI_INTEGER", kSignedInt, 4),
    fortran(kReal, "MPI_REAL", kFloating, 4),
    fortran(kDoublePrecision, "MPI_DOUBLE_PRECISION", kFloating, 8),
    fortran(kComplex, "MPI_COMPLEX", kComplexValue, 8),
    fortran(kDoubleComplex, "MPI_DOUBLE_COMPLEX", kComplexValue, 16),
    fortran(kLogical1, "MPI_LOGICAL1", kTruth, 1),
    fortran(kLogical2, "MPI_LOGICAL2", kTruth, 2),
    fortran(kLogical4, "MPI_LOGICAL4", kTruth, 4),
    fortran(kLogical8, "MPI_LOGICAL8", kTruth, 8),
    fortran(kLogical16, "MPI_LOGICAL16", kTruth, 16),
    fortran(kInteger1, "MPI_INTEGER1", kSignedInt, 1),
    fortran(kInteger2, "MPI_INTEGER2", kSignedInt, 2),
    fortran(kInteger4, "MPI_INTEGER4", kSignedInt, 4),
    fortran(kInteger8, "MPI_INTEGER8", kSignedInt, 8),
    fortran(kInteger16, "MPI_INTEGER16", kSignedInt, 16),
    fortran(kReal2, "MPI_REAL2", kFloating, 2),
    fortran(kReal4, "MPI_REAL4", kFloating, 4),
    fortran(kReal8, "MPI_REAL8", kFloating, 8),
    fortran(kReal16, "MPI_REAL16", kFloating, 16),
    fortran(kComplex4, "MPI_COMPLEX4", kComplexValue, 4),
    fortran(kComplex8, "MPI_COMPLEX8", kComplexValue, 8),
    fortran(kComplex16, "MPI_COMPLEX16", kComplexValue, 16),
    fortran(kComplex32, "MPI_COMPLEX32", kComplexValue, 32),
};

struct PairRow {
  BasicKind kind;
  const char* name;
  PairMembers members;
};

constexpr std::array kPairRows = {
    PairRow{kFloatInt, "MPI_FLOAT_INT", {kFloat, kInt}},
    PairRow{kDoubleInt, "MPI_DOUBLE_INT", {kDouble, kInt}},
    PairRow{kLongInt, "MPI_LONG_INT", {kLong, kInt}},
    PairRow{kShortInt, "MPI_SHORT_INT", {kShort, kInt}},
    PairRow{kLongDoubleInt, "MPI_LONG_DOUBLE_INT", {kLongDouble, kInt}},
    PairRow{kTwoInt, "MPI_2INT", {kInt, kInt}},
    PairRow{kTwoReal, "MPI_2REAL", {kReal, kReal}},
    PairRow{kTwoDoublePrecision, "MPI_2DOUBLE_PRECISION", {kDoublePrecision, kDoublePrecision}},
    PairRow{kTwoInteger, "MPI_2INTEGER", {kInteger, kInteger}},
    PairRow{kTwoComplex, "MPI_2COMPLEX", {kComplex, kComplex}},
    PairRow{kTwoDoubleComplex, "MPI_2DOUBLE_COMPLEX", {kDoubleComplex, kDoubleComplex}},
};

constexpr std::size_t index_of(BasicKind kind) { return static_cast<std::size_t>(kind); }

constexpr bool rows_in_order() {
  for (std::size_t i = 0; i < kBasicRows.size(); ++i) {
    if (index_of(kBasicRows[i].kind) != i) return false;
  }
  for (std::size_t i = 0; i < kPairRows.size(); ++i) {
    if (index_of(kPairRows[i].kind) != kBasicRows.size() + i) return false;
  }
  return kBasicRows.size() + kPairRows.size() == kBasicKinds;
}
static_assert(rows_in_order(), "a row per kind, in the order of BasicKind");

constexpr const PairRow* pair_row(BasicKind kind) {
  return index_of(kind) < kBasicRows.size() ? nullptr : &kPairRows[index_of(kind) - kBasicRows.size()];
}

}  // namespace

const char* name(BasicKind kind) {
  const PairRow* pair = pair_row(kind);
  return pair ? pair->name : kBasicRows[index_of(kind)].name;
}

ValueClass value_class(BasicKind kind) {
  return pair_row(kind) ? ValueClass::kPair : kBasicRows[index_of(kind)].value_class;
}

std::optional<PairMembers> pair_members(BasicKind kind) {
  const PairRow* pair = pair_row(kind);
  return pair ? std::optional(pair->members) : std::nullopt;
}

Representation Representation::native() {
  Representation result;
  for (const BasicRow& row : kBasicRows) result.sizes_[index_of(row.kind)] = {row.native_bytes, row.native_alignment};
  return result;
}

Representation Representation::external32() {
  Representation result;
  for (const BasicRow& row : kBasicRows) result.sizes_[index_of(row.kind)] = {row.external32_bytes, 1};
  return result;
}

std::int64_t Representation::bytes(BasicKind kind) const {
  if (const auto pair = pair_members(kind)) return bytes(pair->first) + bytes(pair->second);
  return sizes_[index_of(kind)].bytes;
}

std::int64_t Representation::alignment(BasicKind kind) const {
  if (const auto pair = pair_members(kind)) return std::max(alignment(pair->first), alignment(pair->second));
  return sizes_[index_of(kind)].alignment;
}

std::int64_t Representation::second_offset(PairMembers pair) const {
  const std::int64_t unit = alignment(pair.second);
  return (bytes(pair.first) + unit - 1) / unit * unit;
}

void Representation::set(BasicKind kind, std::int64_t bytes, std::int64_t alignment) {
  sizes_[index_of(kind)] = {static_cast<std::int16_t>(bytes), static_cast<std::int16_t>(alignment)};
}

}  // namespace weir::layout
