#include "mpi/datatype.h"

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "comm/mpi/host.h"
#include "comm/mpi/keyval.h"
#include "comm/mpi/mpi_comm.h"
#include "mpi/named_types.h"
#include "mpi/type_contents.h"

namespace weir::mpi {

namespace {

using layout::make_type;
using layout::TypeTree;

enum class Bounds : std::uint8_t { kHost, kOfMembers };  // whose extent a struct has

Result<TypeTree> decode_with(MPI_Datatype type, Bounds bounds);

// Takes a constructor's arguments one after the other.
class Arguments {
 public:
  explicit Arguments(const std::vector<std::int64_t>& values) : values_(values) {}
  std::int64_t next() { return values_[position_++]; }
  std::vector<std::int64_t> list(std::int64_t length) {
    auto begin = values_.begin() + static_cast<std::ptrdiff_t>(position_);
    position_ += static_cast<std::size_t>(length);
    return {begin, begin + length};
  }

 private:
  const std::vector<std::int64_t>& values_;
  std::size_t position_ = 0;
};

// Whether `value` is a constant for arrays: `named`, or, in the standard ABI, Open MPI's `own` value of it, which is
// what Open MPI 6.0.0rc2 gives back there. The two sets of values have none in common.
bool is_constant(std::int64_t value, int named, int own) {
  return value == named || (host::kStandardAbi && value == own);
}

layout::ArrayOrder order_of(std::int64_t order) {
  return is_constant(order, MPI_ORDER_FORTRAN, 1) ? layout::ArrayOrder::kFortran : layout::ArrayOrder::kC;
}

layout::Distribution distribution_of(std::int64_t kind, std::int64_t argument) {
  using Kind = layout::Distribution::Kind;
  Kind distribution = is_constant(kind, MPI_DISTRIBUTE_BLOCK, 0)    ? Kind::kBlock
                      : is_constant(kind, MPI_DISTRIBUTE_CYCLIC, 1) ? Kind::kCyclic
                                                                    : Kind::kNone;
  bool by_default = is_constant(argument, MPI_DISTRIBUTE_DFLT_DARG, -1);
  return {distribution, by_default ? layout::Distribution::kDefaultArgument : argument};
}

TypeTree make_subarray(Arguments arguments, TypeTree child) {
  std::int64_t dimensions = arguments.next();
  layout::Subarray subarray;
  subarray.sizes = arguments.list(dimensions);
  subarray.subsizes = arguments.list(dimensions);
  subarray.starts = arguments.list(dimensions);
  subarray.order = order_of(arguments.next());
  subarray.child = std::move(child);
  return make_type(std::move(subarray));
}

TypeTree make_darray(Arguments arguments, TypeTree child) {
  layout::Darray darray;
  darray.process_count = arguments.next();
  darray.rank = arguments.next();
  std::int64_t dimensions = arguments.next();
  darray.sizes = arguments.list(dimensions);
  std::vector<std::int64_t> kinds = arguments.list(dimensions);
  std::vector<std::int64_t> distribution_arguments = arguments.list(dimensions);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    darray.distributions.push_back(distribution_of(kinds[i], distribution_arguments[i]));
  }
  darray.process_sizes = arguments.list(dimensions);
  darray.order = order_of(arguments.next());
  darray.child = std::move(child);
  return make_type(std::move(darray));
}

Result<TypeTree> with_host_bounds(MPI_Datatype type, TypeTree decoded) {
  MPI_Count lb = 0;
  MPI_Count extent = 0;
  int error = PMPI_Type_get_extent_x(type, &lb, &extent);
  if (error != MPI_SUCCESS) return comm::status_of_mpi(error, "MPI_Type_get_extent_x");
  return make_type(layout::Resized{lb, extent, std::move(decoded)});
}

// Whether hosts pad the type to its alignment each in its own way.
bool hosts_differ_on_extent(int combiner) {
  return combiner == MPI_COMBINER_HVECTOR || combiner == MPI_COMBINER_HINDEXED ||
         combiner == MPI_COMBINER_HINDEXED_BLOCK;
}

Result<TypeTree> make_struct(MPI_Datatype type, const TypeContents& contents, Bounds bounds) {
  Arguments arguments(contents.arguments);
  std::int64_t length = arguments.next();
  layout::Struct made;
  made.block_lengths = arguments.list(length);
  made.displacement_bytes = arguments.list(length);
  for (MPI_Datatype child_type : contents.children) {
    Result<TypeTree> child = decode_with(child_type, bounds);
    if (!child.ok()) return child;
    made.children.push_back(std::move(child).value());
  }
  TypeTree decoded = make_type(std::move(made));
  if (bounds == Bounds::kOfMembers) return decoded;
  return with_host_bounds(type, std::move(decoded));
}

// Constructors with one child.
Result<TypeTree> make_derived(const TypeContents& contents, TypeTree child) {
  Arguments arguments(contents.arguments);
  switch (contents.combiner) {
    case MPI_COMBINER_DUP: return child;
    case MPI_COMBINER_CONTIGUOUS: return make_type(layout::Contiguous{arguments.next(), std::move(child)});
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR: {
      std::int64_t count = arguments.next();
      std::int64_t block_length = arguments.next();
      std::int64_t stride = arguments.next();
      if (contents.combiner == MPI_COMBINER_VECTOR) {
        return make_type(layout::Vector{count, block_length, stride, std::move(child)});
      }
      return make_type(layout::Hvector{count, block_length, stride, std::move(child)});
    }
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED: {
      std::int64_t length = arguments.next();
      std::vector<std::int64_t> block_lengths = arguments.list(length);
      std::vector<std::int64_t> displacements = arguments.list(length);
      if (contents.combiner == MPI_COMBINER_INDEXED) {
        return make_type(layout::Indexed{std::move(block_lengths), std::move(displacements), std::move(child)});
      }
      return make_type(layout::Hindexed{std::move(block_lengths), std::move(displacements), std::move(child)});
    }
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK: {
      std::int64_t length = arguments.next();
      std::int64_t block_length = arguments.next();
      std::vector<std::int64_t> displacements = arguments.list(length);
      if (contents.combiner == MPI_COMBINER_INDEXED_BLOCK) {
        return make_type(layout::IndexedBlock{block_length, std::move(displacements), std::move(child)});
      }
      return make_type(layout::HindexedBlock{block_length, std::move(displacements), std::move(child)});
    }
    case MPI_COMBINER_SUBARRAY: return make_subarray(arguments, std::move(child));
    case MPI_COMBINER_DARRAY: return make_darray(arguments, std::move(child));
    case MPI_COMBINER_RESIZED: {
      std::int64_t lb = arguments.next();
      std::int64_t extent = arguments.next();
      return make_type(layout::Resized{lb, extent, std::move(child)});
    }
    default:
      return Status(ErrorClass::kDatatype, fmt::format("datatype constructor {} is not known", contents.combiner));
  }
}

// A type that the host has no common name for (MPI_Type_create_f90_*, extensions): as many opaque bytes.
Result<TypeTree> make_opaque(MPI_Datatype type) {
  MPI_Count bytes = 0;
  int error = PMPI_Type_size_x(type, &bytes);
  if (error != MPI_SUCCESS) return comm::status_of_mpi(error, "MPI_Type_size_x");
  return make_type(layout::Contiguous{bytes, make_type(layout::BasicKind::kByte)});
}

TypeTree f90_type(int combiner, MPI_Datatype type) {
  using layout::BasicKind;
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  struct Row {
    int combiner;
    int bytes;
    BasicKind kind;
  };
  static const Row kRows[] = {
      {MPI_COMBINER_F90_REAL, 4, BasicKind::kReal4},       {MPI_COMBINER_F90_REAL, 8, BasicKind::kReal8},
      {MPI_COMBINER_F90_COMPLEX, 8, BasicKind::kComplex8}, {MPI_COMBINER_F90_COMPLEX, 16, BasicKind::kComplex16},
      {MPI_COMBINER_F90_INTEGER, 1, BasicKind::kInteger1}, {MPI_COMBINER_F90_INTEGER, 2, BasicKind::kInteger2},
      {MPI_COMBINER_F90_INTEGER, 4, BasicKind::kInteger4}, {MPI_COMBINER_F90_INTEGER, 8, BasicKind::kInteger8},
  };
  for (const Row& row : kRows) {
    if (row.combiner == combiner && row.bytes == bytes) return make_type(row.kind);
  }
  return nullptr;
}

Result<TypeTree> decode_with(MPI_Datatype type, Bounds bounds) {
  if (type == MPI_DATATYPE_NULL) return Status(ErrorClass::kDatatype, "the datatype is MPI_DATATYPE_NULL");
  if (std::optional<layout::BasicKind> kind = kind_of(type)) return make_type(*kind);
  Result<TypeContents> contents = contents_of(type);
  if (!contents.ok()) return contents.status();
  const TypeContents& made_from = contents.value();
  if (is_predefined_type(type)) {
    if (TypeTree named = f90_type(made_from.combiner, type)) return named;
    return make_opaque(type);
  }
  if (made_from.combiner == MPI_COMBINER_STRUCT) return make_struct(type, made_from, bounds);
  if (made_from.children.size() != 1) {
    return Status(ErrorClass::kDatatype, fmt::format("datatype constructor {} is not known", made_from.combiner));
  }
  Result<TypeTree> child = decode_with(made_from.children[0], bounds);
  if (!child.ok()) return child;
  Result<TypeTree> derived = make_derived(made_from, std::move(child).value());
  if (!derived.ok() || bounds == Bounds::kOfMembers || !hosts_differ_on_extent(made_from.combiner)) return derived;
  return with_host_bounds(type, std::move(derived).value());
}

using SharedLayout = std::shared_ptr<const layout::SizedLayout>;

int drop_cached(MPI_Datatype, int, void* cached, void*) {
  delete static_cast<SharedLayout*>(cached);
  return MPI_SUCCESS;
}

int cache_key() {
  static auto& keyval = *new comm::Keyval;
  return keyval.get([](int* key) { PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, &drop_cached, key, nullptr); });
}

