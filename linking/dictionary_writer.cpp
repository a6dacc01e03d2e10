#include "linking/dictionary_writer.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
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

/// Numbers of the first phrase of each bucket, and the number of phrases.
std::vector<std::uint32_t> first_phrases(const std::vector<std::uint64_t>& phrases, std::uint32_t bits) {
  std::vector<std::uint32_t> first((std::size_t{1} << bits) + 1, 0);
  for (const auto phrase : phrases) ++first[bucket_of(phrase, bits) + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  return first;
}

}  // namespace

void DictionaryWriter::add_entity(std::string_view title, std::uint32_t qid,
                                  const std::vector<std::uint32_t>& sources) {
  entities_.push_back({titles_.size(), sources_.size(), qid, 0});
  titles_ += title;
  sources_.insert(sources_.end(), sources.begin(), sources.end());
}

void DictionaryWriter::add_phrase(std::uint64_t phrase, bool continues, const std::vector<Meaning>& meanings,
                                  std::uint32_t linked_pages, std::uint32_t pages) {
  TS_CHECK(phrases_.empty() || phrases_.back() < phrase, "phrases ascend");
  std::uint32_t value = continues ? kContinues : 0;
  if (!meanings.empty()) {
    if (meanings_.size() + meanings.size() > UINT32_MAX || anchors_.size() >= kContinues - 1)
      throw Error("the wiki has more texts of links than a dictionary can hold; raise --min-links");
    anchors_.push_back({linked_pages, pages, static_cast<std::uint32_t>(meanings_.size())});
    meanings_.insert(meanings_.end(), meanings.begin(), meanings.end());
    value |= static_cast<std::uint32_t>(anchors_.size());
  }
  phrases_.push_back(phrase);
  values_.push_back(value);
}

PhraseFinding DictionaryWriter::find(std::uint64_t phrase) const {
  const auto found = std::lower_bound(phrases_.begin(), phrases_.end(), phrase);
  if (found == phrases_.end() || *found != phrase) return {};
  const auto value = values_[static_cast<std::size_t>(found - phrases_.begin())];
  PhraseFinding finding;
  finding.continues = (value & kContinues) != 0;
  if ((value & ~kContinues) == 0) return finding;
  const std::uint32_t number = (value & ~kContinues) - 1;
  const auto& row = anchors_[number];
  const std::size_t end = number + 1 < anchors_.size() ? anchors_[number + 1].first_meaning : meanings_.size();
  finding.anchor = Anchor{number, row.linked_pages, row.pages,
                          std::span(meanings_).subspan(row.first_meaning, end - row.first_meaning)};
  return finding;
}

void DictionaryWriter::add_pages(std::uint32_t anchor, std::uint32_t pages, std::uint32_t linked_pages) {
  anchors_[anchor].pages += pages;
  anchors_[anchor].linked_pages += linked_pages;
}

void DictionaryWriter::write(const std::filesystem::path& path, std::uint32_t source_pages,
                             const std::map<std::string, std::string>& facts) {
  // A phrase is on no fewer pages than its links are, also where links are in texts that are not looked at.
  for (auto& anchor : anchors_) anchor.pages = std::max(anchor.pages, anchor.linked_pages);
  anchors_.push_back({0, 0, static_cast<std::uint32_t>(meanings_.size())});
  entities_.push_back({titles_.size(), sources_.size(), 0, 0});
  const auto bits = bucket_bits(phrases_.size());
  const auto buckets = first_phrases(phrases_, bits);
  std::string fact_lines;
  for (const auto& [name, value] : facts) fact_lines += name + "\t" + value + "\n";

  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kFormatVersion;
  header.byte_order = kByteOrder;
  header.bucket_bits = bits;
  header.source_pages = source_pages;
  const std::string_view sections[kSections] = {
      fact_lines,         bytes_of(buckets),   bytes_of(phrases_),  bytes_of(values_),
      bytes_of(anchors_), bytes_of(meanings_), bytes_of(entities_), titles_,
      bytes_of(sources_)};
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
