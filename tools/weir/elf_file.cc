#include "elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "words.h"

namespace weir::tool {

namespace {

// The bytes of an ELF file, read with every access checked.
class Image {
 public:
  explicit Image(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  // The zero-terminated string at `offset`; nothing when it is not terminated inside the file.
  std::optional<std::string> string_at(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return std::nullopt;
    const char* text = reinterpret_cast<const char*>(bytes_.data()) + offset;
    const std::size_t room = bytes_.size() - offset;
    const std::size_t length = strnlen(text, room);
    if (length == room) return std::nullopt;
    return std::string(text, length);
  }

 private:
  std::span<const std::byte> bytes_;
};

// A file mapped for reading: MPI libraries are large, and only their headers are looked at.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
      error_number_ = fd < 0 ? errno : EISDIR;
    } else if (status.st_size > 0) {
      bytes_ = static_cast<std::size_t>(status.st_size);
      data_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, fd, 0);
      if (data_ == MAP_FAILED) error_number_ = errno;
    }
    if (fd >= 0) close(fd);
  }
  ~MappedFile() {
    if (data_ != MAP_FAILED) munmap(data_, bytes_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  int error_number() const { return error_number_; }
  std::span<const std::byte> bytes() const {
    if (data_ == MAP_FAILED) return {};
    return {static_cast<const std::byte*>(data_), bytes_};
  }

 private:
  void* data_ = MAP_FAILED;
  std::size_t bytes_ = 0;
  int error_number_ = 0;
};

struct Segments {
  std::vector<Elf64_Phdr> loads;
  std::optional<Elf64_Phdr> dynamic;
  std::optional<Elf64_Phdr> interpreter;

  // Where the loaded address lies in the file.
  std::optional<std::uint64_t> file_offset(std::uint64_t address) const {
    for (const Elf64_Phdr& load : loads) {
      if (address >= load.p_vaddr && address - load.p_vaddr < load.p_filesz)
        return load.p_offset + (address - load.p_vaddr);
    }
    return std::nullopt;
  }
};

Status damaged(const char* what) { return Status(ErrorClass::kBadFile, std::string("not a usable ELF file: ") + what); }

Result<Elf64_Ehdr> read_header(const Image& image) {
  const auto header = image.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return damaged("no ELF header");
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB)
    return damaged("only 64-bit little-endian files are understood");
  return *header;
}

Result<Segments> read_segments(const Image& image, const Elf64_Ehdr& header) {
  Segments segments;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = image.at<Elf64_Phdr>(header.e_phoff + i * header.e_phentsize);
    if (!segment) return damaged("its program headers lie outside of the file");
    if (segment->p_type == PT_LOAD) segments.loads.push_back(*segment);
    if (segment->p_type == PT_DYNAMIC) segments.dynamic = *segment;
    if (segment->p_type == PT_INTERP) segments.interpreter = *segment;
  }
  return segments;
}

Result<std::vector<Elf64_Dyn>> read_dynamic(const Image& image, const Elf64_Phdr& segment) {
  std::vector<Elf64_Dyn> entries;
  for (std::uint64_t offset = 0; offset + sizeof(Elf64_Dyn) <= segment.p_filesz; offset += sizeof(Elf64_Dyn)) {
    const auto entry = image.at<Elf64_Dyn>(segment.p_offset + offset);
    if (!entry) return damaged("its dynamic section lies outside of the file");
    if (entry->d_tag == DT_NULL) break;
    entries.push_back(*entry);
  }
  return entries;
}

std::optional<std::uint64_t> string_table(const std::vector<Elf64_Dyn>& entries, const Segments& segments) {
  for (const Elf64_Dyn& entry : entries)
    if (entry.d_tag == DT_STRTAB) return segments.file_offset(entry.d_un.d_ptr);
  return std::nullopt;
}

void note_entry(ElfFile& file, std::int64_t tag, const std::string& text) {
  if (tag == DT_NEEDED) file.needed.push_back(text);
  if (tag == DT_SONAME) file.soname = text;
  if (tag == DT_RPATH) file.rpath = split(text, ':');
  if (tag == DT_RUNPATH) file.runpath = split(text, ':');
}

bool names_a_string(std::int64_t tag) {
  return tag == DT_NEEDED || tag == DT_SONAME || tag == DT_RPATH || tag == DT_RUNPATH;
}

Result<std::set<std::string>> read_exports(const Image& image, const Elf64_Ehdr& header, const Elf64_Shdr& table) {
  const auto strings = image.at<Elf64_Shdr>(header.e_shoff + std::uint64_t{table.sh_link} * header.e_shentsize);
  if (!strings) return damaged("its table of symbols has no names");
  std::set<std::string> names;
  for (std::uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= table.sh_size; offset += sizeof(Elf64_Sym)) {
    const auto symbol = image.at<Elf64_Sym>(table.sh_offset + offset);
    if (!symbol) return damaged("its table of symbols lies outside of the file");
    if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL) continue;
    auto name = image.string_at(strings->sh_offset + symbol->st_name);
    if (!name) return damaged("a name in its table of symbols lies outside of the file");
    names.insert(std::move(*name));
  }
  return names;
}

// What `parse` makes of the file at `path`.
template <typename T>
Result<T> load(const std::string& path, Result<T> (*parse)(std::span<const std::byte>)) {
  const MappedFile mapped(path);
  if (mapped.error_number() != 0) return Status::from_errno(mapped.error_number(), "open", path);
  auto parsed = parse(mapped.bytes());
  if (!parsed.ok()) return Status(parsed.status().error_class(), path + ": " + parsed.status().text());
  return parsed;
}

}  // namespace

Result<ElfFile> parse_elf(std::span<const std::byte> bytes) {
  const Image image(bytes);
  const auto header = read_header(image);
  if (!header.ok()) return header.status();
  const auto segments = read_segments(image, header.value());
  if (!segments.ok()) return segments.status();

  ElfFile file;
  if (segments.value().interpreter)
    file.interpreter = image.string_at(segments.value().interpreter->p_offset).value_or("");
  if (!segments.value().dynamic) return file;
  file.is_dynamic = true;

  const auto entries = read_dynamic(image, *segments.value().dynamic);
  if (!entries.ok()) return entries.status();
  const auto strings = string_table(entries.value(), segments.value());
  for (const Elf64_Dyn& entry : entries.value()) {
    if (!names_a_string(entry.d_tag)) continue;
    const auto text = strings ? image.string_at(*strings + entry.d_un.d_val) : std::nullopt;
    if (!text) return damaged("a name in its dynamic section lies outside of the file");
    note_entry(file, entry.d_tag, *text);
  }
  return file;
}

Result<std::set<std::string>> parse_exports(std::span<const std::byte> bytes) {
  const Image image(bytes);
  const auto header = read_header(image);
  if (!header.ok()) return header.status();
  for (std::uint64_t i = 0; i < header.value().e_shnum; ++i) {
    const auto section = image.at<Elf64_Shdr>(header.value().e_shoff + i * header.value().e_shentsize);
    if (!section) return damaged("its section headers lie outside of the file");
    if (section->sh_type == SHT_DYNSYM) return read_exports(image, header.value(), *section);
  }
  return damaged("it has no dynamic symbols");
}

Result<ElfFile> load_elf(const std::string& path) { return load(path, parse_elf); }
Result<std::set<std::string>> load_exports(const std::string& path) { return load(path, parse_exports); }

}  // namespace weir::tool
