#include "collection/automatic/encoded_pages.hpp"

#include "collection/automatic/judgments.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/json_lines.hpp"
#include "formats/car/writer.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>

namespace touchstone::collection::automatic {
namespace {

std::uint64_t count_lines(std::string_view lines) {
  return static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n'));
}

PartNumbers count(const Derivation& derivation, const ReleaseLines& release) {
  PartNumbers numbers;
  numbers.pages = 1;
  numbers.facets = derivation.facets.size();
  numbers.toplevel_facets = static_cast<std::uint64_t>(std::count_if(
      derivation.facets.begin(), derivation.facets.end(), [](const Facet& facet) { return facet.parent == kNoFacet; }));
  for (const auto& [name, level] : kQrelsLevels) {
    const auto index = static_cast<std::size_t>(level);
    numbers.passages.at(index) = count_lines(release.passages.at(index));
    numbers.entities.at(index) =
        level == QrelsLevel::kTree ? entity_qrels(derivation, level).size() : count_lines(release.entities.at(index));
  }
  return numbers;
}

FormatLabels format_labels(const QueryPageRecord& record) {
  const Derivation& derivation = *record.derivation;
  const std::string split = record.test ? "test" : "train";
  FormatLabels labels;
  std::map<std::string, std::uint8_t, std::less<>> levels;  // that judge a topic
  for (const auto& [name, level] : kQrelsLevels) {
    auto& qrels = labels.qrels.at(static_cast<std::size_t>(level));
    qrels = passage_qrels(derivation, level, IdForm::kUnambiguous);
    for (const auto& qrel : qrels) levels[qrel.topic] |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(level));
  }
  labels.topics.push_back({derivation.topic.id, record.wording({}), split, levels[derivation.topic.id]});
  std::set<std::string_view> added;  // facets whose headings differ, but not their ids, are one topic
  for (const auto& facet : derivation.facets) {
    if (added.insert(facet.id).second)
      labels.topics.push_back({facet.id, record.wording(facet.headings), split, levels[facet.id]});
  }
  return labels;
}

}  // namespace

EncodedQueryPage encode_query_page(const QueryPageRecord& record) {
  const Derivation& derivation = *record.derivation;
  EncodedQueryPage encoded;
  encoded.test = record.test;
  encoded.fold = record.fold;
  encoded.release = release_lines(derivation);
  encoded.index = index_lines(derivation);
  encoded.formats = format_labels(record);
  encoded.cbor = encode(*record.page);
  encoded.outline_cbor = encode(outline_of(*record.page));
  encoded.json_line = page_json_line(*record.page);
  std::unordered_set<std::string_view> written;
  for (const auto& passage : derivation.passages) {
    const auto& paragraph = *passage.paragraph;
    if (written.insert(paragraph.id).second) encoded.passages.emplace_back(paragraph.id, encode(paragraph));
  }
  encoded.numbers = count(derivation, encoded.release);
  return encoded;
}

EncodedPage encode_page(const formats::car::Page& page) {
  return {encode(page), page_json_line(page)};
}

EncodedPassage encode_passage(const formats::car::Paragraph& passage, const PassagePlaces& places,
                              std::string_view license) {
  return {encode(passage), paragraph_json_line(passage), format_passage(passage.id, paragraph_text(passage)),
          locator_line(passage.id, places, license)};
}

}  // namespace touchstone::collection::automatic
