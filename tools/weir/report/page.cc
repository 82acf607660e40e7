#include "report/page.h"

namespace weir::tool::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kTitleMark = "<!--weir:title-->";
constexpr std::string_view kDataMark = "<!--weir:data-->";

// `text` with each character of it that `replacement` knows replaced; an empty replacement keeps the character.
template <typename Replacement>
std::string replaced(std::string_view text, Replacement replacement) {
  std::string result;
  result.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const std::string_view with = replacement(c);
    if (with.empty()) {
      result += c;
    } else {
      result += with;
    }
  }
  return result;
}

std::string_view html_entity(char c) {
  switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return "";
  }
}

// In JSON these three stand in strings only, where the escape means the same.
std::string_view json_escape(char c) {
  switch (c) {
    case '<': return "\\u003c";
    case '>': return "\\u003e";
    case '&': return "\\u0026";
    default: return "";
  }
}

std::string valid_json(const Json& document) { return document.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string html_text(std::string_view text) { return replaced(text, html_entity); }

std::string script_json(const Json& document) { return replaced(valid_json(document), json_escape); }

Result<std::string> fill_in(const std::string& page, const Json& document) {
  const std::size_t title = page.find(kTitleMark);
  const std::size_t data = page.find(kDataMark);
  if (title == std::string::npos || data == std::string::npos || data < title)
    return Status(ErrorClass::kInternal, "the page to fill in (page.html) is damaged: build or install weir again");
  const std::size_t after_title = title + kTitleMark.size();
  // Through JSON and back: what is not UTF-8 is replaced.
  const std::string title_text = Json::parse(valid_json(document.value("title", "")));
  return page.substr(0, title) + html_text(title_text) + page.substr(after_title, data - after_title) +
         script_json(document) + page.substr(data + kDataMark.size());
}

}  // namespace weir::tool::report
