#include "collection/report/topic_list.hpp"

#include "collection/report/tables.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace touchstone::collection::report::internal {
namespace {

Html span(const char* style, const Html& content) {
  return element("span", {{"class", style}}, content);
}

/// A text of the wiki, which may run in either direction.
Html wiki_span(const char* style, const Html& content) {
  return element("span", {{"class", style}, {"dir", "auto"}}, content);
}

Html topic_summary(const ReportTopic& shown, std::size_t index) {
  const Html counts = span(
      "counts", span("pill", with_commas(shown.member_count) + (shown.member_count == 1 ? " member" : " members")) +
                    span("pill strong", with_commas(shown.evidence_count) + " evidence"));
  const Html summary = element("summary", {}, wiki_span("query", shown.topic.query), counts,
                               wiki_span("structured", shown.topic.structured));
  const Html body = element(
      "div", {{"class", "body"}},
      element("noscript", {},
              note("Topic " + shown.topic.id +
                   ". Members and passages are shown with scripts on; without them, look into members.jsonl and "
                   "judgments.jsonl.gz.")));
  return element("details",
                 {{"class", "topic"},
                  {"id", "topic-" + shown.topic.id},
                  {"data-index", std::to_string(index)},
                  {"data-evidence", std::to_string(shown.evidence_count)},
                  {"data-members", std::to_string(shown.member_count)}},
                 summary, body) +
         "\n";
}

}  // namespace

Html topic_list(const ReportData& data) {
  if (data.topics.empty()) {
    return empty_note("The collection has no topics. The table above says what was left out and why.");
  }
  std::vector<std::size_t> order(data.topics.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return data.topics[a].topic.structured < data.topics[b].topic.structured;
  });
  Html out;
  for (const std::size_t index : order) out += topic_summary(data.topics[index], index);
  return out;
}

Html left_out_note(const ReportData& data) {
  const auto topics = data.manifest.numbers.topics;
  const auto opened = static_cast<std::uint64_t>(
      std::count_if(data.topics.begin(), data.topics.end(), [](const ReportTopic& topic) { return topic.opened; }));
  std::string text;
  if (opened < topics) {
    text += "Members and passages are embedded for the first " + with_commas(opened) + " of " + with_commas(topics) +
            " topics by id; the others are in members.jsonl and judgments.jsonl.gz. ";
  }
  if (data.topics.size() < topics) {
    text += "Only " + with_commas(data.topics.size()) + " topics are listed; all are in topics.tsv. ";
  }
  if (data.texts_left_out > 0) {
    text += "The texts of " + with_commas(data.texts_left_out) +
            " passages were left out to keep this page small; they are in corpus.jsonl.gz. ";
  }
  return text.empty() ? Html() : note(text);
}

}  // namespace touchstone::collection::report::internal
