#include "report/page.h"

#include <gmock/gmock.h>

#include <string>

namespace weir::tool::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

constexpr const char* kEvil = "</script><!--<img src=x onerror=alert(1)>&amp;]]>\xe2\x80\xa8\"'";
constexpr const char* kPage = "<title><!--weir:title--></title><script><!--weir:data--></script>";

TEST(Page, DataCannotBeTakenForMarkup) {
  const Json document = {{kEvil, {kEvil, 1, nullptr}}};
  const std::string text = script_json(document);
  for (const char* mark : {"<", ">", "&"}) EXPECT_THAT(text, Not(HasSubstr(mark)));
  EXPECT_EQ(Json::parse(text), document);
}

TEST(Page, EveryCharacterSurvives) {
  std::string all;
  for (char c = 1; c < 127; ++c) all += c;
  EXPECT_EQ(Json::parse(script_json(Json(all))), Json(all));
}

TEST(Page, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(Json::parse(script_json(Json("a\xff"
                                         "b"))),
            "a\xef\xbf\xbd"
            "b");
}

TEST(Page, TextInHtmlIsText) { EXPECT_EQ(html_text("<a href=\"x\">&'"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;"); }

TEST(Page, IsFilledInAtItsMarks) {
  const Result<std::string> page = fill_in(kPage, {{"title", "a<b"}, {"cells", {1}}});
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page.value(), R"(<title>a&lt;b</title><script>{"title":"a\u003cb","cells":[1]}</script>)");
}

TEST(Page, MarksInResultsAreJustText) {
  const Json document = {{"title", "<!--weir:data-->"}, {"note", "<!--weir:title-->"}};
  const Result<std::string> page = fill_in(kPage, document);
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page.value(), "<title>&lt;!--weir:data--&gt;</title><script>" + script_json(document) + "</script>");
}

TEST(Page, TitleThatIsNotUtf8IsReplaced) {
  const Result<std::string> page = fill_in(kPage, {{"title", "\xff"}});
  ASSERT_TRUE(page.ok());
  EXPECT_THAT(page.value(), HasSubstr("<title>\xef\xbf\xbd</title>"));
}

TEST(Page, WithoutMarksIsDamaged) {
  for (const char* page : {"", "<!--weir:title-->", "<!--weir:data-->"}) {
    const Result<std::string> filled = fill_in(page, {{"title", ""}});
    ASSERT_FALSE(filled.ok());
    EXPECT_THAT(filled.status().text(), HasSubstr("damaged"));
  }
}

}  // namespace
}  // namespace weir::tool::report
