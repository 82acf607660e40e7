#include "layout/coverage_map.h"

#include <algorithm>

#include "layout/leaf_pieces.h"

namespace weir::layout {
namespace {

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
constexpr std::uint64_t kBits = CoverageMap::kWordBits;

// Bits are only ever set: a store that sets them all loses nobody's mark, and bits that are set need no change.
void set_bits(std::uint64_t& word, std::uint64_t mask) {
  const std::atomic_ref<std::uint64_t> shared(word);
  if (mask == kAllBits) return shared.store(mask, std::memory_order_relaxed);
  if ((shared.load(std::memory_order_relaxed) & mask) != mask) shared.fetch_or(mask, std::memory_order_relaxed);
}

// Collects the bits of neighbouring pieces, so that each word is changed once.
class WordMarker {
 public:
  explicit WordMarker(std::uint64_t* words) : words_(words) {}

  // REQUIRES: begin >= 0, bytes > 0.
  void add(std::int64_t begin, std::int64_t bytes) {
    const auto first_bit = static_cast<std::uint64_t>(begin);
    const auto bits = static_cast<std::uint64_t>(bytes);
    const std::uint64_t shift = first_bit % kBits;
    if (shift + bits <= kBits) return collect(first_bit / kBits, kAllBits >> (kBits - bits) << shift);
    collect(first_bit / kBits, kAllBits << shift);
    const std::uint64_t last_bit = first_bit + bits - 1;
    for (std::uint64_t word = first_bit / kBits + 1; word < last_bit / kBits; ++word) set_bits(words_[word], kAllBits);
    collect(last_bit / kBits, kAllBits >> (kBits - 1 - last_bit % kBits));
  }

  // Sets what is still collected.
  void finish() {
    if (mask_ != 0) set_bits(words_[word_], mask_);
    mask_ = 0;
  }

 private:
  void collect(std::uint64_t word, std::uint64_t mask) {
    if (word != word_) finish();
    word_ = word;
    mask_ |= mask;
  }

  std::uint64_t* words_;
  std::uint64_t word_ = 0;
  std::uint64_t mask_ = 0;  // of word_, not yet set there
};

// Marks `bytes` bytes of the pieces, from byte `inner` of the first one on. REQUIRES: the pieces have as many.
template <typename Pieces>
LeafPlace mark_leaf(const Pieces& pieces, std::int64_t inner, std::uint64_t* words, std::int64_t bytes) {
  WordMarker marker(words);
  std::int64_t index = 0;
  while (bytes > 0) {
    const std::int64_t piece = pieces.length(index) - inner;
    marker.add(pieces.offset(index) + inner, std::min(piece, bytes));
    if (bytes < piece) {
      marker.finish();
      return {index, inner + bytes};
    }
    bytes -= piece;
    inner = 0;
    ++index;
  }
  marker.finish();
  return {index, 0};
}

}  // namespace

void CoverageMap::clear(std::int64_t bytes) {
  const auto whole = static_cast<std::size_t>(bytes / kWordBits);
  std::fill_n(words_.begin(), whole, 0);
  if (const std::int64_t rest = bytes % kWordBits; rest != 0) words_[whole] &= kAllBits << rest;
}

void CoverageMap::mark(std::int64_t begin, std::int64_t bytes) {
  if (bytes <= 0) return;
  WordMarker marker(words_.data());
  marker.add(begin, bytes);
  marker.finish();
}

bool CoverageMap::covers(std::int64_t begin, std::int64_t bytes) const {
  const std::int64_t end = begin + bytes;
  for (std::int64_t at = begin; at < end;) {
    const std::int64_t shift = at % kWordBits;
    const std::int64_t bits = std::min(end - at, kWordBits - shift);
    const std::uint64_t mask = kAllBits >> (kWordBits - bits) << shift;
    if ((load(static_cast<std::size_t>(at / kWordBits)) & mask) != mask) return false;
    at += bits;
  }
  return true;
}

bool CoverageMap::any(std::int64_t bytes) const {
  const auto whole = static_cast<std::size_t>(bytes / kWordBits);
  for (std::size_t index = 0; index < whole; ++index) {
    if (load(index) != 0) return true;
  }
  const std::int64_t rest = bytes % kWordBits;
  return rest != 0 && (load(whole) & (kAllBits >> (kWordBits - rest))) != 0;
}

void mark_pieces(Cursor& file, CoverageMap& map, std::int64_t begin, std::int64_t bytes) {
  while (bytes > 0) {
    const std::int64_t inner = file.leaf_position().inner;
    with_leaf_pieces(file, -begin, [&](const auto& pieces) {
      const std::int64_t marked = std::min(bytes, pieces.bytes_before(pieces.count) - inner);
      const LeafPlace place = mark_leaf(pieces, inner, map.words().data(), marked);
      file.skip_entries(place.index, place.inner, marked);
      bytes -= marked;
    });
  }
}

}  // namespace weir::layout
