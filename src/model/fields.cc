#include "model/fields.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace weir::model {

namespace {

// A year, and more than any machine has.
constexpr double kLongest = 3.2e13;
constexpr double kFastest = 1e9;
constexpr double kLargest = 9e15;
constexpr double kMostCount = 1e7;
// A rate of 0 would make everything take for ever.
constexpr double kSlowest = 1e-3;

template <auto kPart, auto kMember>
double get(const MachineModel& machine) {
  return static_cast<double>(machine.*kPart.*kMember);
}

template <auto kPart, auto kMember>
void set(MachineModel& machine, double value) {
  auto& member = machine.*kPart.*kMember;
  using Member = std::remove_reference_t<decltype(member)>;
  if constexpr (std::is_same_v<Member, bool>) {
    member = value != 0;
  } else if constexpr (std::is_enum_v<Member>) {
    member = static_cast<Member>(static_cast<int>(value));
  } else {
    member = static_cast<Member>(value);
  }
}

template <auto kPart, auto kMember>
constexpr Field field(std::string_view part, std::string_view name, FieldKind kind, std::string_view text) {
  return {part, name, kind, 0, 0, text, get<kPart, kMember>, set<kPart, kMember>};
}

constexpr Field between(Field field, double least, double most) {
  field.least = least;
  field.most = most;
  return field;
}

template <auto kMember>
constexpr Field of_nodes(std::string_view name, std::string_view text) {
  return between(field<&MachineModel::nodes, kMember>("nodes", name, FieldKind::kCount, text), 1, kMostCount);
}
template <auto kPart, auto kMember>
constexpr Field time(std::string_view part, std::string_view name, std::string_view text) {
  return between(field<kPart, kMember>(part, name, FieldKind::kAmount, text), 0, kLongest);
}
template <auto kPart, auto kMember>
constexpr Field rate(std::string_view part, std::string_view name, std::string_view text) {
  return between(field<kPart, kMember>(part, name, FieldKind::kAmount, text), kSlowest, kFastest);
}
template <auto kMember>
constexpr Field network_time(std::string_view name, std::string_view text) {
  return time<&MachineModel::network, kMember>("network", name, text);
}
template <auto kMember>
constexpr Field storage_time(std::string_view name, std::string_view text) {
  return time<&MachineModel::storage, kMember>("storage", name, text);
}
template <auto kMember>
constexpr Field storage_rate(std::string_view name, std::string_view text) {
  return rate<&MachineModel::storage, kMember>("storage", name, text);
}
template <auto kMember>
constexpr Field storage_size(std::string_view name, double least, std::string_view text) {
  return between(field<&MachineModel::storage, kMember>("storage", name, FieldKind::kCount, text), least, kLargest);
}

constexpr Field kFields[] = {
    of_nodes<&Nodes::count>("count", "nodes of the machine"),
    of_nodes<&Nodes::ranks_per_node>("ranks_per_node", "ranks on a node, as the machine is commonly used"),
    of_nodes<&Nodes::cores_per_node>("cores_per_node", "cores of a node"),
    network_time<&Network::latency_us>("latency_us", "from one node to another, of a message without bytes"),
    rate<&MachineModel::network, &Network::link_mb_s>("network", "link_mb_s", "of a node's link, in each direction"),
    rate<&MachineModel::network, &Network::core_mb_s>("network", "core_mb_s",
                                                      "that one core sends or receives, at most"),
    network_time<&Network::send_us>("send_us", "a message takes of its sender's core"),
    network_time<&Network::receive_us>("receive_us", "a message takes of its receiver's core"),
    network_time<&Network::waiting_us>("waiting_us", "and more for each message that waits there already"),
    rate<&MachineModel::memory, &Memory::copy_mb_s>("memory", "copy_mb_s", "copying in memory, by one core"),
    rate<&MachineModel::memory, &Memory::node_copy_mb_s>("memory", "node_copy_mb_s",
                                                         "copying in memory, by all cores of a node together"),
    time<&MachineModel::memory, &Memory::piece_us>("memory", "piece_us",
                                                   "one more piece takes of whoever copies, beside its bytes"),
    time<&MachineModel::memory, &Memory::sleep_us>("memory", "sleep_us", "a rank that is put to sleep and woken"),
    between(field<&MachineModel::storage, &Storage::behind_network>("storage", "behind_network", FieldKind::kYesNo,
                                                                    "whether nodes have the same files"),
            0, 1),
    between(field<&MachineModel::storage, &Storage::servers>("storage", "servers", FieldKind::kCount,
                                                             "servers that a file is spread over"),
            1, kMostCount),
    storage_rate<&Storage::server_mb_s>("server_mb_s", "of each server"),
    storage_time<&Storage::request_us>("request_us", "a request takes of its server, beside its bytes"),
    storage_time<&Storage::seek_us>("seek_us", "and more where it does not follow the request before"),
    storage_time<&Storage::latency_us>("latency_us", "from a node to a server and back"),
    storage_rate<&Storage::client_mb_s>("client_mb_s", "between a node and all servers"),
    storage_time<&Storage::call_us>("call_us", "a system call takes of its caller"),
    storage_rate<&Storage::cache_mb_s>("cache_mb_s", "between memory and page cache, by one core"),
    storage_size<&Storage::block_bytes>("block_bytes", 1, "of stripes, and what is locked at least"),
    storage_size<&Storage::read_ahead_bytes>("read_ahead_bytes", 0, "that are read on where access is sequential"),
    storage_size<&Storage::dirty_bytes>("dirty_bytes", 0, "that a node may keep back of what it wrote to a server"),
    between(field<&MachineModel::locks, &Locks::protocol>("locks", "protocol", FieldKind::kProtocol,
                                                          "how writers of one file are kept apart"),
            0, 2),
    time<&MachineModel::locks, &Locks::grant_us>("locks", "grant_us",
                                                 "a lock that nobody holds takes of who grants it"),
    time<&MachineModel::locks, &Locks::revoke_us>("locks", "revoke_us",
                                                  "calling a lock back from another node, beside its dirty data"),
};

}  // namespace

std::span<const Field> fields() { return kFields; }

const Field* find_field(std::string_view part, std::string_view name) {
  const auto found =
      std::ranges::find_if(kFields, [&](const Field& field) { return field.part == part && field.name == name; });
  return found == std::end(kFields) ? nullptr : &*found;
}

bool possible(const Field& field, double value) {
  const bool whole = field.kind == FieldKind::kAmount || value == std::floor(value);
  return value >= field.least && value <= field.most && whole;  // also false for what is no number
}

std::string_view name(LockProtocol protocol) {
  switch (protocol) {
    case LockProtocol::kNone: return "none";
    case LockProtocol::kServer: return "server";
    case LockProtocol::kToken: return "token";
  }
  return "unknown";
}

}  // namespace weir::model
