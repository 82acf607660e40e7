// What the tests of collective calls compare with: a map of the file's bytes, and buffers that show what touched them.
#pragma once

#include <string>
#include <vector>

#include "view_oracle.h"

namespace mpi_test {

// The memory of an access, with bytes around it, filled as if nothing had touched it.
class Buffer {
 public:
  explicit Buffer(const ViewAccess& access);

  void* address() { return bytes_.data() + before_; }
  const Bytes& bytes() const { return bytes_; }
  std::size_t data_bytes() const { return offsets_.size(); }
  std::uint8_t& data(std::size_t index) { return bytes_[static_cast<std::size_t>(before_ + offsets_[index])]; }
  bool has_bytes_twice() const;

 private:
  std::vector<MPI_Aint> offsets_;
  MPI_Aint before_ = 0;
  Bytes bytes_;
};

// Where in the file the bytes of this rank's access are.
std::vector<MPI_Offset> offsets_of(const ViewAccess& access);

// The bytes that must be in the file, kept on rank 0.
class FileMap {
 public:
  explicit FileMap(Bytes bytes) : bytes_(std::move(bytes)) {}

  // COLLECTIVE: puts every rank's bytes in. REQUIRES no byte of the file twice.
  void write(const std::vector<MPI_Offset>& offsets, Buffer& buffer);
  // COLLECTIVE: all bytes, on every rank.
  Bytes share() const;
  // COLLECTIVE: rank 0 compares the whole file; `text` is told on failure.
  void check(const char* path, const std::string& text) const;

 private:
  Bytes bytes_;
};

}  // namespace mpi_test
