// What ranks as threads need to run a program: wiring for every open, the program's own messages, and one rank's
// calls.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "comm/line_groups.h"
#include "comm/thread_comm.h"
#include "driver/fault.h"
#include "driver/memory.h"
#include "exec/file/open_file.h"
#include "programs/interpret.h"
#include "programs/thread_runner.h"

namespace weir::programs {

// The program's own messages and barriers. Sends are done at once.
class Mail {
 public:
  explicit Mail(const Program& program);
  void post(int id, const Buffer& data);
  // Waits for it; calls `meanwhile` now and then.
  Buffer take(int id, const std::function<void()>& meanwhile);
  void barrier(int communicator, int rank, const std::function<void()>& meanwhile);

 private:
  struct Letter {
    bool posted = false;
    Buffer data;
  };
  struct Meeting {
    int arrived = 0;
    std::int64_t round = 0;
  };
  void wait(std::unique_lock<std::mutex>& lock, const std::function<bool()>& over,
            const std::function<void()>& meanwhile);

  const Program& program_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Letter> letters_;
  std::map<std::pair<int, int>, Meeting> meetings_;  // by communicator and colour
};

// What all ranks of a program share.
class Stage {
 public:
  explicit Stage(const Program& program);

  const Program& program() const { return program_; }
  driver::MemoryDriver& memory() { return memory_; }
  driver::FileDriver& driver(int rank) { return *drivers_[static_cast<std::size_t>(rank)]; }
  Mail& mail() { return mail_; }
  // For the open that is step number `step`.
  exec::Wiring wiring(int step, int rank, const std::shared_ptr<exec::EnginePool>& engines, exec::WatchRoom& room);

 private:
  struct Groups {
    comm::ThreadGroup collective;
    comm::LineGroups pointer_line;
    comm::LineGroups agent_line;
  };
  const Program& program_;
  driver::MemoryDriver memory_;
  std::vector<std::unique_ptr<driver::FaultDriver>> drivers_;  // by rank
  std::map<std::pair<int, int>, Groups> groups_;               // by step and colour
  Mail mail_;
};

class ThreadBackend final : public Backend {
 public:
  ThreadBackend(Stage& stage, int rank, const ThreadOptions& options);

  Outcome open(const Step& step) override;
  Outcome close(int file) override;
  Outcome set_view(int file, const View& view) override;
  Outcome seek(int file, std::int64_t offset, Whence whence) override;
  Outcome seek_shared(int file, std::int64_t offset) override;
  Outcome sync(int file) override;
  Outcome set_size(int file, std::int64_t bytes) override;
  Outcome preallocate(int file, std::int64_t bytes) override;
  Outcome set_atomic(int file, bool atomic) override;
  Outcome size(int file) override;
  Outcome position(int file) override;
  Outcome shared_position(int file) override;
  Outcome access(const Step& step, Buffer& buffer) override;
  Outcome end(const Step& step) override;
  std::map<int, Outcome> complete(const Step& step) override;
  void barrier(int communicator) override {
    stage_.mail().barrier(communicator, rank_, [this] { help_files(); });
  }
  void isend(int id, const Buffer& data) override { stage_.mail().post(id, data); }
  void irecv(int id, Buffer& data) override { receiving_[id] = &data; }
  void send(int id, const Buffer& data) override;
  void recv(int id, Buffer& data) override {
    data = stage_.mail().take(id, [this] { help_files(); });
  }

 private:
  exec::OpenFile& at(int file) { return *files_.at(file); }
  exec::Transfer transfer_of(const Step& step, Buffer& buffer);
  void complete_message(int id);
  void help_files();

  Stage& stage_;
  int rank_;
  ThreadOptions options_;
  int opens_ = 0;  // steps of kind kOpen so far
  exec::WatchRoom watch_room_;
  std::map<int, std::unique_ptr<exec::OpenFile>> files_;
  std::map<int, std::int64_t> etypes_;  // by file
  struct Request {
    std::shared_ptr<exec::Promise> promise;
    sys::Company* company = nullptr;
  };
  std::map<int, Request> requests_;
  std::map<int, Buffer*> receiving_;                               // messages
  std::map<int, std::shared_ptr<exec::EnginePool>> engine_pools_;  // by communicator
};

}  // namespace weir::programs
