// Handles that name files, and files that stay while they are used.
#include "mpi/handle_table.h"

#include <gtest/gtest.h>

#include <thread>

namespace weir::mpi {
namespace {

// The table never looks into a file: any object stands for one.
struct Pretended {
  bool* destroyed;
  explicit Pretended(bool* flag) : destroyed(flag) {}
  ~Pretended() { *destroyed = true; }
};

std::shared_ptr<MpiFile> pretend(bool* destroyed) {
  auto object = std::make_shared<Pretended>(destroyed);
  auto* address = reinterpret_cast<MpiFile*>(object.get());
  return {std::move(object), address};
}

MPI_File changed(MPI_File handle, std::uintptr_t by) {
  return reinterpret_cast<MPI_File>(reinterpret_cast<std::uintptr_t>(handle) + by);
}

TEST(HandleTable, NamesFilesUntilTheyAreRemoved) {
  HandleTable table;
  bool destroyed = false;
  const MPI_File handle = table.add(pretend(&destroyed));
  EXPECT_NE(table.use(handle).get(), nullptr);
  EXPECT_EQ(table.use(handle).get(), table.find(handle).get());
  EXPECT_NE(table.remove(handle), nullptr);
  EXPECT_TRUE(destroyed);
  EXPECT_EQ(table.use(handle).get(), nullptr);
  EXPECT_EQ(table.find(handle), nullptr);
  EXPECT_EQ(table.remove(handle), nullptr);
}

TEST(HandleTable, InventedHandlesNameNothing) {
  HandleTable table;
  bool destroyed = false;
  const MPI_File handle = table.add(pretend(&destroyed));
  for (const MPI_File invented :
       {MPI_FILE_NULL, changed(handle, 1), changed(handle, 1 << 16), changed(handle, 40000)}) {
    EXPECT_EQ(table.use(invented).get(), nullptr);
    EXPECT_EQ(table.find(invented), nullptr);
  }
  EXPECT_NE(table.use(handle).get(), nullptr);
  EXPECT_FALSE(destroyed);
}

// In the standard ABI small numbers are constants; MPI_FILE_NULL is one of them.
TEST(HandleTable, NoHandleIsASmallNumber) {
  HandleTable table;
  bool destroyed = false;
  for (int file = 0; file < 5000; ++file)
    EXPECT_GE(reinterpret_cast<std::uintptr_t>(table.add(pretend(&destroyed))), std::uintptr_t{4096});
}

TEST(HandleTable, HandlesStayPositiveFortranIntegersThroughAllGenerations) {
  HandleTable table;
  bool destroyed = false;
  for (int generation = 0; generation < 70000; ++generation) {
    const MPI_File handle = table.add(pretend(&destroyed));
    ASSERT_GT(HandleTable::to_fortran(handle), 65535);
    ASSERT_EQ(HandleTable::from_fortran(HandleTable::to_fortran(handle)), handle);
    ASSERT_NE(table.remove(handle), nullptr);
  }
}

TEST(HandleTable, AClosedFileStaysUntilItsLastUserHasLeft) {
  HandleTable table;
  bool destroyed = false;
  const MPI_File handle = table.add(pretend(&destroyed));
  {
    const FileUse first = table.use(handle);
    {
      const FileUse second = table.use(handle);
      table.remove(handle);
      EXPECT_EQ(table.use(handle).get(), nullptr);
    }
    EXPECT_FALSE(destroyed);
    bool other_destroyed = false;
    const MPI_File other = table.add(pretend(&other_destroyed));
    EXPECT_NE(HandleTable::to_fortran(other) & 0xFFFF, HandleTable::to_fortran(handle) & 0xFFFF)
        << "the slot is not free yet";
    table.remove(other);
  }
  EXPECT_TRUE(destroyed);
}

TEST(HandleTable, SlotsAreUsedAgainWithOtherHandles) {
  HandleTable table;
  bool destroyed = false;
  std::vector<MPI_File> handles;
  for (int i = 0; i < 40000; ++i) {
    const MPI_File handle = table.add(pretend(&destroyed));
    ASSERT_GT(HandleTable::to_fortran(handle), 0);
    ASSERT_EQ(HandleTable::from_fortran(HandleTable::to_fortran(handle)), handle);
    if (i < 1000) handles.push_back(handle);
    table.remove(handle);
  }
  const MPI_File last = table.add(pretend(&destroyed));
  EXPECT_NE(table.use(last).get(), nullptr);
  for (const MPI_File handle : handles) EXPECT_TRUE(handle == last || table.use(handle).get() == nullptr);
}

TEST(HandleTable, AllAreTheOpenOnes) {
  HandleTable table;
  bool destroyed = false;
  std::vector<MPI_File> handles;
  for (int i = 0; i < 600; ++i) handles.push_back(table.add(pretend(&destroyed)));
  table.remove(handles[1]);
  EXPECT_EQ(table.all().size(), 599U);
  EXPECT_FALSE(table.full());
}

TEST(HandleTable, ThreadsMayUseAFileThatAnotherOneCloses) {
  for (int round = 0; round < 200; ++round) {
    HandleTable table;
    bool destroyed = false;
    const MPI_File handle = table.add(pretend(&destroyed));
    std::atomic<bool> seen_destroyed = false;
    const auto use_it = [&] {
      while (true) {
        const FileUse use = table.use(handle);
        if (use.get() == nullptr) return;
        if (*reinterpret_cast<Pretended*>(use.get())->destroyed) seen_destroyed = true;
      }
    };
    std::jthread first(use_it);
    std::jthread second(use_it);
    table.remove(handle);
    first.join();
    second.join();
    EXPECT_TRUE(destroyed);
    EXPECT_FALSE(seen_destroyed);
  }
}

}  // namespace
}  // namespace weir::mpi
