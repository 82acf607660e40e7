#include "words.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace weir::tool {

Words split(std::string_view text, char separator) {
  const auto parts = weir::split(text, separator);
  return {parts.begin(), parts.end()};
}

std::string join(const Words& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string shell_quoted(const Words& words) {
  Words quoted;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 ||
             std::string_view("_-./:=,+@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain) {
      quoted.push_back(word);
      continue;
    }
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    quoted.push_back(text + "'");
  }
  return join(quoted, " ");
}

Status cannot(std::string text) { return Status(ErrorClass::kArgument, std::move(text)); }

std::string base_name(std::string_view path) { return std::string(path.substr(path.find_last_of('/') + 1)); }

}  // namespace weir::tool
