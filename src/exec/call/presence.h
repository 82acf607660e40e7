// Presence: where each rank of a node is, in memory they share; read by a rank that has waited too long.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "exec/call/call_code.h"
#include "sys/waiting.h"

namespace weir::exec {

// One rank's entry; zero when new. Written by its rank alone, read by any.
class alignas(64) Presence {
 public:
  // What another rank sees.
  struct Sighting {
    std::int32_t process = 0;     // 0: this rank has not come yet
    std::uint64_t processes = 0;  // in which numbers of processes mean the same; see process_space()
    std::uint32_t calls = 0;      // collective calls that it has entered, on files that used this memory; wraps around
    CallCode call;                // the last of them
    bool inside = false;          // and it has not left it
    std::chrono::seconds age{0};  // since it entered or left it
    std::string waits_for;        // empty: it does not wait, or not for long
    std::string elsewhere;        // what it waits for in another file; empty: nothing
  };

  void come();
  void enter(CallCode call);
  void leave();
  // Of a wait that has lasted a while; `waits_for` is cut where it is too long. Empty: it is over.
  void wait_for(const std::string& waits_for);
  void wait_elsewhere(const std::string& waits_for);
  Sighting see() const;

 private:
  using Text = std::array<std::atomic<char>, 120>;
  static void copy(const std::string& text, Text& to);
  static std::string string_of(const Text& text);

  std::atomic<std::int32_t> process_;
  std::atomic<std::uint64_t> processes_;
  std::atomic<std::uint32_t> calls_;
  std::atomic<std::uint32_t> call_;
  std::atomic<std::uint32_t> inside_;
  std::atomic<std::int64_t> since_;  // seconds of the steady clock, the same for all processes of a node
  Text waits_for_;
  Text elsewhere_;
};

// LOCAL: names the space that the number of this process is from: containers on one node may have one each. 0: unknown.
std::uint64_t process_space();

// The entries of a node, and which call was last told of: one rank tells for all.
struct PresenceBoard {
  std::span<Presence> of_member;  // by place in the node; empty: nothing is shared
  std::atomic<std::uint32_t>* told = nullptr;

  static std::size_t bytes_for(std::size_t ranks) { return 64 + ranks * sizeof(Presence); }
  // In memory of bytes_for(ranks) bytes, aligned to a line, zero when new.
  static PresenceBoard in(std::byte* memory, std::size_t ranks);
};

}  // namespace weir::exec
