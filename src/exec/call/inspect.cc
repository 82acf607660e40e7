#include "exec/call/inspect.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "base/guarded.h"
#include "comm/agree.h"
#include "comm/collectives.h"
#include "exec/call/count_pairs.h"
#include "exec/call/fill_rounds.h"
#include "exec/call/member_tables.h"
#include "exec/call/request_merge.h"
#include "exec/call/shares.h"
#include "exec/call/structures.h"
#include "exec/stage/parcel_ship.h"
#include "exec/stage/touched_blocks.h"
#include "exec/stage/trade_ship.h"
#include "exec/stage/trader.h"
#include "layout/encode.h"
#include "layout/tiling.h"
#include "plan/exchange.h"
#include "plan/fit.h"

namespace weir::exec {

namespace {

constexpr std::int64_t kNoMemory = -1;

Status no_memory() { return {ErrorClass::kNoMemory, "no memory for the schedule of a collective call"}; }

class Inspector {
 public:
  explicit Inspector(const InspectInput& input) : input_(input), plan_(input.plan), me_(input.comm.rank()) {}

  Result<Schedule> run();

 private:
  bool writing() const { return plan_.direction == Direction::kWrite; }
  bool far(std::size_t aggregator) const { return !input_.group.contains(plan_.aggregators[aggregator]); }

  // Aggregators that prefetch know what their own groups' ranks ask for.
  bool prefetches() const { return plan_.prefetch.max_acc > 0; }
  bool several_groups() const { return input_.group.ranks().size() < plan_.sharing_of.size(); }
  bool merging() const { return plan_.merging != plan::Merging::kOff && several_groups(); }
  bool pairwise() const { return plan_.exchange == plan::Exchange::kPairwise; }

  std::int64_t prepare();
  Status get_memory();
  void list_aggregators();
  void list_parties();
  void fill_table();
  Status merge();
  Result<Schedule> run_in_one_group();
  Result<Schedule> run_with_structures();
  void read_tables();
  void order_far_ranks();
  Status read_near_requests();
  Status prepare_ship();
  void note_pairs();
  Status agree_on_pairs(const Status& mine);
  Status finish();

