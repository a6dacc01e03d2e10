#include "common/error.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/json/field_reader.hpp"
#include "formats/trec/topics.hpp"
#include "retrieval/collection_source.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <simdjson.h>

namespace touchstone::retrieval::internal {
namespace {

namespace fs = std::filesystem;
using formats::json::FieldReader;

constexpr std::size_t kMostRepeats = 5;        ///< of one text of links to a page
constexpr std::size_t kMaxAnchorBytes = 4096;  ///< of all texts of links to a page

[[noreturn]] void fail_line(const fs::path& path, std::uint64_t line, const std::string& what) {
  throw FormatError(path.string() + " line " + std::to_string(line) + " " + what +
                    "; correct the line or make the file again");
}

/// A link in a passage to the page of a member.
struct Mention {
  std::string member;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;  ///< code points
};

using Mentions = std::unordered_map<std::string, std::vector<Mention>>;

/// The links of passages to members. Grades and answers of judges are not looked at.
Mentions read_mentions(const fs::path& path) {
  Mentions mentions;
  if (!fs::exists(path)) return mentions;
  simdjson::dom::parser parser;
  for_each_line(path, [&](std::string_view line, std::uint64_t number) {
    simdjson::dom::object object;
    std::string error;
    if (formats::json::parse_object(parser, line, object, error)) {
      FieldReader fields(object, error);
      Mention mention{fields.text("member"), fields.ranges("mentions")};
      auto& of_passage = mentions[fields.text("docid")];
      const bool is_known = std::any_of(of_passage.begin(), of_passage.end(),
                                        [&](const Mention& other) { return other.member == mention.member; });
      if (!is_known && !mention.ranges.empty()) of_passage.push_back(std::move(mention));
    }
    if (!error.empty()) fail_line(path, number, error);
    return true;
  });
  return mentions;
}

/// Reads lines of a corpus in BEIR's form, with the title and headings of ours.
class CorpusLineReader {
 public:
  Document document(const fs::path& path, std::string_view line, std::uint64_t number) {
    simdjson::dom::object object;
    std::string error;
    Document document;
    if (formats::json::parse_object(parser_, line, object, error)) {
      FieldReader fields(object, error);
      document.id = fields.text("_id");
      if (fields.has("title")) document.title = fields.text_or_null("title");
      document.text = fields.text("text");
      document.page = document.title;
      add_headings(object, document.title);
    }
    if (!error.empty()) fail_line(path, number, error);
    return document;
  }

 private:
  static void add_headings(const simdjson::dom::object& object, std::string& title) {
    simdjson::dom::array headings;
    if (object["metadata"]["section"].get(headings) != simdjson::SUCCESS) return;
    for (const auto& heading : headings) {
      std::string_view text;
      if (heading.get(text) == simdjson::SUCCESS) title.append(" ").append(text);
    }
  }

  simdjson::dom::parser parser_;
};

class LinesSource : public CollectionSource {
 public:
  LinesSource(fs::path directory, fs::path corpus, fs::path queries, fs::path topics, std::string language)
      : directory_(std::move(directory)),
        corpus_(std::move(corpus)),
        queries_(std::move(queries)),
        topics_(std::move(topics)),
        language_(std::move(language)) {}

  void for_each_document(const std::function<void(Document&&)>& take) override {
    if (corpus_.extension() == ".tsv") return for_each_tsv(take);
    const auto mentions = read_mentions(directory_ / "judgments.jsonl.gz");
    const auto anchors = read_anchors(mentions);
    CorpusLineReader reader;
    for_each_line(corpus_, [&](std::string_view line, std::uint64_t number) {
      if (line.empty()) return true;
      auto document = reader.document(corpus_, line, number);
      if (const auto found = anchors.find(document.page); found != anchors.end()) document.anchors = found->second;
      if (const auto found = mentions.find(document.id); found != mentions.end()) {
        for (const auto& mention : found->second) document.links.push_back(mention.member);
      }
      take(std::move(document));
      return true;
    });
  }

  std::vector<Topic> topics() override {
    std::vector<Topic> topics = topics_.empty() ? own_topics() : read_topic_file(topics_);
    if (topics.empty())
      throw FormatError(queries_.string() +
                        " has no topic; systems need queries to answer, so take a collection with topics or name a "
                        "file with --topics");
    add_members(topics);
    return topics;
  }

  std::vector<fs::path> document_files() const override {
    std::vector<fs::path> files{corpus_};
    if (fs::exists(directory_ / "judgments.jsonl.gz")) files.push_back(directory_ / "judgments.jsonl.gz");
    return files;
  }
  fs::path corpus_file() const override { return corpus_; }
  std::string language() const override { return language_; }

