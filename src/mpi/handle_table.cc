#include "mpi/handle_table.h"

#include "comm/mpi/host.h"

namespace weir::mpi {

namespace {

constexpr unsigned kSlotBits = 16;
constexpr std::uintptr_t kMostSlots = (std::uintptr_t{1} << kSlotBits) - 1;
constexpr std::uint64_t kGenerations = (1U << 15U) - 1;  // the handle stays a positive Fortran integer

// A slot's state. Adding kOpen to that of a free slot opens it; adding it once more closes it, and begins the next
// generation.
constexpr std::uint64_t kUser = 1;
constexpr unsigned kOpenBit = 32;
constexpr std::uint64_t kOpen = std::uint64_t{1} << kOpenBit;

bool is_open(std::uint64_t state) { return (state & kOpen) != 0; }
std::uint64_t users_of(std::uint64_t state) { return state & (kOpen - 1); }
// From 1 on.
std::uint64_t generation_of(std::uint64_t state) { return 1 + (state >> (kOpenBit + 1)) % kGenerations; }

std::uintptr_t number_of(MPI_File handle) { return reinterpret_cast<std::uintptr_t>(handle); }
std::uintptr_t slot_number(MPI_File handle) { return number_of(handle) & kMostSlots; }

bool names(MPI_File handle, std::uint64_t state) {
  return is_open(state) && (number_of(handle) >> kSlotBits) == generation_of(state);
}

}  // namespace

HandleTable::~HandleTable() {
  for (const std::atomic<Block*>& block : blocks_) delete block.load();
}

MPI_File HandleTable::encode(std::uint64_t state, std::uintptr_t slot) {
  return reinterpret_cast<MPI_File>((generation_of(state) << kSlotBits) | slot);
}

HandleTable::Slot* HandleTable::slot_at(std::uintptr_t slot) const {
  if (slot == 0) return nullptr;
  Block* block = blocks_[(slot - 1) / kSlotsOfBlock].load(std::memory_order_acquire);
  return block != nullptr ? &(*block)[(slot - 1) % kSlotsOfBlock] : nullptr;
}

HandleTable::Slot* HandleTable::slot_of(MPI_File handle) const {
  Slot* slot = slot_at(slot_number(handle));
  return slot != nullptr && names(handle, slot->state.load()) ? slot : nullptr;
}

std::uintptr_t HandleTable::free_slot() {
  for (std::uintptr_t slot = 1; slot <= kMostSlots; ++slot) {
    std::atomic<Block*>& block = blocks_[(slot - 1) / kSlotsOfBlock];
    if (block.load() == nullptr) block.store(new Block, std::memory_order_release);
    if (slot_at(slot)->file == nullptr) return slot;
  }
  return 0;
}

MPI_File HandleTable::add(std::shared_ptr<MpiFile> file) {
  const std::scoped_lock lock(mutex_);
  const std::uintptr_t number = free_slot();
  if (number == 0) return MPI_FILE_NULL;
  Slot& slot = *slot_at(number);
  slot.place = file.get();
  slot.file = std::move(file);
  return encode(slot.state.fetch_add(kOpen, std::memory_order_release), number);
}

bool HandleTable::full() const {
  const std::scoped_lock lock(mutex_);
  for (std::uintptr_t slot = 1; slot <= kMostSlots; ++slot) {
    const Slot* found = slot_at(slot);
    if (found == nullptr || found->file == nullptr) return false;
  }
  return true;
}

std::shared_ptr<MpiFile> HandleTable::find(MPI_File handle) const {
  const std::scoped_lock lock(mutex_);
  const Slot* slot = slot_of(handle);
  return slot != nullptr ? slot->file : nullptr;
}

// Whoever asks for a file that is not there is a user of the slot for a moment, too.
FileUse HandleTable::use(MPI_File handle) {
  const std::uintptr_t number = slot_number(handle);
  Slot* slot = slot_at(number);
  if (slot == nullptr) return {};
  if (names(handle, slot->state.fetch_add(kUser, std::memory_order_acquire))) return {*this, number, slot->place};
  leave(number);
  return {};
}

// The last one to leave a file that was closed meanwhile takes it away.
void HandleTable::leave(std::uintptr_t number) {
  Slot& slot = *slot_at(number);
  const std::uint64_t before = slot.state.fetch_sub(kUser, std::memory_order_acq_rel);
  if (is_open(before) || users_of(before) > 1) return;
  std::shared_ptr<MpiFile> closed;  // destroyed without the lock
  const std::scoped_lock lock(mutex_);
  const std::uint64_t state = slot.state.load();
  if (!is_open(state) && users_of(state) == 0) closed = std::move(slot.file);
}

std::shared_ptr<MpiFile> HandleTable::remove(MPI_File handle) {
  const std::scoped_lock lock(mutex_);
  Slot* slot = slot_of(handle);
  if (slot == nullptr) return nullptr;
  const std::uint64_t before = slot->state.fetch_add(kOpen, std::memory_order_acq_rel);
  return users_of(before) == 0 ? std::move(slot->file) : slot->file;
}

std::vector<std::shared_ptr<MpiFile>> HandleTable::all() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::shared_ptr<MpiFile>> files;
  for (std::uintptr_t number = 1; number <= kMostSlots; ++number) {
    const Slot* slot = slot_at(number);
    if (slot == nullptr) break;
    if (is_open(slot->state.load())) files.push_back(slot->file);
  }
  return files;
}

int HandleTable::to_fortran(MPI_File handle) {
  // Fortran's MPI_FILE_NULL is 0; the standard ABI has the same number as in C.
  if (handle == MPI_FILE_NULL && !host::kStandardAbi) return 0;
  return static_cast<int>(number_of(handle));
}

MPI_File HandleTable::from_fortran(int handle) {
  if (handle <= 0) return MPI_FILE_NULL;
  return reinterpret_cast<MPI_File>(static_cast<std::uintptr_t>(handle));
}

}  // namespace weir::mpi
