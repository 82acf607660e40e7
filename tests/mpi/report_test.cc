// The report (WEIR_REPORT) against what the program knows that it did; and that a broken one disturbs nothing.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "mpi_test.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)
using nlohmann::json;

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kPieces = 64;
constexpr int kPieceBytes = 16;
constexpr int kBytes = kPieces * kPieceBytes;  // of a rank, in a call

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream all;
  all << file.rdbuf();
  return all.str();
}

// Rank 0's standard error while it runs `body`; COLLECTIVE when that is.
std::string standard_error_of(const std::function<void()>& body) {
  if (rank() != 0) {
    body();
    return {};
  }
  std::FILE* caught = std::tmpfile();
  std::fflush(stderr);
  const int kept = dup(STDERR_FILENO);
  dup2(fileno(caught), STDERR_FILENO);
  body();
  std::fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
  std::string text(static_cast<std::size_t>(lseek(fileno(caught), 0, SEEK_END)), '\0');
  EXPECT_EQ(pread(fileno(caught), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  std::fclose(caught);
  return text;
}

// WEIR_REPORT of rank 0 is what counts.
class Report : public testing::Test {
 protected:
  void SetUp() override {
    if (!under_weir()) GTEST_SKIP() << "weir's own";
  }
  void TearDown() override { unsetenv("WEIR_REPORT"); }

  void report_to(const std::string& where) {
    setenv("WEIR_REPORT", rank() == 0 ? where.c_str() : "/no/such/directory", 1);
  }
  // All ranks' pieces interleave.
  void write_together(const char* path, int calls, MPI_Info info = MPI_INFO_NULL) {
    File file(path, kUpdate, MPI_COMM_WORLD, info);
    const Type pieces = Type::vector(kPieces, kPieceBytes, kPieceBytes * size(), MPI_BYTE);
    EXPECT_OK(MPI_File_set_view(file, rank() * kPieceBytes, MPI_BYTE, pieces, "native", MPI_INFO_NULL));
    const Bytes data = pattern(kBytes, static_cast<unsigned>(rank()));
    for (int call = 0; call < calls; ++call) {
      EXPECT_OK(MPI_File_write_at_all(file, call * kBytes, data.data(), kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    }
    EXPECT_OK(MPI_File_close(file.address()));
  }
};

MPI_Info two_phase_hints() {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "weir_method", "two_phase");
  MPI_Info_set(info, "cb_node", "1");
  return info;
}

TEST_F(Report, CountsWhatTheProgramDid) {
  const Scratch data;
  const Scratch document("report.json");
  report_to(document.path());
  MPI_Info info = two_phase_hints();
  write_together(data.path(), 3, info);
  MPI_Info_free(&info);
  if (rank() != 0) return;
  const json all = json::parse(text_of(document.path()));
  ASSERT_EQ(all["files"].size(), 1U);
  const json& file = all["files"][0];
  EXPECT_EQ(file["path"], data.path());
  EXPECT_EQ(file["ranks"], size());
  EXPECT_EQ(file["totals"]["collective_writes"], 3 * size());
  EXPECT_EQ(file["totals"]["two_phase_accesses"], 3 * size());
  EXPECT_EQ(file["totals"]["written_bytes"], 3 * kBytes * size());
  EXPECT_EQ(file["totals"]["written_pieces"], 3 * (size() == 1 ? 1 : kPieces) * size());
  EXPECT_EQ(file["totals"]["file_written_bytes"], 3 * kBytes * size());
  EXPECT_EQ(file["totals"]["collective_reads"], 0);
  EXPECT_EQ(file["totals"]["failed_accesses"], 0);
  EXPECT_EQ(file["writing"]["collective_calls"], 3);
  EXPECT_EQ(file["writing"]["two_phase_calls"], 3);
  EXPECT_EQ(file["writing"]["last_plan"]["asked_bytes"], kBytes * size());
  ASSERT_EQ(file["calls"].size(), 3U);
  for (const json& call : file["calls"]) EXPECT_GT(call["total_seconds"].get<double>(), 0);
  EXPECT_EQ(file["hints"][0], json({{"key", "weir_method"}, {"value", "two_phase"}, {"in_force", true}}));
  EXPECT_EQ(file["hints_not_followed"][0]["key"], "cb_node");
}

std::string level_name() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level == MPI_THREAD_SINGLE) return "single";
  return level == MPI_THREAD_MULTIPLE ? "multiple" : "something else";
}

// mpi_report.raised runs it with WEIR_THREADS=multiple.
TEST_F(Report, SaysTheThreadLevelAndWhatMovesMessages) {
  const Scratch data;
  const Scratch document("report.json");
  report_to(document.path());
  write_together(data.path(), 1);
  if (rank() != 0) return;
  const bool raised = environment("WEIR_THREADS") == "multiple";
  const json file = json::parse(text_of(document.path()))["files"][0];
  EXPECT_EQ(file["thread_level"], level_name());
  EXPECT_EQ(file["thread_level_reason"], raised ? "single asked for, WEIR_THREADS=multiple" : "as asked");
  EXPECT_EQ(file["nonblocking_messages"],
            raised ? "move whatever the program does" : "move inside the host's progress");
}

TEST_F(Report, CountsRanksWithoutBytesAndFailures) {
  const Scratch data;
  const Scratch document("report.json");
  report_to(document.path());
  Bytes bytes(10);
  {
    const File file(data.path(), MPI_MODE_CREATE | MPI_MODE_WRONLY);
    EXPECT_OK(MPI_File_write_at_all(file, 0, bytes.data(), rank() == 0 ? 10 : 0, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_File_write_at_all(file, 0, bytes.data(), 0, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_CLASS(MPI_ERR_ACCESS, MPI_File_read_at_all(file, 0, bytes.data(), 10, MPI_BYTE, MPI_STATUS_IGNORE));
  }
  if (rank() != 0) return;
  const json file = json::parse(text_of(document.path()))["files"][0];
  EXPECT_EQ(file["totals"]["collective_writes"], 2 * size());
  EXPECT_EQ(file["totals"]["collective_reads"], size());
  EXPECT_EQ(file["totals"]["failed_accesses"], size());
  EXPECT_EQ(file["totals"]["written_bytes"], 10);
  EXPECT_EQ(file["writing"]["nothing_calls"], 1);
  EXPECT_EQ(file["reading"]["nothing_calls"], 1);
  EXPECT_EQ(file["calls"][2]["failed"], true);
}

// A file that the ranks read piece by piece in turn, together and each for itself, with advice: the bytes are right,
// and the report says how much advice there was.
TEST_F(Report, CountsAdviceOfReads) {
  const Scratch data;
  const Scratch document("report.json");
  constexpr int kMany = 2048;
  const auto ranks = static_cast<std::size_t>(size());
  const Bytes all = pattern(ranks * kMany * kPieceBytes, 5);
  make_file(data.path(), all);
  Bytes expected;
  for (std::size_t i = static_cast<std::size_t>(rank()) * kPieceBytes; i < all.size(); i += ranks * kPieceBytes) {
    expected.insert(expected.end(), &all[i], &all[i] + kPieceBytes);
  }
  report_to(document.path());
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "weir_method", "two_phase");
  MPI_Info_set(info, "weir_max_acc", "2");
  Bytes together(expected.size());
  Bytes alone(expected.size());
  {
    const File file(data.path(), MPI_MODE_RDONLY, MPI_COMM_WORLD, info);
    const Type pieces = Type::vector(kMany, kPieceBytes, kPieceBytes * size(), MPI_BYTE);
    EXPECT_OK(MPI_File_set_view(file, rank() * kPieceBytes, MPI_BYTE, pieces, "native", MPI_INFO_NULL));
    EXPECT_OK(MPI_File_read_at_all(file, 0, together.data(), kMany * kPieceBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    EXPECT_OK(MPI_File_read_at(file, 0, alone.data(), kMany * kPieceBytes, MPI_BYTE, MPI_STATUS_IGNORE));
  }
  MPI_Info_free(&info);
  EXPECT_EQ(together, expected);
  EXPECT_EQ(alone, expected);
  if (rank() != 0) return;
  const json file = json::parse(text_of(document.path()))["files"][0];
  EXPECT_EQ(file["totals"]["two_phase_accesses"], size());
  EXPECT_GT(file["totals"]["prefetch_ranges_asked"].get<int>(), size());
  EXPECT_EQ(file["totals"]["prefetch_ranges_taken"], file["totals"]["prefetch_ranges_asked"]);
  EXPECT_EQ(file["hints"][1], json({{"key", "weir_max_acc"}, {"value", "2"}, {"in_force", true}}));
}

// Every rank is rank 0 of a file of its own, and closes it when the others do.
TEST_F(Report, OfFilesThatAllRanksCloseAtOnceLosesNone) {
  const Scratch document("report.json");
  setenv("WEIR_REPORT", document.path(), 1);
  const std::string path = environment("TEST_DIR") + "/alone" + std::to_string(rank());
  for (int i = 0; i < 5; ++i) {
    File file(path.c_str(), kUpdate | MPI_MODE_DELETE_ON_CLOSE, MPI_COMM_SELF);
    meet("open");
    EXPECT_OK(MPI_File_close(file.address()));
  }
  meet("closed");
  if (rank() == 0) {
    EXPECT_EQ(json::parse(text_of(document.path()))["files"].size(), static_cast<std::size_t>(5 * size()));
  }
}

TEST_F(Report, AsTextGoesToStandardErrorOfOneRank) {
  const Scratch data;
  report_to("1");
  const std::string text = standard_error_of([&] { write_together(data.path(), 2); });
  if (rank() != 0) return;
  EXPECT_TRUE(text.starts_with("weir: " + std::string(data.path()) + " (")) << text;
  EXPECT_NE(text.find("2 collective calls"), std::string::npos) << text;
}

TEST_F(Report, WithoutTheVariableThereIsNone) {
  const Scratch data;
  EXPECT_EQ(standard_error_of([&] { write_together(data.path(), 1); }), "");
  report_to("0");
  EXPECT_EQ(standard_error_of([&] { write_together(data.path(), 1); }), "");
}

// Without a report too.
TEST_F(Report, OfAWishThatCannotBeFollowedIsToldWhenItHappens) {
  const Scratch data;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "weir_method", "two_phase");
  MPI_Info_set(info, "weir_local_aggregators", "99");
  const std::string text = standard_error_of([&] { write_together(data.path(), 2, info); });
  MPI_Info_free(&info);
  if (rank() != 0) return;
  const std::string alone = "local aggregators asked for, but direct exchange has every rank send for itself";
  const std::string cut =
      "99 local aggregators a node asked for, " + std::to_string(size()) + " used: no node has more ranks";
  EXPECT_EQ(text, "weir: not as wished: " + (size() == 1 ? alone : cut) + "\n");
}

void expect_one_notice(const std::string& text) {
  if (rank() != 0) return;
  EXPECT_TRUE(text.starts_with("weir: no report (WEIR_REPORT=")) << text;
  EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
}

TEST_F(Report, ThatCannotBeWrittenDisturbsNothing) {
  const Scratch data;
  report_to(environment("TEST_DIR") + "/missing/report.json");
  expect_one_notice(standard_error_of([&] {
    write_together(data.path(), 1);
    write_together(data.path(), 1);  // told once
  }));
  EXPECT_EQ(static_cast<int>(file_bytes(data.path()).size()), kBytes * size());
  if (const std::string directory = environment("TEST_READONLY_DIR"); !directory.empty()) {
    report_to(directory + "/report.json");
    expect_one_notice(standard_error_of([&] { write_together(data.path(), 1); }));
  }
}

TEST_F(Report, LeavesOtherFilesAlone) {
  const Scratch data;
  const Scratch other("precious");
  const Bytes precious = pattern(100, 7);
  make_file(other.path(), precious);
  report_to(other.path());
  expect_one_notice(standard_error_of([&] { write_together(data.path(), 1); }));
  EXPECT_EQ(file_bytes(other.path()), precious);
}

TEST_F(Report, OnAFullDiskDisturbsNothing) {
  const std::string directory = environment("TEST_SMALL_DIR");
  if (directory.empty()) GTEST_SKIP() << "no small file system";
  const Scratch data;
  const std::string filling = directory + "/filling";
  const std::string document = directory + "/report.json";
  if (rank() == 0) std::ofstream(filling) << std::string(2 << 20, 'x');
  report_to(document);
  expect_one_notice(standard_error_of([&] { write_together(data.path(), 1); }));
  EXPECT_EQ(static_cast<int>(file_bytes(data.path()).size()), kBytes * size());
  meet("read");
  if (rank() == 0) {
    std::filesystem::remove(filling);
    std::filesystem::remove(document);
  }
}

}  // namespace
