// Whether a file is really served by weir: its info then holds hints of weir's own.
#pragma once

#include <mpi.h>

#include <array>
#include <string_view>

namespace mpi_test {

inline bool is_weirs(MPI_Info info) {
  int keys = 0;
  MPI_Info_get_nkeys(info, &keys);
  for (int i = 0; i < keys; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    MPI_Info_get_nthkey(info, i, key.data());
    if (std::string_view(key.data()).starts_with("weir_")) return true;
  }
  return false;
}

inline bool is_weirs(MPI_File file) {
  MPI_Info info = MPI_INFO_NULL;
  if (PMPI_File_get_info(file, &info) != MPI_SUCCESS) return false;
  const bool found = is_weirs(info);
  MPI_Info_free(&info);
  return found;
}

}  // namespace mpi_test
