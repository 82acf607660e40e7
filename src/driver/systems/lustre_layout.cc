#include "driver/systems/lustre_layout.h"

#include <algorithm>
#include <cstdint>

namespace weir::driver {

namespace {

// Byte offsets; all numbers are little-endian.
constexpr std::uint64_t kPlainMagic = 0x0BD10BD0;
constexpr std::uint64_t kPooledMagic = 0x0BD30BD0;
constexpr std::uint64_t kCompositeMagic = 0x0BD60BD0;

// A plain layout: magic, pattern, object id, then
constexpr std::size_t kPatternAt = 4;
constexpr std::size_t kUnitAt = 24;
constexpr std::size_t kServersAt = 28;
constexpr std::size_t kFirstServerAt = 30;  // of a request
constexpr std::size_t kPlainBytes = 32;
constexpr std::size_t kPoolNameBytes = 16;
// An object: its id and generation, then the number of its server.
constexpr std::size_t kServerOfObjectAt = 20;
constexpr std::size_t kObjectBytes = 24;

// A composite layout: a header, then entries.
constexpr std::size_t kEntryCountAt = 14;
constexpr std::size_t kHeaderBytes = 32;
constexpr std::size_t kFlagsAt = 4;
constexpr std::size_t kBlobOffsetAt = 24;
constexpr std::size_t kBlobBytesAt = 28;
constexpr std::size_t kEntryBytes = 48;
constexpr std::uint64_t kExtensionFlag = 0x40;  // room for the component before it, not a component

constexpr std::uint64_t kStripedPattern = 1;
constexpr std::uint64_t kAllServers = 0xFFFF;

// 0 beyond the end: no magic, unit or number that counts is 0.
std::uint64_t number_at(std::span<const std::byte> bytes, std::size_t offset, std::size_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return 0;
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) number = number << 8 | std::to_integer<std::uint64_t>(bytes[offset + i]);
  return number;
}

void put(LustreRequest& bytes, std::size_t offset, std::size_t size, std::uint64_t number) {
  for (std::size_t i = 0; i < size; ++i) bytes[offset + i] = static_cast<std::byte>(number >> 8 * i & 0xFF);
}

Striping parse_plain(std::span<const std::byte> bytes) {
  const std::uint64_t magic = number_at(bytes, 0, 4);
  if (bytes.size() < kPlainBytes || (magic != kPlainMagic && magic != kPooledMagic)) return {};
  const std::size_t objects_at = kPlainBytes + (magic == kPooledMagic ? kPoolNameBytes : 0);
  const std::uint64_t servers = number_at(bytes, kServersAt, 2);
  Striping striping;
  striping.unit_bytes = static_cast<std::int64_t>(number_at(bytes, kUnitAt, 4));
  if (servers != kAllServers) striping.servers = static_cast<int>(servers);
  if (bytes.size() >= objects_at + kObjectBytes) {
    striping.first_server = static_cast<int>(number_at(bytes, objects_at + kServerOfObjectAt, 4));
  }
  return striping.unit_bytes > 0 ? striping : Striping();
}

Striping parse_composite(std::span<const std::byte> bytes) {
  Striping widest;
  const std::uint64_t count = number_at(bytes, kEntryCountAt, 2);
  for (std::size_t entry = kHeaderBytes, i = 0; i < count; ++i, entry += kEntryBytes) {
    if ((number_at(bytes, entry + kFlagsAt, 4) & kExtensionFlag) != 0) continue;
    const std::size_t begin = number_at(bytes, entry + kBlobOffsetAt, 4);
    const std::size_t size = number_at(bytes, entry + kBlobBytesAt, 4);
    if (begin > bytes.size() || size > bytes.size() - begin) return {};
    const Striping component = parse_plain(bytes.subspan(begin, size));
    if (component.servers >= widest.servers && component.unit_bytes > 0) widest = component;
  }
  return widest;
}

}  // namespace

Striping parse_lustre_layout(std::span<const std::byte> bytes) {
  return number_at(bytes, 0, 4) == kCompositeMagic ? parse_composite(bytes) : parse_plain(bytes);
}

bool fits_lustre_request(const Striping& striping) {
  const auto fits = [](std::int64_t number, std::uint64_t most) { return static_cast<std::uint64_t>(number) < most; };
  return fits(striping.unit_bytes, std::uint64_t{1} << 32) && fits(striping.servers, kAllServers) &&
         fits(std::max(striping.first_server, 0), kAllServers);
}

LustreRequest lustre_request(const Striping& striping) {
  LustreRequest request = {};
  const int first = striping.first_server;
  put(request, 0, 4, kPlainMagic);
  put(request, kPatternAt, 4, kStripedPattern);
  put(request, kUnitAt, 4, static_cast<std::uint64_t>(striping.unit_bytes));
  put(request, kServersAt, 2, static_cast<std::uint64_t>(striping.servers));
  put(request, kFirstServerAt, 2, first >= 0 ? static_cast<std::uint64_t>(first) : kAllServers);
  return request;
}

}  // namespace weir::driver
