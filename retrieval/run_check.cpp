#include "retrieval/run_check.hpp"

#include "common/error.hpp"
#include "formats/fields/quote.hpp"
#include "formats/trec/run.hpp"

#include <unordered_set>
#include <vector>

namespace touchstone::retrieval {

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
