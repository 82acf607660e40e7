// The page to fill in, and putting results into it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace weir::tool::report {

// `text` as it stands in an HTML element or in a quoted attribute.
std::string html_text(std::string_view text);

// `document` as JSON that can stand in a script element: no '<', '>' or '&', so that nothing in it ends the element or
// begins another one. Bytes that are not UTF-8 become U+FFFD.
std::string script_json(const nlohmann::ordered_json& document);

// `page` with the document, and its "title", at the places marked for them. A page without the marks is a failure.
Result<std::string> fill_in(const std::string& page, const nlohmann::ordered_json& document);

}  // namespace weir::tool::report
