#include "hints/suggest.h"

#include <gtest/gtest.h>

#include <string>

#include "hints/lookup.h"

namespace weir::hints {
namespace {

TEST(Distance, CountsSingleMistakes) {
  EXPECT_EQ(distance("", ""), 0u);
  EXPECT_EQ(distance("abc", ""), 3u);
  EXPECT_EQ(distance("", "abc"), 3u);
  EXPECT_EQ(distance("abc", "abc"), 0u);
  EXPECT_EQ(distance("abc", "abxc"), 1u);
  EXPECT_EQ(distance("abc", "ac"), 1u);
  EXPECT_EQ(distance("abc", "axc"), 1u);
  EXPECT_EQ(distance("abc", "acb"), 1u);
  EXPECT_EQ(distance("kitten", "sitting"), 3u);
}

TEST(Distance, DoesNotCountCaseAndHyphens) { EXPECT_EQ(distance("CB-Nodes", "cb_nodes"), 0u); }

TEST(Distance, IsSymmetric) {
  for (const Row& a : table()) {
    for (const Row& b : table()) EXPECT_EQ(distance(a.name, b.name), distance(b.name, a.name));
  }
}

TEST(Suggestion, MendsOneMistakeInAnyHint) {
  for (const Row& row : table()) {
    if (row.name.ends_with('*')) continue;
    std::string doubled(row.name);
    doubled.insert(1, 1, doubled[0]);
    EXPECT_EQ(suggestion(doubled), row.name);
    std::string cut(row.name);
    cut.erase(2, 1);
    EXPECT_FALSE(suggestion(cut).empty()) << cut;
  }
}

TEST(Suggestion, FindsWhatPeopleWrite) {
  EXPECT_EQ(suggestion("cb_node"), "cb_nodes");
  EXPECT_EQ(suggestion("cb_buffersize"), "cb_buffer_size");
  EXPECT_EQ(suggestion("stripping_factor"), "striping_factor");
  EXPECT_EQ(suggestion("ROMIO_CB_WRITE"), "romio_cb_write");
  EXPECT_EQ(suggestion("romio-ds-read"), "romio_ds_read");
  EXPECT_EQ(suggestion("num_agregators"), "num_aggregators");
  EXPECT_EQ(suggestion("weir_piepline_depth"), "weir_pipeline_depth");
}

TEST(Suggestion, FindsForgottenPrefixes) {
  EXPECT_EQ(suggestion("ds_read"), "romio_ds_read");
  EXPECT_EQ(suggestion("largeblock_io"), "IBM_largeblock_io");
  EXPECT_EQ(suggestion("pipeline_depth"), "weir_pipeline_depth");
}

TEST(Suggestion, IsSilentWhenNothingIsNear) {
  for (const char* key : {"", "a", "cb", "colour", "hdf5_chunk_cache", "my_own_key", "xxxxxxxx"}) {
    EXPECT_EQ(suggestion(key), "") << key;
  }
  EXPECT_EQ(suggestion(std::string(1 << 20, 'x')), "");
}

}  // namespace
}  // namespace weir::hints
