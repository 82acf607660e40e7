#include "scratch.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "agree.h"

namespace beffio {

namespace fs = std::filesystem;

weir::Result<Scratch> Scratch::make(const std::string& parent, Guard& guard, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  weir::Status status;
  std::error_code error;
  const fs::path absolute = fs::absolute(parent, error);  // the guard may be elsewhere
  std::string path = (error ? fs::path(parent) : absolute) / "b_eff_io.XXXXXX";
  if (rank != 0) {
    guard.dismiss();
  } else if (::mkdtemp(path.data()) == nullptr) {
    status = weir::Status::from_errno(errno, "making a directory in", parent);
  } else {
    guard.entrust(path);
  }
  status = agree(status, comm);
  if (!status.ok()) return status;
  return Scratch(text_of_rank_0(std::move(path), comm));
}

void Scratch::remove() const {
  std::error_code error;
  fs::remove_all(path_, error);
}

void Scratch::remove_files(const std::string& prefix) const {
  std::error_code error;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
    if (entry.path().filename().string().starts_with(prefix)) files.push_back(entry.path());
  }
  for (const fs::path& file : files) fs::remove(file, error);
}

}  // namespace beffio
