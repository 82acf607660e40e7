#include "exec/call/structures.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "base/guarded.h"
#include "comm/agree.h"
#include "layout/encode.h"
#include "layout/part.h"
#include "layout/query.h"

namespace weir::exec {

namespace {

struct Place {
  std::int64_t begin;
  std::int64_t bytes;
};

// In a message, before the structures: whose they are and how long.
struct Entry {
  std::int64_t rank;
  std::int64_t bytes;
};

// Whether a rank's local aggregator and an aggregator exchange anything on its account; both come to the same answer.
bool meets(const StructureExchange& exchange, int rank, std::size_t aggregator) {
  return exchange.plan.sparse == false ||
         plan::meets(exchange.summaries[static_cast<std::size_t>(rank)], exchange.plan.domains[aggregator]);
}

// What a message is about.
struct Content {
  std::vector<Entry> entries;
  std::vector<std::byte> structures;
};

Content of_each_rank(const StructureExchange& exchange, std::size_t aggregator) {
  Content content;
  const int me = exchange.comm.rank();
  for (const int rank : exchange.group.ranks()) {
    if (exchange.plan.local_aggregator_of[static_cast<std::size_t>(rank)] != me) continue;
    const auto structure = Structures::unpack(exchange.packed_of(rank), aggregator);
    if (structure.empty()) continue;
    content.entries.push_back({rank, std::ssize(structure)});
    content.structures.insert(content.structures.end(), structure.begin(), structure.end());
  }
  return content;
}

Content of_merged(const StructureExchange& exchange, std::size_t aggregator) {
  const layout::Layout& merged = *exchange.merged;
  const std::int64_t begin = exchange.plan.region.begin;
  const Extent domain = exchange.plan.domains[aggregator].extent;
  Content content;
  const Extent data = {layout::data_bytes_below(merged, domain.begin - begin),
                       layout::data_bytes_below(merged, domain.end - begin)};
  if (data.empty()) return content;
  layout::encode(layout::part_of(merged, data), content.structures);
  content.entries.push_back({exchange.comm.rank(), std::ssize(content.structures)});
  return content;
}

std::vector<std::byte> message_for(const StructureExchange& exchange, std::size_t aggregator) {
  const auto [entries, structures] =
      exchange.merged != nullptr ? of_merged(exchange, aggregator) : of_each_rank(exchange, aggregator);
  const auto head = std::as_bytes(std::span(entries));
  const auto count = static_cast<std::int64_t>(entries.size());
  std::vector<std::byte> message(sizeof(count));
  std::memcpy(message.data(), &count, sizeof(count));
  message.insert(message.end(), head.begin(), head.end());
  message.insert(message.end(), structures.begin(), structures.end());
  return message;
}

Status corrupt() { return {ErrorClass::kInternal, "a request structure arrived damaged"}; }

Result<layout::RequestList> read_request(std::span<const std::byte> structure) {
  Result<layout::Layout> wanted = layout::decode(structure);
  if (!wanted.ok()) return wanted.status();
  return layout::RequestList::in_file(wanted.value(), layout::Memory::of(nullptr, wanted.value().data_bytes()));
}

Status read_message(std::span<const std::byte> message, int local_aggregator, std::vector<FarRank>& far_ranks) {
  std::int64_t count = 0;
  if (message.size() < sizeof(count)) return corrupt();
  std::memcpy(&count, message.data(), sizeof(count));
  message = message.subspan(sizeof(count));
  if (count < 0 || static_cast<std::size_t>(count) > message.size() / sizeof(Entry)) return corrupt();
  std::vector<Entry> entries(static_cast<std::size_t>(count));
  if (count > 0) std::memcpy(entries.data(), message.data(), entries.size() * sizeof(Entry));
  message = message.subspan(entries.size() * sizeof(Entry));
  for (const Entry& entry : entries) {
    if (entry.bytes < 0 || static_cast<std::size_t>(entry.bytes) > message.size()) return corrupt();
    Result<layout::RequestList> request = read_request(message.first(static_cast<std::size_t>(entry.bytes)));
    if (!request.ok()) return request.status();
    const Extent extent = request.value().file_extent();
    far_ranks.push_back({static_cast<int>(entry.rank), local_aggregator, std::move(request).value(), extent});
    message = message.subspan(static_cast<std::size_t>(entry.bytes));
  }
  return {};
}

// One rank's part in the exchange: sizes first, then the messages. Before each the ranks agree that all have the memory
// for it.
class Exchanger {
 public:
  explicit Exchanger(const StructureExchange& exchange) : exchange_(exchange), comm_(exchange.comm) {}

  Result<std::vector<FarRank>> run() {
    Status status = comm::agree(comm_, guarded([this] { return prepare(); }));
    if (!status.ok()) return status;
    status = exchange_sizes();
    if (status.ok()) status = guarded([this] { return make_room(); });
    status = comm::agree(comm_, status);
    if (!status.ok()) return status;
    status = exchange_messages();
    std::vector<FarRank> far_ranks;
    if (status.ok()) status = guarded([&] { return read_all(far_ranks); });
    if (!status.ok()) return status;
    return far_ranks;
  }

 private:
  Status prepare() {
    prepare_sending();
    prepare_receiving();
    tickets_.reserve(receivers_.size() + senders_.size());
    return {};
  }

