// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::trace {

// "1 rank", "4 ranks". REQUIRES a noun whose plural ends with s.
std::string counted(std::int64_t number, std::string_view noun);

// Of nanoseconds: "1.234 s", to the millisecond from ten milliseconds on; "0.123 ms" below.
std::string time_text(std::int64_t nanoseconds);

}  // namespace weir::trace
