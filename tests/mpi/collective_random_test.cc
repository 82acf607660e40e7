// Random programs of collective calls with hints that force each way through the engine, against a map of the file's
// bytes on rank 0. In the environment: TEST_SEED repeats a run, TEST_PROGRAMS is the number of programs per test, and
// TEST_HINTS ("name=value name=value") are hints that are kept the same in all of them.
#include <array>
#include <chrono>
#include <cstdio>
#include <sstream>
#include <string>
#include <utility>

#include "collective_map.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)
using Pairs = std::vector<std::pair<std::string, std::string>>;

constexpr int kCalls = 5;

template <typename Values>
const typename Values::value_type& pick_one(Random& random, const Values& values) {
  return values[static_cast<std::size_t>(pick(random, 0, static_cast<int>(values.size()) - 1))];
}

// The hints of the program with this number: all combinations in turn.
Pairs hints_of(unsigned number) {
  const auto take = [&number](const std::vector<const char*>& values) {
    const std::string value = values[number % values.size()];
    number /= static_cast<unsigned>(values.size());
    return value;
  };
  Pairs hints;
  hints.emplace_back("weir_exchange", take({"auto", "direct", "pairwise", "shared"}));
  hints.emplace_back("weir_domains", take({"even", "aligned", "static_cyclic", "group_cyclic", "auto"}));
  hints.emplace_back("cb_buffer_size", take({"4096", "997", "1048576"}));
  hints.emplace_back("weir_local_aggregators", take({"1", "2", "4"}));
  hints.emplace_back("weir_merge", take({"true", "auto", "false"}));
  hints.emplace_back("cb_nodes", take({"2", "3", "1", "9"}));
  hints.emplace_back("weir_pipeline_depth", take({"2", "1", "3"}));
  hints.emplace_back("weir_sparse", take({"auto", "true", "false"}));
  hints.emplace_back("weir_method", "two_phase");
  std::istringstream fixed(environment("TEST_HINTS"));
  for (std::string pair; fixed >> pair;) {
    const std::string name = pair.substr(0, pair.find('='));
    std::erase_if(hints, [&](const auto& hint) { return hint.first == name; });
    hints.emplace_back(name, pair.substr(name.size() + 1));
  }
  return hints;
}

std::string text_of(const Pairs& hints) {
  std::string text;
  for (const auto& [name, value] : hints) text.append(" ").append(name).append("=").append(value);
  return text;
}

// An MPI_Info with these hints, freed at the end of the scope. LOCAL.
class Info {
 public:
  explicit Info(const Pairs& hints) {
    MPI_Info_create(&info_);
    for (const auto& [name, value] : hints) MPI_Info_set(info_, name.c_str(), value.c_str());
  }
  ~Info() { MPI_Info_free(&info_); }
  Info(const Info&) = delete;
  Info& operator=(const Info&) = delete;
  operator MPI_Info() const { return info_; }  // NOLINT(google-explicit-constructor)

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

// One program. What all ranks must agree on is drawn from `common_`, the rest from `own_`.
class Program {
 public:
  Program(unsigned seed, unsigned number)
      : common_(seed),
        own_(seed * 7919U + 1U + static_cast<unsigned>(rank())),
        hints_(hints_of(number)),
        text_("repeat with TEST_SEED=" + std::to_string(seed) + text_of(hints_)),
        basic_(pick(common_, 0, 1) == 0 ? TypeModel::basic(MPI_BYTE, "byte") : TypeModel::basic(MPI_INT, "int")) {}

  void run(const char* path) {
    const Bytes old = pattern(static_cast<std::size_t>(pick(common_, 0, 20000)), number_of_pattern());
    make_file(path, old);
    FileMap map(old);
    {
      const File file(path, MPI_MODE_RDWR, MPI_COMM_WORLD, Info(hints_));
      ViewAccess access = new_view(file);
      for (int call = 0; call < kCalls; ++call) {
        const bool again = call > 0 && pick(common_, 0, 1) == 0;
        if (again) {
          access.first_etype += access.bytes() / access.etype.bytes();  // the next time step
        } else if (call > 0) {
          access = new_view(file);
        }
        pick(common_, 0, 2) == 0 ? read(file, access, map) : write(file, access, map);
      }
      write_in_flight(file, access, map);
    }
    map.check(path, text_);
  }

 private:
  unsigned number_of_pattern() { return static_cast<unsigned>(pick(common_, 1, 1000)); }

  static std::vector<AccessOp> ops_for(Direction direction) {
    return ops_where(
        [direction](const AccessOp& op) { return op.direction == direction && op.collective && !op.shared(); });
  }

  // COLLECTIVE.
  ViewAccess new_view(MPI_File file) {
    ViewAccess access = pick(common_, 0, 2) == 0 ? apart() : interleaved();
    access.displacement += pick(common_, 0, 3) * 5;
    EXPECT_OK(MPI_File_set_view(file, access.displacement, access.etype.type(), access.file_type.type(), "native",
                                MPI_INFO_NULL))
        << access.text();
    return access;
  }

  void choose_memory(ViewAccess& access, int most_elements) {
    const int elements = pick(own_, 0, 5) == 0 ? 0 : pick(own_, 1, most_elements);
    const TypeModel type = random_memory_type(basic_, own_, pick(own_, 0, 3));
    access.memory_type = type;
    access.memory_count = elements / static_cast<int>(type.bytes() / basic_.bytes());
    if (!Buffer(access).has_bytes_twice()) return;
    access.memory_type = basic_;
    access.memory_count = elements;
  }

