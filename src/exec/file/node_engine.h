// NodeEngine: what the ranks of a communicator need to work together on a file, and keep for the next one: the memory
// that the ranks of a node share, the board they meet at, and the collective engine with its schedules.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/status.h"
#include "comm/board.h"
#include "comm/comm.h"
#include "comm/keepsake.h"
#include "comm/shared_memory.h"
#include "exec/call/collective.h"
#include "exec/call/presence.h"
#include "sys/latch.h"

namespace weir::exec {

struct NodeEngine {
  // What is set aside of a node's memory for the tables and the buffers of collective calls; taken as it is touched.
  // Calls that need more get it by messages.
  static constexpr std::int64_t kTableBytes = std::int64_t{16} << 20;
  static constexpr std::int64_t kBufferBytes = std::int64_t{63} << 20;

  std::shared_ptr<comm::SharedMemory> memory;  // null: ranks of a node share none
  std::shared_ptr<comm::Board> board;          // null: no memory
  PresenceBoard presence;                      // where the ranks of this node are; of nobody without memory
  std::unique_ptr<Collective> collective;

  // COLLECTIVE: all ranks get one, or the same failure. The comm uses the board from then on. Where memory cannot be
  // shared, the engine does without.
  static Result<std::unique_ptr<NodeEngine>> make(comm::Comm& comm);
};

class EngineLease;

// The engines that the ranks of one communicator keep from file to file. Files may be opened and closed by different
// threads, in another order on every rank: which engine a file gets is for rank 0 to say. LOCAL; thread-safe.
class EnginePool : public comm::Keepsake, public std::enable_shared_from_this<EnginePool> {
 public:
  // Programs with many files open at a time are not served all of their memory for ever: engines beyond these places
  // go with their file.
  static constexpr int kPlaces = 2;

  // Which engine a file takes.
  struct Choice {
    int place = kNoPlace;  // kNoPlace: an engine that is not kept
    bool make = true;      // none is there yet
  };
  static constexpr int kNoPlace = -1;

  // Of rank 0: what a file that is opened now takes, and all ranks must; no other file gets it meanwhile.
  Choice choose();
  // Of all ranks, rank 0 too: takes it. Waits for a thread of this rank that is about to give it back.
  EngineLease take(Choice choice, sys::Company* company);

 private:
  friend class EngineLease;
  struct Place {
    std::unique_ptr<NodeEngine> engine;  // null: in use, or none was made
    bool made = false;
    bool chosen = false;    // and not taken yet
    std::uint32_t tag = 0;  // how many engines the place has had
  };
  Place& at(int place) { return places_[static_cast<std::size_t>(place)]; }
  EngineLease take_kept(int place);  // REQUIRES that it is there
  EngineLease take_empty(int place);
  void give(int place, std::uint32_t tag, std::unique_ptr<NodeEngine> engine);

  std::mutex mutex_;
  std::array<Place, kPlaces> places_;
  std::uint32_t gifts_ = 0;
  sys::Latch given_{};  // gifts_
};

// A file's hold on its engine; gives it back when the file is done with it.
class EngineLease {
 public:
  EngineLease() = default;  // of no pool
  EngineLease(std::shared_ptr<EnginePool> pool, int place, std::uint32_t tag, std::unique_ptr<NodeEngine> engine)
      : pool_(std::move(pool)), place_(place), tag_(tag), engine_(std::move(engine)) {}
  EngineLease(EngineLease&& other) noexcept = default;
  EngineLease& operator=(EngineLease&& other) noexcept;
  ~EngineLease() { give_back(); }

  NodeEngine* operator->() const { return engine_.get(); }
  explicit operator bool() const { return engine_ != nullptr; }
  // COLLECTIVE where there is no engine yet: makes one.
  Status ensure(comm::Comm& comm);
  void give_back();
  // The ranks have lost step: nobody uses the engine again.
  void discard();

 private:
  std::shared_ptr<EnginePool> pool_;
  int place_ = EnginePool::kNoPlace;
  std::uint32_t tag_ = 0;  // of the place when it was taken
  std::unique_ptr<NodeEngine> engine_;
};

}  // namespace weir::exec
