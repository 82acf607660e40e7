#include "exec/call/member_tables.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/bytes.h"
#include "comm/agree.h"

namespace weir::exec {

namespace {

std::int64_t aligned(std::int64_t bytes) { return round_up<std::int64_t>(bytes, 64); }

}  // namespace

MemberTables::MemberTables(comm::Comm& comm, ShareGroup& group, const plan::Plan& plan)
    : comm_(comm), group_(group), plan_(plan), begin_(group.ranks().size()), end_of_group_(plan.sharing_of.size()) {}

std::int64_t MemberTables::shares_bytes() const {
  return aligned(std::ssize(plan_.domains) * plan_.rounds * static_cast<std::int64_t>(sizeof(Share)));
}

std::int64_t MemberTables::bytes_with(std::int64_t behind) const { return shares_bytes() + aligned(behind); }

Status MemberTables::place(std::span<const std::int64_t> needs) {
  std::int64_t most = 0;
  for (std::size_t rank = 0; rank < needs.size(); ++rank) {
    std::int64_t& end = end_of_group_[static_cast<std::size_t>(plan_.sharing_of[rank])];
    const int number = static_cast<int>(rank);
    if (group_.contains(number)) begin_[group_.index_of(number)] = end;
    end += needs[rank];
    most = std::max(most, end);
  }
  Status status = ensure(most);
  return group_.shared() ? status : comm::agree(comm_, status);
}

Status MemberTables::place_equal(std::int64_t need) {
  for (std::size_t member = 0; member < begin_.size(); ++member) {
    begin_[member] = static_cast<std::int64_t>(member) * need;
  }
  return ensure(static_cast<std::int64_t>(begin_.size()) * need);
}

Status MemberTables::ensure(std::int64_t bytes) {
  return group_.tables().ensure(comm_, group_.shared(), static_cast<std::size_t>(bytes));
}

std::byte* MemberTables::fill(std::span<const Share> shares) {
  std::byte* mine = table(group_.index_of(comm_.rank()));
  if (!shares.empty()) std::memcpy(mine, shares.data(), shares.size_bytes());
  return mine + shares_bytes();
}

const Share& MemberTables::share(std::size_t member, std::size_t aggregator, std::int64_t round) const {
  const std::size_t index = aggregator * static_cast<std::size_t>(plan_.rounds) + static_cast<std::size_t>(round);
  return reinterpret_cast<const Share*>(table(member))[index];
}

std::span<const std::byte> MemberTables::behind_shares(int rank) const {
  const std::span<const std::byte> all = group_.tables().bytes();
  return {table(group_.index_of(rank)) + shares_bytes(), all.data() + all.size()};
}

}  // namespace weir::exec
