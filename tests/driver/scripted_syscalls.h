// ScriptedSyscalls: the kernel, with some answers replaced by the test. Its rings are played: calls that were put wait
// until somebody waits for them, and end in the order that the test wants. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/syscalls.h"

namespace weir::driver {

class ScriptedSyscalls final : public Syscalls {
 public:
  // A preadv or pwritev as it was asked for.
  struct Call {
    std::int64_t offset;
    std::int64_t bytes;
    int part_count;
  };
  static constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

  // What to answer to the call: -errno, or the most bytes to move. By default everything.
  std::function<std::int64_t(const Call&)> reply = [](const Call&) { return kAll; };
  // Do not touch file or memory, only answer.
  bool pretend = false;
  std::function<int()> reply_to_fallocate;  // instead of the kernel, when set
  std::function<int()> reply_to_fsync;
  std::function<int()> reply_to_advice;
  std::function<int()> reply_to_ftruncate;
  std::function<int()> reply_to_close;
  std::function<int(int flags)> reply_to_open;  // 0: ask the kernel
  std::function<int()> reply_to_lock;           // 0: ask the kernel
  std::function<int(int fd, unsigned long request, void* argument)> reply_to_ioctl;
  std::function<int(const std::string& name, const std::string& value)> reply_to_setxattr;  // 0: it is set
  std::function<int(void* argument)> reply_to_gpfs;
  std::optional<MountEntry> mounted;              // instead of the real mount, for all files
  std::map<std::string, std::string> attributes;  // then all there are, of all files
  std::function<int()> reply_to_make_ring;        // an errno; 0: a ring is made
  std::function<int()> reply_to_await;            // -errno: the ring breaks; 0: calls end
  // Which of the calls under way ends next. By default the last one that was put.
  std::function<std::size_t(std::size_t of)> ends_next = [](std::size_t of) { return of - 1; };
  DirectAlignment alignment = {4096, 512};

  std::vector<Call> calls;
  std::vector<Call> advice;  // in one part
  std::vector<int> open_flags;
  std::vector<std::pair<std::string, std::string>> attributes_set;
  int pauses = 0;
  int rings_made = 0;
  std::size_t under_way = 0;  // in rings
  std::size_t most_in_flight = 0;
  std::chrono::nanoseconds clock{0};
  std::chrono::nanoseconds call_time{0};  // what each preadv and pwritev takes

