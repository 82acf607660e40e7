// PnetCDF on top of weir: fixed and record variables, collective, independent and nonblocking calls.
#include <pnetcdf.h>

#include <array>

#include "mpi_test.h"
#include "weir_seen.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

#define EXPECT_NC(call) EXPECT_EQ(call, NC_NOERR) << ncmpi_strerror(call)

constexpr MPI_Offset kRows = 5;
constexpr MPI_Offset kColumnsPerRank = 7;
constexpr int kRecords = 4;

int value_at(MPI_Offset row, MPI_Offset column) { return static_cast<int>(1000 * row + column); }

// This rank's columns of a table.
struct Part {
  std::array<MPI_Offset, 2> start = {0, kColumnsPerRank* rank()};
  std::array<MPI_Offset, 2> count = {kRows, kColumnsPerRank};

  std::vector<int> values() const {
    std::vector<int> result;
    for (MPI_Offset row = start[0]; row < start[0] + count[0]; ++row) {
      for (MPI_Offset column = start[1]; column < start[1] + count[1]; ++column) {
        result.push_back(value_at(row, column));
      }
    }
    return result;
  }
};

struct Variables {
  int file = -1;
  int table = -1;
  int series = -1;
};

Variables create(const char* path) {
  Variables made;
  std::array<int, 2> table_dimensions = {-1, -1};
  std::array<int, 2> series_dimensions = {-1, -1};
  EXPECT_NC(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &made.file));
  EXPECT_NC(ncmpi_def_dim(made.file, "rows", kRows, &table_dimensions[0]));
  EXPECT_NC(ncmpi_def_dim(made.file, "columns", kColumnsPerRank * size(), &table_dimensions[1]));
  EXPECT_NC(ncmpi_def_dim(made.file, "time", NC_UNLIMITED, &series_dimensions[0]));
  series_dimensions[1] = table_dimensions[1];
  EXPECT_NC(ncmpi_def_var(made.file, "table", NC_INT, 2, table_dimensions.data(), &made.table));
  EXPECT_NC(ncmpi_def_var(made.file, "series", NC_DOUBLE, 2, series_dimensions.data(), &made.series));
  EXPECT_NC(ncmpi_enddef(made.file));
  return made;
}

Variables open(const char* path) {
  Variables found;
  EXPECT_NC(ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &found.file));
  EXPECT_NC(ncmpi_inq_varid(found.file, "table", &found.table));
  EXPECT_NC(ncmpi_inq_varid(found.file, "series", &found.series));
  return found;
}

std::vector<double> series_values(int record) { return std::vector<double>(kColumnsPerRank, record + 0.01 * rank()); }

TEST(Pnetcdf, CollectiveAndNonblocking) {
  Scratch scratch("file.nc");
  const Part part;
  {
    const Variables written = create(scratch.path());
    EXPECT_NC(ncmpi_put_vara_int_all(written.file, written.table, part.start.data(), part.count.data(),
                                     part.values().data()));
    std::vector<std::vector<double>> data;
    std::vector<int> requests(kRecords), statuses(kRecords);
    for (int record = 0; record < kRecords; ++record) {
      data.push_back(series_values(record));
      const std::array<MPI_Offset, 2> start = {record, part.start[1]};
      const std::array<MPI_Offset, 2> count = {1, kColumnsPerRank};
      EXPECT_NC(ncmpi_iput_vara_double(written.file, written.series, start.data(), count.data(), data.back().data(),
                                       &requests[static_cast<std::size_t>(record)]));
    }
    EXPECT_NC(ncmpi_wait_all(written.file, kRecords, requests.data(), statuses.data()));
    EXPECT_EQ(statuses, std::vector<int>(kRecords, NC_NOERR));
    EXPECT_NC(ncmpi_close(written.file));
  }
  const Variables found = open(scratch.path());
  std::vector<int> table(part.values().size(), -1);
  EXPECT_NC(ncmpi_get_vara_int_all(found.file, found.table, part.start.data(), part.count.data(), table.data()));
  EXPECT_EQ(table, part.values());
  for (int record = 0; record < kRecords; ++record) {
    const std::array<MPI_Offset, 2> start = {record, part.start[1]};
    const std::array<MPI_Offset, 2> count = {1, kColumnsPerRank};
    std::vector<double> series(kColumnsPerRank, -1);
    EXPECT_NC(ncmpi_get_vara_double_all(found.file, found.series, start.data(), count.data(), series.data()));
    EXPECT_EQ(series, series_values(record));
  }
  EXPECT_NC(ncmpi_close(found.file));
}

TEST(Pnetcdf, Independent) {
  Scratch scratch("independent.nc");
  const Part part;
  const Variables written = create(scratch.path());
  EXPECT_NC(ncmpi_begin_indep_data(written.file));
  EXPECT_NC(
      ncmpi_put_vara_int(written.file, written.table, part.start.data(), part.count.data(), part.values().data()));
  EXPECT_NC(ncmpi_end_indep_data(written.file));
  EXPECT_NC(ncmpi_sync(written.file));
  meet("written");
  // Every other column of everybody.
  const std::array<MPI_Offset, 2> start = {0, 0};
  const std::array<MPI_Offset, 2> count = {kRows, (kColumnsPerRank * size() + 1) / 2};
  const std::array<MPI_Offset, 2> stride = {1, 2};
  std::vector<int> found(static_cast<std::size_t>(count[0] * count[1]), -1);
  EXPECT_NC(
      ncmpi_get_vars_int_all(written.file, written.table, start.data(), count.data(), stride.data(), found.data()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto at = static_cast<MPI_Offset>(i);
    EXPECT_EQ(found[i], value_at(at / count[1], 2 * (at % count[1])));
  }
  EXPECT_NC(ncmpi_close(written.file));
}

TEST(Pnetcdf, IsServedByWeir) {
  Scratch scratch("served.nc");
  const Variables written = create(scratch.path());
  MPI_Info info = MPI_INFO_NULL;
  EXPECT_NC(ncmpi_inq_file_info(written.file, &info));
  EXPECT_TRUE(is_weirs(info));
  MPI_Info_free(&info);
  EXPECT_NC(ncmpi_close(written.file));
}

}  // namespace
