#include "elf_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "file_functions.h"
#include "mpi_use.h"

namespace weir::tool {
namespace {

std::vector<std::byte> bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::vector<char> content((std::istreambuf_iterator<char>(stream)), {});
  std::vector<std::byte> bytes(content.size());
  std::transform(content.begin(), content.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

TEST(ElfFile, ReadsThisProgram) {
  const auto file = load_elf("/proc/self/exe");
  ASSERT_TRUE(file.ok()) << file.status().text();
  EXPECT_TRUE(file.value().is_dynamic);
  EXPECT_NE(file.value().interpreter.find("ld-linux"), std::string::npos);
  const auto& needed = file.value().needed;
  EXPECT_NE(std::find(needed.begin(), needed.end(), "libc.so.6"), needed.end());
}

TEST(ElfFile, RefusesWhatIsNoElf) {
  EXPECT_FALSE(load_elf("/etc/passwd").ok());
  EXPECT_FALSE(load_elf("/nonexistent").ok());
  EXPECT_FALSE(load_elf("/tmp").ok());
  EXPECT_FALSE(parse_elf({}).ok());
}

TEST(ElfExports, AreWhatALibraryDefines) {
  const auto program = load_elf("/proc/self/exe");
  ASSERT_TRUE(program.ok());
  const auto exports = load_exports(this_machine().cache.at("libm.so.6"));
  ASSERT_TRUE(exports.ok()) << exports.status().text();
  EXPECT_TRUE(exports.value().contains("cos"));
  EXPECT_FALSE(exports.value().contains("malloc"));  // used, not defined
  EXPECT_FALSE(load_exports("/etc/passwd").ok());
}

TEST(ElfExports, DamagedBytesNeverLeadOutside) {
  const auto whole = bytes_of("/bin/true");
  std::mt19937 random(20261118);
  for (int round = 0; round < 500; ++round) {
    auto damaged = whole;
    for (int flips = 0; flips < 40; ++flips) damaged[random() % damaged.size()] = static_cast<std::byte>(random());
    (void)parse_exports(damaged).ok();
  }
}

TEST(FileFunctions, OnlyThoseOfTheFileChapterThatWeirLacksAreLeft) {
  const std::set<std::string> host = {"MPI_File_open", "MPI_File_shrink", "MPI_Send", "PMPI_File_shrink",
                                      "MPI_Register_datarep_d"};
  EXPECT_EQ(left_to_host(host, {"MPI_File_open", "MPI_File_more"}),
            (std::vector<std::string>{"MPI_File_shrink", "MPI_Register_datarep_d"}));
  EXPECT_TRUE(left_to_host(host, host).empty());
  EXPECT_TRUE(check_file_functions("/nonexistent", "/nonexistent").ok());
}

TEST(ElfFile, ASmallerFileIsAFailureOrAShorterAnswer) {
  const auto whole = bytes_of("/bin/true");
  for (std::size_t length = 0; length < whole.size(); length += 7) (void)parse_elf(std::span(whole).first(length)).ok();
}

TEST(ElfFile, DamagedBytesNeverLeadOutside) {
  const auto whole = bytes_of("/bin/true");
  std::mt19937 random(20261115);
  for (int round = 0; round < 2000; ++round) {
    auto damaged = whole;
    for (int flips = 0; flips < 8; ++flips) {
      const std::size_t range = round % 2 == 0 ? 1024 : damaged.size();
      damaged[random() % range] = static_cast<std::byte>(random());
    }
    (void)parse_elf(damaged).ok();
  }
}

}  // namespace
}  // namespace weir::tool