  void prepare_sending() {
    const plan::Plan& plan = exchange_.plan;
    const int me = comm_.rank();
    if (plan.local_aggregator_of[static_cast<std::size_t>(me)] != me) return;
    const auto has_me = [&](int rank) { return plan.local_aggregator_of[static_cast<std::size_t>(rank)] == me; };
    for (std::size_t a = 0; a < plan.aggregators.size(); ++a) {
      if (exchange_.group.contains(plan.aggregators[a])) continue;
      const bool any = std::ranges::any_of(exchange_.group.ranks(),
                                           [&](int rank) { return has_me(rank) && meets(exchange_, rank, a); });
      if (!any) continue;
      outgoing_.push_back(message_for(exchange_, a));
      outgoing_sizes_.push_back(std::ssize(outgoing_.back()));
      receivers_.push_back(plan.aggregators[a]);
    }
  }

  void prepare_receiving() {
    const plan::Plan& plan = exchange_.plan;
    const std::optional<std::size_t> mine = plan::aggregator_number(plan, comm_.rank());
    if (!mine) return;
    std::set<int> senders;
    for (int rank = 0; rank < comm_.size(); ++rank) {
      const int sender = plan.local_aggregator_of[static_cast<std::size_t>(rank)];
      if (!exchange_.group.contains(sender) && meets(exchange_, rank, *mine)) senders.insert(sender);
    }
    senders_.assign(senders.begin(), senders.end());
    incoming_.resize(senders_.size());
    incoming_sizes_.resize(senders_.size());
  }

  Status exchange_sizes() {
    for (std::size_t i = 0; i < outgoing_.size(); ++i) {
      tickets_.push_back(comm_.send(receivers_[i], std::as_bytes(std::span(&outgoing_sizes_[i], 1))));
      exchange_.counters.add(trace::Counter::kStructureMessages);
      exchange_.counters.add(trace::Counter::kStructureBytes, outgoing_sizes_[i]);
    }
    for (std::size_t i = 0; i < senders_.size(); ++i) {
      tickets_.push_back(comm_.receive(senders_[i], std::as_writable_bytes(std::span(&incoming_sizes_[i], 1))));
    }
    return wait();
  }

  Status make_room() {
    for (std::size_t i = 0; i < incoming_.size(); ++i)
      incoming_[i].resize(static_cast<std::size_t>(incoming_sizes_[i]));
    return {};
  }

  Status exchange_messages() {
    for (std::size_t i = 0; i < incoming_.size(); ++i) tickets_.push_back(comm_.receive(senders_[i], incoming_[i]));
    for (std::size_t i = 0; i < outgoing_.size(); ++i) tickets_.push_back(comm_.send(receivers_[i], outgoing_[i]));
    return wait();
  }

  Status wait() {
    Status status = comm_.wait(tickets_);
    tickets_.clear();
    return status;
  }

  Status read_all(std::vector<FarRank>& far_ranks) const {
    for (std::size_t i = 0; i < incoming_.size(); ++i) {
      Status status = read_message(incoming_[i], senders_[i], far_ranks);
      if (!status.ok()) return status;
    }
    return {};
  }

  const StructureExchange& exchange_;
  comm::Comm& comm_;
  std::vector<comm::Ticket> tickets_;
  std::vector<int> receivers_, senders_;
  std::vector<std::vector<std::byte>> outgoing_, incoming_;
  std::vector<std::int64_t> outgoing_sizes_, incoming_sizes_;
};

}  // namespace

std::int64_t Structures::packed_bytes() const {
  if (of_aggregator_.empty()) return 0;
  auto bytes = static_cast<std::int64_t>(of_aggregator_.size() * sizeof(Place));
  for (const std::vector<std::byte>& structure : of_aggregator_) bytes += std::ssize(structure);
  return bytes;
}

void Structures::pack(std::span<std::byte> block) const {
  auto begin = static_cast<std::int64_t>(of_aggregator_.size() * sizeof(Place));
  for (std::size_t a = 0; a < of_aggregator_.size(); ++a) {
    const Place place{begin, std::ssize(of_aggregator_[a])};
    std::memcpy(block.data() + a * sizeof(Place), &place, sizeof(place));
    std::copy(of_aggregator_[a].begin(), of_aggregator_[a].end(), block.begin() + begin);
    begin += place.bytes;
  }
}

std::span<const std::byte> Structures::unpack(const std::byte* block, std::size_t aggregator) {
  Place place;
  std::memcpy(&place, block + aggregator * sizeof(Place), sizeof(place));
  return {block + place.begin, static_cast<std::size_t>(place.bytes)};
}

Structures structures_for(const plan::Plan& plan, const layout::RequestList& requests,
                          const std::function<bool(std::size_t aggregator)>& wanted) {
  std::vector<std::vector<std::byte>> of_aggregator(plan.aggregators.size());
  bool any = false;
  const layout::Layout relative = requests.view().layout().shifted(-plan.region.begin);
  for (std::size_t a = 0; a < plan.aggregators.size(); ++a) {
    if (!wanted(a)) continue;
    any = true;
    const Extent positions = requests.positions_within(plan.domains[a].extent);
    if (positions.empty()) continue;
    const Extent data = {requests.data_offset() + positions.begin, requests.data_offset() + positions.end};
    layout::encode(layout::part_of(relative, data), of_aggregator[a]);
  }
  return any ? Structures(std::move(of_aggregator)) : Structures();
}

Result<std::vector<layout::RequestList>> read_structures(std::span<const std::byte* const> blocks,
                                                         std::size_t aggregator) {
  std::vector<layout::RequestList> requests;
  for (const std::byte* block : blocks) {
    const auto structure = Structures::unpack(block, aggregator);
    if (structure.empty()) continue;
    Result<layout::RequestList> request = read_request(structure);
    if (!request.ok()) return request.status();
    requests.push_back(std::move(request).value());
  }
  return requests;
}

Result<std::vector<FarRank>> exchange_structures(const StructureExchange& exchange) {
  return Exchanger(exchange).run();
}

}  // namespace weir::exec
