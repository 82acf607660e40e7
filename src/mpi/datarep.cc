#include "mpi/datarep.h"

#include <algorithm>

#include "layout/copy.h"
#include "layout/cursor.h"
#include "layout/external32.h"
#include "layout/request_list.h"
#include "mpi/datatype.h"
#include "mpi/named_types.h"

namespace weir::mpi {

namespace {

using layout::BasicKind;
using layout::Representation;

Result<layout::SizedLayout> layout_in(MPI_Datatype type, const Representation& representation) {
  Result<layout::TypeTree> decoded = decode(type);
  if (!decoded.ok()) return decoded.status();
  return layout::build(*decoded.value(), representation);
}

// Moves the buffer's values to (kWrite) or from (kRead) a stretch without gaps. Returns the bytes moved.
Result<std::int64_t> copy_packed(Direction direction, const Buffer& buffer, std::span<std::byte> packed) {
  auto type_layout = layout_of(buffer.type);
  if (!type_layout.ok()) return type_layout.status();
  const layout::SizedLayout& sized = *type_layout.value();
  auto* base = static_cast<std::byte*>(buffer.address);
  layout::Memory memory = layout::Memory::of(base, sized.layout, sized.extent(), buffer.instances);
  layout::Cursor cursor(memory.layout);
  return layout::transfer(direction, base, cursor, packed);
}

// Room for all values of the buffer without gaps.
Result<std::vector<std::byte>> packed_room(const Buffer& buffer) {
  auto type_layout = layout_of(buffer.type);
  if (!type_layout.ok()) return type_layout.status();
  return std::vector<std::byte>(static_cast<std::size_t>(type_layout.value()->layout.data_bytes() * buffer.instances));
}

// external32: every basic value by itself.
class External32 final : public Datarep {
 public:
  External32() : Datarep("external32") {}

  bool converts() const override { return true; }

  Result<layout::SizedLayout> file_layout(MPI_Datatype type) const override {
    return layout_in(type, Representation::external32());
  }

  Status to_file(const Buffer& buffer, std::span<std::byte> file) const override {
    Result<std::vector<std::byte>> packed = packed_room(buffer);
    if (!packed.ok()) return packed.status();
    Status status = copy_packed(Direction::kWrite, buffer, packed.value()).status();
    std::int64_t converted = 0;
    return status.ok() ? convert(Direction::kWrite, buffer, packed.value(), file, &converted) : status;
  }

  Status from_file(std::span<const std::byte> file, const Buffer& buffer, std::int64_t* memory_bytes) const override {
    Result<std::vector<std::byte>> packed = packed_room(buffer);
    if (!packed.ok()) return packed.status();
    // Reading, convert() only looks at the file's bytes.
    std::span<std::byte> source(const_cast<std::byte*>(file.data()), file.size());
    Status status = convert(Direction::kRead, buffer, packed.value(), source, memory_bytes);
    if (!status.ok()) return status;
    auto converted = std::span(packed.value()).first(static_cast<std::size_t>(*memory_bytes));
    return copy_packed(Direction::kRead, buffer, converted).status();
  }

 private:
  // Converts values in order until either side is used up; `native_bytes` counts what was converted.
  static Status convert(Direction direction, const Buffer& buffer, std::span<std::byte> native,
                        std::span<std::byte> external, std::int64_t* native_bytes) {
    Result<layout::TypeTree> decoded = decode(buffer.type);
    if (!decoded.ok()) return decoded.status();
    const Representation& sizes = native_representation();
    const Representation canonical = Representation::external32();
    Status status;
    *native_bytes = 0;
    std::int64_t external_bytes = 0;
    bool all_there = true;  // so far, both sides had every value whole
    auto convert_run = [&](BasicKind kind, std::int64_t count) {
      if (!status.ok() || !all_there) return;
      std::int64_t external_room = (std::ssize(external) - external_bytes) / canonical.bytes(kind);
      std::int64_t native_room = (std::ssize(native) - *native_bytes) / sizes.bytes(kind);
      all_there = count <= std::min(external_room, native_room);
      count = std::min({count, external_room, native_room});
      status = layout::convert_external32(direction, kind, count, sizes, native.data() + *native_bytes,
                                          external.data() + external_bytes);
      *native_bytes += count * sizes.bytes(kind);
      external_bytes += count * canonical.bytes(kind);
    };
    layout::TypeTree all = layout::make_type(layout::Contiguous{buffer.instances, decoded.value()});
    layout::for_each_basic(*all, convert_run);
    return status;
  }
};

// A representation of the program's own. Its conversion functions see the program's buffer; between them and the file
// lies one contiguous stretch of all values.
class UserDatarep final : public Datarep {
 public:
  UserDatarep(std::string name, DatarepFunctions functions)
      : Datarep(std::move(name)), functions_(std::move(functions)) {}

  bool converts() const override { return functions_.read || functions_.write; }

