#include "exec/call/presence.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace weir::exec {

namespace {

std::int64_t now() {
  const auto since_boot = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(since_boot).count();
}

}  // namespace

void Presence::copy(const std::string& text, Text& to) {
  const std::size_t bytes = std::min(text.size(), to.size() - 1);
  for (std::size_t i = 0; i < bytes; ++i) to[i].store(text[i], std::memory_order_relaxed);
  to[bytes].store('\0', std::memory_order_relaxed);
}

// While it is written, some of the old and some of the new.
std::string Presence::string_of(const Text& text) {
  std::string copied;
  for (const std::atomic<char>& character : text) {
    const char value = character.load(std::memory_order_relaxed);
    if (value == '\0') break;
    copied += value;
  }
  return copied;
}

std::uint64_t process_space() {
  struct stat found = {};
  return stat("/proc/self/ns/pid", &found) == 0 ? found.st_ino : 0;
}

void Presence::come() {
  process_.store(getpid(), std::memory_order_relaxed);
  processes_.store(process_space(), std::memory_order_relaxed);
  wait_for("");
  wait_elsewhere("");
  leave();
}

void Presence::enter(CallCode call) {
  since_.store(now(), std::memory_order_relaxed);
  call_.store(pack(call), std::memory_order_relaxed);
  inside_.store(1, std::memory_order_relaxed);
  calls_.fetch_add(1, std::memory_order_release);
}

void Presence::leave() {
  since_.store(now(), std::memory_order_relaxed);
  inside_.store(0, std::memory_order_relaxed);
}

void Presence::wait_for(const std::string& waits_for) { copy(waits_for, waits_for_); }
void Presence::wait_elsewhere(const std::string& waits_for) { copy(waits_for, elsewhere_); }

Presence::Sighting Presence::see() const {
  Sighting seen;
  seen.process = process_.load(std::memory_order_relaxed);
  seen.processes = processes_.load(std::memory_order_relaxed);
  seen.calls = calls_.load(std::memory_order_acquire);
  seen.call = unpack(call_.load(std::memory_order_relaxed));
  seen.inside = inside_.load(std::memory_order_relaxed) != 0;
  seen.age = std::chrono::seconds(now() - since_.load(std::memory_order_relaxed));
  seen.waits_for = string_of(waits_for_);
  seen.elsewhere = string_of(elsewhere_);
  return seen;
}

PresenceBoard PresenceBoard::in(std::byte* memory, std::size_t ranks) {
  static_assert(sizeof(std::atomic<std::uint32_t>) <= 64);
  return {{reinterpret_cast<Presence*>(memory + 64), ranks}, reinterpret_cast<std::atomic<std::uint32_t>*>(memory)};
}

}  // namespace weir::exec
