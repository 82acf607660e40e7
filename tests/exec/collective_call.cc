#include "exec/collective_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

namespace weir::exec {

namespace {

driver::IoOutcome start_and_wait(OpenFile& file, Access access) {
  std::promise<driver::IoOutcome> done;
  file.start(std::move(access), [&](driver::IoOutcome outcome) { done.set_value(std::move(outcome)); });
  return done.get_future().get();
}

driver::IoOutcome run_split(OpenFile& file, SplitKind kind, Access access) {
  Status begun = file.begin_split(kind, std::move(access));
  if (!begun.ok()) return {0, begun};
  return file.end_split(kind);
}

driver::IoOutcome run_access(OpenFile& file, const Call& call, Access access) {
  switch (call.manner) {
    case Manner::kBlocking: return file.run(access);
    case Manner::kNonblocking: return start_and_wait(file, std::move(access));
    case Manner::kSplit: return run_split(file, {call.direction, call.positioning}, std::move(access));
    case Manner::kPersistent: break;
  }
  return {};
}

// COLLECTIVE.
void set_place(OpenFile& file, const Call& call, const Shape& shape) {
  if (!call.keep_view) {
    EXPECT_TRUE(file.set_view({}, shape.view, shape.view.etype_bytes()).ok());
  }
  if (call.positioning == Positioning::kIndividual) {
    EXPECT_TRUE(file.seek(shape.data_offset / shape.view.etype_bytes(), Whence::kSet).ok());
  } else if (call.positioning == Positioning::kOrdered) {
    EXPECT_TRUE(file.seek_shared(0, Whence::kSet).ok());
  }
}

// The values that a byte of a file may have.
class ByteChoices {
 public:
  explicit ByteChoices(std::size_t file_bytes) : choices_(file_bytes) {}

  void add(const PartBytes& part) {
    for (std::size_t i = 0; i < part.offsets.size(); ++i) {
      const auto place = static_cast<std::size_t>(part.offsets[i]);
      if (place >= choices_.size()) choices_.resize(place + 1);
      choices_[place].push_back(part.values[i]);
    }
  }
  std::size_t size() const { return choices_.size(); }
  bool may_be(std::size_t place, std::byte old, Attendance arrival, std::byte found) const {
    const auto& values = choices_[place];
    if ((values.empty() || arrival == Attendance::kSome) && found == old) return true;
    return std::find(values.begin(), values.end(), found) != values.end();
  }
  std::string text(std::size_t place) const {
    std::string text;
    for (const std::byte value : choices_[place]) text += fmt::format(" {}", static_cast<int>(value));
    return text.empty() ? " no values" : text;
  }

