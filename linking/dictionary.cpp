#include "linking/dictionary.hpp"

#include "common/descriptor.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "linking/dictionary_format.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <system_error>
#include <type_traits>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace touchstone::linking {
namespace {

using namespace internal;

constexpr std::uint64_t kMostFactBytes = 1 << 16;
constexpr std::uint32_t kMostBucketBits = 30;

/// A file in memory, for reading.
class Mapping {
 public:
  explicit Mapping(const std::filesystem::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file.is_open() || ::fstat(file.get(), &status) != 0) cannot_map(path);
    if (!S_ISREG(status.st_mode))
      throw StorageError("cannot read " + path.string() +
                         ": a dictionary is a plain file, made by link-entities --make");
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ == 0) return;
    void* const at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (at == MAP_FAILED) cannot_map(path);
    data_ = static_cast<const char*>(at);
  }
  ~Mapping() {
    if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::string_view bytes() const noexcept { return {data_, size_}; }

 private:
  [[noreturn]] static void cannot_map(const std::filesystem::path& path) {
    throw StorageError("cannot read the dictionary " + path.string() + ": " + std::generic_category().message(errno) +
                       "; touchstone link-entities --make makes one");
  }

  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

struct Dictionary::Impl {
  std::filesystem::path path;
  Mapping mapping;
  Header header{};
  std::map<std::string, std::string, std::less<>> facts;
  std::span<const std::uint32_t> buckets, values, sources;
  std::span<const std::uint64_t> phrases;
  std::span<const AnchorRow> anchors;
  std::span<const Meaning> meanings;
  std::span<const EntityRow> entities;
  std::string_view titles;

  explicit Impl(const std::filesystem::path& file) : path(file), mapping(file) {
    read_header();
    buckets = section<std::uint32_t>(kBuckets);
    phrases = section<std::uint64_t>(kPhrases);
    values = section<std::uint32_t>(kValues);
    anchors = section<AnchorRow>(kAnchors);
    meanings = section<Meaning>(kMeanings);
    entities = section<EntityRow>(kEntities);
    sources = section<std::uint32_t>(kSources);
    titles = bytes_of(kTitles);
    if (header.bucket_bits > kMostBucketBits || buckets.size() != (std::size_t{1} << header.bucket_bits) + 1)
      damaged("its table of phrases has another size than its header says");
    if (values.size() != phrases.size()) damaged("it has not one value for each phrase");
    if (anchors.empty() || entities.empty()) damaged("a table lacks its last row");
    read_facts();
  }

  [[noreturn]] void damaged(const std::string& what) const {
    throw FormatError(path.string() + ": the dictionary is damaged (" + what +
                      "); make it again with touchstone link-entities --make");
  }

  void read_header() {
    const auto bytes = mapping.bytes();
    if (bytes.size() < sizeof kMagic || std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0)
      throw FormatError(path.string() +
                        ": is not a dictionary of anchors; make one with touchstone link-entities --make");
    if (bytes.size() < sizeof(Header)) truncated(sizeof(Header));
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.byte_order != kByteOrder)
      throw FormatError(path.string() +
                        ": the dictionary was made on a computer with another order of bytes; make it "
                        "again on this one");
    if (header.version != kFormatVersion)
      throw FormatError(path.string() + ": the dictionary has format " + std::to_string(header.version) +
                        ", this version reads format " + std::to_string(kFormatVersion) +
                        "; make it again with touchstone link-entities --make");
    if (header.checksum != xxh3_64(bytes.substr(0, offsetof(Header, checksum)))) damaged("its header was changed");
    if (bytes.size() < header.file_bytes) truncated(header.file_bytes);
    if (bytes.size() > header.file_bytes) damaged("it is longer than its header says");
  }

  [[noreturn]] void truncated(std::uint64_t wanted) const {
    throw FormatError(path.string() + ": the dictionary is truncated: it has " +
                      std::to_string(mapping.bytes().size()) + " of " + std::to_string(wanted) +
                      " bytes; copy or make it again");
  }

  std::string_view bytes_of(Section number) const {
    const auto& extent = header.sections[number];
    const auto size = mapping.bytes().size();
    if (extent.offset % 8 != 0 || extent.offset < sizeof(Header) || extent.offset > size ||
        extent.bytes > size - extent.offset)
      damaged("section " + std::to_string(number) + " lies outside of the file");
    return mapping.bytes().substr(extent.offset, extent.bytes);
  }

  template <class Row>
  std::span<const Row> section(Section number) const {
    static_assert(std::is_trivially_copyable_v<Row>);
    const auto bytes = bytes_of(number);
    if (bytes.size() % sizeof(Row) != 0) damaged("section " + std::to_string(number) + " has a part of a row");
    return {reinterpret_cast<const Row*>(bytes.data()), bytes.size() / sizeof(Row)};
  }

  void read_facts() {
    auto text = bytes_of(kFacts);
    if (text.size() > kMostFactBytes) damaged("what it says of itself is too long");
    while (!text.empty()) {
      const auto line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      const auto tab = line.find('\t');
      if (tab == std::string_view::npos) damaged("a line about itself has no tab");
      facts.emplace(line.substr(0, tab), line.substr(tab + 1));
    }
  }

  const EntityRow& entity(std::uint32_t number) const {
    if (number + std::size_t{1} >= entities.size()) damaged("a link leads to an entity that it does not have");
    return entities[number];
  }

  Anchor anchor(std::uint32_t number) const {
    if (number + std::size_t{1} >= anchors.size()) damaged("a phrase leads to an anchor that it does not have");
    const auto& row = anchors[number];
    const std::uint32_t end = anchors[number + 1].first_meaning;
    if (row.first_meaning > end || end > meanings.size()) damaged("an anchor has meanings that it does not have");
    return {number, std::min(row.linked_pages, row.pages), row.pages,
            meanings.subspan(row.first_meaning, end - row.first_meaning)};
  }
};

