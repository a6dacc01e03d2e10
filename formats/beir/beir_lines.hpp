#pragma once

#include "collection/collection.hpp"
#include "common/result.hpp"

#include <memory>
#include <string>
#include <string_view>

/// The lines of a BEIR directory: corpus.jsonl, queries.jsonl and qrels/<split>.tsv, of any maker.
namespace touchstone::formats {

struct BeirDocument {
  std::string id;
  std::string title;  ///< empty when absent
  std::string text;
};

struct BeirQuery {
  std::string id;
  std::string text;
};

/// The first line of every qrels/<split>.tsv; readers skip it without looking.
inline constexpr std::string_view kBeirQrelsHeader = "query-id\tcorpus-id\tscore";

/// Reads one line after the header: `topic<TAB>docid<TAB>grade`. The failure is the end of a sentence that starts with
/// file and line.
Result<QrelRecord, std::string> parse_beir_qrel(std::string_view line);

/// `topic<TAB>docid<TAB>grade` and a line end.
std::string beir_qrel_line(const QrelRecord& qrel);

/// Reads lines of corpus.jsonl and queries.jsonl; keeps its buffers between lines. Not thread-safe. Fields that BEIR
/// does not know are passed over. Failures are ends of sentences that start with file and line.
class BeirLineReader {
 public:
  BeirLineReader();
  ~BeirLineReader();
  BeirLineReader(BeirLineReader&&) noexcept;
  BeirLineReader& operator=(BeirLineReader&&) noexcept;

  Result<BeirDocument, std::string> document(std::string_view line);
  Result<BeirQuery, std::string> query(std::string_view line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::formats
