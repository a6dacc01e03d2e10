#pragma once

#include "collection/evidence/records.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The order in which the report shows topics: list by list, as one would look them up.
namespace touchstone::collection::evidence::report::internal {

/// A topic with what was counted of it.
struct ReportTopic {
  TopicRecord topic;
  std::uint64_t members = 0;
  std::uint64_t evidence = 0, not_evidence = 0, unjudged = 0;  ///< passages; judged no, and without any grade
};

/// The topics of one list page, which are together.
struct ReportList {
  std::string title;
  std::string letter;  ///< under which it is: "B", "0–9" or "#"
  std::size_t first = 0, count = 0;
};

/// Sorts topics by list, and within a list by section and column. Lists are sorted by their titles without regard to
/// case and to words with which most titles begin: of "List of birds" and "List of teas", "birds" and "teas" count.
std::vector<ReportList> order_by_list(std::vector<ReportTopic>& topics);

/// The words with which most titles begin, lower case and with a blank at the end, all shorter beginnings before the
/// longer ones: "list ", "list of ". Empty if there are none.
std::vector<std::string> common_beginnings(const std::vector<std::string>& titles);

}  // namespace touchstone::collection::evidence::report::internal