// Guards what is cached: it is read, and set, as one step. Whoever sets it a second time would delete what another
// thread is about to read.
std::mutex& cache_mutex() {
  static auto& mutex = *new std::mutex;
  return mutex;
}

// Null when there is none. REQUIRES the cache's mutex.
SharedLayout cached_layout(MPI_Datatype type) {
  void* cached = nullptr;
  int found = 0;
  PMPI_Type_get_attr(type, cache_key(), &cached, &found);
  return found != 0 ? *static_cast<SharedLayout*>(cached) : nullptr;
}

// What all threads use from now on: `mine`, or what another thread has cached meanwhile.
SharedLayout cache_layout(MPI_Datatype type, SharedLayout mine) {
  auto kept = std::make_unique<SharedLayout>(mine);
  const std::scoped_lock lock(cache_mutex());
  if (SharedLayout others = cached_layout(type)) return others;
  if (PMPI_Type_set_attr(type, cache_key(), kept.get()) == MPI_SUCCESS) static_cast<void>(kept.release());
  return mine;
}

}  // namespace

// The host checks the type of a message that goes nowhere; its buffer is never looked at. MPICH checks only when there
// is something to send.
Status check_type(MPI_Comm comm, MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return {ErrorClass::kDatatype, "the datatype is MPI_DATATYPE_NULL"};
  char nothing = 0;
  if (PMPI_Send(&nothing, 1, type, MPI_PROC_NULL, 0, comm) == MPI_SUCCESS) return {};
  return {ErrorClass::kDatatype, "the datatype is not committed, or was freed"};
}

