// What the driver tests share: a folder that goes away, patterned bytes, requests over them.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "driver/file_driver.h"

namespace weir::driver {

using Bytes = std::vector<std::byte>;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weir-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no temporary folder: " << pattern;
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Bytes that differ from their neighbours, from zero, and between seeds.
inline Bytes pattern(std::int64_t bytes, int seed = 1) {
  Bytes made(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = static_cast<std::byte>(1 + (i * 7 + static_cast<std::size_t>(seed) * 31) % 251);
  }
  return made;
}

inline Bytes part(const Bytes& bytes, std::int64_t begin, std::int64_t end) {
  return {bytes.begin() + begin, bytes.begin() + end};
}

inline constexpr OpenMode kReadWrite = {.read = true, .write = true};
inline constexpr OpenMode kCreate = {.read = true, .write = true, .create = true};
inline constexpr OpenMode kCreateNew = {
    .read = true, .write = true, .create = true, .exclusive = true};
// A new file, or one that is there, with a way for its bytes.
inline OpenMode create_with(IoWay io) { return {.read = true, .write = true, .create = true, .io = io}; }
inline constexpr OpenMode kReadOnly = {.read = true, .write = false};
inline constexpr OpenMode kWriteOnly = {.read = false, .write = true};

inline std::unique_ptr<File> open_or_fail(FileDriver& driver, const std::string& path,
                                          OpenMode mode = kCreate) {
  Result<std::unique_ptr<File>> opened = driver.open(path, mode, nullptr);
  EXPECT_TRUE(opened.ok()) << opened.status().text();
  return opened.ok() ? std::move(opened).value() : nullptr;
}

inline ErrorClass open_class(FileDriver& driver, const std::string& path, OpenMode mode) {
  return driver.open(path, mode, nullptr).status().error_class();
}

inline IoOutcome write_at(File& file, std::int64_t offset, const Bytes& bytes) {
  Bytes copy = bytes;
  IoRequest request = {offset, copy.data(), static_cast<std::int64_t>(copy.size())};
  return file.transfer(Direction::kWrite, {&request, 1});
}

inline void write_or_fail(File& file, std::int64_t offset, const Bytes& bytes) {
  IoOutcome outcome = write_at(file, offset, bytes);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
  EXPECT_EQ(outcome.bytes_moved, static_cast<std::int64_t>(bytes.size()));
}

// What lies at the offset, up to `bytes` or end of file.
inline Bytes read_at(File& file, std::int64_t offset, std::int64_t bytes) {
  Bytes buffer(static_cast<std::size_t>(bytes));
  IoRequest request = {offset, buffer.data(), bytes};
  IoOutcome outcome = file.transfer(Direction::kRead, {&request, 1});
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.text();
  buffer.resize(static_cast<std::size_t>(outcome.bytes_moved));
  return buffer;
}

// Requests of `request_bytes` each, next to each other in file and memory.
inline std::vector<IoRequest> chop(Bytes& memory, std::int64_t offset, std::int64_t request_bytes) {
  std::vector<IoRequest> requests;
  std::int64_t total = static_cast<std::int64_t>(memory.size());
  for (std::int64_t at = 0; at < total; at += request_bytes) {
    requests.push_back({offset + at, memory.data() + at, std::min(request_bytes, total - at)});
  }
  return requests;
}

}  // namespace weir::driver
