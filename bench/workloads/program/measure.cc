#include "workloads/program/measure.h"

#include <mpi.h>

#include <optional>

#include "workloads/program/block_io.h"
#include "workloads/program/job.h"
#include "workloads/program/mpi_subject.h"

namespace bench {
namespace {

MPI_Info info_of(const std::map<std::string, std::string>& hints) {
  MPI_Info info = MPI_INFO_NULL;
  check_mpi(MPI_Info_create(&info), "MPI_Info_create");
  for (const auto& [key, value] : hints) {
    check_mpi(MPI_Info_set(info, key.c_str(), value.c_str()), "the hint " + key + "=" + value);
  }
  return info;
}

// One repeat of many: its number, and whether it counts.
struct Repeat {
  int number = 0;
  bool timed = true;
};

// COLLECTIVE. One repeat of one subject; false if the data was looked at and wrong.
bool repeat_once(Subject& subject, const Options& options, const Repeat& repeat, Times& times) {
  const auto salt = static_cast<std::uint32_t>(repeat.number + 1);
  if (options.verify || repeat.number == 0) subject.prepare(salt);
  const Stopwatch spent = subject.run();
  if (repeat.timed) {
    times.calls.push_back(spent.calls);
    times.whole.push_back(spent.whole);
  }
  return !options.verify || subject.is_right(salt);
}

}  // namespace

std::string subject_path(const Options& options) { return options.directory + "/subject"; }

std::string block_path(const Options& options) { return options.directory + "/block"; }

Measurement measure(const Settled& settled, const Options& options, const Meeting& meeting) {
  MPI_Info info = info_of(options.hints);
  const Share share = share_of(settled, own_rank());
  Measurement result;
  result.bytes = sum_of(moved_bytes(share));
  result.file_bytes = share.file_bytes;
  result.calls = call_count(share);
  const auto share_of_rank = [&](int r) { return share_of(settled, r); };
  MpiSubject subject({subject_path(options), options.direction}, info, share_of_rank, meeting);
  std::optional<BlockIo> block;
  if (options.block) block.emplace(FileUse{block_path(options), options.direction}, result.bytes, meeting);

  bool right = true;
  const double begin = MPI_Wtime();
  for (int number = 0; number < options.warmups + options.repeats; ++number) {
    if (agreed(number > options.warmups && MPI_Wtime() - begin > options.seconds)) break;
    const Repeat repeat{.number = number, .timed = number >= options.warmups};
    const auto run_block = [&] { return !block || repeat_once(*block, options, repeat, result.block); };
    const bool subject_first = number % 2 == 0;  // neither profits from its place
    if (!subject_first) right = run_block() && right;
    right = repeat_once(subject, options, repeat, result.times) && right;
    if (subject_first) right = run_block() && right;
  }
  if (options.verify) result.verdict = right ? Verdict::kRight : Verdict::kWrong;
  result.hints = subject.hints();
  subject.remove_file();
  if (block) block->remove_file();
  MPI_Info_free(&info);
  return result;
}

}  // namespace bench
