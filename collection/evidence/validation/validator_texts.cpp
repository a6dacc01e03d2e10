#include "collection/evidence/validation/validator.hpp"
#include "common/digest.hpp"
#include "common/unicode.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/trec/topics.hpp"

#include <algorithm>

namespace touchstone::collection::evidence::validation {
namespace {

/// Fewer digits of a digest may be any word.
constexpr std::size_t kLeastIdDigits = 8;

std::uint32_t title_hash(std::string_view title) {
  return static_cast<std::uint32_t>(xxh3_64(formats::fields::one_line(title)));
}

}  // namespace

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
      topics_sorted_ = false;
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
  std::optional<std::uint32_t> before;
  bool sorted = topics_sorted_;
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
      if (sorted && before && *index < *before) {
        sorted = false;
        problem(
            name, number,
            "has topic " + quote(topic->id) + " before topics that stand before it in topics.tsv; use the same order");
      }
      before = index;
      if (queries_[*index] != topic->query) {
        problem(name, number,
                "has the query " + quote(topic->query) + " for topic " + quote(topic->id) + " where topics.tsv has " +
                    quote(queries_[*index]) + "; make the two equal");
      }
    }
    check_topic(number, *topic);
    evidence_->add(*topic);
    return query_line(*topic);
  });
  report_.counts["queries"] = count;
  check_topic_ids();
  if (!read || !topics_read_) return;
  for (std::uint32_t i = 0; i < found.size(); ++i) {
    if (!found[i])
      problem(name, 0,
              "has no line for topic " + quote(topics_[i]) +
                  " of topics.tsv, which BEIR readers answer with a crash; add it");
  }
}

/// What a topic says of where it comes from.
void Validator::check_topic(std::uint64_t number, const TopicRecord& topic) {
  const std::string_view name = "queries.jsonl";
  std::string structured = topic.page;
  for (const auto& heading : topic.section_path) structured += " » " + heading;
  structured += " » " + topic.column;
  if (topic.structured != structured) {
    problem(name, number,
            "has the structured query " + quote(topic.structured) + " for topic " + quote(topic.id) +
                " where page, section and column make " + quote(structured) + "; make them equal");
  }
  if (formats::fields::is_blank(topic.query_source))
    problem(name, number, "does not say what worded topic " + quote(topic.id) + "; name the source of the query");
  if (!topics_are_frozen_) check_title(name, number, topic.page_id, topic.page);
  const auto digest = sha256_hex(topic.structured);
  const bool is_digest = topic.id.size() >= kLeastIdDigits && digest.starts_with(topic.id);
  if (is_digest) {
    ++topics_with_digest_;
  } else if (!topic_without_digest_) {
    topic_without_digest_ = {number, topic.id};
  }
}

/// Ids are digests of the structured queries. A collection in which none is has ids of another origin.
void Validator::check_topic_ids() {
  if (topics_with_digest_ == 0 || !topic_without_digest_) return;
  const auto& [number, id] = *topic_without_digest_;
  problem("queries.jsonl", number,
          "has the topic id " + quote(id) +
              ", which is not the digest of its structured query as those of other topics "
              "are; export the collection again");
}

void Validator::check_docid(std::uint64_t number, const PassageRecord& passage) {
  const std::string_view name = "corpus.jsonl.gz";
  const std::string ending = "-" + std::to_string(passage.page_id) + "-" + std::to_string(passage.ordinal);
  if (!passage.docid.ends_with(ending)) {
    problem(name, number,
            "has the docid " + quote(passage.docid) + " for passage " + std::to_string(passage.ordinal) + " of page " +
                std::to_string(passage.page_id) + ", where it should end with " + quote(ending) + "; correct it");
    return;
  }
  const auto prefix = passage.docid.substr(0, passage.docid.size() - ending.size());
  if (docids_prefix_.empty()) docids_prefix_ = prefix;
  if (prefix != docids_prefix_) {
    problem(name, number,
            "has the docid " + quote(passage.docid) + " of another wiki than those before it, which begin with " +
                quote(docids_prefix_) + "; correct it");
  }
}

