#pragma once

#include "collection/automatic/judgments.hpp"
#include "collection/release/collection_facts.hpp"
#include "common/files.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::collection::automatic {

/// A page or section of a page as a topic. Ids are unambiguous ones (formats/car/ids.hpp).
struct FormatTopic {
  std::string id;
  std::string text;         ///< one line
  std::string split;        ///< "train", "test"
  std::uint8_t levels = 0;  ///< a bit for each QrelsLevel at which it has a judgment, from the lowest bit on
  template <class Fields>
  void fields(Fields& field) {
    field("id", id)("text", text)("split", split)("levels", levels);
  }
  friend auto operator<=>(const FormatTopic&, const FormatTopic&) = default;
};

/// A passage as the files hold it. JSON keeps its lines; in TSV it is folded to one line.
struct FormatPassage {
  std::string json, tsv;  ///< each with its line end
};

/// Topics and qrels of a page.
struct FormatLabels {
  std::vector<FormatTopic> topics;
  std::array<std::vector<formats::trec::QrelRecord>, std::size(kQrelsLevels)> qrels;  ///< by QrelsLevel

  template <class Fields>
  void fields(Fields& field) {
    field("topics", topics)("qrels", qrels);
  }
};

/// Pure and thread-safe.
FormatPassage format_passage(std::string_view id, std::string_view text);

/// Writes the passage retrieval task of an automatic collection in the forms of today's tools:
///
///   trec/         {split}.{level}.topics.tsv, {split}.{level}.qrels, {split}.unscored.tsv
///   beir/         corpus.jsonl, queries.jsonl, qrels/{split}.tsv (hierarchical), qrels-{level}/{split}.tsv
///   hf/           README.md with the configurations, corpus.jsonl.gz, queries.jsonl.gz, qrels/{level}-{split}.jsonl
///   ir_datasets/  docs.tsv, queries.{split}.tsv, qrels.{split}.{level}.txt
///
/// The topics of a level are those that its qrels judge; the other files have topics that any level judges. Topics
/// without a judgment cannot be scored, and are in the file of the unscored alone.
///
/// Topics and qrels may come in any order and are sorted by their ids; passages keep their order. Texts are folded to
/// one line. Memory is bounded. Not thread-safe. Throws StorageError if a file cannot be written.
class FormatDirectories {
 public:
  /// \param splits  all that topics and qrels name
  FormatDirectories(std::filesystem::path root, release::CollectionFacts facts, std::vector<std::string> splits,
                    WriteOptions options = {});
  ~FormatDirectories();
  FormatDirectories(const FormatDirectories&) = delete;
  FormatDirectories& operator=(const FormatDirectories&) = delete;

  void add(const std::string& split, FormatLabels page);
  void add_passage(const FormatPassage& passage);

  /// Completes all files, in all threads of the caller's TBB arena. Call once, last.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::collection::automatic
