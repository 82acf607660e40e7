#include "data_file.h"

#include <gmock/gmock.h>

namespace weir::tool {
namespace {

using ::testing::Contains;

TEST(DataFile, IsLookedForBesideTheCommand) {
  EXPECT_THAT(data_file_candidates("/opt/bin", "report/page.html"),
              Contains("/opt/bin/../share/weir/report/page.html"));
  EXPECT_EQ(find_data_file("/no/such/bin", "report/page.html"), "");
}

TEST(DataFile, TheHintsOfBEffIoComeWithIt) {
  for (const char* name : {"false", "true", "mixed"})
    EXPECT_NE(find_data_file(own_directory(), std::string("b_eff_io/largeblock-") + name + ".hints"), "") << name;
}

}  // namespace
}  // namespace weir::tool
