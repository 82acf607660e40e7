#include "mpi/recording.h"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/guarded.h"
#include "capture/capture_file.h"
#include "comm/agree.h"
#include "comm/clock_mark.h"
#include "comm/collectives.h"
#include "comm/hand_in.h"
#include "comm/mpi/mpi_comm.h"
#include "sys/environment.h"
#include "trace/safe_write.h"
#include "trace/span.h"
#include "trace/timeline_json.h"

namespace weir::mpi {

namespace {

// COLLECTIVE: a channel of its own between all ranks of the job.
Result<std::unique_ptr<comm::Comm>> world_channel() {
  auto group = comm::group_of(MPI_COMM_WORLD);
  if (!group.ok()) return group.status();
  std::array<int, 1> tag = {group.value()->rank() == 0 ? group.value()->next_tag() : 0};
  Status told = comm::tell_from_rank_0(MPI_COMM_WORLD, tag);
  if (!told.ok()) return told;
  return comm::channel(group.value(), tag[0]);
}

// COLLECTIVE.
Result<trace::ClockMark> mark(comm::Comm& world) {
  const Result<comm::ClockPair> pair = comm::mark_clock(world, trace::now);
  if (!pair.ok()) return pair.status();
  return trace::ClockMark{pair.value().here, pair.value().there};
}

std::string host_name() {
  std::array<char, 256> name = {};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

// Rank 0's: what the ranks hand in, one after the other, becomes one capture.
class CaptureJoiner {
 public:
  // What is thrown here is kept: the others go on handing in.
  void take(int rank, std::span<const std::byte> chunk) {
    if (rank != rank_) join();
    rank_ = rank;
    status_ = std::move(status_).or_else(guarded([&]() -> Status {
      bytes_.insert(bytes_.end(), chunk.begin(), chunk.end());
      return {};
    }));
  }
  Status finish() {
    join();
    return status_;
  }
  const capture::Capture& all() const { return all_; }

 private:
  void join() {
    status_ = std::move(status_).or_else(guarded([&]() -> Status {
      const Result<capture::Capture> one = capture::decode(bytes_);
      if (!one.ok()) return one.status();
      capture::join(all_, one.value());
      return {};
    }));
    bytes_.clear();
  }

  int rank_ = 0;
  std::vector<std::byte> bytes_;
  capture::Capture all_;
  Status status_;
};

}  // namespace

std::vector<std::string> Recording::start() {
  const char* timeline = sys::environment("WEIR_TIMELINE");
  const char* capture = sys::environment("WEIR_CAPTURE");
  if ((timeline == nullptr && capture == nullptr) || world_) return {};
  const Status status = guarded([&] {
    if (timeline != nullptr) timeline_path_ = timeline;
    if (capture != nullptr) capture_path_ = capture;
    return start_together();
  });
  if (status.ok()) return {};
  return {fmt::format("no timeline and no capture: {}", status.text())};
}

Status Recording::start_together() {
  Result<std::unique_ptr<comm::Comm>> world = world_channel();
  if (!world.ok()) return world.status();
  const Result<trace::ClockMark> begin = mark(*world.value());
  if (!begin.ok()) return begin.status();
  begin_ = begin.value();
  if (!timeline_path_.empty()) timeline_ = std::make_unique<trace::Timeline>();
  if (!capture_path_.empty()) recorder_ = std::make_unique<trace::Recorder>(world.value()->size());
  world_ = std::move(world).value();
  return {};
}

std::vector<std::string> Recording::finish() {
  if (!world_) return {};
  std::vector<std::string> told;
  if (timeline_) {
    const Status status = guarded([&] { return write_timeline(); });
    if (!status.ok()) told.push_back(fmt::format("no timeline (WEIR_TIMELINE={}): {}", timeline_path_, status.text()));
  }
  if (recorder_) {
    const Status status = guarded([&] { return write_capture(); });
    if (!status.ok()) told.push_back(fmt::format("no capture (WEIR_CAPTURE={}): {}", capture_path_, status.text()));
  }
  world_.reset();
  return told;
}

// Each rank draws its own events; rank 0 puts them into one file.
Status Recording::write_timeline() {
  const Result<trace::ClockMark> end = mark(*world_);
  std::int64_t zero = begin_.there;  // rank 0's
  Status status = Status(end.status()).or_else(comm::broadcast_value(*world_, 0, zero));
  std::string mine;
  status = std::move(status).or_else(guarded([&]() -> Status {
    if (!end.ok()) return end.status();
    trace::RankTimeline value = timeline_->value();
    value.rank = world_->rank();
    value.node = world_->topology().node_of[static_cast<std::size_t>(value.rank)];
    value.host = host_name();
    mine = trace::timeline_events(value, {begin_, end.value()}, zero);
    return {};
  }));
  std::optional<trace::NewFile> file;
  if (world_->rank() == 0) {
    file.emplace(timeline_path_);
    file->append(trace::timeline_begin(fmt::format("a run with {} ranks", world_->size())));
  }
  const auto take = [&](int, std::span<const std::byte> chunk) {
    file->append({reinterpret_cast<const char*>(chunk.data()), chunk.size()});
  };
  status = std::move(status).or_else(comm::hand_in(*world_, std::as_bytes(std::span(mine)), take));
  if (!file) return status;
  file->append(trace::timeline_end());
  return std::move(status).or_else(file->status());
}

// Each rank hands in its own program; rank 0 joins them.
Status Recording::write_capture() {
  std::vector<std::byte> mine;
  Status status = guarded([&]() -> Status {
    if (recorder_->failed()) return {ErrorClass::kNoMemory, "there was no memory to record the calls of a rank"};
    mine = capture::encode(recorder_->value());
    return {};
  });
  status = comm::agree(*world_, status);
  if (!status.ok()) return world_->rank() == 0 ? status : Status();
  CaptureJoiner joiner;
  status = comm::hand_in(*world_, mine, [&](int rank, std::span<const std::byte> chunk) { joiner.take(rank, chunk); });
  if (world_->rank() != 0) return status;
  status = std::move(status).or_else(joiner.finish());
  if (!status.ok()) return status;
  const std::vector<std::byte> whole = capture::encode(joiner.all());
  trace::NewFile file(capture_path_);
  file.append({reinterpret_cast<const char*>(whole.data()), whole.size()});
  return file.status();
}

}  // namespace weir::mpi
