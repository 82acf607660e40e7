// Writing text to a file that is not worth the program's life.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "sys/unique_fd.h"

namespace weir::trace {

// All of `text` at `offset`. A limit on file sizes (ulimit -f) is a failure, not a signal. The text names `path`.
Status write_all(int descriptor, std::string_view text, std::int64_t offset, const std::string& path);

// A file that is made anew, piece by piece. What is there already is left alone, and is a failure. After a failure
// nothing more is tried, and nothing of the file stays.
class NewFile {
 public:
  explicit NewFile(std::string path);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  void append(std::string_view text);
  const Status& status() const { return status_; }

 private:
  const std::string path_;
  sys::UniqueFd file_;
  std::int64_t bytes_ = 0;
  Status status_;
};

}  // namespace weir::trace
