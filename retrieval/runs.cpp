#include "retrieval/runs.hpp"

#include "common/error.hpp"
#include "formats/fields/quote.hpp"
#include "formats/trec/run.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_set>

#include <fmt/format.h>

namespace touchstone::retrieval {

std::vector<float> internal::strictly_descending(const Ranking& ranking) {
  std::vector<float> scores;
  for (const auto& hit : ranking) {
    auto score = static_cast<float>(hit.score);
    if (!scores.empty() && !(score < scores.back()))
      score = std::nextafterf(scores.back(), -std::numeric_limits<float>::infinity());
    scores.push_back(score);
  }
  return scores;
}

std::string run_lines(const Index& index, std::string_view topic, const Ranking& ranking, std::string_view tag) {
  std::string lines;
  const auto scores = internal::strictly_descending(ranking);
  for (std::size_t i = 0; i < ranking.size(); ++i) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, scores[i]).ptr;
    fmt::format_to(std::back_inserter(lines), "{} Q0 {} {} {} {}\n", topic, index.docid(ranking[i].document), i + 1,
                   std::string_view(digits, end), tag);
  }
  return lines;
}

CheckedRun check_run(const std::filesystem::path& path, std::span<const Topic> topics,
                     const std::function<bool(std::string_view docid)>& has_document) {
  const formats::trec::RunFile run(path);
  std::unordered_set<std::string_view> known;
  for (const auto& topic : topics) known.insert(topic.id);
  CheckedRun checked{run.tag().empty() ? path.stem().string() : run.tag(), 0};
  std::vector<formats::trec::RunEntry> entries;
  for (std::size_t i = 0; i < run.topic_count(); ++i) {
    const auto faults = run.read_topic(i, entries);
    if (faults.total() > 0) {
      throw FormatError(path.string() + " line " + std::to_string(run.line_at(faults.first_offset)) +
                        " is not `topic Q0 docid rank score tag` with a finite score, or has a docid a second time; "
                        "correct or remove the line");
    }
    const auto topic = run.topic(i);
    const auto in_topic = path.string() + " has topic " + formats::fields::quote_for_message(topic);
    if (!known.contains(topic))
      throw FormatError(in_topic + ", which the collection does not have; take a run on the topics of this collection");
    for (const auto& entry : entries) {
      if (!has_document(entry.docid))
        throw FormatError(in_topic + " with docid " + formats::fields::quote_for_message(entry.docid) +
                          ", which is not in the collection; take a run on this corpus");
    }
    if (!entries.empty()) ++checked.answered;
  }
  return checked;
}

}  // namespace touchstone::retrieval
