#pragma once

#include "collection/automatic/manifest.hpp"
#include "formats/car/records.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

/// What the rules of docs/automatic.md make of a query page: the lines and records that it has in each file. Written
/// from the rules a second time and without the code that the writer uses, so that a mistake in one shows in the other.
namespace touchstone::collection::automatic::validation {

/// Hashes of lines without their ends, or of records.
using Hashes = std::vector<std::uint64_t>;

struct PassageRules {
  bool list_items = false, captions = false;                              ///< are passages too
  std::function<std::string(std::string_view paragraph)> representative;  ///< the docid for a paragraph id
};

/// What a page has in the files of one part.
struct PageLines {
  std::array<Hashes, std::size(kQrelsLevels)> passages, entities;  ///< with CAR's ids; no entities of the tree
  Hashes support_passages, faceted, clusters, entity_linking;
  std::uint64_t page = 0, outline = 0;                              ///< records
  std::vector<std::pair<std::uint64_t, std::uint64_t>> paragraphs;  ///< hash of the id, record
  PartNumbers numbers;
  // In the files of all parts.
  std::string title;
  Hashes topics, qids, id_map, topic_texts, entity_qids;
  std::array<Hashes, std::size(kQrelsLevels)> qrels;                        ///< `topic 0 docid 1`, with unambiguous ids
  std::vector<std::pair<std::string, std::set<QrelsLevel>>> format_topics;  ///< unambiguous id, levels that judge it
  std::vector<std::string> docids;                                          ///< of its passages
  std::vector<std::pair<std::uint64_t, std::string>>
      places;  ///< place_hash and docid of passages that no other represents
};

/// Of the JSON line of the record, without its end.
std::uint64_t record_hash(const formats::car::Page& page);
std::uint64_t record_hash(const formats::car::Paragraph& paragraph);

/// As a line of `titles`.
std::string title_of(const formats::car::Page& page);

/// Of a passage that stands on a page.
std::uint64_t place_hash(std::string_view docid, std::string_view page);

/// Pure and thread-safe, as far as `representative` is.
PageLines lines_of(const formats::car::Page& page, const PassageRules& rules);

void append(Hashes& all, const Hashes& more);

/// What the files of a part should hold.
struct PartLines {
  PageLines lines;  ///< of all pages together
  Hashes pages, outlines, paragraphs;
  std::unordered_set<std::uint64_t> paragraph_ids;

  void add(const PageLines& page);
};

}  // namespace touchstone::collection::automatic::validation
