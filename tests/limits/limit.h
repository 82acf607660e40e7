// Soft limits of this process, for a while.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <fstream>
#include <string>

namespace mpi_test {

// Lowers a soft limit where `here` is true, and takes that back at the end of the scope. LOCAL.
class Limit {
 public:
  Limit(bool here, __rlimit_resource resource, rlim_t value) : here_(here), resource_(resource) {
    if (!here_) return;
    getrlimit(resource_, &before_);
    const rlimit tight = {value, before_.rlim_max};
    setrlimit(resource_, &tight);
  }
  ~Limit() { lift(); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

  void lift() {
    if (here_) setrlimit(resource_, &before_);
    here_ = false;
  }

 private:
  bool here_;
  __rlimit_resource resource_;
  rlimit before_{};
};

// The lowest number that a new descriptor would have.
inline rlim_t next_descriptor() {
  const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(descriptor);
  return static_cast<rlim_t>(descriptor);
}

// The address space of this process, in bytes.
inline rlim_t address_space() {
  std::ifstream pages("/proc/self/statm");
  rlim_t count = 0;
  pages >> count;
  return count * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace mpi_test
