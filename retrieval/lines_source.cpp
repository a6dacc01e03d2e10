#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/beir/beir_lines.hpp"
#include "formats/json/field_reader.hpp"
#include "formats/trec/topics.hpp"
#include "retrieval/collection_source.hpp"

#include <set>
#include <unordered_set>

#include <fmt/ranges.h>
#include <simdjson.h>

namespace touchstone::retrieval::internal {
namespace {

namespace fs = std::filesystem;
using formats::json::FieldReader;

[[noreturn]] void fail_line(const fs::path& path, std::uint64_t line, const std::string& what) {
  throw FormatError(path.string() + " line " + std::to_string(line) + " " + what +
                    "; correct the line or make the file again");
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
    CorpusLineReader reader;
    for_each_line(corpus_, [&](std::string_view line, std::uint64_t number) {
      if (line.empty()) return true;
      take(reader.document(corpus_, line, number));
      return true;
    });
  }

  std::vector<Topic> topics() override {
    std::vector<Topic> topics = topics_.empty() ? own_topics() : read_topic_file(topics_);
    if (topics.empty())
      throw FormatError(queries_.string() +
                        " has no topic; systems need queries to answer, so take a collection with topics or name a "
                        "file with --topics");
    return topics;
  }

  std::vector<fs::path> document_files() const override {
    std::vector<fs::path> files{corpus_};
    if (fs::exists(own_queries())) files.push_back(own_queries());  // for list_pages()
    return files;
  }
  std::unordered_set<std::string> list_pages() const override {
    std::unordered_set<std::string> pages;
    if (!fs::exists(own_queries())) return pages;
    simdjson::dom::parser parser;
    for_each_line(own_queries(), [&](std::string_view line, std::uint64_t) {
      std::string_view page;
      simdjson::dom::element query;
      if (parser.parse(line.data(), line.size()).get(query) == simdjson::SUCCESS &&
          query["metadata"]["page"].get(page) == simdjson::SUCCESS)
        pages.emplace(page);
      return true;
    });
    return pages;
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

  fs::path own_queries() const { return directory_ / "queries.jsonl"; }

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
      topics.push_back({std::move(query->id), std::move(query->text)});
      return true;
    });
    return topics;
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

/// What to do where none of the usual files holds the topics: a data set in parts has `queries.train.tsv` and the like.
std::string how_to_name_topics(const fs::path& directory) {
  std::set<std::string> parts;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("queries.") && name.ends_with(".tsv")) parts.insert(entry.path().string());
  }
  if (parts.empty()) return "name a file of topics with --topics";
  return fmt::format("its topics are in parts; name one with --topics: {}", fmt::join(parts, ", "));
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
    throw FormatError(directory.string() + " has no topics (topics.tsv, queries.jsonl or queries.tsv); " +
                      how_to_name_topics(directory));
  return std::make_unique<LinesSource>(directory, corpus, queries, options.topics, std::move(language));
}

}  // namespace touchstone::retrieval::internal
