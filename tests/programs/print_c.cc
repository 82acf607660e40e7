#include "programs/print_c.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "programs/model.h"
#include "programs/names.h"
#include "programs/text.h"

namespace weir::programs {

namespace {

constexpr std::array<const char*, 5> kMemoryNames = {"kPlain", "kOne", "kVector", "kTiles", "kReversed"};
constexpr std::array<const char*, 7> kWayNames = {"kWait",     "kBackwards", "kWaitall", "kWaitany",
                                                  "kWaitsome", "kTest",      "kTestall"};

std::size_t at(int index) { return static_cast<std::size_t>(index); }

std::string in(RankSet ranks) {
  std::ostringstream out;
  out << "if (in(0x" << std::hex << ranks << ")) ";
  return out.str();
}

std::string amode(const Mode& mode) {
  std::string text = mode.reads && mode.writes ? "MPI_MODE_RDWR" : mode.reads ? "MPI_MODE_RDONLY" : "MPI_MODE_WRONLY";
  if (mode.create) text += " | MPI_MODE_CREATE";
  if (mode.exclusive) text += " | MPI_MODE_EXCL";
  if (mode.delete_on_close) text += " | MPI_MODE_DELETE_ON_CLOSE";
  if (mode.unique_open) text += " | MPI_MODE_UNIQUE_OPEN";
  if (mode.append) text += " | MPI_MODE_APPEND";
  return text;
}

// The name of the function that the step calls; of a split one without _begin and _end.
std::string function_name(const Step& step) {
  std::string text = std::string("MPI_File_") + (step.manner == Manner::kNonblocking ? "i" : "") +
                     std::string(word(kDirectionWords, step.direction));
  if (step.pointer == Pointer::kExplicit) text += "_at";
  if (step.pointer == Pointer::kShared) text += "_shared";
  if (step.pointer == Pointer::kOrdered) text += "_ordered";
  if (step.collective && step.pointer != Pointer::kOrdered) text += "_all";
  return text;
}

// Runs of bytes with consecutive origins, as rows of a table; those that may be several things are left out.
void add_parts(std::ostream& out, int& parts, int rank, const std::vector<Origin>& data,
               const Alternatives& alternatives) {
  const auto follows = [&](std::size_t i, std::size_t begin) {
    if (alternatives.contains(static_cast<std::int64_t>(i))) return false;
    return data[begin] == kUnwritten ? data[i] == kUnwritten : data[i] == data[begin] + (i - begin);
  };
  for (std::size_t begin = 0; begin < data.size();) {
    std::size_t end = begin + 1;
    const bool certain = data[begin] != kUnknown && !alternatives.contains(static_cast<std::int64_t>(begin));
    while (certain && end < data.size() && follows(end, begin)) ++end;
    const Origin origin = data[begin];
    if (certain) {
      out << (parts++ == 0 ? "" : ", ") << "{" << rank << ", " << begin << ", " << end - begin << ", " << (origin >> 48)
          << ", " << (origin >> 40 & 0xff) << ", " << (origin & ((Origin{1} << 40) - 1)) << "}";
    }
    begin = end;
  }
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program), model_(run_model(program)) {}

  std::string run() {
    head();
    out_ << "int main(int argc, char** argv) {\n  int provided, i, ranks;\n  long unit[" << program_.files.size() + 1
         << "];\n  MPI_File f[" << program_.files.size() + 1 << "];\n  MPI_Comm comm[" << program_.communicators.size()
         << "];\n  const char* path[" << program_.files.size() + 1 << "];\n  MPI_Info info;\n";
    start();
    for (const Step& step : program_.steps) {
      this->step(step);
    }
    finish();
    return out_.str();
  }

 private:
  void head() {
    int most = 8;
    for (const Step& step : program_.steps) most = std::max(most, step.id + 2);
    out_ << "/* A random MPI-IO program that went wrong, for " << program_.ranks << " ranks. As text:\n\n"
         << print(program_) << "*/\n";
    out_ << "#define SEED " << program_.seed << "ULL\n#define MOST "
         << std::max(most, 2 * static_cast<int>(program_.messages.size()) + most) << "\n"
         << c_prelude() << "\n";
    for (const Step& step : program_.steps) {
      if (step.kind == StepKind::kAccess) share_table(step);
    }
    out_ << "\n";
  }

