// One rank's own access to the file: both directions, every access method.
#pragma once

#include "driver/file_driver.h"
#include "layout/request_list.h"
#include "plan/access_method.h"

namespace weir::exec {

// What choose_access needs to know of a request list. The piece counts are exact for whole view tiles and an upper
// bound otherwise.
plan::AccessShape shape_of(Direction direction, const layout::RequestList& requests);

// Moves all bytes of the request list by the chosen method. LOCAL. The outcome counts the bytes of the request list's
// prefix that were moved, also on failure; reading, fewer than asked for with an ok status means end of file.
// Bytes that were not asked for never change, except under kSieve writes, which the caller allows only for a sole
// owner.
driver::IoOutcome access_file(driver::File& file, Direction direction, const layout::RequestList& requests,
                              const plan::AccessChoice& choice);

}  // namespace weir::exec