Result<layout::TypeTree> decode(MPI_Datatype type) { return decode_with(type, Bounds::kOfMembers); }

Result<std::shared_ptr<const layout::SizedLayout>> layout_of(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return Status(ErrorClass::kDatatype, "the datatype is MPI_DATATYPE_NULL");
  {
    const std::scoped_lock lock(cache_mutex());
    if (SharedLayout cached = cached_layout(type)) return cached;
  }
  Result<TypeTree> decoded = decode_with(type, Bounds::kHost);
  if (!decoded.ok()) return decoded.status();
  Result<layout::SizedLayout> sized = layout::build(*decoded.value(), native_representation());
  if (!sized.ok()) return sized.status();
  return cache_layout(type, std::make_shared<const layout::SizedLayout>(std::move(sized).value()));
}

KeptType::KeptType(MPI_Datatype type) : type_(type), owned_(!is_predefined_type(type)) {
  if (owned_) PMPI_Type_dup(type, &type_);
}

KeptType::~KeptType() {
  int finalized = 0;
  if (owned_ && PMPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0) PMPI_Type_free(&type_);
}

KeptType::KeptType(KeptType&& other) noexcept : type_(other.type_), owned_(std::exchange(other.owned_, false)) {}

KeptType& KeptType::operator=(KeptType&& other) noexcept {
  std::swap(type_, other.type_);
  std::swap(owned_, other.owned_);
  return *this;
}

MPI_Datatype KeptType::copy() const {
  MPI_Datatype type = type_;
  if (owned_) PMPI_Type_dup(type_, &type);
  return type;
}

}  // namespace weir::mpi
