// Random nested file and memory types against the models, through every function. TEST_SEED=n repeats a run.
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "view_oracle.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

const std::vector<TypeModel>& basic_types() {
  static const std::vector<TypeModel> kTypes = {TypeModel::basic(MPI_BYTE, "byte"),
                                                TypeModel::basic(MPI_SHORT, "short"), TypeModel::basic(MPI_INT, "int"),
                                                TypeModel::basic(MPI_DOUBLE, "double")};
  return kTypes;
}

template <typename Values>
const typename Values::value_type& pick_one(Random& random, const Values& values) {
  return values[static_cast<std::size_t>(pick(random, 0, static_cast<int>(values.size()) - 1))];
}

// Functions whose result does not depend on which rank comes first.
std::vector<AccessOp> ops_for(Direction direction) {
  return ops_where([direction](const AccessOp& op) {
    return op.direction == direction && (op.pointer != Pointer::kShared || size() == 1);
  });
}

// One case. What all ranks must agree on is drawn from `common`, the rest from `own`.
class RandomCase {
 public:
  RandomCase(unsigned seed, Direction direction)
      : common_(seed),
        own_(seed * 7919U + 1U + static_cast<unsigned>(rank())),
        op_(pick_one(common_, ops_for(direction))),
        basic_(pick_one(common_, basic_types())),
        etype_(random_etype()),
        interleaved_(!op_.shared() && pick(common_, 0, 1) == 0) {}

  void run(const char* path) {
    ViewAccess access = interleaved_ ? interleaved() : apart();
    access.displacement += pick(common_, 0, 3) * 5;
    const auto bytes = static_cast<std::size_t>(pick(common_, 0, 6000));
    const Bytes old = pattern(bytes, static_cast<unsigned>(pick(common_, 1, 1000)));
    if (op_.writes()) {
      check_write(path, op_, access, old);
    } else {
      check_read(path, op_, access, old);
    }
  }

 private:
  TypeModel random_etype() {
    if (pick(common_, 0, 2) != 0) return basic_;
    return basic_.contiguous(pick(common_, 1, 3));
  }

  // Memory that holds a whole number of etypes.
  void choose_memory(ViewAccess& access) {
    access.memory_type = random_memory_type(basic_, own_, pick(own_, 0, 3));
    const auto elements_in_etype = static_cast<int>(etype_.bytes() / basic_.bytes());
    access.memory_count = pick(own_, 0, 3) * elements_in_etype;
  }

  // Each rank in a region of its own; the shared pointer needs the same view everywhere.
  ViewAccess apart() {
    Random& source = op_.shared() ? common_ : own_;
    ViewAccess access{etype_, random_file_type(etype_, source, pick(source, 0, 3)), 0, pick(source, 0, 9), basic_, 0};
    choose_memory(access);
    if (op_.shared()) return access;
    const MPI_Offset last = (access.first_etype + 1) * etype_.bytes() + access.bytes();
    MPI_Offset reach = (last / access.file_type.bytes() + 2) * access.file_type.extent();
    reach += access.file_type.pieces().back().offset;
    MPI_Allreduce(MPI_IN_PLACE, &reach, 1, MPI_OFFSET, MPI_MAX, MPI_COMM_WORLD);
    access.displacement = rank() * reach;
    return access;
  }

  // The slots of a tile are dealt out to the ranks, or to nobody.
  ViewAccess interleaved() {
    std::vector<int> lengths, places;
    const int slots = pick(common_, size(), 4 * size() + 4);
    for (int slot = 0; slot < slots; ++slot) {
      if (pick(common_, -1, size() - 1) != rank()) continue;
      lengths.push_back(1);
      places.push_back(slot);
    }
    const bool has_none = lengths.empty();
    TypeModel tile = has_none ? etype_ : etype_.indexed(lengths, places);
    ViewAccess access{etype_, tile.resized(0, slots * etype_.extent()), 0, pick(own_, 0, 5), basic_, 0};
    choose_memory(access);
    if (has_none) access.memory_count = 0;
    return access;
  }

  Random common_;
  Random own_;
  AccessOp op_;
  TypeModel basic_;
  TypeModel etype_;
  bool interleaved_;
};

void run_cases(unsigned first_seed, int cases, Direction direction) {
  Scratch scratch;
  for (int i = 0; i < cases; ++i) {
    const unsigned seed = first_seed + static_cast<unsigned>(i);
    RandomCase(seed, direction).run(scratch.path());
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "repeat with TEST_SEED=" << seed;
    }
    int failed = testing::Test::HasFailure() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed != 0) return;
  }
}

TEST(RandomViews, WriteWithKnownSeeds) { run_cases(1, 60, Direction::kWrite); }
TEST(RandomViews, ReadWithKnownSeeds) { run_cases(1001, 60, Direction::kRead); }
TEST(RandomViews, WriteWithAFreshSeed) { run_cases(fresh_seed(), 30, Direction::kWrite); }
TEST(RandomViews, ReadWithAFreshSeed) { run_cases(fresh_seed(), 30, Direction::kRead); }

// The models themselves, against MPI_Pack: positions of packed bytes, low and high byte in turn.
TEST(RandomViews, ModelsAgreeWithPack) {
  // One seed for all ranks: with others, Open MPI 4.1.4 itself packs a darray of a vector with a negative stride out of
  // order, darray(Fortran, ..., hindexed([0,2],[6,0], vector(2,1,-1, byte))).
  Random random(4711U);
  for (int i = 0; i < 200; ++i) {
    const bool for_file = pick(random, 0, 1) == 0;
    const TypeModel& basic = pick_one(random, basic_types());
    const TypeModel type = for_file ? random_file_type(basic, random, 3) : random_memory_type(basic, random, 3);
    const std::vector<MPI_Aint> offsets = memory_offsets(type, 2);
    std::vector<MPI_Aint> packed_offsets(offsets.size(), 0);
    constexpr MPI_Aint kOrigin = 32768;
    for (const int shift : {0, 8}) {
      Bytes memory(2 * kOrigin);
      for (std::size_t at = 0; at < memory.size(); ++at) memory[at] = static_cast<std::uint8_t>(at >> shift);
      Bytes packed(offsets.size());
      int filled = 0;
      MPI_Pack(memory.data() + kOrigin, 2, type.type(), packed.data(), static_cast<int>(packed.size()), &filled,
               MPI_COMM_SELF);
      EXPECT_EQ(filled, static_cast<int>(packed.size())) << type.text();
      for (std::size_t at = 0; at < packed.size(); ++at) {
        packed_offsets[at] += static_cast<MPI_Aint>(packed[at]) << shift;
      }
    }
    for (MPI_Aint& offset : packed_offsets) offset -= kOrigin;
    EXPECT_EQ(packed_offsets, offsets) << type.text();
  }
}

}  // namespace
