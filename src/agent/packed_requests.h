// Requests with their bytes as they travel between nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "driver/file_driver.h"

namespace weir::agent {

// The bytes that one message has at most; a whole block fits.
std::size_t most_packed_bytes(std::int64_t block_bytes);

// The requests, from the first on, that fit beside `taken` bytes that a message has already. One fits where none are
// taken. REQUIRES that each is of one block at most.
std::span<const driver::IoRequest> fitting(std::span<const driver::IoRequest> requests, std::size_t taken,
                                           std::size_t room);
// That they take of a message.
std::size_t packed_bytes(std::span<const driver::IoRequest> requests);

// Where and how long each of them is, then the bytes of all.
void pack(std::span<const driver::IoRequest> requests, std::vector<std::byte>& payload);
// Their data are in the payload.
std::vector<driver::IoRequest> unpack(std::int64_t count, std::span<std::byte> payload);

}  // namespace weir::agent