  void share_table(const Step& step) {
    out_ << "static const struct share share" << step.id << "[] = {";
    for (std::size_t rank = 0; rank < step.shares.size(); ++rank) {
      const Share& share = step.shares[rank];
      out_ << (rank == 0 ? "" : ", ") << "{" << share.offset << ", " << share.count << ", "
           << word(kMemoryNames, share.memory.kind) << ", " << share.memory.block << ", " << share.memory.gap << "}";
    }
    out_ << "};\n";
  }

  void colour_of_rank(const std::string& target, const Communicator& communicator, const std::string& before,
                      const std::string& after) {
    for (int rank = 0; rank < program_.ranks; ++rank) {
      out_ << "  if (rank == " << rank << ") " << target << before << communicator.colours[at(rank)] << after << ";\n";
    }
  }

  void start() {
    constexpr const char* kLevels[] = {"SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE"};
    out_ << "  MPI_Init_thread(&argc, &argv, MPI_THREAD_" << kLevels[static_cast<int>(program_.level)]
         << ", &provided);\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  MPI_Comm_size(MPI_COMM_WORLD, &ranks);\n"
         << "  if (ranks != " << program_.ranks << ") MPI_Abort(MPI_COMM_WORLD, 2);\n"
         << "  for (i = 0; i < MOST; ++i) request[i] = sending[i] = receiving[i] = MPI_REQUEST_NULL;\n"
         << "  (void)unit, (void)path, (void)info, (void)f, (void)sent, (void)received;\n";
    for (std::size_t c = 0; c < program_.communicators.size(); ++c) {
      const Communicator& communicator = program_.communicators[c];
      const std::string name = "comm[" + std::to_string(c) + "]";
      if (communicator.kind == Communicator::Kind::kWorld) out_ << "  " << name << " = MPI_COMM_WORLD;\n";
      if (communicator.kind == Communicator::Kind::kSelf) out_ << "  " << name << " = MPI_COMM_SELF;\n";
      if (communicator.kind == Communicator::Kind::kDup) out_ << "  MPI_Comm_dup(MPI_COMM_WORLD, &" << name << ");\n";
      if (communicator.kind != Communicator::Kind::kSplit) continue;
      colour_of_rank("i", communicator, " = ", "");
      out_ << "  MPI_Comm_split(MPI_COMM_WORLD, i, rank, &" << name << ");\n";
    }
    for (int file = 0; file < static_cast<int>(program_.files.size()); ++file) {
      const Communicator& communicator = program_.communicator_of(file);
      const std::string name = "\"f" + std::to_string(file) + ".";
      colour_of_rank("path[" + std::to_string(file) + "]", communicator, " = " + name, "\"");
      for (int colour = 0; colour < communicator.colour_count(); ++colour) {
        out_ << "  if (rank == 0) make_file(" << name << colour << "\", " << program_.files[at(file)].initial_bytes
             << ", " << colour << ");\n";
      }
    }
    out_ << "  MPI_Barrier(MPI_COMM_WORLD);\n\n";
  }

  std::string file(const Step& step) const { return "f[" + std::to_string(step.file) + "]"; }

  void step(const Step& step) {
    const auto call = [&](const std::string& text) { out_ << "  CHECK(MPI_File_" << text << ");\n"; };
    switch (step.kind) {
      case StepKind::kOpen: return open(step);
      case StepKind::kClose: return call("close(&" + file(step) + ")");
      case StepKind::kView: return view(step);
      case StepKind::kSeek: return seek(step);
      case StepKind::kSeekShared:
        return call("seek_shared(" + file(step) + ", " + std::to_string(step.number) + ", MPI_SEEK_SET)");
      case StepKind::kAccess: return access(step, step.ranks);
      case StepKind::kJoin: return access(*find_access(program_, step.id), step.ranks);
      case StepKind::kEnd: return end(step);
      case StepKind::kComplete: return complete(step);
      case StepKind::kBarrier: out_ << "  MPI_Barrier(comm[" << step.number << "]);\n"; return;
      case StepKind::kSync: return call("sync(" + file(step) + ")");
      case StepKind::kSettle:
        if (step.number == 0) call("sync(" + file(step) + ")");
        out_ << "  MPI_Barrier(comm[" << program_.files[at(step.file)].communicator << "]);\n";
        if (step.number == 0) call("sync(" + file(step) + ")");
        return;
      case StepKind::kSetSize: return call("set_size(" + file(step) + ", " + std::to_string(step.number) + ")");
      case StepKind::kPreallocate: return call("preallocate(" + file(step) + ", " + std::to_string(step.number) + ")");
      case StepKind::kAtomic: return call("set_atomicity(" + file(step) + ", " + std::to_string(step.number) + ")");
      case StepKind::kAsk:
        out_ << "  MPI_Barrier(comm[" << program_.files[at(step.file)].communicator << "]);\n";
        return;
      default: message(step);
    }
  }

