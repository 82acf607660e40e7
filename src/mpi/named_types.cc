#include "mpi/named_types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

namespace weir::mpi {

namespace {

using layout::BasicKind;

struct NamedType {
  MPI_Datatype type;
  BasicKind kind;
};

const NamedType kCTypes[] = {
    {MPI_BYTE, BasicKind::kByte},
    {MPI_PACKED, BasicKind::kPacked},
    {MPI_CHAR, BasicKind::kChar},
    {MPI_SIGNED_CHAR, BasicKind::kSignedChar},
    {MPI_UNSIGNED_CHAR, BasicKind::kUnsignedChar},
    {MPI_WCHAR, BasicKind::kWchar},
    {MPI_SHORT, BasicKind::kShort},
    {MPI_UNSIGNED_SHORT, BasicKind::kUnsignedShort},
    {MPI_INT, BasicKind::kInt},
    {MPI_UNSIGNED, BasicKind::kUnsigned},
    {MPI_LONG, BasicKind::kLong},
    {MPI_UNSIGNED_LONG, BasicKind::kUnsignedLong},
    {MPI_LONG_LONG, BasicKind::kLongLong},
    {MPI_UNSIGNED_LONG_LONG, BasicKind::kUnsignedLongLong},
    {MPI_INT8_T, BasicKind::kInt8},
    {MPI_INT16_T, BasicKind::kInt16},
    {MPI_INT32_T, BasicKind::kInt32},
    {MPI_INT64_T, BasicKind::kInt64},
    {MPI_UINT8_T, BasicKind::kUint8},
    {MPI_UINT16_T, BasicKind::kUint16},
    {MPI_UINT32_T, BasicKind::kUint32},
    {MPI_UINT64_T, BasicKind::kUint64},
    {MPI_AINT, BasicKind::kAint},
    {MPI_OFFSET, BasicKind::kOffset},
    {MPI_COUNT, BasicKind::kCount},
    {MPI_FLOAT, BasicKind::kFloat},
    {MPI_DOUBLE, BasicKind::kDouble},
    {MPI_LONG_DOUBLE, BasicKind::kLongDouble},
    {MPI_C_BOOL, BasicKind::kCBool},
    {MPI_C_FLOAT_COMPLEX, BasicKind::kCFloatComplex},
    {MPI_C_COMPLEX, BasicKind::kCFloatComplex},
    {MPI_C_DOUBLE_COMPLEX, BasicKind::kCDoubleComplex},
    {MPI_C_LONG_DOUBLE_COMPLEX, BasicKind::kCLongDoubleComplex},
    {MPI_CXX_BOOL, BasicKind::kCxxBool},
    {MPI_CXX_FLOAT_COMPLEX, BasicKind::kCxxFloatComplex},
    {MPI_CXX_DOUBLE_COMPLEX, BasicKind::kCxxDoubleComplex},
    {MPI_CXX_LONG_DOUBLE_COMPLEX, BasicKind::kCxxLongDoubleComplex},
    {MPI_FLOAT_INT, BasicKind::kFloatInt},
    {MPI_DOUBLE_INT, BasicKind::kDoubleInt},
    {MPI_LONG_INT, BasicKind::kLongInt},
    {MPI_SHORT_INT, BasicKind::kShortInt},
    {MPI_LONG_DOUBLE_INT, BasicKind::kLongDoubleInt},
    {MPI_2INT, BasicKind::kTwoInt},
};

const NamedType kFortranTypes[] = {
    {MPI_CHARACTER, BasicKind::kCharacter},
    {MPI_LOGICAL, BasicKind::kLogical},
    {MPI_INTEGER, BasicKind::kInteger},
    {MPI_REAL, BasicKind::kReal},
    {MPI_DOUBLE_PRECISION, BasicKind::kDoublePrecision},
    {MPI_COMPLEX, BasicKind::kComplex},
    {MPI_DOUBLE_COMPLEX, BasicKind::kDoubleComplex},
    {MPI_INTEGER1, BasicKind::kInteger1},
    {MPI_INTEGER2, BasicKind::kInteger2},
    {MPI_INTEGER4, BasicKind::kInteger4},
    {MPI_INTEGER8, BasicKind::kInteger8},
    {MPI_REAL4, BasicKind::kReal4},
    {MPI_REAL8, BasicKind::kReal8},
    {MPI_REAL16, BasicKind::kReal16},
    {MPI_COMPLEX8, BasicKind::kComplex8},
    {MPI_COMPLEX16, BasicKind::kComplex16},
    {MPI_COMPLEX32, BasicKind::kComplex32},
    {MPI_2REAL, BasicKind::kTwoReal},
    {MPI_2DOUBLE_PRECISION, BasicKind::kTwoDoublePrecision},
    {MPI_2INTEGER, BasicKind::kTwoInteger},
#ifdef MPI_INTEGER16
    {MPI_INTEGER16, BasicKind::kInteger16},
#endif
#ifdef MPI_REAL2
    {MPI_REAL2, BasicKind::kReal2},
#endif
#ifdef MPI_LOGICAL1
    {MPI_LOGICAL1, BasicKind::kLogical1},
    {MPI_LOGICAL2, BasicKind::kLogical2},
    {MPI_LOGICAL4, BasicKind::kLogical4},
    {MPI_LOGICAL8, BasicKind::kLogical8},
#endif
#ifdef MPI_2COMPLEX
    {MPI_2COMPLEX, BasicKind::kTwoComplex},
    {MPI_2DOUBLE_COMPLEX, BasicKind::kTwoDoubleComplex},
#endif
};

// A host without Fortran has no Fortran types: their handles are MPI_DATATYPE_NULL, or a type of no bytes.
bool exists(MPI_Datatype type) {
  int bytes = 0;
  return type != MPI_DATATYPE_NULL && PMPI_Type_size(type, &bytes) == MPI_SUCCESS && bytes > 0;
}

std::map<MPI_Datatype, BasicKind> collect() {
  std::map<MPI_Datatype, BasicKind> kinds;
  for (const NamedType& named : kCTypes) kinds.emplace(named.type, named.kind);
  for (const NamedType& named : kFortranTypes) {
    if (exists(named.type)) kinds.emplace(named.type, named.kind);
  }
  return kinds;
}

const std::map<MPI_Datatype, BasicKind>& all_kinds() {
  static const std::map<MPI_Datatype, BasicKind> kinds = collect();
  return kinds;
}

// The Fortran defaults depend on how the host was configured; C types are the compiler's.
layout::Representation measure() {
  layout::Representation native = layout::Representation::native();
  for (const NamedType& named : kFortranTypes) {
    int bytes = 0;
    if (layout::pair_members(named.kind).has_value() || !exists(named.type)) continue;
    PMPI_Type_size(named.type, &bytes);
    if (bytes != native.bytes(named.kind)) native.set(named.kind, bytes, native.alignment(named.kind));
  }
  return native;
}

// The gapless types, by a hash of the handle.
class GaplessTypes {
 public:
  GaplessTypes() {
    for (const auto& [type, kind] : all_kinds()) {
      if (layout::pair_members(kind).has_value()) continue;
      std::size_t at = home_of(type);
      while (rows_[at].bytes != 0) at = (at + 1) % kRows;
      rows_[at] = {type, native_representation().bytes(kind)};
    }
  }

