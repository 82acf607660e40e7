#include "mpi/handle_table.h"

#include <algorithm>
#include <mutex>

namespace weir::mpi {

namespace {

constexpr std::uint32_t kSlotBits = 16;
constexpr std::uint32_t kMostSlots = (1U << kSlotBits) - 1;
constexpr std::uint32_t kGenerations = 1U << 15;  // the handle stays a positive Fortran integer

std::uintptr_t number_of(MPI_File handle) { return reinterpret_cast<std::uintptr_t>(handle); }

}  // namespace

MPI_File HandleTable::encode(std::uint32_t generation, std::size_t slot) {
  std::uintptr_t number = (static_cast<std::uintptr_t>(generation) << kSlotBits) | (slot + 1);
  return reinterpret_cast<MPI_File>(number);
}

const HandleTable::Slot* HandleTable::slot_of(MPI_File handle) const {
  std::uintptr_t number = number_of(handle);
  std::uintptr_t slot = number & kMostSlots;
  if (slot == 0 || slot > slots_.size()) return nullptr;
  const Slot& found = slots_[slot - 1];
  return found.file != nullptr && (number >> kSlotBits) == found.generation ? &found : nullptr;
}

MPI_File HandleTable::add(std::shared_ptr<MpiFile> file) {
  std::unique_lock lock(mutex_);
  std::size_t slot = 0;
  while (slot < slots_.size() && slots_[slot].file != nullptr) ++slot;
  if (slot == kMostSlots) return MPI_FILE_NULL;
  if (slot == slots_.size()) slots_.emplace_back();
  slots_[slot].file = std::move(file);
  return encode(slots_[slot].generation, slot);
}

bool HandleTable::full() const {
  std::shared_lock lock(mutex_);
  const auto is_free = [](const Slot& slot) { return slot.file == nullptr; };
  return slots_.size() == kMostSlots && std::none_of(slots_.begin(), slots_.end(), is_free);
}

std::shared_ptr<MpiFile> HandleTable::find(MPI_File handle) const {
  std::shared_lock lock(mutex_);
  const Slot* slot = slot_of(handle);
  return slot != nullptr ? slot->file : nullptr;
}

std::shared_ptr<MpiFile> HandleTable::remove(MPI_File handle) {
  std::unique_lock lock(mutex_);
  const Slot* found = slot_of(handle);
  if (found == nullptr) return nullptr;
  Slot& slot = slots_[static_cast<std::size_t>(found - slots_.data())];
  slot.generation = (slot.generation + 1) % kGenerations;
  return std::move(slot.file);
}

std::vector<std::shared_ptr<MpiFile>> HandleTable::all() const {
  std::shared_lock lock(mutex_);
  std::vector<std::shared_ptr<MpiFile>> files;
  for (const Slot& slot : slots_) {
    if (slot.file != nullptr) files.push_back(slot.file);
  }
  return files;
}

MPI_Fint HandleTable::to_fortran(MPI_File handle) {
  return handle == MPI_FILE_NULL ? 0 : static_cast<MPI_Fint>(number_of(handle));
}

MPI_File HandleTable::from_fortran(MPI_Fint handle) {
  if (handle <= 0) return MPI_FILE_NULL;
  return reinterpret_cast<MPI_File>(static_cast<std::uintptr_t>(handle));
}

}  // namespace weir::mpi
