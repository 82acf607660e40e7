// Span: an event on a timeline, from its begin to the end of its life. Where there is no timeline it costs a branch.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "trace/timeline.h"

namespace weir::trace {

inline Nanoseconds now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class Span {
 public:
  // `name` is called, and gives text, only where there is a timeline.
  template <typename Name>
  Span(const FileLine& line, Name name, EventDetail detail = {}) : line_(line), detail_(detail) {
    if (line_.timeline == nullptr) return;
    name_ = name();
    begin_ = now();
  }
  Span(const FileLine& line, const char* name, EventDetail detail = {})
      : Span(
            line, [name] { return std::string(name); }, detail) {}
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  ~Span() {
    if (line_.timeline != nullptr) line_.timeline->add(name_, line_.file, begin_, now(), detail_);
  }

  void set_bytes(std::int64_t bytes) { detail_.bytes = bytes; }

 private:
  const FileLine line_;
  EventDetail detail_;
  std::string name_;
  Nanoseconds begin_ = 0;
};

}  // namespace weir::trace
