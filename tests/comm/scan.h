// What scan_sum() must say.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "comm/collectives.h"

namespace weir::comm {

// COLLECTIVE: what scan_sum() says of values that differ between ranks.
inline void expect_scan(Comm& comm) {
  const auto value_of = [](std::int64_t rank) { return rank * rank + 1; };
  const Result<Scan> scan = scan_sum(comm, value_of(comm.rank()));
  ASSERT_TRUE(scan.ok()) << scan.status().text();
  Scan expected;
  for (std::int64_t rank = 0; rank < comm.size(); ++rank) {
    if (rank < comm.rank()) expected.before += value_of(rank);
    expected.total += value_of(rank);
  }
  EXPECT_EQ(scan.value().before, expected.before);
  EXPECT_EQ(scan.value().total, expected.total);
}

}  // namespace weir::comm