/// A copy is in the corpus only by the passage that represents it.
void Validator::check_repeats(std::uint64_t number, const PassageRecord& passage) {
  const std::string_view name = "corpus.jsonl.gz";
  if (repeats_.find(passage.docid))
    problem(
        name, number,
        "has docid " + quote(passage.docid) + ", which a passage before it lists as its copy; leave out one of them");
  if (!std::is_sorted(passage.repeats.begin(), passage.repeats.end()))
    problem(name, number, "lists the copies of docid " + quote(passage.docid) + " out of order; sort them");
  for (const auto& repeat : passage.repeats) {
    check_id(name, number, "docid", repeat);
    if (docids_.find(repeat) || !repeats_.insert(repeat).second) {
      problem(name, number,
              "lists docid " + quote(repeat) + " as a copy of " + quote(passage.docid) +
                  ", but it is in the corpus or the copy of another passage; leave it out");
    }
  }
}

void Validator::check_title(std::string_view name, std::uint64_t number, std::uint64_t page_id,
                            const std::string& title) {
  if (!passages_read_ || !passages_sorted_) return;
  const auto at = std::lower_bound(passages_.begin(), passages_.end(), page_id,
                                   [](const Passage& passage, std::uint64_t id) { return passage.page_id < id; });
  if (at == passages_.end() || at->page_id != page_id) return;  // a page without a passage
  if (at->title_hash != title_hash(title)) {
    problem(name, number,
            "calls page " + std::to_string(page_id) + " " + quote(title) +
                ", but corpus.jsonl.gz has its passages under another title; make them equal");
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
    if (formats::fields::why_unsafe_id(passage->docid).empty()) check_docid(number, *passage);
    check_repeats(number, *passage);
    const Passage summary{passage->page_id, static_cast<std::uint32_t>(count_code_points(passage->text)),
                          title_hash(passage->title)};
    if (!passages_.empty() && passages_.back().page_id == summary.page_id &&
        passages_.back().title_hash != summary.title_hash) {
      problem(name, number,
              "has docid " + quote(passage->docid) + " under the title " + quote(passage->title) +
                  ", and the passage of the same page before it under another one; make them equal");
    }
    passages_.push_back(summary);
    counter_.passage();
    if (formats::fields::is_blank(passage->text)) {
      problem(name, number, "has an empty text for docid " + quote(passage->docid) + "; leave the passage out");
    }
    if (formats::fields::is_blank(passage->title)) {
      problem(name, number, "has an empty title for docid " + quote(passage->docid) + "; name the page it is from");
    }
    if (!formats::fields::is_plain_lines(passage->text) || !formats::fields::is_one_line(passage->title)) {
      problem(name, number,
              "has a tab or control character in the text of docid " + quote(passage->docid) +
                  ", or a line break in its title, which TSV readers take for its end; replace it by a space");
      return "";
    }
    const std::pair key(passage->page_id, passage->ordinal);
    if (before && key <= *before) {
      passages_sorted_ = false;
      problem(name, number,
              "has docid " + quote(passage->docid) + " out of order; sort the passages by page id and ordinal");
    }
    before = key;
    std::string written = passage_line(*passage);
    plain_corpus_.update(written);
    pyserini_.update(pyserini_line(*passage));
    docs_tsv_.update(docs_tsv_line(*passage));
    return written;
  });
  report_.counts["passages"] = docids_.size();
}

void Validator::check_discarded() {
  const std::string_view name = "discarded.tsv";
  std::uint64_t lines = 0;
  std::string before;
  discarded_read_ = read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    lines = number;
    if (number == 1) return std::string(kDiscardedHeader) + "\n";
    const auto discarded = parse_discarded(line);
    if (!discarded) {
      problem(name, number, discarded.error());
      return "";
    }
    if (discarded->kind != "column" && discarded->kind != "topic" && discarded->kind != "member")
      problem(name, number, "has the kind " + quote(discarded->kind) + "; kinds are column, topic and member");
    if (line < before) problem(name, number, "is out of order; sort the lines bytewise");
    before = line;
    counter_.discarded(discarded->reason);
    return discarded_line(*discarded);
  });
  if (discarded_read_ && lines == 0) problem(name, 0, "has no header line; export the collection again");
  report_.counts["discarded"] = lines > 0 ? lines - 1 : 0;
}

}  // namespace touchstone::collection::evidence::validation
