// HDF5 with its MPI-IO driver on top of weir: what is written collectively and independently is read back, by all
// ranks and by a single one.
#include <hdf5.h>

#include <array>
#include <numeric>

#include "mpi_test.h"
#include "weir_seen.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr hsize_t kRowsPerRank = 6;
constexpr hsize_t kColumns = 40;

// An HDF5 object that is closed at the end of the scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) { EXPECT_GE(id, 0); }
  ~Handle() { EXPECT_GE(close_(id_), 0); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor)

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

Handle parallel_access(MPI_Comm comm) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  EXPECT_GE(H5Pset_fapl_mpio(list, comm, MPI_INFO_NULL), 0);
  return {list, H5Pclose};
}

Handle transfer(H5FD_mpio_xfer_t mode) {
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  EXPECT_GE(H5Pset_dxpl_mpio(list, mode), 0);
  return {list, H5Pclose};
}

int value_at(hsize_t row, hsize_t column) { return static_cast<int>(row * 1000 + column); }

// A table of all ranks' rows, shared out by rows or by columns.
class Table {
 public:
  explicit Table(bool by_columns) : by_columns_(by_columns) {
    const auto ranks = static_cast<hsize_t>(size());
    const auto me = static_cast<hsize_t>(rank());
    extent_ = {kRowsPerRank * ranks, kColumns};
    if (by_columns) {
      const hsize_t first = kColumns * me / ranks;
      start_ = {0, first};
      count_ = {extent_[0], kColumns * (me + 1) / ranks - first};
    } else {
      start_ = {kRowsPerRank * me, 0};
      count_ = {kRowsPerRank, kColumns};
    }
  }

  std::vector<int> my_values() const {
    std::vector<int> values;
    for (hsize_t row = start_[0]; row < start_[0] + count_[0]; ++row) {
      for (hsize_t column = start_[1]; column < start_[1] + count_[1]; ++column) {
        values.push_back(value_at(row, column));
      }
    }
    return values;
  }

  void write(hid_t dataset, H5FD_mpio_xfer_t mode) const {
    const std::vector<int> values = my_values();
    with_spaces(dataset, [&](hid_t memory, hid_t file) {
      return H5Dwrite(dataset, H5T_NATIVE_INT, memory, file, transfer(mode), values.data());
    });
  }

  void check(hid_t dataset, H5FD_mpio_xfer_t mode) const {
    std::vector<int> found(my_values().size(), -1);
    with_spaces(dataset, [&](hid_t memory, hid_t file) {
      return H5Dread(dataset, H5T_NATIVE_INT, memory, file, transfer(mode), found.data());
    });
    EXPECT_EQ(found, my_values()) << (by_columns_ ? "by columns" : "by rows");
  }

  const hsize_t* extent() const { return extent_.data(); }

 private:
  template <typename Access>
  void with_spaces(hid_t dataset, Access access) const {
    const Handle file_space(H5Dget_space(dataset), H5Sclose);
    const Handle memory_space(H5Screate_simple(2, count_.data(), nullptr), H5Sclose);
    EXPECT_GE(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start_.data(), nullptr, count_.data(), nullptr), 0);
    EXPECT_GE(access(memory_space, file_space), 0);
  }

  bool by_columns_;
  std::array<hsize_t, 2> extent_{}, start_{}, count_{};
};