  Result<layout::SizedLayout> file_layout(MPI_Datatype type) const override {
    if (functions_.extent == nullptr) return Datarep::file_layout(type);
    Result<Representation> sizes = file_sizes();
    if (!sizes.ok()) return sizes.status();
    return layout_in(type, sizes.value());
  }

  Status to_file(const Buffer& buffer, std::span<std::byte> file) const override {
    if (!functions_.write) return copy_packed(Direction::kWrite, buffer, file).status();
    Result<Whole> whole = whole_values(buffer, std::ssize(file));
    if (!whole.ok()) return whole.status();
    return call(functions_.write, buffer, whole.value().values, file.data());
  }

  // A value is converted as a whole or not at all.
  Status from_file(std::span<const std::byte> file, const Buffer& buffer, std::int64_t* memory_bytes) const override {
    Result<Whole> whole = whole_values(buffer, std::ssize(file));
    if (!whole.ok()) return whole.status();
    *memory_bytes = whole.value().memory_bytes;
    if (*memory_bytes == 0) return {};
    auto* data = const_cast<std::byte*>(file.data());  // conversion functions take it without const, and only read it
    if (functions_.read) return call(functions_.read, buffer, whole.value().values, data);
    return copy_packed(Direction::kRead, buffer, {data, static_cast<std::size_t>(*memory_bytes)}).status();
  }

 private:
  // Basic values of a buffer, and the bytes they take in memory.
  struct Whole {
    std::int64_t values = 0;
    std::int64_t memory_bytes = 0;
  };

  Result<Representation> file_sizes() const {
    Representation sizes = native_representation();
    if (functions_.extent == nullptr) return sizes;
    for (std::size_t i = 0; i < layout::kBasicKinds; ++i) {
      auto kind = static_cast<BasicKind>(i);
      MPI_Datatype named = named_type(kind);
      if (layout::pair_members(kind).has_value() || named == MPI_DATATYPE_NULL) continue;
      MPI_Aint extent = 0;
      if (functions_.extent(named, &extent, functions_.extra_state) != MPI_SUCCESS) {
        return Status(ErrorClass::kConversion,
                      "the extent function of data representation " + this->name() + " failed");
      }
      sizes.set(kind, extent, 1);
    }
    return sizes;
  }

  // The values of the buffer that lie in the first `file_bytes` bytes of their form in the file.
  Result<Whole> whole_values(const Buffer& buffer, std::int64_t file_bytes) const {
    Result<Representation> sizes = file_sizes();
    if (!sizes.ok()) return sizes.status();
    Result<layout::TypeTree> decoded = decode(buffer.type);
    if (!decoded.ok()) return decoded.status();
    Whole whole;
    layout::TypeTree all = layout::make_type(layout::Contiguous{buffer.instances, decoded.value()});
    layout::for_each_basic(*all, [&](BasicKind kind, std::int64_t count) {
      std::int64_t value_bytes = std::max<std::int64_t>(sizes.value().bytes(kind), 1);
      const bool all_there = count <= file_bytes / value_bytes;
      count = std::min(count, file_bytes / value_bytes);
      file_bytes = all_there ? file_bytes - count * value_bytes : 0;
      whole.values += count;
      whole.memory_bytes += count * native_representation().bytes(kind);
    });
    return whole;
  }

  Status call(const DatarepFunctions::Conversion& function, const Buffer& buffer, std::int64_t values,
              std::byte* file) const {
    if (function(buffer.address, buffer.type, values, file) == MPI_SUCCESS) return {};
    return {ErrorClass::kConversion, "a conversion function of data representation " + this->name() + " failed"};
  }

  DatarepFunctions functions_;
};

}  // namespace

Result<layout::SizedLayout> Datarep::file_layout(MPI_Datatype type) const {
  auto type_layout = layout_of(type);
  if (!type_layout.ok()) return type_layout.status();
  return *type_layout.value();
}

Status Datarep::to_file(const Buffer&, std::span<std::byte>) const { return {}; }

Status Datarep::from_file(std::span<const std::byte>, const Buffer&, std::int64_t*) const { return {}; }

Datareps::Datareps() {
  by_name_["native"] = std::make_shared<Datarep>("native");
  by_name_["internal"] = std::make_shared<Datarep>("internal");
  by_name_["external32"] = std::make_shared<External32>();
}

std::shared_ptr<const Datarep> Datareps::find(const std::string& name) const {
  std::scoped_lock lock(mutex_);
  auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

Status Datareps::add(const std::string& name, const DatarepFunctions& functions) {
  if (name.empty() || name.size() >= MPI_MAX_DATAREP_STRING) {
    return {ErrorClass::kArgument, "the name of a data representation is empty or too long"};
  }
  std::scoped_lock lock(mutex_);
  bool added = by_name_.try_emplace(name, std::make_shared<UserDatarep>(name, functions)).second;
  if (added) return {};
  return {ErrorClass::kDuplicateDatarep, "a data representation called '" + name + "' exists already"};
}

}  // namespace weir::mpi
