#include "hints_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace beffio {
namespace {

HintsFile parsed(std::string_view text) {
  auto file = HintsFile::parse(text);
  EXPECT_TRUE(file.ok()) << file.status().text();
  return file.ok() ? std::move(file).value() : HintsFile();
}

std::string error_of(std::string_view text) {
  const auto file = HintsFile::parse(text);
  EXPECT_FALSE(file.ok()) << text;
  return file.status().text();
}

// The third set of hints of the paper: large blocks except where small chunks are scattered or shared.
constexpr const char* kThirdSet = R"(
# TYPE   METHOD CHUNK   HINTS
*        *      open    IBM_largeblock_io=switchable
*        *      MPART   IBM_largeblock_io=true
*        *      1MB     IBM_largeblock_io=true
scatter  *      1kB     IBM_largeblock_io=false;IBM_io_buffer_size=2097152
1        *      1kB     IBM_largeblock_io=false;IBM_io_buffer_size=2097152   # by number
)";

TEST(HintsFileTest, ByTypeMethodAndChunk) {
  const HintsFile file = parsed(kThirdSet);
  EXPECT_EQ(text_of(file.at_open(Type::kSegmented, Method::kRead)), "IBM_largeblock_io=switchable");
  EXPECT_EQ(text_of(file.for_chunk(Type::kScatter, Method::kWrite, Chunk::kOneKilobyte)),
            "IBM_largeblock_io=false;IBM_io_buffer_size=2097152");
  EXPECT_EQ(text_of(file.for_chunk(Type::kShared, Method::kRead, Chunk::kOneKilobyte)),
            "IBM_largeblock_io=false;IBM_io_buffer_size=2097152");
  EXPECT_EQ(text_of(file.for_chunk(Type::kSeparate, Method::kRead, Chunk::kOneKilobyte)), "");
  EXPECT_EQ(text_of(file.for_chunk(Type::kSeparate, Method::kRead, Chunk::kMpart)), "IBM_largeblock_io=true");
  EXPECT_EQ(text_of(file.for_chunk(Type::kSeparate, Method::kRead, Chunk::kOneMegabytePlus)), "");
}

TEST(HintsFileTest, AnyChunkIsOpenToo) {
  const HintsFile file = parsed("* read * cb_nodes=2");
  EXPECT_EQ(text_of(file.at_open(Type::kScatter, Method::kRead)), "cb_nodes=2");
  EXPECT_EQ(text_of(file.for_chunk(Type::kScatter, Method::kRead, Chunk::kOneKilobytePlus)), "cb_nodes=2");
  EXPECT_EQ(text_of(file.at_open(Type::kScatter, Method::kRewrite)), "");
}

TEST(HintsFileTest, LaterLinesWin) {
  const HintsFile file = parsed("* * * cb_nodes=2;a=1\n\n0 write * cb_nodes=4\n");
  EXPECT_EQ(text_of(file.at_open(Type::kScatter, Method::kWrite)), "cb_nodes=4;a=1");
  EXPECT_EQ(text_of(file.at_open(Type::kShared, Method::kWrite)), "cb_nodes=2;a=1");
}

TEST(HintsFileTest, EveryNameIsUnderstood) {
  for (const Type type : kAllTypes) {
    for (const Method method : kAllMethods) {
      for (const Chunk chunk : kAllChunks) {
        const std::string line =
            std::string(name(type)) + " " + std::string(name(method)) + " " + std::string(name(chunk)) + " key=value";
        EXPECT_EQ(text_of(parsed(line).for_chunk(type, method, chunk)), "key=value") << line;
        EXPECT_EQ(text_of(parsed(line).at_open(type, method)), "") << line;
      }
    }
  }
}

TEST(HintsFileTest, EmptyAndComments) {
  EXPECT_EQ(text_of(parsed("").at_open(Type::kScatter, Method::kWrite)), "");
  EXPECT_EQ(text_of(parsed("# nothing\n \t \r\n").at_open(Type::kScatter, Method::kWrite)), "");
}

TEST(HintsFileTest, ErrorsNameTheLine) {
  using testing::AllOf;
  using testing::HasSubstr;
  EXPECT_THAT(error_of("* * * a=1\n5 * * a=1\n"), AllOf(HasSubstr("line 2:"), HasSubstr("no type called '5'")));
  EXPECT_THAT(error_of("\n# c\n0 wriet * a=1"),
              AllOf(HasSubstr("line 3:"), HasSubstr("'wriet'"), HasSubstr("rewrite")));
  EXPECT_THAT(error_of("0 write 2kB a=1"), AllOf(HasSubstr("line 1:"), HasSubstr("'2kB'"), HasSubstr("32kB+8")));
  EXPECT_THAT(error_of("0 write 1kB"), HasSubstr("line 1: a line is"));
  EXPECT_THAT(error_of("0 write 1kB a = 1"), HasSubstr("line 1: a line is"));
  EXPECT_THAT(error_of("0 write 1kB a"), HasSubstr("KEY=VALUE, not 'a'"));
  EXPECT_THAT(error_of("0 write 1kB =1"), HasSubstr("KEY=VALUE, not '=1'"));
  EXPECT_THAT(error_of("0 write 1kB a="), HasSubstr("KEY=VALUE, not 'a='"));
  EXPECT_THAT(error_of("0 write 1kB ;"), HasSubstr("no hints"));
}

}  // namespace
}  // namespace beffio