  std::int64_t bytes(MPI_Datatype type) const {
    std::size_t at = home_of(type);
    while (rows_[at].bytes != 0 && rows_[at].type != type) at = (at + 1) % kRows;
    return rows_[at].bytes;
  }

 private:
  struct Row {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::int64_t bytes = 0;  // 0: free
  };
  static constexpr unsigned kRowBits = 8;
  static constexpr std::size_t kRows = std::size_t{1} << kRowBits;  // several times as many as types
  static std::size_t home_of(MPI_Datatype type) {
    return (std::hash<MPI_Datatype>{}(type)*0x9E3779B97F4A7C15U) >> (64U - kRowBits);
  }

  std::array<Row, kRows> rows_;
};

}  // namespace

std::int64_t gapless_bytes(MPI_Datatype type) {
  static const GaplessTypes types;
  return types.bytes(type);
}

std::optional<BasicKind> kind_of(MPI_Datatype named) {
  auto found = all_kinds().find(named);
  if (found == all_kinds().end()) return std::nullopt;
  return found->second;
}

MPI_Datatype named_type(BasicKind kind) {
  for (const auto& [type, type_kind] : all_kinds()) {
    if (type_kind == kind) return type;
  }
  return MPI_DATATYPE_NULL;
}

const layout::Representation& native_representation() {
  static const layout::Representation native = measure();
  return native;
}

}  // namespace weir::mpi