Dictionary::Dictionary(const std::filesystem::path& path) : impl_(std::make_unique<Impl>(path)) {}
Dictionary::~Dictionary() = default;

PhraseFinding Dictionary::find(std::uint64_t phrase) const {
  const auto& d = *impl_;
  const std::size_t bucket = d.header.bucket_bits == 0 ? 0 : phrase >> (64 - d.header.bucket_bits);
  const std::uint32_t first = d.buckets[bucket], end = d.buckets[bucket + 1];
  if (first > end || end > d.phrases.size()) d.damaged("a beginning of phrases leads outside of its table");
  const auto found = std::lower_bound(d.phrases.begin() + first, d.phrases.begin() + end, phrase);
  if (found == d.phrases.begin() + end || *found != phrase) return {};
  const std::uint32_t value = d.values[static_cast<std::size_t>(found - d.phrases.begin())];
  PhraseFinding finding;
  finding.continues = (value & kContinues) != 0;
  if (const std::uint32_t number = value & ~kContinues; number > 0) finding.anchor = d.anchor(number - 1);
  return finding;
}

std::string_view Dictionary::title(std::uint32_t entity) const {
  const auto begin = impl_->entity(entity).first_title_byte, end = impl_->entities[entity + 1].first_title_byte;
  if (begin > end || end > impl_->titles.size()) impl_->damaged("a title lies outside of its section");
  return impl_->titles.substr(begin, end - begin);
}

std::uint32_t Dictionary::qid(std::uint32_t entity) const {
  return impl_->entity(entity).qid;
}

std::span<const std::uint32_t> Dictionary::sources(std::uint32_t entity) const {
  const auto begin = impl_->entity(entity).first_source, end = impl_->entities[entity + 1].first_source;
  if (begin > end || end > impl_->sources.size()) impl_->damaged("the links to an entity lie outside of their section");
  return impl_->sources.subspan(begin, end - begin);
}

std::uint32_t Dictionary::source_pages() const noexcept {
  return impl_->header.source_pages;
}

std::uint64_t Dictionary::anchors() const noexcept {
  return impl_->anchors.size() - 1;
}

std::uint64_t Dictionary::entities() const noexcept {
  return impl_->entities.size() - 1;
}

const std::map<std::string, std::string, std::less<>>& Dictionary::facts() const noexcept {
  return impl_->facts;
}

std::string Dictionary::fact(std::string_view name) const {
  const auto found = impl_->facts.find(name);
  return found == impl_->facts.end() ? "" : found->second;
}

}  // namespace touchstone::linking