  void open(const Step& step) {
    out_ << "  MPI_Info_create(&info);\n";
    for (const auto& [key, value] : step.hints)
      out_ << "  MPI_Info_set(info, \"" << key << "\", \"" << value << "\");\n";
    out_ << "  CHECK(MPI_File_open(comm[" << program_.files[at(step.file)].communicator << "], path[" << step.file
         << "], " << amode(step.mode) << ", info, &" << file(step) << "));\n  MPI_Info_free(&info);\n  unit["
         << step.file << "] = 1;\n";
  }

  void view(const Step& step) {
    for (int rank = 0; rank < program_.ranks; ++rank) {
      const View& view = step.views[at(rank)];
      out_ << "  if (rank == " << rank << ") set_view(" << file(step) << ", " << view.displacement << ", "
           << view.etype_bytes << ", " << filetype(view) << ");\n";
    }
    out_ << "  unit[" << step.file << "] = " << step.views.front().etype_bytes << ";\n";
  }

  static std::string filetype(const View& view) {
    std::ostringstream out;
    const auto list = [&](std::size_t first, std::size_t stride) {
      out << "(int[]){";
      for (std::size_t i = first; i < view.numbers.size(); i += stride)
        out << (i == first ? "" : ", ") << view.numbers[i];
      out << (view.numbers.empty() ? "0}" : "}");
    };
    switch (view.kind) {
      case View::Kind::kVector:
        out << "vector(" << view.numbers[0] << ", " << view.numbers[1] << ", " << view.numbers[2] << ", "
            << view.extent;
        break;
      case View::Kind::kIndexed:
        out << "indexed(" << view.numbers.size() / 2 << ", ";
        list(1, 2);
        out << ", ";
        list(0, 2);
        out << ", " << view.extent;
        break;
      case View::Kind::kSubarray:
        out << "subarray(";
        list(0, 1);
        break;
      default: out << "etype(" << view.etype_bytes << ")"; return out.str();
    }
    out << ", " << view.etype_bytes << ")";
    return out.str();
  }

  void seek(const Step& step) {
    constexpr const char* kWhence[] = {"MPI_SEEK_SET", "MPI_SEEK_CUR", "MPI_SEEK_END"};
    for (int rank = 0; rank < program_.ranks; ++rank) {
      if (!contains(step.ranks, rank)) continue;
      out_ << "  if (rank == " << rank << ") CHECK(MPI_File_seek(" << file(step) << ", " << step.shares[at(rank)].offset
           << ", " << kWhence[static_cast<int>(step.whence)] << "));\n";
    }
  }

  void access(const Step& step, RankSet ranks) {
    const std::string id = std::to_string(step.id);
    out_ << "  " << in(ranks) << "{\n    prepare(" << id << ", &share" << id << "[rank], unit[" << step.file << "], "
         << (step.direction == Direction::kWrite ? 1 : 0) << ");\n    CHECK(" << function_name(step)
         << (step.manner == Manner::kSplit ? "_begin(" : "(") << file(step);
    if (step.pointer == Pointer::kExplicit) out_ << ", share" << id << "[rank].offset";
    out_ << ", buf[" << id << "], count[" << id << "], type[" << id << "]";
    if (step.manner == Manner::kBlocking) out_ << ", &status[" << id << "]";
    if (step.manner == Manner::kNonblocking) out_ << ", &request[" << id << "]";
    out_ << "));\n  }\n";
  }

  void end(const Step& step) {
    const Step& access = *find_access(program_, step.id);
    out_ << "  " << in(access.ranks) << "CHECK(" << function_name(access) << "_end(" << file(access) << ", buf["
         << step.id << "], &status[" << step.id << "]));\n";
  }

