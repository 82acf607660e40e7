#include "comm/mpi/symbol_slot.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <span>

#include "comm/mpi/library_symbols.h"

namespace weir::comm {

namespace {

static_assert(sizeof(std::atomic<void*>) == sizeof(void*));

const ElfW(Rela) * find_in(std::span<const ElfW(Rela)> entries, const SymbolTables& tables, const char* name) {
  for (const ElfW(Rela) & entry : entries) {
    const auto symbol = ELF64_R_SYM(entry.r_info);
    if (symbol != 0 && std::strcmp(tables.name_of(symbol), name) == 0) return &entry;
  }
  return nullptr;
}

}  // namespace

std::optional<SymbolSlot> SymbolSlot::find(const void* inside, const char* name) {
  const link_map* library = library_of(inside);
  if (library == nullptr) return std::nullopt;
  const SymbolTables tables = tables_of(*library);
  if (tables.symbols == nullptr || tables.strings == nullptr) return std::nullopt;
  const ElfW(Rela)* entry = find_in(tables.plt, tables, name);
  if (entry == nullptr) entry = find_in(tables.data, tables, name);
  if (entry == nullptr) return std::nullopt;
  return SymbolSlot(reinterpret_cast<std::atomic<void*>*>(library->l_addr + entry->r_offset));
}

// The linker may have made the page read-only when it was done; it stays writable afterwards.
bool SymbolSlot::set(void* function) const {
  const auto page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(word_) / page_bytes * page_bytes;
  if (mprotect(reinterpret_cast<void*>(page), page_bytes, PROT_READ | PROT_WRITE) != 0) return false;
  word_->store(function, std::memory_order_release);
  return true;
}

}  // namespace weir::comm
