#include "whole_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace weir::tool {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Status wrong(const std::string& path, std::string_view what) {
  return {ErrorClass::kArgument, fmt::format("{}: {}", path, what)};
}

Status failed(std::string_view what, const std::string& path) { return Status::from_errno(errno, what, path); }

bool is_same_file(const std::string& one, const std::string& other) {
  struct stat a = {};
  struct stat b = {};
  return ::stat(one.c_str(), &a) == 0 && ::stat(other.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// A file that is replaced hands its permissions on.
Status keep_permissions(std::FILE* file, const std::string& path) {
  constexpr mode_t kPermissionBits = 07777;
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) != 0) return {};
  return ::fchmod(::fileno(file), facts.st_mode & kPermissionBits) == 0 ? Status()
                                                                        : failed("set the permissions of", path);
}

Status write_all(File file, const std::string& path, const std::string& text) {
  Status status = keep_permissions(file.get(), path);
  if (!status.ok()) return status;
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0)
    return failed("write", path);
  return ::fsync(::fileno(file.get())) == 0 ? Status() : failed("sync", path);
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  const File file(std::fopen(path.c_str(), "re"));
  if (file == nullptr) return failed("open", path);
  std::string text;
  std::array<char, 1 << 16> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get()))
    text.append(buffer.data(), got);
  if (std::ferror(file.get()) != 0) return failed("read", path);
  return text;
}

Status check_distinct(const std::vector<std::string>& paths) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (paths[i] == paths[j] || is_same_file(paths[i], paths[j])) {
        return wrong(paths[i],
                     paths[i] == paths[j] ? "is given twice" : fmt::format("is the same file as {}", paths[j]));
      }
    }
  }
  return {};
}

Status check_output(const std::string& output, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (output == input || is_same_file(output, input))
      return wrong(output, "is one of the results; it is not overwritten (choose another name with -o)");
  }
  struct stat facts = {};
  if (::stat(output.c_str(), &facts) != 0 || S_ISREG(facts.st_mode)) return {};
  return wrong(output, S_ISDIR(facts.st_mode) ? "is a directory; name a file in it" : "is no regular file");
}

Status replace_file(const std::string& path, const std::string& text) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  const std::string target = error ? path : real.string();
  const std::string temporary = fmt::format("{}.{}.tmp", target, ::getpid());
  File file(std::fopen(temporary.c_str(), "wxe"));
  if (file == nullptr) return failed("write", path);
  Status status = write_all(std::move(file), target, text);
  if (status.ok() && ::rename(temporary.c_str(), target.c_str()) != 0) status = failed("rename a file to", path);
  if (!status.ok()) ::unlink(temporary.c_str());
  return status;
}

}  // namespace weir::tool