  void complete(const Step& step) {
    std::string requests;
    std::string statuses;
    int number = 0;
    const auto add = [&](const std::string& request, int status) {
      requests += (number == 0 ? "&" : ", &") + request;
      statuses += (number == 0 ? "&status[" : ", &status[") + std::to_string(status) + "]";
      ++number;
    };
    for (const int id : step.accesses) add("request[" + std::to_string(id) + "]", id);
    for (const int id : step.messages) {
      add("sending[" + std::to_string(id) + "]", 0);
      add("receiving[" + std::to_string(id) + "]", 0);
    }
    out_ << "  " << in(step.ranks) << "complete(" << word(kWayNames, step.way) << ", " << number
         << ", (MPI_Request*[]){" << requests << "}, (MPI_Status*[]){" << statuses << "});\n";
  }

  void message(const Step& step) {
    const Message& message = program_.messages[at(step.id)];
    const std::string id = std::to_string(step.id);
    const std::string bytes = std::to_string(message.bytes);
    const bool sends = step.kind != StepKind::kIrecv && step.kind != StepKind::kRecv;
    const bool receives = step.kind != StepKind::kIsend && step.kind != StepKind::kSend;
    const auto arguments = [&](const char* list, int peer) {
      return std::string(list) + "[" + id + "], " + bytes + ", MPI_BYTE, " + std::to_string(peer) + ", " + id +
             ", MPI_COMM_WORLD";
    };
    if (sends) {
      out_ << "  if (rank == " << message.from << ") {\n    sent[" << id << "] = payload(" << id << ", rank, " << bytes
           << ");\n    ";
      if (step.kind == StepKind::kIsend) {
        out_ << "MPI_Isend(" << arguments("sent", message.to) << ", &sending[" << id << "]);\n  }\n";
      } else {
        out_ << "MPI_Send(" << arguments("sent", message.to) << ");\n  }\n";
      }
    }
    if (!receives) return;
    out_ << "  if (rank == " << message.to << ") {\n    received[" << id << "] = malloc(" << bytes << " + 1);\n    ";
    if (step.kind == StepKind::kIrecv) {
      out_ << "MPI_Irecv(" << arguments("received", message.from) << ", &receiving[" << id << "]);\n  }\n";
    } else {
      out_ << "MPI_Recv(" << arguments("received", message.from) << ", MPI_STATUS_IGNORE);\n  }\n";
    }
  }

  void expectations(int id, const Step& step) {
    std::ostringstream parts;
    int number = 0;
    for (int rank = 0; rank < program_.ranks; ++rank) {
      const auto found = model_.expected().find({id, rank});
      if (found == model_.expected().end()) continue;
      out_ << "  if (rank == " << rank << ") moved(" << id << ", " << found->second.moved << ");\n";
      add_parts(parts, number, rank, found->second.data, found->second.alternatives);
    }
    if (step.direction == Direction::kWrite || number == 0) return;
    out_ << "  expect(" << id << ", (struct part[]){" << parts.str() << "}, " << number << ");\n";
  }

  void expect_files() {
    for (int file = 0; file < static_cast<int>(program_.files.size()); ++file) {
      for (int colour = 0; colour < program_.communicator_of(file).colour_count(); ++colour) {
        const FileState& state = model_.file(file, colour);
        std::ostringstream parts;
        int number = 0;
        add_parts(parts, number, 0, state.contents.bytes(), state.contents.alternatives());
        out_ << "  if (rank == 0) expect_file(\"" << file_name(file, colour) << "\", "
             << (state.exists ? state.contents.size() : -1) << ", (struct part[]){"
             << (number == 0 ? "{0}" : parts.str()) << "}, " << number << ");\n";
      }
    }
  }

  void finish() {
    out_ << "\n  MPI_Barrier(MPI_COMM_WORLD);\n";
    for (const Step& step : program_.steps) {
      if (step.kind == StepKind::kAccess) expectations(step.id, step);
    }
    for (std::size_t id = 0; id < program_.messages.size(); ++id) {
      const Message& message = program_.messages[id];
      out_ << "  if (rank == " << message.to << ") expect_message(" << id << ", " << message.from << ", "
           << message.bytes << ");\n";
    }
    expect_files();
    out_ << "  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);\n"
         << "  if (rank == 0) printf(wrong ? \"FAILED\\n\" : \"passed\\n\");\n  MPI_Finalize();\n"
         << "  return wrong != 0;\n}\n";
  }

  const Program& program_;
  Model model_;
  std::ostringstream out_;
};

}  // namespace

std::string print_c(const Program& program) { return Printer(program).run(); }

}  // namespace weir::programs
