#include "hints/lookup.h"

#include <array>

#include "base/text.h"

namespace weir::hints {

namespace {

// Keys the standard reserves for other objects; programs pass one info to many calls.
struct ForeignKeys {
  std::string_view owner;
  std::string_view keys;
};
constexpr std::array kForeign = {
    ForeignKeys{"MPI_Comm_spawn", "appnum arch argv command file host maxprocs path soft wdir"},
    ForeignKeys{"MPI_Open_port", "ip_address ip_port"},
    ForeignKeys{"MPI_Win_create",
                "accumulate_ops accumulate_ordering alloc_shared_noncontig mpi_accumulate_granularity "
                "mpi_minimum_memory_alignment no_locks same_disp_unit same_size"},
    ForeignKeys{"MPI_Comm_set_info",
                "mpi_assert_allow_overtaking mpi_assert_exact_length mpi_assert_no_any_source "
                "mpi_assert_no_any_tag mpi_assert_strict_start_ordering mpi_hw_resource_type"},
    ForeignKeys{"MPI_Session_init", "mpi_pset_name mpi_size thread_level"},
};

bool has_word(std::string_view words, std::string_view word) {
  for (std::string_view each : split(words, ' ')) {
    if (each == word) return true;
  }
  return false;
}

bool stands_for(std::string_view name, std::string_view key) {
  return name.ends_with('*') && key.starts_with(name.substr(0, name.size() - 1));
}

}  // namespace

const Row* find(std::string_view key) {
  for (const Row& row : table()) {
    if (row.name == key || has_word(row.aliases, key)) return &row;
  }
  for (const Row& row : table()) {
    if (stands_for(row.name, key)) return &row;
  }
  return nullptr;
}

std::optional<std::string_view> foreign_owner(std::string_view key) {
  for (const ForeignKeys& foreign : kForeign) {
    if (has_word(foreign.keys, key)) return foreign.owner;
  }
  return std::nullopt;
}

}  // namespace weir::hints