  const InspectInput& input_;
  const plan::Plan& plan_;
  const int me_;
  std::optional<layout::Tiling> tiling_;
  Schedule schedule_;
  RoundTable<Share> shares_;            // of this rank
  Structures structures_;               // of this rank, for aggregators of other groups, unless merged
  std::vector<std::byte> request_;      // of this rank, encoded, to be merged
  std::optional<RequestMerge> merge_;   // what became of that
  std::optional<MemberTables> tables_;  // what this rank and those of its group tell each other
  std::vector<int> parties_;            // of pairwise and dense exchange: the local aggregators, ascending
  std::vector<int> far_parties_;        // those of other groups
  std::vector<std::int64_t> numbers_;   // that a party tells and hears
};

// What can fail for lack of memory comes first; all ranks hear of it with the next thing they tell each other.
std::int64_t Inspector::prepare() {
  if (!guarded([this] { return get_memory(); }).ok()) return kNoMemory;
  return tables_->bytes_with(merging() ? std::ssize(request_) : structures_.packed_bytes());
}

Status Inspector::get_memory() {
  tiling_.emplace(input_.seed);
  schedule_.pairs = plan::possible_pairs(plan_);
  schedule_.dense = plan_.sparse == false;
  schedule_.rounds = rounds_of(plan_);
  shares_ = shares_of(input_.requests, plan_, writing() ? &*tiling_ : nullptr);
  schedule_.berths = Berths::of(input_.group, plan_);
  schedule_.aggregator = plan::aggregator_number(plan_, me_);
  list_aggregators();
  note_pairs();
  if (several_groups() && (schedule_.dense || pairwise())) list_parties();
  if (merging()) {
    layout::encode(input_.requests.view().filetype().shifted(-plan_.region.begin), request_);
  } else {
    structures_ = structures_for(plan_, input_.requests, [this](std::size_t a) { return far(a) || prefetches(); });
  }
  tables_.emplace(input_.comm, input_.group, plan_);
  if (!schedule_.aggregator) return {};
  const auto rounds = static_cast<std::size_t>(schedule_.rounds[*schedule_.aggregator]);
  schedule_.window_users.reserve(rounds);
  schedule_.window_bytes.reserve(rounds);
  schedule_.window_marked.reserve(rounds);
  schedule_.freight.reserve(rounds);
  input_.stores.file_lane.reserve(Stores::kBatch);
  return {};
}

// Which aggregators this rank meets in memory, what it has for them, and how often it has bytes for the others.
void Inspector::list_aggregators() {
  std::size_t visits = 0;
  for (std::size_t a = 0; a < plan_.aggregators.size(); ++a) {
    if (!far(a)) {
      if (a == schedule_.aggregator) schedule_.own_place = schedule_.near.size();
      schedule_.near.push_back(a);
      continue;
    }
    for (std::int64_t round = 0; round < plan_.rounds; ++round) visits += shares_.at(a, round).bytes > 0 ? 1 : 0;
  }
  schedule_.visits.reserve(plan_.rounds, visits);
  schedule_.near_bytes = RoundTable<std::int64_t>(schedule_.near.size(), plan_.rounds);
  for (std::size_t i = 0; i < schedule_.near.size(); ++i) {
    for (std::int64_t round = 0; round < plan_.rounds; ++round) {
      schedule_.near_bytes.at(i, round) = shares_.at(schedule_.near[i], round).bytes;
    }
  }
}

// Who sends and receives; who trades, and room for what this rank learns of it if it is one of them.
void Inspector::list_parties() {
  parties_ = plan::parties_of(plan_);
  std::ranges::copy_if(parties_, std::back_inserter(far_parties_),
                       [this](int party) { return !input_.group.contains(party); });
  if (!pairwise()) return;
  const auto me = std::ranges::lower_bound(parties_, me_);
  if (me == parties_.end() || *me != me_) return;
  schedule_.trades = Trades(parties_, static_cast<std::size_t>(me - parties_.begin()), plan_.rounds);
  numbers_.resize(schedule_.trades.most_numbers());
}

// This rank's shares, and behind them its structures; to be merged, its request.
void Inspector::fill_table() {
  std::byte* behind_shares = tables_->fill(shares_.all());
  std::ranges::copy(request_, behind_shares);
  structures_.pack({behind_shares, static_cast<std::size_t>(structures_.packed_bytes())});
  tables_->tell();
}

// Merges the requests of the ranks of each local aggregator, where that turns out to be good.
Status Inspector::merge() {
  const auto request_of = [this](int rank) { return tables_->behind_shares(rank); };
  merge_.emplace(RequestMerge::Input{input_.comm, input_.group, plan_, schedule_.berths, request_of});
  Result<plan::MergeCounts> found = merge_->count();
  if (!found.ok()) return found.status();
  schedule_.merge_counts = found.value();
  schedule_.own_pieces = merge_->own_pieces();
  if (plan::settled_merging(plan_, found.value()) == plan::Merging::kOff) return {};
  Status status = merge_->share();
  if (!status.ok()) return status;
  return comm::agree(input_.comm, guarded([this]() -> Status {
                       schedule_.merged = std::make_shared<MergedPlaces>(merge_->merged());
                       return {};
                     }));
}

void Inspector::read_tables() {
  fill_rounds({input_.group, me_, plan_, *tables_, *tiling_, merge_ ? &*merge_ : nullptr, far_parties_}, schedule_);
}

// Pairwise exchange brings parcels in the order of a bundle.
void Inspector::order_far_ranks() {
  const auto place = [&](const FarRank& far_rank) {
    const auto party = std::ranges::lower_bound(parties_, far_rank.local_aggregator) - parties_.begin();
    return std::pair(Trades::place_in_bundle(static_cast<std::size_t>(party), parties_.size()), far_rank.rank);
  };
  std::ranges::sort(schedule_.far_ranks, {}, place);
}

Status Inspector::read_near_requests() {
  if (!prefetches() || !schedule_.aggregator) return {};
  std::vector<const std::byte*> blocks;
  for (const int rank : input_.group.ranks()) blocks.push_back(tables_->behind_shares(rank).data());
  Result<std::vector<layout::RequestList>> requests = read_structures(blocks, *schedule_.aggregator);
  if (!requests.ok()) return requests.status();
  schedule_.near_requests = std::move(requests).value();
  std::vector<Extent>& room = input_.stores.touched_blocks;
  room.resize(std::max(room.size(), TouchedBlocks::ranks_of(schedule_)));
  return {};
}

// What a ship will need.
Status Inspector::prepare_ship() {
  schedule_.far_movers->reserve(schedule_.far_ranks.size());
  for (const FarRank& far_rank : schedule_.far_ranks) schedule_.far_movers->emplace_back(far_rank.requests);
  if (pairwise()) schedule_.freight_buffer_bytes = schedule_.trades.most_bytes();
  const std::size_t buffers = pairwise() ? TradeShip::kBuffers : ParcelShip::freight_rounds(plan_);
  const std::size_t bytes = buffers * static_cast<std::size_t>(schedule_.freight_buffer_bytes);
  std::vector<std::byte>& freight = input_.stores.freight;
  if (freight.size() < bytes) freight = std::vector<std::byte>(bytes);
  return {};
}

// One number for all local aggregators, so that everybody finds their buffers; and one outcome. Once all ranks have the
// memory for it, traders learn what they will hold.
Status Inspector::finish() {
  const Status read = guarded([this]() -> Status {
    if (pairwise()) order_far_ranks();
    read_tables();
    note_pairs();
    return read_near_requests();
  });
  constexpr std::int64_t kFailed = std::numeric_limits<std::int64_t>::max();
  std::int64_t most[] = {read.ok() ? schedule_.parcel_buffer_bytes : kFailed,
                         pairwise() ? 0 : std::max(schedule_.parcel_buffer_bytes, schedule_.freight_buffer_bytes)};
  Status status = comm::reduce_all(input_.comm, comm::Reduction::kMax, most);
  if (!status.ok()) return status;
  if (most[0] == kFailed) return comm::agree(input_.comm, read);
  schedule_.parcel_buffer_bytes = most[0];
  schedule_.most_message_bytes = most[1];
  // With messages that are too large the ranks will plan again: no ship sails by this schedule.
  if (plan::window_for_messages(plan_, most[1]) != plan_.round_size.window_bytes) return {};
  status = learn_sizes(input_.comm, schedule_.trades, numbers_);
  if (status.ok()) status = guarded([this] { return prepare_ship(); });
  return agree_on_pairs(status);
}

void Inspector::note_pairs() {
  const plan::Pairs counted = count_pairs(schedule_);
  schedule_.pairs.with_bytes = counted.with_bytes;
  schedule_.pairs.turns_with_bytes = counted.turns_with_bytes;
}

// One outcome for all ranks and, with it, how many pairs have bytes.
Status Inspector::agree_on_pairs(const Status& mine) {
  std::int64_t sums[] = {mine.ok() ? 0 : 1, schedule_.pairs.with_bytes, schedule_.pairs.turns_with_bytes};
  Status status = comm::reduce_all(input_.comm, comm::Reduction::kSum, sums);
  if (!status.ok()) return status;
  if (sums[0] > 0) return comm::agree(input_.comm, mine);
  schedule_.pairs.with_bytes = sums[1];
  schedule_.pairs.turns_with_bytes = sums[2];
  return {};
}

Result<Schedule> Inspector::run() {
  return several_groups() || prefetches() ? run_with_structures() : run_in_one_group();
}

// After the agreement nobody waits but the aggregators, for the tables; the others meet them when the first windows are
// opened. Nothing is allocated any more.
Result<Schedule> Inspector::run_in_one_group() {
  const std::int64_t need = prepare();
  Status status = agree_on_pairs(need == kNoMemory ? no_memory() : Status());
  if (!status.ok()) return status;
  status = tables_->place_equal(need);
  if (!status.ok()) return status;
  fill_table();
  if (schedule_.aggregator) {
    tables_->await();
    read_tables();
  }
  return std::move(schedule_);
}

Result<Schedule> Inspector::run_with_structures() {
  Result<std::vector<std::int64_t>> needs = comm::all_gather_values(input_.comm, prepare());
  if (!needs.ok()) return needs.status();
  if (std::ranges::find(needs.value(), kNoMemory) != needs.value().end()) return no_memory();
  Status status = tables_->place(needs.value());
  if (!status.ok()) return status;
  fill_table();
  tables_->await();
  if (merging()) {
    status = merge();
    if (!status.ok()) return status;
    if (!schedule_.merged) return std::move(schedule_);
  }
  const auto packed_of = [this](int rank) { return tables_->behind_shares(rank).data(); };
  const layout::Layout* merged = schedule_.merged ? &schedule_.merged->merged() : nullptr;
  Result<std::vector<FarRank>> far_ranks =
      exchange_structures({input_.comm, input_.group, plan_, input_.summaries, packed_of, merged, input_.counters});
  status = comm::agree(input_.comm, far_ranks.status());
  if (!status.ok()) return status;
  schedule_.far_ranks = std::move(far_ranks).value();
  status = finish();
  if (!status.ok()) return status;
  return std::move(schedule_);
}

}  // namespace

Result<Schedule> inspect(const InspectInput& input) { return Inspector(input).run(); }

}  // namespace weir::exec
