// What a library that is loaded in this process calls and offers, as its dynamic section tells.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace weir::comm {

// The tables of one library; they live as long as it is loaded.
struct SymbolTables {
  std::span<const ElfW(Rela)> plt;
  std::span<const ElfW(Rela)> data;
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
  const std::uint32_t* hash = nullptr;  // of the kind that GNU linkers make

  const char* name_of(std::size_t symbol) const { return strings + symbols[symbol].st_name; }
};

// The library that an address is inside of; null where there is none.
const link_map* library_of(const void* inside);
SymbolTables tables_of(const link_map& library);

// The names of what the library that `inside` belongs to offers to others. None when it has no table by which they can
// be listed.
std::vector<std::string_view> exported_names(const void* inside);

}  // namespace weir::comm
