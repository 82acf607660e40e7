// Nothing stays behind: directories that go away, and processes that work in them.
#pragma once

#include <string>

#include "base/status.h"

namespace weir::tool::bench {

// Ends all processes whose current directory is `directory`: ranks that a launcher did not end.
void end_leftovers(const std::string& directory);

// A new directory, removed with all that is in it.
class Scratch {
 public:
  // Failure: it cannot be made in `parent`; says why.
  static Result<Scratch> make(const std::string& parent);

  Scratch(Scratch&& other) noexcept;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();

  const std::string& path() const { return path_; }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace weir::tool::bench
