#pragma once

#include "collection/evidence/report/topic_contents.hpp"
#include "formats/html/html.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace touchstone::collection::evidence::report::internal {

/// What the view of a topic needs to know of the collection, and its bounds.
struct ViewOptions {
  std::string base_url;    ///< CollectionInfo::base_url
  int evidence_grade = 1;  ///< CollectionInfo::evidence_grade
  std::size_t max_passage_code_points = 2500;
  std::size_t max_topic_bytes = std::size_t{200} << 10;
};

/// A passage as people see it: where it is from, its text with the mentions of members marked and the judge's spans
/// underlined, and for each member what was judged, how probable it is, and why. Long texts are cut around the first
/// mention.
formats::html::Html passage_card(const ShownPassage& shown, const ViewOptions& options);

/// A title of the wiki, as a link where the wiki's address is known.
/// \param revision  of the page; 0: the page as it is now
formats::html::Html page_link(std::string_view title, std::string_view base_url, std::uint64_t revision);

/// What a judgment says, in words: "evidence", "no evidence", or why there is no grade.
std::string verdict_text(const JudgmentRecord& judgment, int evidence_grade);

}  // namespace touchstone::collection::evidence::report::internal
