#pragma once

#include "common/result.hpp"
#include "formats/trec/qrels.hpp"

#include <memory>
#include <string>
#include <string_view>

/// The lines of a BEIR directory: corpus.jsonl, queries.jsonl and qrels/<split>.tsv, whoever wrote it.
/// Failures are ends of sentences that start with file and line.
namespace touchstone::formats::beir {

struct Document {
  std::string id;
  std::string title;  ///< empty if absent
  std::string text;
};

struct Query {
  std::string id;
  std::string text;
};

/// The first line of every qrels/<split>.tsv. Readers skip it without looking at it.
inline constexpr std::string_view kQrelsHeader = "query-id\tcorpus-id\tscore";

/// Reads one line after the header: `topic<TAB>docid<TAB>grade`.
Result<trec::QrelRecord, std::string> parse_qrel(std::string_view line);

/// `topic<TAB>docid<TAB>grade` and a line end.
std::string qrel_line(const trec::QrelRecord& qrel);

/// The same judgment as the JSON line that dataset hubs load, `{"query-id","corpus-id","score"}`, and a line end.
std::string qrel_json_line(const trec::QrelRecord& qrel);

/// Reads lines of corpus.jsonl and queries.jsonl. Fields that BEIR does not know are ignored. Keeps its buffers between
/// lines. Not thread-safe.
class LineReader {
 public:
  LineReader();
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;

  Result<Document, std::string> document(std::string_view line);
  Result<Query, std::string> query(std::string_view line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::formats::beir