  // Random types, each rank in a region of its own that leaves room for all time steps.
  ViewAccess apart() {
    ViewAccess access{basic_, random_file_type(basic_, own_, pick(own_, 0, 3)), 0, pick(own_, 0, 9), basic_, 0};
    choose_memory(access, 600);
    const MPI_Offset last = (access.first_etype + 1) * basic_.bytes() + (kCalls + 4) * access.bytes();
    MPI_Offset reach = (last / access.file_type.bytes() + 2) * access.file_type.extent();
    reach += access.file_type.pieces().back().offset + access.file_type.pieces().back().bytes;
    MPI_Allreduce(MPI_IN_PLACE, &reach, 1, MPI_OFFSET, MPI_MAX, MPI_COMM_WORLD);
    access.displacement = rank() * reach;
    return access;
  }

  // The slots of a tile are dealt out to the ranks, or to nobody.
  ViewAccess interleaved() {
    std::vector<int> lengths, places;
    const int slots = pick(common_, size(), 4 * size() + 4);
    const int slot_elements = pick(common_, 1, pick(common_, 0, 1) == 0 ? 4 : 200);
    for (int slot = 0; slot < slots; ++slot) {
      if (pick(common_, -1, size() - 1) != rank()) continue;
      lengths.push_back(slot_elements);
      places.push_back(slot * slot_elements);
    }
    const bool has_none = lengths.empty();
    const TypeModel tile = has_none ? basic_ : basic_.indexed(lengths, places);
    ViewAccess access{basic_, tile.resized(0, slots * slot_elements * basic_.extent()), 0, pick(common_, 0, 50), basic_,
                      0};
    choose_memory(access, pick(common_, 0, 3) == 0 ? 12000 : 500);
    if (has_none) access.memory_count = 0;
    return access;
  }

  // COLLECTIVE.
  void run_op(MPI_File file, const AccessOp& op, const ViewAccess& access, Buffer& buffer, std::size_t expected) {
    if (op.pointer == Pointer::kIndividual) {
      EXPECT_OK(MPI_File_seek(file, access.first_etype, MPI_SEEK_SET));
    }
    MPI_Status status;
    EXPECT_OK(
        op.run(file, access.first_etype, buffer.address(), access.memory_count, access.memory_type.type(), &status))
        << text_;
    EXPECT_EQ(moved_bytes(status), static_cast<std::int64_t>(expected)) << op.name << "\n" << access.text() << text_;
  }

  void fill(Buffer& buffer) {
    const Bytes values = pattern(buffer.data_bytes(), number_of_pattern() + static_cast<unsigned>(rank()));
    for (std::size_t i = 0; i < values.size(); ++i) buffer.data(i) = values[i];
  }

  void write(MPI_File file, const ViewAccess& access, FileMap& map) {
    Buffer buffer(access);
    fill(buffer);
    const Bytes before = buffer.bytes();
    run_op(file, pick_one(common_, ops_for(Direction::kWrite)), access, buffer, buffer.data_bytes());
    EXPECT_TRUE(buffer.bytes() == before) << "a write changed memory" << text_;
    map.write(offsets_of(access), buffer);
  }

  void read(MPI_File file, const ViewAccess& access, const FileMap& map) {
    EXPECT_OK(MPI_File_sync(file));
    const Bytes content = map.share();
    const std::vector<MPI_Offset> offsets = offsets_of(access);
    Buffer buffer(access);
    Buffer expected(access);
    std::size_t readable = 0;
    for (; readable < offsets.size() && offsets[readable] < static_cast<MPI_Offset>(content.size()); ++readable) {
      expected.data(readable) = content[static_cast<std::size_t>(offsets[readable])];
    }
    run_op(file, pick_one(common_, ops_for(Direction::kRead)), access, buffer, readable);
    EXPECT_EQ(first_difference(buffer.bytes(), expected.bytes()), "") << "in memory\n" << access.text() << text_;
  }

  // Three time steps at once, by MPI_File_iwrite_at_all.
  void write_in_flight(MPI_File file, ViewAccess access, FileMap& map) {
    constexpr std::size_t kSteps = 3;
    std::vector<Buffer> buffers(kSteps, Buffer(access));
    std::array<MPI_Request, kSteps> requests{};
    std::array<MPI_Status, kSteps> statuses{};
    const ViewAccess first = access;
    const MPI_Offset step_etypes = access.bytes() / access.etype.bytes();
    for (std::size_t step = 0; step < kSteps; ++step) {
      fill(buffers[step]);
      access.first_etype = first.first_etype + static_cast<MPI_Offset>(step + 1) * step_etypes;
      EXPECT_OK(MPI_File_iwrite_at_all(file, access.first_etype, buffers[step].address(), access.memory_count,
                                       access.memory_type.type(), &requests[step]));
    }
    EXPECT_OK(MPI_Waitall(kSteps, requests.data(), statuses.data()));
    for (std::size_t step = 0; step < kSteps; ++step) {
      access.first_etype = first.first_etype + static_cast<MPI_Offset>(step + 1) * step_etypes;
      EXPECT_EQ(moved_bytes(statuses[step]), access.bytes()) << text_;
      map.write(offsets_of(access), buffers[step]);
    }
  }

  Random common_;
  Random own_;
  Pairs hints_;
  std::string text_;
  TypeModel basic_;
};

void run_programs(unsigned first_seed) {
  const std::string given = environment("TEST_PROGRAMS");
  const unsigned programs = given.empty() ? 16 : static_cast<unsigned>(std::stoul(given));
  Scratch scratch;
  for (unsigned seed = first_seed; seed < first_seed + programs; ++seed) {
    Program(seed, seed * 31).run(scratch.path());
    int failed = testing::Test::HasFailure() ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed != 0) return;
  }
}

TEST(CollectiveRandom, KnownSeeds) { run_programs(1); }
TEST(CollectiveRandom, FreshSeed) { run_programs(fresh_seed()); }

}  // namespace
