// Data representations: how values look in the file.
#pragma once

#include <mpi.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "layout/type_tree.h"

namespace weir::mpi {

// A buffer as a call describes it.
struct Buffer {
  void* address = nullptr;
  std::int64_t instances = 0;
  MPI_Datatype type = MPI_BYTE;
};

class Datarep {
 public:
  explicit Datarep(std::string name) : name_(std::move(name)) {}
  virtual ~Datarep() = default;

  const std::string& name() const { return name_; }
  // False when bytes in the file are the bytes in memory; then nothing below but file_layout() is called.
  virtual bool converts() const { return false; }
  // One instance of `type` as it lies in the file.
  virtual Result<layout::SizedLayout> file_layout(MPI_Datatype type) const;
  // Values in memory to their packed form in the file (REQUIRES `file` of the right size), and back: `file` may hold
  // fewer bytes than the buffer has room for, then `memory_bytes` tells how many bytes of values were converted.
  virtual Status to_file(const Buffer& buffer, std::span<std::byte> file) const;
  virtual Status from_file(std::span<const std::byte> file, const Buffer& buffer, std::int64_t* memory_bytes) const;

 private:
  std::string name_;
};

// The functions given to MPI_Register_datarep, whatever the width of their counts; empty ones stand for "as native".
struct DatarepFunctions {
  // (program's buffer, its type, number of basic values, these in the file's form): returns an MPI error code.
  using Conversion = std::function<int(void*, MPI_Datatype, std::int64_t, void*)>;
  Conversion read;
  Conversion write;
  MPI_Datarep_extent_function* extent = nullptr;
  void* extra_state = nullptr;  // of the extent function
};

// The representations known in this process. Thread-safe.
class Datareps {
 public:
  Datareps();
  // Null when there is none of that name.
  std::shared_ptr<const Datarep> find(const std::string& name) const;
  // kDuplicateDatarep when the name is taken.
  Status add(const std::string& name, const DatarepFunctions& functions);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Datarep>> by_name_;
};

}  // namespace weir::mpi
