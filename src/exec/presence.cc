#include "exec/presence.h"

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
  std::copy_n(text.begin(), bytes, to.begin());
  to[bytes] = '\0';
}

void Presence::come() {
  process_.store(getpid(), std::memory_order_relaxed);
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
  seen.calls = calls_.load(std::memory_order_acquire);
  seen.call = unpack(call_.load(std::memory_order_relaxed));
  seen.inside = inside_.load(std::memory_order_relaxed) != 0;
  seen.age = std::chrono::seconds(now() - since_.load(std::memory_order_relaxed));
  seen.waits_for = waits_for_.data();
  seen.elsewhere = elsewhere_.data();
  return seen;
}

PresenceBoard PresenceBoard::in(std::byte* memory, std::size_t ranks) {
  static_assert(sizeof(std::atomic<std::uint32_t>) <= 64);
  return {{reinterpret_cast<Presence*>(memory + 64), ranks}, reinterpret_cast<std::atomic<std::uint32_t>*>(memory)};
}

}  // namespace weir::exec
