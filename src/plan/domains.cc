#include "plan/domains.h"

#include <algorithm>

namespace weir::plan {

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

std::int64_t nearest_multiple(std::int64_t value, std::int64_t unit) {
  const std::int64_t below = value / unit * unit;
  return value - below < (unit + 1) / 2 ? below : below + unit;
}

std::vector<Domain> contiguous_domains(const DomainRequest& request, std::int64_t unit) {
  const Extent region = request.region;
  const std::int64_t share = ceil_div(region.bytes(), request.aggregators);
  const auto boundary = [&](std::int64_t index) {
    if (index == 0) return region.begin;
    if (index >= request.aggregators) return region.end;
    // In this order nothing overflows: index * share < bytes, or the boundary is the end.
    if (share > 0 && index > region.bytes() / share) return region.end;
    const std::int64_t even = std::min(region.begin + index * share, region.end);
    return std::clamp(nearest_multiple(even, unit), region.begin, region.end);
  };
  std::vector<Domain> domains;
  for (int i = 0; i < request.aggregators; ++i) domains.push_back({{boundary(i), boundary(i + 1)}});
  return domains;
}

// Blocks of `part` whose number is congruent to `residue` modulo `modulus`.
Domain cyclic_domain(Extent part, std::int64_t lock_bytes, std::int64_t residue, std::int64_t modulus) {
  const std::int64_t first = part.begin / lock_bytes;
  const std::int64_t ahead = ((residue - first) % modulus + modulus) % modulus;
  return {part, (first + ahead) * lock_bytes, lock_bytes, modulus * lock_bytes};
}

std::vector<Domain> static_cyclic_domains(const DomainRequest& request) {
  std::vector<Domain> domains;
  for (int i = 0; i < request.aggregators; ++i) {
    domains.push_back(cyclic_domain(request.region, request.lock_bytes, i, request.aggregators));
  }
  return domains;
}

std::vector<Domain> group_cyclic_domains(const DomainRequest& request) {
  const std::int64_t lock_bytes = request.lock_bytes;
  const int aggregators = request.aggregators;
  const std::int64_t groups = aggregators / request.servers;
  const std::int64_t first_block = request.region.begin / lock_bytes;
  const std::int64_t blocks = ceil_div(request.region.end, lock_bytes) - first_block;
  const auto boundary = [&](std::int64_t group) {  // blocks / groups first: the product could overflow
    const std::int64_t share = blocks / groups * group + std::min(blocks % groups, group);
    return std::clamp((first_block + share) * lock_bytes, request.region.begin, request.region.end);
  };
  std::vector<Domain> domains(static_cast<std::size_t>(aggregators));
  for (std::int64_t group = 0; group < groups; ++group) {
    for (int member = 0; member < request.servers; ++member) {
      const std::int64_t number = (first_block + group * request.servers + member) % aggregators;
      const Extent part = {boundary(group), boundary(group + 1)};
      domains[static_cast<std::size_t>(number)] =
          cyclic_domain(part, lock_bytes, number % request.servers, request.servers);
    }
  }
  return domains;
}

std::int64_t first_window(const Domain& domain, RoundSize size) {
  const std::int64_t unit = size.window_bytes % size.unit == 0 ? size.unit : 1;
  return domain.extent.begin / unit * unit;
}

// Blocks that begin before the end of the domain.
std::int64_t block_count(const Domain& domain) {
  if (domain.extent.empty() || domain.first_block >= domain.extent.end) return 0;
  return (domain.extent.end - 1 - domain.first_block) / domain.stride_bytes + 1;
}

}  // namespace

const char* name(DomainKind kind) {
  switch (kind) {
    case DomainKind::kEven: return "even";
    case DomainKind::kAligned: return "aligned";
    case DomainKind::kStaticCyclic: return "static_cyclic";
    case DomainKind::kGroupCyclic: return "group_cyclic";
  }
  return "unknown";
}

std::int64_t Window::bytes() const {
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < count; ++i) total += extent(i).bytes();
  return total;
}

Window Window::moved(std::int64_t distance) const {
  Window window = *this;
  window.first_block += distance;
  window.clip = {clip.begin + distance, clip.end + distance};
  return window;
}

std::vector<Domain> make_domains(const DomainRequest& request) {
  switch (request.kind) {
    case DomainKind::kEven: return contiguous_domains(request, 1);
    case DomainKind::kAligned: return contiguous_domains(request, request.lock_bytes);
    case DomainKind::kStaticCyclic: return static_cyclic_domains(request);
    case DomainKind::kGroupCyclic: break;
  }
  return request.aggregators > request.servers ? group_cyclic_domains(request) : static_cyclic_domains(request);
}

std::int64_t round_count(const Domain& domain, RoundSize size) {
  if (domain.extent.empty()) return 0;
  if (domain.block_bytes == 0) return ceil_div(domain.extent.end - first_window(domain, size), size.window_bytes);
  const std::int64_t blocks_per_window = size.window_bytes / domain.block_bytes;
  if (blocks_per_window > 0) return ceil_div(block_count(domain), blocks_per_window);
  return block_count(domain) * ceil_div(domain.block_bytes, size.window_bytes);
}

Window window_of(const Domain& domain, RoundSize size, std::int64_t round) {
  if (domain.block_bytes == 0) {
    const std::int64_t begin = first_window(domain, size) + round * size.window_bytes;
    return {begin, size.window_bytes, size.window_bytes, 1, domain.extent};
  }
  const std::int64_t blocks_per_window = size.window_bytes / domain.block_bytes;
  if (blocks_per_window > 0) {
    const std::int64_t first = round * blocks_per_window;
    return {domain.first_block + first * domain.stride_bytes, domain.block_bytes, domain.stride_bytes,
            std::min(blocks_per_window, block_count(domain) - first), domain.extent};
  }
  const std::int64_t parts = ceil_div(domain.block_bytes, size.window_bytes);
  const std::int64_t block = domain.first_block + round / parts * domain.stride_bytes;
  const Extent clip = intersection({block, block + domain.block_bytes}, domain.extent);
  return {block + round % parts * size.window_bytes, size.window_bytes, size.window_bytes, 1, clip};
}

}  // namespace weir::plan
