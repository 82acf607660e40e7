#include "measure.h"

#include "subject.h"

namespace bench {
namespace {

// COLLECTIVE. What rank 0 thinks.
bool agreed(bool opinion) {
  int value = opinion ? 1 : 0;
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return value != 0;
}

// COLLECTIVE. One repeat of one subject; false if the data was looked at and wrong.
bool repeat_once(Subject& subject, Direction direction, int repeat, bool verify, Times* times) {
  const auto salt = static_cast<std::uint32_t>(repeat + 1);
  if (verify || repeat == 0) subject.prepare(direction, salt);
  subject.run(direction, repeat == 0 ? nullptr : times);
  return !verify || subject.is_right(direction, salt);
}

}  // namespace

Measurement measure(const Pattern& pattern, const Shape& shape, Direction direction, const MeasureOptions& options) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Subject subject(options.directory + "/pattern", pattern.workload(shape, rank), options.hints);
  Shape block_shape = shape;
  block_shape.bytes = subject.workload().file_bytes;
  Subject block(options.directory + "/block", block_io(block_shape, rank), options.hints);
  subject.remove_file();
  block.remove_file();

  Measurement result{.pattern = std::string(pattern.name),
                     .direction = direction,
                     .ranks = shape.ranks,
                     .bytes = subject.workload().file_bytes,
                     .times = {},
                     .block = {},
                     .verdict = Verdict::kNotChecked,
                     .note = subject.workload().note};
  bool right = true;
  const double begin = MPI_Wtime();
  for (int repeat = 0; repeat <= options.repeats; ++repeat) {
    if (agreed(repeat > 1 && MPI_Wtime() - begin > options.seconds)) break;
    const auto run_subject = [&] { return repeat_once(subject, direction, repeat, options.verify, &result.times); };
    const auto run_block = [&] { return repeat_once(block, direction, repeat, options.verify, &result.block); };
    const bool subject_first = repeat % 2 == 0;  // neither profits from its place
    const bool first_right = subject_first ? run_subject() : run_block();
    const bool second_right = subject_first ? run_block() : run_subject();
    right = right && first_right && second_right;
  }
  if (options.verify) result.verdict = right ? Verdict::kRight : Verdict::kWrong;
  subject.remove_file();
  block.remove_file();
  return result;
}

}  // namespace bench
