#include "linking/dictionary_writer.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "linking/dictionary_format.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>

namespace touchstone::linking {
namespace {

using namespace internal;
static_assert(std::endian::native == std::endian::little, "the file is little-endian");

constexpr std::size_t kPhrasesPerBucket = 4;
constexpr std::uint32_t kMostBits = 30;

template <class Row>
std::string_view bytes_of(const std::vector<Row>& rows) {
  return {reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Row)};
}

std::uint32_t bucket_bits(std::size_t phrases) {
  const auto buckets = std::bit_width(phrases / kPhrasesPerBucket);
  return std::min<std::uint32_t>(kMostBits, static_cast<std::uint32_t>(buckets));
}

std::size_t bucket_of(std::uint64_t phrase, std::uint32_t bits) {
  return bits == 0 ? 0 : static_cast<std::size_t>(phrase >> (64 - bits));
}

}  // namespace

struct DictionaryWriter::Impl {
  std::vector<std::uint64_t> phrases;
  std::vector<std::uint32_t> values, sources;
  std::vector<AnchorRow> anchors;
  std::vector<Meaning> meanings;
  std::vector<EntityRow> entities;
  std::string titles;

  /// Numbers of the first phrase of each bucket, and the number of phrases.
  std::vector<std::uint32_t> buckets(std::uint32_t bits) const {
    std::vector<std::uint32_t> first((std::size_t{1} << bits) + 1, 0);
    for (const auto phrase : phrases) ++first[bucket_of(phrase, bits) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    return first;
  }
};

DictionaryWriter::DictionaryWriter() : impl_(std::make_unique<Impl>()) {}
DictionaryWriter::~DictionaryWriter() = default;

void DictionaryWriter::add_entity(std::string_view title, std::uint32_t qid,
                                  const std::vector<std::uint32_t>& sources) {
  impl_->entities.push_back({impl_->titles.size(), impl_->sources.size(), qid, 0});
  impl_->titles += title;
  impl_->sources.insert(impl_->sources.end(), sources.begin(), sources.end());
}

void DictionaryWriter::add_phrase(std::uint64_t phrase, bool continues, const std::vector<Meaning>& meanings,
                                  std::uint32_t linked_pages, std::uint32_t pages) {
  auto& d = *impl_;
  TS_CHECK(d.phrases.empty() || d.phrases.back() < phrase, "phrases ascend");
  std::uint32_t value = continues ? kContinues : 0;
  if (!meanings.empty()) {
    if (d.meanings.size() + meanings.size() > UINT32_MAX || d.anchors.size() >= kContinues - 1)
      throw Error("the wiki has more texts of links than a dictionary can hold; raise --min-links");
    d.anchors.push_back({linked_pages, pages, static_cast<std::uint32_t>(d.meanings.size())});
    d.meanings.insert(d.meanings.end(), meanings.begin(), meanings.end());
    value |= static_cast<std::uint32_t>(d.anchors.size());
  }
  d.phrases.push_back(phrase);
  d.values.push_back(value);
}

PhraseFinding DictionaryWriter::find(std::uint64_t phrase) const {
  const auto& d = *impl_;
  const auto found = std::lower_bound(d.phrases.begin(), d.phrases.end(), phrase);
  if (found == d.phrases.end() || *found != phrase) return {};
  const auto value = d.values[static_cast<std::size_t>(found - d.phrases.begin())];
  PhraseFinding finding;
  finding.continues = (value & kContinues) != 0;
  if ((value & ~kContinues) == 0) return finding;
  const std::uint32_t number = (value & ~kContinues) - 1;
  const auto& row = d.anchors[number];
  const std::size_t end = number + 1 < d.anchors.size() ? d.anchors[number + 1].first_meaning : d.meanings.size();
  finding.anchor = Anchor{number, row.linked_pages, row.pages,
                          std::span(d.meanings).subspan(row.first_meaning, end - row.first_meaning)};
  return finding;
}

void DictionaryWriter::add_pages(std::uint32_t anchor, std::uint32_t pages, std::uint32_t linked_pages) {
  impl_->anchors[anchor].pages += pages;
  impl_->anchors[anchor].linked_pages += linked_pages;
}

std::size_t DictionaryWriter::anchors() const noexcept {
  return impl_->anchors.size();
}

void DictionaryWriter::write(const std::filesystem::path& path, std::uint32_t source_pages,
                             const std::map<std::string, std::string>& facts) {
  auto& d = *impl_;
  // A phrase is on no fewer pages than its links are, also where links stand in texts that are not looked at.
  for (auto& anchor : d.anchors) anchor.pages = std::max(anchor.pages, anchor.linked_pages);
  d.anchors.push_back({0, 0, static_cast<std::uint32_t>(d.meanings.size())});
  d.entities.push_back({d.titles.size(), d.sources.size(), 0, 0});
  const auto bits = bucket_bits(d.phrases.size());
  const auto buckets = d.buckets(bits);
  std::string fact_lines;
  for (const auto& [name, value] : facts) fact_lines += name + "\t" + value + "\n";

  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kFormatVersion;
  header.byte_order = kByteOrder;
  header.bucket_bits = bits;
  header.source_pages = source_pages;
  const std::string_view sections[kSections] = {
      fact_lines,          bytes_of(buckets),    bytes_of(d.phrases),  bytes_of(d.values),
      bytes_of(d.anchors), bytes_of(d.meanings), bytes_of(d.entities), d.titles,
      bytes_of(d.sources)};
  const auto padded = [](std::uint64_t bytes) { return (bytes + 7) / 8 * 8; };
  std::uint64_t offset = sizeof header;
  for (std::size_t i = 0; i < kSections; ++i) {
    header.sections[i] = {offset, sections[i].size()};
    offset += padded(sections[i].size());
  }
  header.file_bytes = offset;
  const std::string_view head(reinterpret_cast<const char*>(&header), sizeof header);
  header.checksum = xxh3_64(head.substr(0, offsetof(Header, checksum)));

  AtomicFile file(path, InTheWay::kRefuse);
  file.write(head);
  for (const auto section : sections) {
    file.write(section);
    file.write(std::string(padded(section.size()) - section.size(), '\0'));
  }
  file.finish();
}

}  // namespace touchstone::linking