  int open(const char* path, int flags, mode_t permissions) override {
    open_flags.push_back(flags);
    int answer = reply_to_open ? reply_to_open(flags) : 0;
    return answer != 0 ? answer : Syscalls::open(path, flags, permissions);
  }
  int close(int fd) override {
    int returned = Syscalls::close(fd);
    return reply_to_close ? reply_to_close() : returned;
  }
  ssize_t preadv(int fd, const iovec* parts, int part_count, off_t offset) override {
    return move(parts, part_count, offset, [&](const std::vector<iovec>& allowed) {
      return Syscalls::preadv(fd, allowed.data(), static_cast<int>(allowed.size()), offset);
    });
  }
  ssize_t pwritev(int fd, const iovec* parts, int part_count, off_t offset) override {
    return move(parts, part_count, offset, [&](const std::vector<iovec>& allowed) {
      return Syscalls::pwritev(fd, allowed.data(), static_cast<int>(allowed.size()), offset);
    });
  }
  int advise_willneed(int fd, off_t offset, off_t bytes) override {
    advice.push_back({offset, bytes, 1});
    return reply_to_advice ? reply_to_advice() : Syscalls::advise_willneed(fd, offset, bytes);
  }
  int ftruncate(int fd, off_t bytes) override {
    return reply_to_ftruncate ? reply_to_ftruncate() : Syscalls::ftruncate(fd, bytes);
  }
  int fallocate(int fd, off_t offset, off_t bytes) override {
    return reply_to_fallocate ? reply_to_fallocate() : Syscalls::fallocate(fd, offset, bytes);
  }
  int fsync(int fd) override { return reply_to_fsync ? reply_to_fsync() : Syscalls::fsync(fd); }
  int set_lock_wait(int fd, const flock& lock) override {
    int answer = reply_to_lock ? reply_to_lock() : 0;
    return answer != 0 ? answer : Syscalls::set_lock_wait(fd, lock);
  }
  ssize_t fgetxattr(int fd, const char* name, void* value, std::size_t bytes) override {
    if (!mounted) return Syscalls::fgetxattr(fd, name, value, bytes);
    const auto found = attributes.find(name);
    if (found == attributes.end()) return -ENODATA;
    if (found->second.size() > bytes) return -ERANGE;
    std::copy(found->second.begin(), found->second.end(), static_cast<char*>(value));
    return static_cast<ssize_t>(found->second.size());
  }
  int fsetxattr(int fd, const char* name, const void* value, std::size_t bytes) override {
    if (!mounted) return Syscalls::fsetxattr(fd, name, value, bytes);
    const std::string text(static_cast<const char*>(value), bytes);
    attributes_set.emplace_back(name, text);
    const int answer = reply_to_setxattr ? reply_to_setxattr(name, text) : 0;
    if (answer == 0) attributes[name] = text;
    return answer;
  }
  int ioctl(int fd, unsigned long request, void* argument) override {
    return reply_to_ioctl ? reply_to_ioctl(fd, request, argument) : -ENOTTY;
  }
  int gpfs_fcntl(int fd, void* argument) override {
    return reply_to_gpfs ? reply_to_gpfs(argument) : Syscalls::gpfs_fcntl(fd, argument);
  }
  Result<MountEntry> mount(int fd) override { return mounted ? Result<MountEntry>(*mounted) : Syscalls::mount(fd); }
  void pause(std::chrono::microseconds) override { ++pauses; }
  DirectAlignment direct_alignment(int) override { return alignment; }
  std::chrono::nanoseconds now() override { return clock; }
  std::unique_ptr<Ring> make_ring(int& error_number) override {
    error_number = reply_to_make_ring ? reply_to_make_ring() : 0;
    if (error_number != 0) return nullptr;
    ++rings_made;
    return std::make_unique<PlayedRing>(*this);
  }

 private:
  class PlayedRing final : public Ring {
   public:
    explicit PlayedRing(ScriptedSyscalls& system) : system_(system) {}
    void put(const RingCall& call) override {
      calls_.push_back(call);
      system_.most_in_flight = std::max(system_.most_in_flight, ++system_.under_way);
    }
    int await(std::span<RingEnd> ends) override {
      const int broken = system_.reply_to_await ? system_.reply_to_await() : 0;
      if (broken < 0) system_.under_way -= calls_.size();
      if (broken < 0) return broken;
      const auto ending = calls_.begin() + static_cast<std::ptrdiff_t>(system_.ends_next(calls_.size()));
      const int part_count = static_cast<int>(ending->parts.size());
      const ssize_t returned = ending->direction == Direction::kRead
                                   ? system_.preadv(ending->fd, ending->parts.data(), part_count, ending->offset)
                                   : system_.pwritev(ending->fd, ending->parts.data(), part_count, ending->offset);
      ends[0] = {ending->number, returned};
      calls_.erase(ending);
      --system_.under_way;
      return 1;
    }

   private:
    ScriptedSyscalls& system_;
    std::vector<RingCall> calls_;
  };

  template <typename Move>
  ssize_t move(const iovec* parts, int part_count, off_t offset, Move real) {
    Call call = {offset, 0, part_count};
    for (int i = 0; i < part_count; ++i) call.bytes += static_cast<std::int64_t>(parts[i].iov_len);
    calls.push_back(call);
    clock += call_time;
    std::int64_t answer = reply(call);
    if (answer <= 0) return answer;
    if (pretend) return std::min(answer, call.bytes);
    return real(limited(parts, part_count, answer));
  }

  static std::vector<iovec> limited(const iovec* parts, int part_count, std::int64_t most_bytes) {
    std::vector<iovec> allowed;
    for (int i = 0; i < part_count && most_bytes > 0; ++i) {
      std::int64_t bytes = std::min(static_cast<std::int64_t>(parts[i].iov_len), most_bytes);
      allowed.push_back({parts[i].iov_base, static_cast<std::size_t>(bytes)});
      most_bytes -= bytes;
    }
    return allowed;
  }
};

}  // namespace weir::driver
