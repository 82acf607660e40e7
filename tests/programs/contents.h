// Contents and Touches: what the bytes of a file are, and who may touch them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "programs/program.h"

namespace weir::programs {

using Alternatives = std::map<std::int64_t, std::vector<Origin>>;

// The bytes of a file, each with its origin, or with several where it may be any of them.
class Contents {
 public:
  std::int64_t size() const { return std::ssize(bytes_); }
  const std::vector<Origin>& bytes() const { return bytes_; }
  const Alternatives& alternatives() const { return alternatives_; }

  void resize(std::int64_t bytes);
  void fill(std::int64_t bytes, int colour);  // initial contents
  // Writes the request bytes of an access of a rank. A byte that the same access wrote on another rank may be either.
  void write(std::span<const Extent> pieces, int id, int rank);
  void make_unknown(std::span<const Extent> pieces);

 private:
  void write_byte(std::int64_t offset, Origin value);

  std::vector<Origin> bytes_;
  Alternatives alternatives_;
};

// Which ranks have read and written which bytes since all ranks last agreed on the contents (an epoch), and which bytes
// belong to accesses that are not completed.
class Touches {
 public:
  void begin_epoch() { ++epoch_; }
  // Whether the order of this access and some other one matters, and is not known.
  bool conflict(Direction direction, int rank, std::span<const Extent> pieces) const;
  void note(Direction direction, int rank, std::span<const Extent> pieces);
  // `change` is 1 when an access starts and -1 when it is completed.
  void pend(Direction direction, std::span<const Extent> pieces, int change);

 private:
  struct Touch {
    std::int32_t epoch = -1;
    RankSet readers = 0;
    RankSet writers = 0;
    std::int16_t pending_reads = 0;
    std::int16_t pending_writes = 0;
  };
  void grow(std::span<const Extent> pieces);

  std::int32_t epoch_ = 0;
  std::vector<Touch> bytes_;
};

}  // namespace weir::programs
