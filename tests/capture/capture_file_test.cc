#include "capture/capture_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "capture/sample.h"

namespace weir::capture {
namespace {

using Bytes = std::vector<std::byte>;

std::string refusal(const Bytes& bytes) {
  const Result<Capture> capture = decode(bytes);
  return capture.ok() ? "none" : capture.status().text();
}

TEST(CaptureFile, WhatWasWrittenIsRead) {
  const Capture all = sample();
  const Result<Capture> read = decode(encode(all));
  ASSERT_TRUE(read.ok()) << read.status().text();
  EXPECT_EQ(read.value(), all);
}

TEST(CaptureFile, TimesAreKeptInMicroseconds) {
  Capture all = sample();
  all.programs[1][0].before = 1'234'567;
  all.programs[1][0].inside = 999;
  const Capture read = decode(encode(all)).value();
  EXPECT_EQ(read.programs[1][0].before, 1'234'000);
  EXPECT_EQ(read.programs[1][0].inside, 0);
}

// 64 ranks, a view of a million pieces each, a thousand calls: each rank adds its numbers only.
TEST(CaptureFile, ARegularProgramIsSmall) {
  Capture all;
  for (int rank = 0; rank < 64; ++rank) {
    Capture one = sample_of(rank);
    one.ranks = 64;
    one.groups = {Group(64)};
    one.structures[1] = layout::Layout::repeat(1'000'000, 4096, layout::Layout::contiguous(16));
    one.programs[0].insert(one.programs[0].end() - 1, write_of(1, 5));
    for (int i = 0; i < 1000; ++i) append(one.programs[0], write_of(1, 16'000'000LL * i));
    one.programs[0].push_back(op_of(OpKind::kClose));
    join(all, one);
  }
  EXPECT_LT(encode(all).size(), 64 * 100U);
}

TEST(CaptureFile, ForeignFilesAreRefused) {
  EXPECT_EQ(refusal({}), "is no capture of weir's");
  const std::string text = "{\"weir\": \"0.1.0\", \"files\": []}";
  Bytes foreign(text.size());
  std::transform(text.begin(), text.end(), foreign.begin(), [](char c) { return static_cast<std::byte>(c); });
  EXPECT_EQ(refusal(foreign), "is no capture of weir's");
}

TEST(CaptureFile, FilesThatAreCutOffAreRefusedWhereverThatIs) {
  const Bytes whole = encode(sample());
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    const std::string text = refusal(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(bytes)));
    EXPECT_TRUE(text.starts_with("is cut off") || text.starts_with("is no capture")) << bytes << ": " << text;
  }
}

TEST(CaptureFile, AnotherVersionIsNamed) {
  Bytes bytes = encode(sample());
  bytes[13] = std::byte{9};  // behind the first line
  EXPECT_EQ(refusal(bytes), "is a capture of version 9; this weir reads version 1");
}

TEST(CaptureFile, EveryDamagedByteIsFound) {
  const Bytes whole = encode(sample());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    Bytes bytes = whole;
    bytes[i] ^= std::byte{0x10};
    EXPECT_NE(refusal(bytes), "none") << i;
  }
}

}  // namespace
}  // namespace weir::capture
