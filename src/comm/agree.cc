#include "comm/agree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "comm/board.h"
#include "comm/collectives.h"

namespace weir::comm {

namespace {

// A failure as it travels: of fixed size, so that one broadcast carries it.
struct FailureMessage {
  std::int32_t error_class = 0;
  std::uint32_t text_bytes = 0;
  std::array<char, kAgreedTextBytes> text = {};
};
static_assert(sizeof(FailureMessage) <= Board::kBlockBytes, "ranks of one node agree without messages");

FailureMessage pack(const Status& failure) {
  FailureMessage message;
  const std::size_t text_bytes = std::min(failure.text().size(), message.text.size());
  message.error_class = static_cast<std::int32_t>(failure.error_class());
  message.text_bytes = static_cast<std::uint32_t>(text_bytes);
  std::copy_n(failure.text().begin(), text_bytes, message.text.begin());
  return message;
}

Status unpack(const FailureMessage& message, int from_rank) {
  constexpr std::string_view kMark = "(on rank ";
  std::string text(message.text.data(), message.text_bytes);
  if (text.find(kMark) == std::string::npos) text += fmt::format(" {}{})", kMark, from_rank);
  return {static_cast<ErrorClass>(message.error_class), std::move(text)};
}

}  // namespace

Status agree(Comm& comm, const Status& mine) {
  const auto lowest_failing = all_min(comm, mine.ok() ? comm.size() : comm.rank());
  if (!lowest_failing.ok()) return lowest_failing.status();
  if (lowest_failing.value() == comm.size()) return {};

  return share_failure(comm, static_cast<int>(lowest_failing.value()), mine);
}

Status share_failure(Comm& comm, int rank, const Status& mine) {
  FailureMessage message;
  if (comm.rank() == rank) message = pack(mine);
  Status status = broadcast_value(comm, rank, message);
  if (!status.ok()) return status;
  return unpack(message, rank);
}

}  // namespace weir::comm
