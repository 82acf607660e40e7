#include "workloads/program/mpi_type.h"

#include <utility>
#include <variant>
#include <vector>

#include "workloads/program/job.h"

namespace bench {
namespace {

MPI_Datatype basic_type(Basic basic) {
  switch (basic) {
    case Basic::kByte: return MPI_BYTE;
    case Basic::kInt: return MPI_INT;
    case Basic::kFloat: return MPI_FLOAT;
    case Basic::kDouble: return MPI_DOUBLE;
  }
  throw JobFailure("no such basic type");
}

MpiType committed(MPI_Datatype handle) {
  check_mpi(MPI_Type_commit(&handle), "MPI_Type_commit");
  return {handle, false};
}

std::vector<MPI_Aint> addresses(const std::vector<std::int64_t>& displacements) {
  return {displacements.begin(), displacements.end()};
}

struct Build {
  MpiType operator()(const Plain& type) const { return mpi_type(type.element); }

  MpiType operator()(const Subarray& type) const {
    const MpiType element = mpi_type(type.element);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_create_subarray(static_cast<int>(type.sizes.size()), type.sizes.data(), type.subsizes.data(),
                                       type.starts.data(), type.order == Order::kC ? MPI_ORDER_C : MPI_ORDER_FORTRAN,
                                       element.get(), &made),
              "MPI_Type_create_subarray");
    return committed(made);
  }

  MpiType operator()(const Vector& type) const {
    const MpiType element = mpi_type(type.element);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_vector(type.count, type.block, type.stride, element.get(), &made), "MPI_Type_vector");
    return committed(made);
  }

  MpiType operator()(const Hindexed& type) const {
    const MpiType element = mpi_type(type.element);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_create_hindexed(static_cast<int>(type.lengths.size()), type.lengths.data(),
                                       addresses(type.displacements).data(), element.get(), &made),
              "MPI_Type_create_hindexed");
    return committed(made);
  }

  MpiType operator()(const HindexedBlock& type) const {
    const MpiType element = mpi_type(type.element);
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_create_hindexed_block(static_cast<int>(type.displacements.size()), type.length,
                                             addresses(type.displacements).data(), element.get(), &made),
              "MPI_Type_create_hindexed_block");
    return committed(made);
  }

  MpiType operator()(const Joined& type) const {
    const std::vector<int> lengths(type.parts.size(), 1);
    const std::vector<MPI_Aint> displacements(type.parts.size(), 0);
    std::vector<MpiType> parts;
    std::vector<MPI_Datatype> handles;
    for (const Subarray& part : type.parts) handles.push_back(parts.emplace_back((*this)(part)).get());
    MPI_Datatype made = MPI_DATATYPE_NULL;
    check_mpi(MPI_Type_create_struct(static_cast<int>(handles.size()), lengths.data(), displacements.data(),
                                     handles.data(), &made),
              "MPI_Type_create_struct");
    return committed(made);
  }
};

}  // namespace

MpiType::MpiType(MPI_Datatype handle, bool predefined) : handle_(handle), predefined_(predefined) {}

MpiType::MpiType(MpiType&& other) noexcept
    : handle_(other.handle_), predefined_(std::exchange(other.predefined_, true)) {}

MpiType::~MpiType() {
  if (!predefined_) MPI_Type_free(&handle_);
}

MpiType mpi_type(const Element& element) {
  const MPI_Datatype basic = basic_type(element.basic);
  if (element.count == 1 && element.dense()) return {basic, true};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_contiguous(element.count, basic, &made), "MPI_Type_contiguous");
  const MpiType contiguous = committed(made);
  check_mpi(MPI_Type_create_resized(contiguous.get(), 0, element.extent_bytes, &made), "MPI_Type_create_resized");
  return committed(made);
}

MpiType mpi_type(const TypeSpec& type) { return std::visit(Build{}, type); }

int mpi_count(const TypeSpec& type) {
  const Plain* plain = std::get_if<Plain>(&type);
  return plain == nullptr ? 1 : to_int(plain->count);
}

}  // namespace bench
