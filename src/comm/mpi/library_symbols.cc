#include "comm/mpi/library_symbols.h"

#include <dlfcn.h>

#include <algorithm>

namespace weir::comm {

namespace {

template <typename Entry>
std::span<const Entry> table_at(ElfW(Addr) address, std::size_t bytes) {
  return {reinterpret_cast<const Entry*>(address), address == 0 ? 0 : bytes / sizeof(Entry)};
}

// The table of hashes: four words about it, a filter, the first symbol of each bucket, and a word per symbol, whose
// lowest bit marks the last one of a bucket.
struct HashTable {
  std::uint32_t first_symbol;
  std::span<const std::uint32_t> buckets;
  const std::uint32_t* chains;  // of first_symbol, and so on

  explicit HashTable(const std::uint32_t* words) : first_symbol(words[1]) {
    const std::uint32_t filter_words = words[2];
    const std::uint32_t* after_filter = words + 4 + filter_words * (sizeof(ElfW(Addr)) / sizeof(std::uint32_t));
    buckets = {after_filter, words[0]};
    chains = after_filter + words[0];
  }

  // One past the last symbol.
  std::uint32_t end() const {
    const auto last_bucket = std::ranges::max_element(buckets);
    if (last_bucket == buckets.end() || *last_bucket < first_symbol) return first_symbol;
    std::uint32_t symbol = *last_bucket;
    while ((chains[symbol - first_symbol] & 1U) == 0) ++symbol;
    return symbol + 1;
  }
};

}  // namespace

const link_map* library_of(const void* inside) {
  Dl_info info = {};
  link_map* library = nullptr;
  if (dladdr1(inside, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) == 0) return nullptr;
  return library;
}

SymbolTables tables_of(const link_map& library) {
  SymbolTables tables;
  ElfW(Addr) plt = 0;
  ElfW(Addr) data = 0;
  std::size_t plt_bytes = 0;
  std::size_t data_bytes = 0;
  for (const ElfW(Dyn)* entry = library.l_ld; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_JMPREL: plt = entry->d_un.d_ptr; break;
      case DT_PLTRELSZ: plt_bytes = entry->d_un.d_val; break;
      case DT_RELA: data = entry->d_un.d_ptr; break;
      case DT_RELASZ: data_bytes = entry->d_un.d_val; break;
      case DT_SYMTAB: tables.symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr); break;
      case DT_STRTAB: tables.strings = reinterpret_cast<const char*>(entry->d_un.d_ptr); break;
      case DT_GNU_HASH: tables.hash = reinterpret_cast<const std::uint32_t*>(entry->d_un.d_ptr); break;
      default: break;
    }
  }
  tables.plt = table_at<ElfW(Rela)>(plt, plt_bytes);
  tables.data = table_at<ElfW(Rela)>(data, data_bytes);
  return tables;
}

std::vector<std::string_view> exported_names(const void* inside) {
  const link_map* library = library_of(inside);
  if (library == nullptr) return {};
  const SymbolTables tables = tables_of(*library);
  if (tables.symbols == nullptr || tables.strings == nullptr || tables.hash == nullptr) return {};
  const HashTable hash(tables.hash);
  std::vector<std::string_view> names;
  const std::uint32_t end = hash.end();
  for (std::uint32_t symbol = hash.first_symbol; symbol < end; ++symbol) names.emplace_back(tables.name_of(symbol));
  return names;
}

}  // namespace weir::comm
