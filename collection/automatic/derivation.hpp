#pragma once

#include "formats/car/records.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// Automatic collections: topics, facets and judgments that follow from the titles, headings, paragraphs and links of
/// pages, without any assessor (Dietz and Dalton, "Humans optional?", section 3).
namespace touchstone::collection::automatic {

/// The page as an information need (section 3.2: "Queries are derived from the titles of input pages").
struct PageTopic {
  std::string title;
  std::string car_id;  ///< in CAR's own files
  std::string id;      ///< unambiguous, in all other files
  std::string qid;     ///< empty: not known
};

inline constexpr std::size_t kNoFacet = std::numeric_limits<std::size_t>::max();

/// A section, as one aspect of the topic (section 3.2: "we use these headings to define query facets"). All sections of
/// one parent that have the same heading are one facet.
struct Facet {
  std::vector<std::string> headings;  ///< from the outermost inwards
  std::vector<std::string> heading_ids;
  std::string car_id;             ///< in CAR's own files; facets whose headings collide after escaping share it
  std::string id;                 ///< unambiguous, in all other files
  std::size_t parent = kNoFacet;  ///< index of the section around it; kNoFacet: it is top-level
};

/// What a link points to (section 3.2: "Entities that are mentioned on this page are assumed to be relevant").
struct Entity {
  std::string page_id;
  std::string qid;  ///< empty: not known
  friend bool operator==(const Entity&, const Entity&) = default;
};

/// A paragraph that is relevant to the topic and to the facet that it is in.
struct RelevantPassage {
  std::string id;                                      ///< of its representative
  std::size_t facet = kNoFacet;                        ///< kNoFacet: it is in the lead
  std::vector<Entity> entities;                        ///< that it links to, each once, in the order of the links
  const formats::car::Paragraph* paragraph = nullptr;  ///< in the page
};

struct DerivationOptions {
  bool list_items = false;  ///< list items are passages too
  bool captions = false;    ///< paragraphs in captions of images are passages too
  /// Docid that represents a paragraph id and all its near-duplicates (section 3.4: "We replace all occurrences of
  /// near-duplicate passages with a representative"). Empty: every paragraph represents itself.
  std::function<std::string(std::string_view paragraph_id)> representative = {};
};

/// All that follows from one page. The passages point into the page, which must outlive this.
struct Derivation {
  PageTopic topic;
  std::vector<Facet> facets;              ///< in page order, a section before the sections in it
  std::vector<RelevantPassage> passages;  ///< in page order

  /// The top-level facet that a facet lies in, or is.
  std::size_t top_level(std::size_t facet) const;
};

/// Derives topic, facets and relevant passages (section 3.2, algorithm 1). Pure and thread-safe.
///
/// - Only paragraphs count, unless the options add list items and captions; infoboxes never do. Paragraphs without
///   visible text, such as those of a template only, do not count.
/// - Sections whose heading is empty or invisible (white space, control characters, zero-width characters) dissolve:
/// what is in them belongs to the section around them, or to the lead.
/// - Links with an empty page id make no entity.
/// - Missing ids are made from title, heading or text.
Derivation derive(const formats::car::Page& page, const DerivationOptions& options = {});

}  // namespace touchstone::collection::automatic
