#include "comm/node_mark.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace weir::comm {

namespace {

constexpr const char* kMarkName = "weir-node-mark";

std::string text_of_file(const char* path) {
  const sys::UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
  std::array<char, 128> text = {};
  const ssize_t bytes = file.open() ? read(file.get(), text.data(), text.size()) : 0;
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(bytes, 0))};
}

std::string link_target(const std::string& path) {
  std::array<char, 128> target = {};
  const ssize_t bytes = readlink(path.c_str(), target.data(), target.size());
  return {target.data(), static_cast<std::size_t>(std::max<ssize_t>(bytes, 0))};
}

// FNV-1a: the same in every process.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  return hash;
}

}  // namespace

std::uint64_t node_key() {
  std::array<char, 256> name = {};
  if (gethostname(name.data(), name.size() - 1) != 0) name[0] = '\0';
  return hash_of(fmt::format("{}|{}|{}", name.data(), text_of_file("/proc/sys/kernel/random/boot_id"),
                             link_target("/proc/self/ns/pid")));
}

std::vector<int> lowest_with_same_key(std::span<const std::uint64_t> key_of_rank) {
  std::vector<int> by_key(key_of_rank.size());
  for (std::size_t i = 0; i < by_key.size(); ++i) by_key[i] = static_cast<int>(i);
  const auto key = [&](int rank) { return key_of_rank[static_cast<std::size_t>(rank)]; };
  std::ranges::stable_sort(by_key, {}, key);
  std::vector<int> lowest(by_key.size());
  int first = 0;
  for (const int rank : by_key) {
    if (rank == by_key.front() || key(rank) != key(first)) first = rank;
    lowest[static_cast<std::size_t>(rank)] = first;
  }
  return lowest;
}

NodeMark::NodeMark() : file_(memfd_create(kMarkName, MFD_CLOEXEC)) {
  std::uint64_t mark = 0;
  if (!file_.open() || getrandom(&mark, sizeof mark, 0) != sizeof mark) return;
  if (write(file_.get(), &mark, sizeof mark) == sizeof mark) invitation_ = {getpid(), file_.get(), mark};
}

// The process number may mean another process here: nothing is opened that is not a memfd of our name.
bool NodeMark::found(const Invitation& invitation) {
  if (invitation.process == 0) return false;
  const std::string path = fmt::format("/proc/{}/fd/{}", invitation.process, invitation.descriptor);
  if (link_target(path) != fmt::format("/memfd:{} (deleted)", kMarkName)) return false;
  const sys::UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  std::uint64_t mark = 0;
  return file.open() && pread(file.get(), &mark, sizeof mark, 0) == sizeof mark && mark == invitation.mark;
}

}  // namespace weir::comm
