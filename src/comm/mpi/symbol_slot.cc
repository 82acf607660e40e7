#include "comm/mpi/symbol_slot.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <span>

namespace weir::comm {

namespace {

static_assert(sizeof(std::atomic<void*>) == sizeof(void*));

// What the dynamic section of a library tells.
struct Tables {
  std::span<const ElfW(Rela)> plt;
  std::span<const ElfW(Rela)> data;
  const ElfW(Sym) * symbols = nullptr;
  const char* strings = nullptr;
};

template <typename Entry>
std::span<const Entry> table_at(ElfW(Addr) address, std::size_t bytes) {
  return {reinterpret_cast<const Entry*>(address), address == 0 ? 0 : bytes / sizeof(Entry)};
}

Tables tables_of(const link_map& library) {
  Tables tables;
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
      default: break;
    }
  }
  tables.plt = table_at<ElfW(Rela)>(plt, plt_bytes);
  tables.data = table_at<ElfW(Rela)>(data, data_bytes);
  return tables;
}

const ElfW(Rela) * find_in(std::span<const ElfW(Rela)> entries, const Tables& tables, const char* name) {
  for (const ElfW(Rela) & entry : entries) {
    const auto symbol = ELF64_R_SYM(entry.r_info);
    if (symbol != 0 && std::strcmp(tables.strings + tables.symbols[symbol].st_name, name) == 0) return &entry;
  }
  return nullptr;
}

}  // namespace

std::optional<SymbolSlot> SymbolSlot::find(const void* inside, const char* name) {
  Dl_info info = {};
  link_map* library = nullptr;
  if (dladdr1(inside, &info, reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) == 0 || library == nullptr) {
    return std::nullopt;
  }
  const Tables tables = tables_of(*library);
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
