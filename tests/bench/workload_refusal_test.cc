// Everything that can be wrong with a spec or a shape, and what is said about it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/workload_support.h"

namespace bench {
namespace {

using testing::HasSubstr;

TEST(ParseSpec, TakesParameters) {
  const auto spec = parse_spec("sparse:block=4096:sparsity=10");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec.value().workload, find_workload("sparse"));
  EXPECT_EQ(spec.value().given, (Values{{"block", 4096}, {"sparsity", 10}}));
}

TEST(ParseSpec, RefusesUnknownNames) {
  EXPECT_THAT(refusal("coll_pref", 1, 1024), HasSubstr("did you mean 'coll_perf'"));
  EXPECT_THAT(refusal("e3smf", 1, 1024), HasSubstr("did you mean 'e3sm_f'"));
  EXPECT_THAT(refusal("zzzzzzzz", 1, 1024), HasSubstr("there are coll_perf, btio"));
  EXPECT_THAT(refusal("", 1, 1024), HasSubstr("no workload ''"));
}

TEST(ParseSpec, RefusesUnknownParameters) {
  EXPECT_THAT(refusal("cyclic:blok=4", 1, 1024), HasSubstr("did you mean 'block'"));
  EXPECT_THAT(refusal("contiguous:block=4", 1, 1024), HasSubstr("it has none"));
  EXPECT_THAT(refusal("cyclic:", 1, 1024), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(refusal("cyclic:block", 1, 1024), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(refusal("cyclic:block=4:block=8", 1, 1024), HasSubstr("twice"));
}

TEST(ParseSpec, RefusesBadNumbers) {
  for (const char* value : {"", "x", "4x", "4.5", "1e3", " 4", "+4", "99999999999999999999"}) {
    EXPECT_THAT(refusal("cyclic:block=" + std::string(value), 1, 1024), HasSubstr("not a whole number")) << value;
  }
  EXPECT_THAT(refusal("cyclic:block=0", 1, 1024), HasSubstr("too small"));
  EXPECT_THAT(refusal("cyclic:block=-4", 1, 1024), HasSubstr("too small"));
  EXPECT_THAT(refusal("coll_perf:side=0", 1, 1024), HasSubstr("too small"));
}

TEST(Check, RefusesNothingAtAll) {
  for (const Workload& workload : all_workloads()) {
    EXPECT_THAT(refusal(std::string(workload.name), 1, 0), HasSubstr("size is zero"));
    EXPECT_THAT(refusal(std::string(workload.name), 0, 1024), HasSubstr("at least one rank"));
  }
}

TEST(Check, NamesTheNearestSizesForBlocks) {
  EXPECT_THAT(refusal("discontiguous", 7, 1 << 20), HasSubstr("use 1046528 or 1053696"));
  EXPECT_THAT(refusal("discontiguous", 7, 100), HasSubstr("use 7168"));
  EXPECT_THAT(refusal("data_shipping", 3, 1 << 20), HasSubstr("use 1044480 or 1056768"));
  EXPECT_THAT(refusal("multiple_access_range", 2, 300000), HasSubstr("use 262144 or 524288"));
  EXPECT_THAT(refusal("sparse", 2, 40000), HasSubstr("use 32768 or 65536"));
  EXPECT_THAT(refusal("cyclic", 3, 1000), HasSubstr("use 960 or 1152"));
  EXPECT_THAT(refusal("cyclic:nx=10:bx=3", 1, 1), HasSubstr("use 36 or 48"));
  for (const char* name : {"irregular", "contiguous", "independent"}) {
    EXPECT_THAT(refusal(name, 3, 1001), HasSubstr("use 1000 or 1004")) << name;
  }
}

TEST(Check, NamesTheNearestSides) {
  EXPECT_THAT(refusal("coll_perf:side=100", 12, 1), HasSubstr("use 96 or 102"));
  EXPECT_THAT(refusal("s3d:side=1", 2, 1), HasSubstr("use 2"));
  EXPECT_THAT(refusal("memgaps:side=9", 4, 1), HasSubstr("the grid of ranks is 2 x 2 x 1"));
  EXPECT_THAT(refusal("memgaps:side=9", 4, 1), HasSubstr("use 8 or 10"));
  EXPECT_THAT(refusal("btio:side=3", 16, 1), HasSubstr("use 4 or more"));
}

TEST(Check, NamesNoSizeBeyond64Bits) {
  EXPECT_THAT(refusal("sparse:stripe=9223372036854767616", 1, 16384), testing::EndsWith("use 9223372036854759424"));
}

TEST(Check, WantsASquareForBtio) {
  for (const int ranks : {2, 3, 5, 7, 8, 15, 17}) EXPECT_THAT(refusal("btio", ranks, 1 << 20), HasSubstr("square"));
  EXPECT_THAT(refusal("btio", 7, 1 << 20), HasSubstr("use 4 or 9"));
}

TEST(Check, RefusesParametersThatDoNotFitTogether) {
  EXPECT_THAT(refusal("cyclic:block=6", 1, 24), HasSubstr("use 4 or 8"));
  EXPECT_THAT(refusal("cyclic:block=8:bx=2", 1, 24), HasSubstr("one of them"));
  EXPECT_THAT(refusal("discontiguous:block=1023", 1, 1023), HasSubstr("block 1023"));
  EXPECT_THAT(refusal("discontiguous:region=1500", 1, 4096), HasSubstr("use 1024 or 2048"));
  EXPECT_THAT(refusal("multiple_access_range:subblocks=65", 1, 4096), HasSubstr("holds 64"));
  EXPECT_THAT(refusal("multiple_access_range:block=5000", 1, 4096), HasSubstr("use 4096 or 8192"));
  EXPECT_THAT(refusal("sparse:sparsity=101", 1, 16384), HasSubstr("per cent"));
  EXPECT_THAT(refusal("sparse:stripe=16384", 2, 32768), HasSubstr("use 32768 or more"));
  EXPECT_THAT(refusal("sparse:stripe=20000", 1, 16384), HasSubstr("use 16384 or 32768"));
  EXPECT_THAT(refusal("e3sm_g:merged=2", 1, 16384), HasSubstr("0 or 1"));
}

TEST(Check, RefusesWhatIsTooLarge) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  for (const Workload& workload : all_workloads()) {
    EXPECT_THAT(refusal(std::string(workload.name), 1, kHuge), HasSubstr("too large")) << workload.name;
  }
  for (const char* spec :
       {"coll_perf:side=4294967296", "coll_perf:side=9223372036854775807", "s3d:side=2000000", "btio:side=3000000000",
        "btio:arrays=3000000000", "flash:side=1000", "e3sm_f:columns=999999999", "cyclic:block=8589934592",
        "cyclic:bx=9223372036854775807", "cyclic:nx=9223372036854775807", "discontiguous:block=4294967296",
        "data_shipping:spread=9223372036854775807", "multiple_access_range:block=9223372036854771712:subblocks=1",
        "sparse:stripe=9223372036854759424"}) {
    EXPECT_THAT(refusal(spec, 1, 1 << 20), HasSubstr("too large")) << spec;
  }
}

}  // namespace
}  // namespace bench
