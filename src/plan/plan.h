// Plan: everything decided before data moves. Planning is arithmetic: the same summaries, facts and wishes give the
// same plan on every rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/extent.h"
#include "plan/facts.h"
#include "plan/locality.h"
#include "plan/pairs.h"
#include "plan/prefetch.h"
#include "plan/rank_table.h"
#include "plan/steps.h"
#include "plan/summary.h"

namespace weir::plan {

struct Plan {
  Method method = Method::kNothing;
  std::string reason;
  Direction direction = Direction::kRead;
  Extent region;  // all bytes of the call lie in here
  std::int64_t bytes = 0;
  std::int64_t pieces = 0;
  int active_ranks = 0;       // ranks that have bytes to move
  bool large_pieces = false;  // why every rank accesses the file itself
  bool moved = false;         // all of them have done so before they met
  Steps predicted;            // what it takes, by the model of the machine

  // What follows is for kTwoPhase.
  std::vector<int> aggregators;  // ranks; aggregator i owns domain i
  std::string aggregators_reason;
  DomainKind domain_kind = DomainKind::kEven;
  std::string domains_reason;
  std::vector<Domain> domains;
  Traffic traffic;  // between nodes, estimated
  RoundSize round_size;
  std::string window_reason;
  std::int64_t rounds = 0;  // of the aggregator that has most
  int depth = 1;            // rounds in flight
  // What the messages of a local aggregator or an aggregator should take in one round, at most: cb_buffer_size.
  std::int64_t most_message_bytes = std::numeric_limits<std::int64_t>::max();
  Exchange exchange = Exchange::kShared;
  std::string exchange_reason;
  bool in_memory = true;          // ranks of a node meet in memory; else each is alone
  RankTable sharing_of;           // ranks with the same number meet in memory, the others by messages
  RankTable local_aggregator_of;  // of each rank
  int local_aggregators = 1;      // of a node, at most
  std::string local_aggregators_reason;
  Merging merging = Merging::kOff;  // kTry until the requests have been inspected
  std::string merging_reason;       // none where nothing leaves a node
  // Only those with bytes for each other meet and exchange anything; dense: all do, in every round. Empty: as will be
  // counted when the call is inspected.
  std::optional<bool> sparse;
  Pairs pairs;                        // as counted then
  Prefetch prefetch;                  // of the aggregators' reads
  std::vector<std::string> replaced;  // wishes that could not be followed, and what was done instead

  bool operator==(const Plan&) const = default;
};

// Ranks that have moved their bytes already have no part in it, unless that is true of all.
Plan make_plan(const Facts& facts, std::span<const AccessSummary> summaries);

// Whether a rank does best to move its bytes before it meets the others, so that one meeting is enough: the call
// before, in the same direction and with the same hints, had large pieces on all ranks, and this rank's request is one.
// If the others turn out to do something else, only they go on with it.
bool moves_ahead(const Storage& storage, bool large_pieces_before, const AccessSummary& mine);

// The number of the domain that the rank owns as aggregator, if it is one.
std::optional<std::size_t> aggregator_number(const Plan& plan, int rank);

// Whether a rank may have bytes in a domain, as far as its extent tells.
bool meets(const AccessSummary& summary, const Domain& domain);

// Whether the same requests, `distance` further on in the file, have the same plan, moved as far. False where they may
// have, by a distance that does not fit the plan's boundaries.
bool moves_by(const Plan& plan, std::int64_t distance);

// The plan for the same requests, moved. REQUIRES moves_by(plan, distance).
Plan moved(Plan plan, std::int64_t distance);

// One line that says everything in the plan; golden tests compare it.
std::string print(const Plan& plan);

std::size_t hash(const Plan& plan);

}  // namespace weir::plan
