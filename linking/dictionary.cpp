#include "linking/dictionary.hpp"

#include "common/descriptor.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <fcntl.h>
#include <sys/stat.h>

namespace touchstone::linking {
namespace {

using namespace internal;

constexpr std::uint64_t kMostFactBytes = 1 << 16;
constexpr std::uint32_t kMostBucketBits = 30;

/// The bytes of a file; null if it has none.
MappedBytes map(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  const bool is_there = file.is_open() && ::fstat(file.get(), &status) == 0;
  if (is_there && !S_ISREG(status.st_mode))
    throw StorageError("cannot read " + path.string() + ": a dictionary is a plain file, made by link-entities --make");
  if (is_there && status.st_size == 0) return nullptr;
  auto bytes = is_there ? map_bytes(file, static_cast<std::size_t>(status.st_size)) : nullptr;
  if (!bytes)
    throw StorageError("cannot read the dictionary " + path.string() + ": " + system_reason(errno) +
                       "; touchstone link-entities --make makes one");
  return bytes;
}

}  // namespace

Dictionary::Dictionary(const std::filesystem::path& file)
    : path_(file), mapped_(map(file)), bytes_(mapped_.get(), mapped_.get_deleter().size) {
  read_header();
  buckets_ = section<std::uint32_t>(kBuckets);
  phrases_ = section<std::uint64_t>(kPhrases);
  values_ = section<std::uint32_t>(kValues);
  anchors_ = section<AnchorRow>(kAnchors);
  meanings_ = section<Meaning>(kMeanings);
  entities_ = section<EntityRow>(kEntities);
  sources_ = section<std::uint32_t>(kSources);
  titles_ = bytes_of(kTitles);
  if (header_.bucket_bits > kMostBucketBits || buckets_.size() != (std::size_t{1} << header_.bucket_bits) + 1)
    damaged("its table of phrases has another size than its header says");
  if (values_.size() != phrases_.size()) damaged("it has not one value for each phrase");
  if (anchors_.empty() || entities_.empty()) damaged("a table lacks its last row");
  read_facts();
}

void Dictionary::damaged(const std::string& what) const {
  throw FormatError(path_.string() + ": the dictionary is damaged (" + what +
                    "); make it again with touchstone link-entities --make");
}

void Dictionary::read_header() {
  if (bytes_.size() < sizeof kMagic || std::memcmp(bytes_.data(), kMagic, sizeof kMagic) != 0)
    throw FormatError(path_.string() +
                      ": is not a dictionary of anchors; make one with touchstone link-entities --make");
  if (bytes_.size() < sizeof(Header)) truncated(sizeof(Header));
  std::memcpy(&header_, bytes_.data(), sizeof header_);
  if (header_.byte_order != kByteOrder)
    throw FormatError(path_.string() +
                      ": the dictionary was made on a computer with another order of bytes; make it "
                      "again on this one");
  if (header_.version != kFormatVersion)
    throw FormatError(path_.string() + ": the dictionary has format " + std::to_string(header_.version) +
                      ", this version reads format " + std::to_string(kFormatVersion) +
                      "; make it again with touchstone link-entities --make");
  if (header_.checksum != xxh3_64(bytes_.substr(0, offsetof(Header, checksum)))) damaged("its header was changed");
  if (bytes_.size() < header_.file_bytes) truncated(header_.file_bytes);
  if (bytes_.size() > header_.file_bytes) damaged("it is longer than its header says");
}

void Dictionary::truncated(std::uint64_t wanted) const {
  throw FormatError(path_.string() + ": the dictionary is truncated: it has " + std::to_string(bytes_.size()) + " of " +
                    std::to_string(wanted) + " bytes; copy or make it again");
}

std::string_view Dictionary::bytes_of(internal::Section number) const {
  const auto& extent = header_.sections[number];
  const auto size = bytes_.size();
  if (extent.offset % 8 != 0 || extent.offset < sizeof(Header) || extent.offset > size ||
      extent.bytes > size - extent.offset)
    damaged("section " + std::to_string(number) + " lies outside of the file");
  return bytes_.substr(extent.offset, extent.bytes);
}

template <class Row>
std::span<const Row> Dictionary::section(internal::Section number) const {
  static_assert(std::is_trivially_copyable_v<Row>);
  const auto bytes = bytes_of(number);
  if (bytes.size() % sizeof(Row) != 0) damaged("section " + std::to_string(number) + " has a part of a row");
  return {reinterpret_cast<const Row*>(bytes.data()), bytes.size() / sizeof(Row)};
}

void Dictionary::read_facts() {
  auto text = bytes_of(kFacts);
  if (text.size() > kMostFactBytes) damaged("what it says of itself is too long");
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const auto tab = line.find('\t');
    if (tab == std::string_view::npos) damaged("a line about itself has no tab");
    facts_.emplace(line.substr(0, tab), line.substr(tab + 1));
  }
}

const EntityRow& Dictionary::row_of(std::uint32_t number) const {
  if (number + std::size_t{1} >= entities_.size()) damaged("a link leads to an entity that it does not have");
  return entities_[number];
}

Anchor Dictionary::anchor(std::uint32_t number) const {
  if (number + std::size_t{1} >= anchors_.size()) damaged("a phrase leads to an anchor that it does not have");
  const auto& row = anchors_[number];
  const std::uint32_t end = anchors_[number + 1].first_meaning;
  if (row.first_meaning > end || end > meanings_.size()) damaged("an anchor has meanings that it does not have");
  return {number, std::min(row.linked_pages, row.pages), row.pages,
          meanings_.subspan(row.first_meaning, end - row.first_meaning)};
}

PhraseFinding Dictionary::find(std::uint64_t phrase) const {
  const auto bucket = bucket_of(phrase, header_.bucket_bits);
  const std::uint32_t first = buckets_[bucket], end = buckets_[bucket + 1];
  if (first > end || end > phrases_.size()) damaged("a beginning of phrases leads outside of its table");
  const auto found = std::lower_bound(phrases_.begin() + first, phrases_.begin() + end, phrase);
  if (found == phrases_.begin() + end || *found != phrase) return {};
  const std::uint32_t value = values_[static_cast<std::size_t>(found - phrases_.begin())];
  PhraseFinding finding;
  finding.continues = (value & kContinues) != 0;
  if (const std::uint32_t number = value & ~kContinues; number > 0) finding.anchor = anchor(number - 1);
  return finding;
}

std::string_view Dictionary::title(std::uint32_t entity) const {
  const auto begin = row_of(entity).first_title_byte, end = entities_[entity + 1].first_title_byte;
  if (begin > end || end > titles_.size()) damaged("a title lies outside of its section");
  return titles_.substr(begin, end - begin);
}

std::uint32_t Dictionary::qid(std::uint32_t entity) const {
  return row_of(entity).qid;
}

std::span<const std::uint32_t> Dictionary::sources(std::uint32_t entity) const {
  const auto begin = row_of(entity).first_source, end = entities_[entity + 1].first_source;
  if (begin > end || end > sources_.size()) damaged("the links to an entity lie outside of their section");
  return sources_.subspan(begin, end - begin);
}

std::string Dictionary::fact(std::string_view name) const {
  const auto found = facts_.find(name);
  return found == facts_.end() ? "" : found->second;
}

}  // namespace touchstone::linking