void write_dataset(hid_t file, const char* name, const Table& table, H5FD_mpio_xfer_t mode, hid_t creation) {
  const Handle space(H5Screate_simple(2, table.extent(), nullptr), H5Sclose);
  const Handle dataset(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  table.write(dataset, mode);
}

// Writes a dataset one way, then reads it both ways and shared out both ways.
void write_and_read(const Table& table, H5FD_mpio_xfer_t mode, bool chunked) {
  Scratch scratch("table.h5");
  {
    const Handle file(H5Fcreate(scratch.path(), H5F_ACC_TRUNC, H5P_DEFAULT, parallel_access(MPI_COMM_WORLD)), H5Fclose);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const std::array<hsize_t, 2> chunk = {5, 7};
    if (chunked) {
      EXPECT_GE(H5Pset_chunk(creation, 2, chunk.data()), 0);
    }
    write_dataset(file, "table", table, mode, creation);
  }
  meet("written");
  const Handle file(H5Fopen(scratch.path(), H5F_ACC_RDONLY, parallel_access(MPI_COMM_WORLD)), H5Fclose);
  const Handle dataset(H5Dopen2(file, "table", H5P_DEFAULT), H5Dclose);
  for (const bool by_columns : {false, true}) {
    Table(by_columns).check(dataset, H5FD_MPIO_COLLECTIVE);
    Table(by_columns).check(dataset, H5FD_MPIO_INDEPENDENT);
  }
}

TEST(Hdf5, CollectiveByRows) { write_and_read(Table(false), H5FD_MPIO_COLLECTIVE, false); }
TEST(Hdf5, CollectiveByColumns) { write_and_read(Table(true), H5FD_MPIO_COLLECTIVE, false); }
TEST(Hdf5, IndependentByRows) { write_and_read(Table(false), H5FD_MPIO_INDEPENDENT, false); }
TEST(Hdf5, IndependentByColumns) { write_and_read(Table(true), H5FD_MPIO_INDEPENDENT, false); }
TEST(Hdf5, ChunkedCollectively) { write_and_read(Table(true), H5FD_MPIO_COLLECTIVE, true); }
TEST(Hdf5, ChunkedIndependently) { write_and_read(Table(false), H5FD_MPIO_INDEPENDENT, true); }

TEST(Hdf5, ParallelFileReadSerially) {
  Scratch scratch("serial.h5");
  {
    const Handle file(H5Fcreate(scratch.path(), H5F_ACC_TRUNC, H5P_DEFAULT, parallel_access(MPI_COMM_WORLD)), H5Fclose);
    write_dataset(file, "table", Table(true), H5FD_MPIO_COLLECTIVE, H5P_DEFAULT);
  }
  meet("written");
  if (rank() != 0) return;
  const Handle file(H5Fopen(scratch.path(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Handle dataset(H5Dopen2(file, "table", H5P_DEFAULT), H5Dclose);
  std::vector<int> found(kRowsPerRank * static_cast<hsize_t>(size()) * kColumns);
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], value_at(i / kColumns, i % kColumns));
}

TEST(Hdf5, GrowingDatasetAndAttributes) {
  Scratch scratch("growing.h5");
  const auto ranks = static_cast<hsize_t>(size());
  const Handle file(H5Fcreate(scratch.path(), H5F_ACC_TRUNC, H5P_DEFAULT, parallel_access(MPI_COMM_WORLD)), H5Fclose);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t chunk = 16;
  hsize_t extent = ranks;
  const hsize_t unlimited = H5S_UNLIMITED;
  EXPECT_GE(H5Pset_chunk(creation, 1, &chunk), 0);
  const Handle space(H5Screate_simple(1, &extent, &unlimited), H5Sclose);
  const Handle dataset(H5Dcreate2(file, "series", H5T_NATIVE_INT, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  for (int step = 0; step < 5; ++step) {
    extent = ranks * static_cast<hsize_t>(step + 1);
    EXPECT_GE(H5Dset_extent(dataset, &extent), 0);
    const Handle file_space(H5Dget_space(dataset), H5Sclose);
    const hsize_t start = ranks * static_cast<hsize_t>(step) + static_cast<hsize_t>(rank());
    const hsize_t one = 1;
    EXPECT_GE(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, &start, nullptr, &one, nullptr), 0);
    const Handle memory_space(H5Screate_simple(1, &one, nullptr), H5Sclose);
    const int value = 100 * step + rank();
    EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_INT, memory_space, file_space, transfer(H5FD_MPIO_COLLECTIVE), &value), 0);
  }
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(dataset, "steps", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const int steps = 5;
  EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_INT, &steps), 0);
  std::vector<int> found(extent, -1);
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer(H5FD_MPIO_COLLECTIVE), found.data()), 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i], static_cast<int>(100 * (i / ranks) + i % ranks));
  }
}

TEST(Hdf5, IsServedByWeir) {
  Scratch scratch("served.h5");
  const Handle access = parallel_access(MPI_COMM_WORLD);
  const Handle file(H5Fcreate(scratch.path(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  void* handle = nullptr;
  EXPECT_GE(H5Fget_vfd_handle(file, access, &handle), 0);
  EXPECT_TRUE(is_weirs(*static_cast<MPI_File*>(handle)));
}

}  // namespace
