#include <gtest/gtest.h>

#include <set>
#include <string>

#include "reproduce/claim.h"
#include "reproduce/selection.h"
#include "reproduce/text.h"

namespace weir::tool::reproduce {
namespace {

TEST(Claims, AreThirtyWithNamesOfTheirOwn) {
  std::set<std::string_view> names;
  int number = 0;
  for (const Claim& claim : all_claims()) {
    EXPECT_EQ(claim.number, ++number);
    EXPECT_TRUE(names.insert(claim.name).second) << claim.name;
    EXPECT_FALSE(claim.parts.empty()) << claim.name;
    for (const Part& part : claim.parts) EXPECT_NE(part.check, nullptr) << claim.name;
  }
  EXPECT_EQ(number, 30);
}

// The numbers are checked as the claims are shown: a claim that is a formula has to agree.
TEST(Claims, FormulasAgree) {
  for (const Claim& claim : all_claims()) {
    for (const Part& part : claim.parts) {
      if (part.how != How::kExact) continue;
      const Finding finding = part.check({});
      EXPECT_EQ(finding.verdict, Verdict::kAgrees) << claim.number << ": " << finding.result;
    }
  }
}

TEST(Selection, TakesNumbersNamesAndPapers) {
  EXPECT_EQ(select({}).value().size(), 30U);
  EXPECT_EQ(select({"tam"}).value().size(), 5U);
  const auto some = select({"even-domains", "3", "6"}).value();
  ASSERT_EQ(some.size(), 2U);
  EXPECT_EQ(some[0]->number, 3);
  EXPECT_EQ(some[1]->number, 6);
}

TEST(Selection, RefusesWhatIsNoClaimAndNamesTheNearest) {
  EXPECT_NE(select({"even-domain"}).status().text().find("did you mean even-domains?"), std::string::npos);
  EXPECT_NE(select({"31"}).status().text().find("1 to 30"), std::string::npos);
  EXPECT_FALSE(select({"6", "nothing-like-it"}).ok());
}

TEST(Selection, ExplanationsAreHeadings) {
  EXPECT_EQ(explained_in("## Disagreements\n### Claim 8: why\ntext ### Claim 9\n### Claim 12\n### Claims\n"),
            (std::vector<int>{8, 12}));
}

TEST(Verdicts, OneDisagreementDecidesAndNothingIsLeftOut) {
  const Finding yes{Verdict::kAgrees, ""};
  const Finding no{Verdict::kDisagrees, ""};
  const Finding open{Verdict::kNotRun, ""};
  EXPECT_EQ(verdict_of({yes, yes}), Verdict::kAgrees);
  EXPECT_EQ(verdict_of({yes, open}), Verdict::kNotRun);
  EXPECT_EQ(verdict_of({open, no, yes}), Verdict::kDisagrees);
  EXPECT_EQ(verdict_of({}), Verdict::kNotRun);
}

TEST(Texts, TheEndingCounts) {
  const Claim& claim = all_claims().front();
  const std::vector<Shown> all = {{&claim, {{Verdict::kAgrees, "a"}}},
                                  {&claim, {{Verdict::kDisagrees, "b"}}},
                                  {&claim, {{Verdict::kNotRun, "c"}}},
                                  {&claim, {{Verdict::kNotRun, "d"}}}};
  EXPECT_EQ(ending(all), "claims: 1 agree, 1 disagree, 2 not run");
  EXPECT_NE(paragraph(all[1]).find("disagrees: b"), std::string::npos);
  EXPECT_NE(markdown_table(all).find("| disagrees |"), std::string::npos);
}

}  // namespace
}  // namespace weir::tool::reproduce
