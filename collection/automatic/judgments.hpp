#pragma once

#include "collection/automatic/derivation.hpp"
#include "formats/trec/qrels.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

/// The judgments that follow from a page, in the forms of qrels (Dietz and Dalton, section 3.1).
namespace touchstone::collection::automatic {

/// How much of the path of headings the topic of a judgment has.
enum class QrelsLevel : std::uint8_t {
  kArticle,       ///< the page
  kToplevel,      ///< page and outermost heading
  kHierarchical,  ///< page and all headings, down to the section that the paragraph is in
  kTree,          ///< the page and every heading on the way, a judgment for each
};
inline constexpr std::pair<std::string_view, QrelsLevel> kQrelsLevels[] = {{"article", QrelsLevel::kArticle},
                                                                           {"toplevel", QrelsLevel::kToplevel},
                                                                           {"hierarchical", QrelsLevel::kHierarchical},
                                                                           {"tree", QrelsLevel::kTree}};

/// Of BEIR's own qrels and of the hub's "default".
inline constexpr QrelsLevel kMainLevel = QrelsLevel::kHierarchical;

/// Whose ids are in a file.
enum class IdForm : std::uint8_t { kCar, kUnambiguous };

/// The grade of all automatic judgments: relevance is binary (section 3.1). What is not judged is not relevant.
inline constexpr int kAutomaticGrade = 1;

// All functions below are pure. Their judgments are sorted by topic and docid, each there once. A passage of the lead
// has the page as its topic on every level.

/// Passages relevant to the topics of a level (algorithm 1: passage relevance, faceted passage relevance).
std::vector<formats::trec::QrelRecord> passage_qrels(const Derivation& derivation, QrelsLevel level,
                                                     IdForm form = IdForm::kCar);

/// Entities relevant to the topics of a level; docids are ids of pages (algorithm 1: entity relevance).
std::vector<formats::trec::QrelRecord> entity_qrels(const Derivation& derivation, QrelsLevel level,
                                                    IdForm form = IdForm::kCar);

/// Support passages: passages of a topic of the tree that mention an entity; docids are `<paragraph id>/<entity id>`,
/// as in runs of entities with their passages (algorithm 1, last paragraph). Source of the form:
/// `constructPassageEntity` and `exportEntityPassageAnnotations` of the TREC CAR tools.
std::vector<formats::trec::QrelRecord> support_passage_qrels(const Derivation& derivation, IdForm form = IdForm::kCar);

/// A judgment of qrels with facets: `topic facet docid grade`.
struct FacetedQrel {
  formats::trec::QrelRecord qrel;
  std::string facet;
};

/// Passages relevant to the page, with each section that they are in as a facet, inner and outer ones (section 3.2:
/// "query facets are used in intent-aware evaluation measures"). Passages of the lead have no facet and are left out.
/// Sorted by topic, facet and docid.
std::vector<FacetedQrel> faceted_qrels(const Derivation& derivation, IdForm form = IdForm::kUnambiguous);

/// The judgments of another level that follow from hierarchical ones. Of several grades that meet in one judgment the
/// highest stays. Topics are split at every `/`, because CAR ids do not tell a `/` of a title from that before a
/// heading.
std::vector<formats::trec::QrelRecord> qrels_of_level(std::span<const formats::trec::QrelRecord> hierarchical,
                                                      QrelsLevel level);

}  // namespace touchstone::collection::automatic
