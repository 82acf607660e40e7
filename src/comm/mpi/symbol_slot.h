// SymbolSlot: the word through which a loaded library calls a function of another one.
#pragma once

#include <atomic>
#include <optional>

namespace weir::comm {

class SymbolSlot {
 public:
  // Where the library that `inside` belongs to keeps the address of `name`. Nothing when it calls no such function, or
  // not through the dynamic linker.
  static std::optional<SymbolSlot> find(const void* inside, const char* name);

  // From now on the library calls `function`. False when the system does not allow it.
  bool set(void* function) const;

 private:
  explicit SymbolSlot(std::atomic<void*>* word) : word_(word) {}
  std::atomic<void*>* word_;
};

}  // namespace weir::comm
