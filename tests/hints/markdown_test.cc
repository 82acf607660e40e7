#include "hints/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "base/text.h"
#include "hints/table.h"

namespace weir::hints {
namespace {

using ::testing::HasSubstr;

TEST(Markdown, NamesEveryHintAndAliasWithItsText) {
  const std::string manual = markdown();
  for (const Row& row : table()) {
    EXPECT_THAT(manual, HasSubstr("| `" + std::string(row.name) + "` |"));
    EXPECT_THAT(manual, HasSubstr(std::string(row.text)));
    EXPECT_THAT(manual, HasSubstr(std::string(row.reason)));
    for (std::string_view alias : split(row.aliases, ' ')) {
      EXPECT_THAT(manual, HasSubstr("`" + std::string(alias) + "`"));
    }
  }
}

// With WEIR_UPDATE_GOLDEN=1 in the environment the manual is written anew instead.
TEST(Markdown, IsWhatTheManualSays) {
  if (std::getenv("WEIR_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(WEIR_HINTS_MANUAL) << markdown();
  }
  std::ifstream file(WEIR_HINTS_MANUAL);
  const std::string manual{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(manual, markdown()) << "run this test with WEIR_UPDATE_GOLDEN=1 to renew docs/hints.md";
}

}  // namespace
}  // namespace weir::hints
