#include "collection/validation/validator.hpp"
#include "common/unicode.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/trec/topics.hpp"

namespace touchstone::collection::validation {

void Validator::check_topics() {
  const std::string_view name = "topics.tsv";
  std::string before;
  topics_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    const auto topic = formats::trec::parse_topic(line);
    if (!topic) {
      problem(name, number, topic.error());
      return "";
    }
    check_id(name, number, "topic id", topic->id);
    if (!topics_.insert(topic->id).second) {
      problem(name, number, "has topic " + quote(topic->id) + " a second time; give each topic its own id");
      return "";
    }
    if (topic->id < before) {
      problem(name, number,
              "has topic " + quote(topic->id) + " after " + quote(before) + "; sort the topics by id, bytewise");
    }
    before = topic->id;
    queries_.push_back(topic->text);
    counter_.topic(topic->id);
    return formats::trec::topic_line(topic->id, topic->text);
  });
  report_.counts["topics"] = topics_.size();
}

void Validator::check_queries() {
  const std::string_view name = "queries.jsonl";
  std::vector<bool> found(topics_.size());
  std::uint64_t count = 0;
  IdTable seen;
  const bool read = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    ++count;
    const auto topic = reader_.query(line);
    if (!topic) {
      problem(name, number, topic.error());
      return "";
    }
    check_id(name, number, "topic id", topic->id);
    if (!seen.insert(topic->id).second) {
      problem(name, number, "has topic " + quote(topic->id) + " a second time; give each topic its own id");
      return "";
    }
    if (topics_read_) {
      const auto index = topics_.find(topic->id);
      if (!index) {
        problem(name, number,
                "has topic " + quote(topic->id) + ", which topics.tsv does not define; add it there or remove it here");
        return "";
      }
      found[*index] = true;
      if (queries_[*index] != topic->query) {
        problem(name, number,
                "has the query " + quote(topic->query) + " for topic " + quote(topic->id) + " where topics.tsv has " +
                    quote(queries_[*index]) + "; make the two equal");
      }
    }
    return query_line(*topic);
  });
  report_.counts["queries"] = count;
  if (!read || !topics_read_) return;
  for (std::uint32_t i = 0; i < found.size(); ++i) {
    if (!found[i])
      problem(name, 0,
              "has no line for topic " + quote(topics_[i]) +
                  " of topics.tsv, which BEIR readers answer with a crash; add it");
  }
}

void Validator::check_corpus() {
  const std::string_view name = "corpus.jsonl.gz";
  std::optional<std::pair<std::uint64_t, std::uint32_t>> before;
  passages_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    const auto passage = reader_.passage(line);
    if (!passage) {
      problem(name, number, passage.error());
      return "";
    }
    check_id(name, number, "docid", passage->docid);
    if (!docids_.insert(passage->docid).second) {
      problem(name, number, "has docid " + quote(passage->docid) + " a second time; give each passage its own docid");
      return "";
    }
    passages_.push_back({passage->page_id, static_cast<std::uint32_t>(count_code_points(passage->text))});
    counter_.passage();
    if (formats::fields::is_blank(passage->text)) {
      problem(name, number, "has an empty text for docid " + quote(passage->docid) + "; leave the passage out");
    }
    if (formats::fields::is_blank(passage->title)) {
      problem(name, number, "has an empty title for docid " + quote(passage->docid) + "; name the page it is from");
    }
    if (!formats::fields::is_one_line(passage->text) || !formats::fields::is_one_line(passage->title)) {
      problem(name, number,
              "has a tab, line break or control character in the text of docid " + quote(passage->docid) +
                  ", which TSV readers take for its end; replace it by a space");
      return "";
    }
    const std::pair key(passage->page_id, passage->ordinal);
    if (before && key <= *before) {
      problem(name, number,
              "has docid " + quote(passage->docid) + " out of order; sort the passages by page id and ordinal");
    }
    before = key;
    return passage_line(*passage);
  });
  report_.counts["passages"] = docids_.size();
}

void Validator::check_discarded() {
  const std::string_view name = "discarded.tsv";
  std::uint64_t lines = 0;
  discarded_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    lines = number;
    if (number == 1) return std::string(kDiscardedHeader) + "\n";
    const auto discarded = parse_discarded(line);
    if (!discarded) {
      problem(name, number, discarded.error());
      return "";
    }
    counter_.discarded(discarded->reason);
    return discarded_line(*discarded);
  });
  if (discarded_read_ && lines == 0) problem(name, 0, "has no header line; export the collection again");
  report_.counts["discarded"] = lines > 0 ? lines - 1 : 0;
}

}  // namespace touchstone::collection::validation
