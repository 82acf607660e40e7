// Layouts of Lustre files, made byte by byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::driver::lustre_bytes {

inline void put(std::string& bytes, std::uint64_t number, int size) {
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<char>(number >> 8 * i & 0xFF));
}

struct Plain {
  std::uint64_t magic = 0x0BD10BD0;
  std::uint64_t unit = 1 << 20;
  std::uint64_t servers = 4;
  std::uint64_t objects = 4;
  std::uint64_t first = 17;  // its server
};

inline std::string plain_layout(const Plain& plain) {
  std::string bytes;
  put(bytes, plain.magic, 4);
  put(bytes, 1, 4);                   // pattern
  put(bytes, 0x1122334455667788, 8);  // object id
  put(bytes, 0x99AABBCCDDEEFF00, 8);  // and its sequence
  put(bytes, plain.unit, 4);
  put(bytes, plain.servers, 2);
  put(bytes, 3, 2);  // generation
  if (plain.magic == 0x0BD30BD0) bytes += std::string("flash", 5) + std::string(11, '\0');
  for (std::uint64_t i = 0; i < plain.objects; ++i) {
    put(bytes, 1000 + i, 8);
    put(bytes, 0, 8);
    put(bytes, 0, 4);
    put(bytes, plain.first + i, 4);
  }
  return bytes;
}

struct Component {
  Plain plain;
  std::uint64_t flags = 0x10;
};

inline std::string composite_layout(const std::vector<Component>& components) {
  std::string blobs;
  std::string entries;
  const std::uint64_t blobs_at = 32 + 48 * components.size();
  for (const Component& component : components) {
    const std::string blob = plain_layout(component.plain);
    put(entries, 1, 4);
    put(entries, component.flags, 4);
    put(entries, 0, 8);
    put(entries, ~std::uint64_t{0}, 8);
    put(entries, blobs_at + blobs.size(), 4);
    put(entries, blob.size(), 4);
    put(entries, 0, 4);
    put(entries, 0, 8);
    put(entries, 0, 4);
    blobs += blob;
  }
  std::string bytes;
  put(bytes, 0x0BD60BD0, 4);
  put(bytes, blobs_at + blobs.size(), 4);
  put(bytes, 1, 4);
  put(bytes, 0, 2);
  put(bytes, components.size(), 2);
  put(bytes, 0, 8);
  put(bytes, 0, 8);
  return bytes + entries + blobs;
}

}  // namespace weir::driver::lustre_bytes
