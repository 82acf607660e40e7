// How bytes can go in a directory: each way tried out on a file of its own, by the driver that programs use.
#include <fmt/format.h>
#include <unistd.h>

#include <vector>

#include "doctor/doctor.h"
#include "driver/posix.h"

namespace weir::tool::doctor {

namespace {

using driver::File;
using driver::IoRequest;

constexpr std::int64_t kBytes = 4 << 20;

// The memory in pieces that lie apart in the file.
std::vector<IoRequest> requests_of(std::vector<std::byte>& memory, std::int64_t pieces) {
  const std::int64_t bytes = kBytes / pieces;
  std::vector<IoRequest> requests;
  for (std::int64_t i = 0; i < pieces; ++i) requests.push_back({2 * i * bytes, memory.data() + i * bytes, bytes});
  return requests;
}

// Whether bytes that were written are read back.
bool moves(File& file, std::int64_t pieces) {
  std::vector<std::byte> memory(kBytes);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i % 251);
  std::vector<std::byte> back(kBytes);
  return file.transfer(Direction::kWrite, requests_of(memory, pieces)).bytes_moved == kBytes &&
         file.transfer(Direction::kRead, requests_of(back, pieces)).bytes_moved == kBytes && memory == back;
}

struct Way {
  const char* name;
  IoWay io;
  std::int64_t pieces;
  std::int64_t driver::IoCounters::*used;
};

Finding examine_way(driver::FileDriver& driver, const std::string& path, const Way& way) {
  auto file = driver.open(path, {.read = true, .write = true, .create = true, .io = way.io}, nullptr);
  driver.remove(path).ignore();
  if (!file.ok()) return {Level::kWarn, fmt::format("{}: not tried: {}", way.name, file.status().text()), "see above"};
  if (const std::string replaced = file.value()->io_replaced(); !replaced.empty()) {
    return {Level::kOk, fmt::format("{}: cannot be had here ({})", way.name, replaced)};
  }
  if (!moves(*file.value(), way.pieces)) {
    return {Level::kWarn, fmt::format("{}: bytes are not read back as they were written", way.name),
            "is there room for 8 MiB? If so, set the hint weir_io=buffered here"};
  }
  const bool used = file.value()->counters().*way.used > 0;
  return {Level::kOk,
          fmt::format("{}: {}", way.name, used ? "works" : "is taken, and then refused at the first transfer")};
}

}  // namespace

std::vector<Finding> examine_ways(const std::string& directory) {
  driver::PosixDriver driver;
  const std::string path = fmt::format("{}/.weir-doctor-ways-{}", directory, ::getpid());
  std::vector<Finding> findings;
  for (const Way& way : {Way{"io_uring", IoWay::kUring, 64, &driver::IoCounters::in_flight},
                         Way{"O_DIRECT", IoWay::kDirect, 1, &driver::IoCounters::bytes_direct}}) {
    findings.push_back(examine_way(driver, path, way));
  }
  return findings;
}

}  // namespace weir::tool::doctor
