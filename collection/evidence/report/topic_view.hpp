#pragma once

#include "collection/evidence/report/list_order.hpp"
#include "collection/evidence/report/topic_contents.hpp"
#include "formats/html/html.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Topics and passages as HTML.
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

/// The anchor of a topic on its page.
std::string topic_anchor(std::size_t topic);

/// A topic with its members, its evidence, and the passages that are no evidence or were not judged. What does not fit
/// is left out at the end of each part, with the file that has it.
/// \param topic  its number in the report
formats::html::Html topic_view(const ReportTopic& shown, const TopicContents& contents, std::size_t topic,
                               const ViewOptions& options);

}  // namespace touchstone::collection::evidence::report::internal