 private:
  void for_each_tsv(const std::function<void(Document&&)>& take) {
    for_each_line(corpus_, [&](std::string_view line, std::uint64_t number) {
      if (line.empty()) return true;
      const auto tab = line.find('\t');
      if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos)
        fail_line(corpus_, number, "does not have two columns, docid and text");
      Document document;
      document.id = line.substr(0, tab);
      document.text = line.substr(tab + 1);
      take(std::move(document));
      return true;
    });
  }

  /// The texts of links to each page, as far as the mentions of members tell them.
  std::unordered_map<std::string, std::string> read_anchors(const Mentions& mentions) const {
    std::unordered_map<std::string, std::string> anchors;
    if (mentions.empty()) return anchors;
    std::map<std::pair<std::string, std::string>, std::size_t> repeats;
    CorpusLineReader reader;
    for_each_line(corpus_, [&](std::string_view line, std::uint64_t number) {
      if (line.empty()) return true;
      const auto document = reader.document(corpus_, line, number);
      const auto found = mentions.find(document.id);
      if (found == mentions.end()) return true;
      for (const auto& mention : found->second) {
        for (const auto& [begin, end] : mention.ranges) {
          ByteCounter bytes(document.text);
          const auto first = bytes.at_code_point(begin), last = bytes.at_code_point(std::max(begin, end));
          const auto text = document.text.substr(first, last - first);
          auto& all = anchors[mention.member];
          if (all.size() + text.size() < kMaxAnchorBytes && repeats[{mention.member, text}]++ < kMostRepeats)
            all.append(all.empty() ? "" : " ").append(text);
        }
      }
      return true;
    });
    return anchors;
  }

  std::vector<Topic> own_topics() const {
    std::vector<Topic> topics;
    if (queries_.extension() == ".tsv") return read_topic_file(queries_);
    formats::beir::LineReader reader;
    std::unordered_set<std::string> ids;
    for_each_line(queries_, [&](std::string_view line, std::uint64_t number) {
      if (line.empty()) return true;
      auto query = reader.query(line);
      if (!query) fail_line(queries_, number, query.error());
      if (!ids.insert(query->id).second) fail_line(queries_, number, "has topic " + query->id + " a second time");
      if (query->id.empty() || query->id.find_first_of(" \t\r\n\v\f") != std::string::npos)
        fail_line(queries_, number, "has a topic id that is empty or holds white space, which no run can hold");
      topics.push_back({std::move(query->id), std::move(query->text), {}});
      return true;
    });
    return topics;
  }

  void add_members(std::vector<Topic>& topics) const {
    const auto path = directory_ / "members.jsonl";
    if (!fs::exists(path)) return;
    std::unordered_map<std::string, Topic*> by_id;
    for (auto& topic : topics) by_id[topic.id] = &topic;
    simdjson::dom::parser parser;
    for_each_line(path, [&](std::string_view line, std::uint64_t number) {
      simdjson::dom::object object;
      std::string error;
      if (formats::json::parse_object(parser, line, object, error)) {
        FieldReader fields(object, error);
        const auto found = by_id.find(fields.text("topic"));
        auto title = fields.text("title");
        if (found != by_id.end()) found->second->members.push_back(std::move(title));
      }
      if (!error.empty()) fail_line(path, number, error);
      return true;
    });
  }

  fs::path directory_, corpus_, queries_, topics_;
  std::string language_;
};

fs::path first_existing(const fs::path& directory, std::initializer_list<const char*> names) {
  for (const auto* name : names) {
    if (fs::is_regular_file(directory / name)) return directory / name;
  }
  return {};
}

}  // namespace

std::unique_ptr<CollectionSource> open_lines(const fs::path& directory, const SourceOptions& options,
                                             std::string language) {
  const auto corpus =
      first_existing(directory, {"corpus.jsonl.gz", "corpus.jsonl", "docs.tsv", "ir_datasets/docs.tsv"});
  if (corpus.empty())
    throw FormatError(directory.string() +
                      " has no corpus (corpus.jsonl.gz, corpus.jsonl or docs.tsv); name the directory of a collection, "
                      "or of a data set in BEIR's form");
  const auto queries = first_existing(directory, {"topics.tsv", "queries.jsonl", "queries.tsv"});
  if (queries.empty() && options.topics.empty())
    throw FormatError(directory.string() +
                      " has no topics (topics.tsv, queries.jsonl or queries.tsv); name a file of topics with --topics");
  return std::make_unique<LinesSource>(directory, corpus, queries, options.topics, std::move(language));
}

}  // namespace touchstone::retrieval::internal
