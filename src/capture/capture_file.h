// Captures as bytes: the form of their files. Reading one needs no MPI.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/status.h"
#include "capture/capture.h"

namespace weir::capture {

std::vector<std::byte> encode(const Capture& capture);

// What encode() made the bytes from. Refuses what is no capture, one of another version, one that is cut off, and one
// that is damaged; the text says which, and goes behind the file's name: "is no capture of weir's".
Result<Capture> decode(std::span<const std::byte> bytes);

}  // namespace weir::capture
