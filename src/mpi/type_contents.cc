#include "mpi/type_contents.h"

#include "comm/mpi/host.h"
#include "comm/mpi/mpi_comm.h"

namespace weir::mpi {

namespace {

// The raw lists, as get_contents returns them. `counts` is empty but for types made by large-count constructors.
struct RawContents {
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Count> counts;
};

void append(std::vector<std::int64_t>& to, const auto& from, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) to.push_back(static_cast<std::int64_t>(from[i]));
}

// Constructors with large counts list their counts and displacements apart, in the same order as the small ones list
// integers and addresses; only the array constructors mix them with integers.
std::vector<std::int64_t> in_argument_order(int combiner, const RawContents& raw) {
  std::vector<std::int64_t> arguments;
  std::size_t integers_before = raw.integers.size();
  if (!raw.counts.empty() && combiner == MPI_COMBINER_SUBARRAY) integers_before = 1;  // dimensions | order
  if (!raw.counts.empty() && combiner == MPI_COMBINER_DARRAY) integers_before = 3;    // size, rank, dimensions | ...
  append(arguments, raw.integers, 0, integers_before);
  append(arguments, raw.counts, 0, raw.counts.size());
  append(arguments, raw.integers, integers_before, raw.integers.size());
  append(arguments, raw.addresses, 0, raw.addresses.size());
  return arguments;
}

// How long each list is, and the constructor.
struct Envelope {
  MPI_Count integers = 0;
  MPI_Count addresses = 0;
  MPI_Count counts = 0;
  MPI_Count types = 0;
  int combiner = MPI_COMBINER_NAMED;
};

int read_envelope(MPI_Datatype type, Envelope& envelope) {
  if (const auto large = host::extras().Type_get_envelope_c) {
    return large(type, &envelope.integers, &envelope.addresses, &envelope.counts, &envelope.types, &envelope.combiner);
  }
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int error = PMPI_Type_get_envelope(type, &integers, &addresses, &types, &envelope.combiner);
  envelope.integers = integers;
  envelope.addresses = addresses;
  envelope.types = types;
  return error;
}

int read_contents(MPI_Datatype type, const Envelope& envelope, RawContents& raw, MPI_Datatype* children) {
  if (const auto large = host::extras().Type_get_contents_c) {
    return large(type, envelope.integers, envelope.addresses, envelope.counts, envelope.types, raw.integers.data(),
                 raw.addresses.data(), raw.counts.data(), children);
  }
  return PMPI_Type_get_contents(type, static_cast<int>(envelope.integers), static_cast<int>(envelope.addresses),
                                static_cast<int>(envelope.types), raw.integers.data(), raw.addresses.data(), children);
}

}  // namespace

TypeContents::~TypeContents() {
  for (MPI_Datatype child : children) {
    if (!is_predefined_type(child)) PMPI_Type_free(&child);
  }
}

Result<TypeContents> contents_of(MPI_Datatype type) {
  Envelope envelope;
  int error = read_envelope(type, envelope);
  if (error != MPI_SUCCESS) return comm::status_of_mpi(error, "MPI_Type_get_envelope");
  TypeContents contents;
  contents.combiner = envelope.combiner;
  if (envelope.combiner == MPI_COMBINER_NAMED) return contents;
  RawContents raw;
  raw.integers.resize(static_cast<std::size_t>(envelope.integers));
  raw.addresses.resize(static_cast<std::size_t>(envelope.addresses));
  raw.counts.resize(static_cast<std::size_t>(envelope.counts));
  std::vector<MPI_Datatype> children(static_cast<std::size_t>(envelope.types));
  error = read_contents(type, envelope, raw, children.data());
  if (error != MPI_SUCCESS) return comm::status_of_mpi(error, "MPI_Type_get_contents");
  contents.children = std::move(children);
  contents.arguments = in_argument_order(contents.combiner, raw);
  return contents;
}

bool is_predefined_type(MPI_Datatype type) {
  Envelope envelope;
  read_envelope(type, envelope);
  switch (envelope.combiner) {
    case MPI_COMBINER_NAMED:
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX:
    case MPI_COMBINER_F90_INTEGER: return true;
    default: return false;
  }
}

}  // namespace weir::mpi
