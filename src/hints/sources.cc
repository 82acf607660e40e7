#include "hints/sources.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "hints/value.h"

namespace weir::hints {

namespace {

Pairs::iterator find_key(Pairs& pairs, std::string_view key) {
  return std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.first == key; });
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::string_view part : split(line, ' ')) {
    for (std::string_view word : split(part, '\t')) words.push_back(word);
  }
  return words;
}

void take_line(std::string_view line, std::size_t line_number, ParsedPairs& result) {
  const auto words = words_of(trimmed(line));
  if (words.empty() || words.front().starts_with('#')) return;
  if (words.size() != 2) {
    result.complaints.push_back(
        fmt::format("line {}: {} is not a key and a value", line_number, in_quotes(trimmed(line))));
  } else if (find_key(result.pairs, words[0]) != result.pairs.end()) {
    result.complaints.push_back(fmt::format("line {}: {} was given before", line_number, words[0]));
  } else {
    result.pairs.emplace_back(words[0], words[1]);
  }
}

void take_item(std::string_view item, ParsedPairs& result) {
  const std::size_t equals = item.find('=');
  const std::string_view key = trimmed(item.substr(0, equals));
  if (equals == item.npos || key.empty()) {
    result.complaints.push_back(fmt::format("{} is not of the form key=value", in_quotes(trimmed(item))));
    return;
  }
  const auto before = find_key(result.pairs, key);
  if (before != result.pairs.end()) result.pairs.erase(before);
  result.pairs.emplace_back(key, trimmed(item.substr(equals + 1)));
}

}  // namespace

ParsedPairs parse_hint_file(std::string_view text) {
  ParsedPairs result;
  for (std::size_t line_number = 1; !text.empty(); ++line_number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take_line(text.substr(0, end), line_number, result);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

ParsedPairs parse_hint_list(std::string_view text) {
  ParsedPairs result;
  for (std::string_view item : split(text, ';')) {
    if (!trimmed(item).empty()) take_item(item, result);
  }
  return result;
}

}  // namespace weir::hints
