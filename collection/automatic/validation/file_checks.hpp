#pragma once

#include "collection/automatic/manifest.hpp"
#include "collection/automatic/validation/page_rules.hpp"
#include "collection/release/validation.hpp"
#include "formats/car/reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace touchstone::collection::automatic::validation {

inline constexpr std::string_view kQueriesFile = "beir/queries.jsonl", kLicenseFile = "LICENSE";
inline constexpr const char* kKnowledgePages = "allButBenchmark.pages.cbor";
inline constexpr std::string_view kSplits[] = {"train", "test"};
inline constexpr std::string_view kExportAgain = "; export the collection again";

/// Whether a file has the order of the pages, or is sorted with each line once.
enum class LineOrder : std::uint8_t { kOfPages, kSorted };

/// The line whose hash is expected, of a line in the form of the file; empty if it has another form.
using Canonical = std::function<std::string(std::string_view)>;

/// The lines of qrels in other forms than TREC's, which are `topic 0 docid grade`.
std::string of_beir_qrel(std::string_view line);
std::string of_hub_qrel(std::string_view line);

/// A line of JSON of a BEIR directory.
std::string beir_json(std::string_view id, std::string_view text, bool is_passage);

/// "train", "test", then those of each fold.
std::vector<std::string> part_names(std::uint32_t folds);

/// The files that the collection has, by what it says of itself and by how many files of JSON lines are there.
std::vector<std::string> file_names(const std::filesystem::path& directory, const Manifest& manifest);

/// `test.pages.cbor`, by the index of the split.
std::string split_pages(std::size_t split);

std::string beir_qrels_name(std::string_view level, std::string_view split);

/// `train.pages.jsonl-splits/pages-0.jsonl.gz`, a file of JSON lines in pieces.
std::string split_file(std::string_view records, std::size_t number);

/// What the files of all parts should hold.
struct CommonLines {
  Hashes titles, topics, qids, id_map, topic_texts, entity_qids, queries;
  std::unordered_set<std::uint64_t> car_ids;
  std::array<Hashes, std::size(kSplits)> texts, unscored;  ///< topics by split
  std::array<std::array<Hashes, std::size(kQrelsLevels)>, std::size(kSplits)> topics_of;
};

/// Compares files of an automatic collection with the lines and records that they should hold. Of each file, the first
/// thing that is wrong is a problem.
class FileChecks : protected release::Validation {
 protected:
  FileChecks(std::filesystem::path directory, const StopFlag& stop)
      : Validation(std::move(directory), stop, std::size_t{1} << 28) {}

  void check_lines(const std::string& file, Hashes expected, LineOrder order, const Canonical& canonical = {},
                   std::string_view header = {});
  /// The same for JSON lines in files of a bounded number of lines.
  void check_splits(std::string_view records, const Hashes& expected, std::size_t lines_per_file);
  /// Compares the records of a CBOR file, and its header.
  void check_records(const std::string& file, const Hashes& expected, formats::car::FileType type);
  void check_header(const std::string& file, formats::car::FileType type);
  /// Compares the qrels for other tools, which have the same judgments in several forms.
  void check_qrels(std::string_view split, const PageLines& lines);
  /// Compares the file of locators: a line for each passage, which names the pages that it is on. What else a line says
  /// is in no other file.
  /// \param passages  hashes of the ids in the order of the corpus
  /// \param places    by place_hash, the passage of each place that is known
  void check_locators(const Hashes& passages, std::unordered_map<std::uint64_t, std::string> places);
  /// Compares a file with the text that it should hold.
  void check_text(std::string_view file, std::string_view expected);

  Manifest manifest_;  ///< as it is
};

}  // namespace touchstone::collection::automatic::validation
