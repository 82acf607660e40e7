#include "exec/stage/share_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace weir::exec {

Status GroupMemory::ensure(comm::Comm& comm, bool shared, std::size_t bytes) {
  if (bytes <= bytes_.size()) return {};
  // A little more than asked for: the next call is often a little larger.
  const std::size_t more = std::min(bytes / 4, kMostSpare);
  const std::size_t rounded = (bytes + more + kAlignment - 1) / kAlignment * kAlignment;
  if (shared) {
    Result<comm::SharedMemory> memory = comm::SharedMemory::create(comm, rounded);
    if (!memory.ok()) return memory.status();
    shared_.emplace(std::move(memory).value());
    bytes_ = shared_->bytes();
    return {};
  }
  auto* memory = static_cast<std::byte*>(::operator new[](rounded, std::align_val_t(kAlignment), std::nothrow));
  if (memory == nullptr) return {ErrorClass::kNoMemory, fmt::format("no memory for {} bytes of buffers", rounded)};
  std::memset(memory, 0, rounded);
  own_.reset(memory);
  bytes_ = {memory, rounded};
  return {};
}

ShareGroup::ShareGroup(std::vector<int> ranks, std::shared_ptr<comm::SharedMemory> memory, std::byte* words)
    : ranks_(std::move(ranks)), shared_memory_(std::move(memory)) {
  make_rings(reinterpret_cast<RankWords*>(words));
}

ShareGroup::ShareGroup(int rank) : ranks_{rank}, own_words_(std::make_unique<RankWords>()) {
  make_rings(own_words_.get());
}

void ShareGroup::make_rings(RankWords* words) {
  patience_ = sys::patience_for(static_cast<int>(ranks_.size()));
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    windows_.emplace_back(&words[i].windows, patience_, ranks_[i]);
    parcels_.emplace_back(&words[i].parcels, patience_, ranks_[i]);
  }
  told_ = &words[0].told;
}

void ShareGroup::tell_tables() {
  ++tellings_;
  told_->add();
}

void ShareGroup::await_tables(sys::Company* company) {
  const auto everyone = tellings_ * static_cast<std::uint32_t>(ranks_.size());
  told_->wait_for(everyone, {company, {"what the ranks of the node tell of their requests"}, patience_});
}

bool ShareGroup::contains(int rank) const { return std::binary_search(ranks_.begin(), ranks_.end(), rank); }

std::size_t ShareGroup::index_of(int rank) const {
  return static_cast<std::size_t>(std::lower_bound(ranks_.begin(), ranks_.end(), rank) - ranks_.begin());
}

}  // namespace weir::exec
