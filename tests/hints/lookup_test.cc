#include "hints/lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace weir::hints {
namespace {

TEST(Find, KnowsEveryNameAndAlias) {
  for (const Row& row : table()) {
    EXPECT_EQ(find(row.name), &row);
    for (std::string_view alias : split(row.aliases, ' ')) EXPECT_EQ(find(alias), &row) << alias;
  }
}

TEST(Find, TakesTheExactRowBeforeAStarRow) {
  ASSERT_NE(find("io_ompio_num_aggregators"), nullptr);
  EXPECT_EQ(find("io_ompio_num_aggregators")->id, Id::kCbNodes);
  ASSERT_NE(find("io_ompio_grouping_option"), nullptr);
  EXPECT_EQ(find("io_ompio_grouping_option")->id, Id::kOmpioParameter);
}

TEST(Find, IsExact) {
  EXPECT_EQ(find("CB_NODES"), nullptr);
  EXPECT_EQ(find(" cb_nodes"), nullptr);
  EXPECT_EQ(find(""), nullptr);
  EXPECT_EQ(find("num_aggregators io_ompio_num_aggregators"), nullptr);
}

TEST(ForeignOwner, KnowsKeysOfOtherObjects) {
  EXPECT_EQ(foreign_owner("no_locks"), "MPI_Win_create");
  EXPECT_EQ(foreign_owner("wdir"), "MPI_Comm_spawn");
  EXPECT_EQ(foreign_owner("cb_nodes"), std::nullopt);
  EXPECT_EQ(foreign_owner(""), std::nullopt);
}

TEST(ForeignOwner, NoHintIsForeign) {
  for (const Row& row : table()) {
    EXPECT_EQ(foreign_owner(row.name), std::nullopt) << row.name;
    for (std::string_view alias : split(row.aliases, ' ')) EXPECT_EQ(foreign_owner(alias), std::nullopt);
  }
}

}  // namespace
}  // namespace weir::hints
