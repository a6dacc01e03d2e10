#pragma once

#include "collection/evidence/report/list_order.hpp"
#include "collection/evidence/report/passage_card.hpp"

#include <string>

namespace touchstone::collection::evidence::report::internal {

/// The anchor of a topic on its page.
std::string topic_anchor(std::size_t topic);

/// A topic with its members, its evidence, and the passages that are no evidence or were not judged. What does not fit
/// is left out at the end of each part, with the file that has it.
/// \param topic  its number in the report
formats::html::Html topic_view(const ReportTopic& shown, const TopicContents& contents, std::size_t topic,
                               const ViewOptions& options);

}  // namespace touchstone::collection::evidence::report::internal