 private:
  std::vector<std::vector<std::byte>> choices_;
};

}  // namespace

std::string describe(const Call& call) {
  const char* manners[] = {"blocking", "started", "split"};
  std::string text = fmt::format("{} {}{}", manners[static_cast<int>(call.manner)],
                                 call.direction == Direction::kRead ? "read" : "write",
                                 call.keep_view ? " through the views before" : "");
  for (std::size_t rank = 0; rank < call.shapes.size(); ++rank) {
    text += fmt::format("\n  rank {}: {}", rank, describe(call.shapes[rank]));
  }
  return text;
}

std::string file_difference(const Bytes& before, const std::vector<PartBytes>& written, Attendance arrival,
                            const Bytes& found) {
  ByteChoices choices(before.size());
  for (const PartBytes& part : written) choices.add(part);
  const std::size_t least = arrival == Attendance::kAll ? choices.size() : before.size();
  if (found.size() < least || found.size() > choices.size()) {
    return fmt::format("the file has {} bytes instead of {} to {}", found.size(), least, choices.size());
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::byte old = i < before.size() ? before[i] : std::byte{0};
    if (choices.may_be(i, old, arrival, found[i])) continue;
    return fmt::format("byte {} of the file is {}; it was {}, and was given{}", i, static_cast<int>(found[i]),
                       static_cast<int>(old), choices.text(i));
  }
  return "";
}

CheckedFile::CheckedFile(int ranks, driver::StorageLayout storage, const Bytes& before)
    : driver_({.storage = std::move(storage)}),
      bytes_(before),
      written_(static_cast<std::size_t>(ranks)),
      statuses_(static_cast<std::size_t>(ranks)) {
  put_file(driver_, before);
}

void CheckedFile::refill(Rank& rank, const Bytes& bytes) {
  if (rank.number() == 0) {
    EXPECT_TRUE(driver::open_or_fail(driver_, "f")->resize(0).ok());
    put_file(driver_, bytes);
    bytes_ = bytes;
  }
  rank.meet();
}

CheckedFile::Part CheckedFile::make_part(int rank, const Call& call) {
  Part part;
  part.shape = call.shapes[static_cast<std::size_t>(rank)];
  if (call.positioning == Positioning::kOrdered) {
    part.shape.data_offset = 0;
    for (int before = 0; before < rank; ++before) {
      part.shape.data_offset += call.shapes[static_cast<std::size_t>(before)].memory.data_bytes();
    }
  }
  part.request = byte_request(part.shape);
  part.arena = std::make_unique<Arena>(part.shape.memory, 16 * calls_ + rank);
  part.memory_before = part.arena->bytes();
  PartBytes& written = written_[static_cast<std::size_t>(rank)];
  written = {};
  if (call.direction == Direction::kRead) return part;
  written.offsets = part.request.file;
  for (const std::int64_t offset : part.request.memory) written.values.push_back(part.arena->at(offset));
  return part;
}

void CheckedFile::check_memory(const Call& call, Part& part, const driver::IoOutcome& outcome,
                               const std::string& text) {
  const Bytes& found = part.arena->bytes();
  Bytes expected = part.memory_before;
  const auto bytes = std::ssize(part.request.file);
  const bool reading = call.direction == Direction::kRead;
  const std::int64_t readable = reading ? bytes_before_end(part.request, std::ssize(bytes_)) : 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(readable); ++i) {
    const std::size_t index = part.arena->index(part.request.memory[i]);
    const std::byte wanted = bytes_[static_cast<std::size_t>(part.request.file[i])];
    if (outcome.status.ok() || found[index] == wanted) expected[index] = wanted;
  }
  const auto differs = std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin();
  EXPECT_TRUE(found == expected) << "memory differs at byte " << differs << " of " << found.size() << "\n"
                                 << text << "\n"
                                 << describe(call);
  if (outcome.status.ok()) {
    EXPECT_EQ(outcome.bytes_moved, reading ? readable : bytes) << text << "\n" << describe(call);
  } else {
    EXPECT_TRUE(outcome.bytes_moved >= 0 && outcome.bytes_moved <= bytes) << outcome.bytes_moved << "\n" << text;
  }
}

void CheckedFile::check_file(const Call& call, const std::string& text) {
  for (const Status& status : statuses_) {
    EXPECT_EQ(status.error_class(), statuses_[0].error_class()) << text << "\n" << describe(call);
    EXPECT_EQ(status.text(), statuses_[0].text()) << text << "\n" << describe(call);
  }
  const Bytes found = driver_.contents("f").value();
  const Attendance arrival = statuses_[0].ok() ? Attendance::kAll : Attendance::kSome;
  EXPECT_EQ(file_difference(bytes_, written_, arrival, found), "") << text << "\n" << describe(call);
  bytes_ = found;
  ++calls_;
}

Status CheckedFile::run_that_may_fail(Rank& rank, OpenFile& file, const Call& call, const std::string& text) {
  Part part = make_part(rank.number(), call);
  set_place(file, call, part.shape);
  const Transfer transfer = {call.direction, call.positioning, true,
                             part.shape.data_offset / part.shape.view.etype_bytes(), part.arena->memory()};
  const driver::IoOutcome outcome = run_access(file, call, file.prepare(transfer));
  check_memory(call, part, outcome, text);
  statuses_[static_cast<std::size_t>(rank.number())] = outcome.status;
  rank.meet();
  if (rank.number() == 0) check_file(call, text);
  rank.meet();
  return outcome.status;
}

void CheckedFile::run(Rank& rank, OpenFile& file, const Call& call, const std::string& text) {
  const Status status = run_that_may_fail(rank, file, call, text);
  EXPECT_TRUE(status.ok()) << status.text() << "\n" << text << "\n" << describe(call);
}

}  // namespace weir::exec
