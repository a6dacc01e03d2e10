#pragma once

#include "collection/evidence/label_history.hpp"
#include "common/candidate_source.hpp"
#include "common/digest.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

/// What changed between two collections, and why.
namespace touchstone::pipeline::difference {

/// An entity of a topic's group. The page id tells it apart where it is known, else the title.
struct ComparedMember {
  std::uint64_t page_id = 0;
  std::string title;
  std::string aliases = {};  ///< joined
};

struct ComparedTopic {
  std::string id, query;
  std::uint64_t page_id = 0;  ///< of the list page; 0: not known
  std::string page;           ///< its title
  std::string place;          ///< headings and column, joined; empty if not known
  std::vector<ComparedMember> members;
};

struct ComparedPassage {
  std::string docid;
  std::uint64_t page_id = 0;   ///< 0: not known
  std::uint64_t revision = 0;  ///< of the page; 0: not known
  std::string page;            ///< title
  std::string place;           ///< headings above it, joined
  Digest128 text;
  std::uint64_t copies = 0;  ///< hash of the docids of passages that it replaces
};

/// The judgment of a passage for one member.
struct MemberLabel {
  std::uint64_t member = 0;  ///< page id
  std::optional<int> grade;
  std::optional<collection::evidence::LabelReason> reason = {};  ///< of its history; nothing if it was carried over
  std::optional<CandidateSource> source = {};
  bool is_by_people = false;  ///< people gave it in an audit
};

/// A line of the qrels, and the judgments that it follows from.
struct ComparedLabel {
  std::uint32_t topic = 0, passage = 0;  ///< indices
  int grade = 0;
  std::vector<MemberLabel> members{};  ///< by page id; empty where the collection does not say
};

/// What a collection tells of the one before it.
struct ComparedHistory {
  std::string manifest;  ///< SHA-256 of its manifest.json; empty: the collection tells nothing
  std::map<std::pair<std::string, std::string>, std::string> moved;              ///< (topic, docid) -> docid there
  std::map<std::pair<std::string, std::string>, std::vector<MemberLabel>> gone;  ///< by topic and docid there
};

/// A collection as far as it is compared.
struct ComparedCollection {
  std::filesystem::path directory;
  std::string name;                              ///< of the manifest, or of the directory
  std::string wiki;                              ///< empty if the directory does not say
  std::string dump_date;                         ///< the same
  std::vector<ComparedTopic> topics;             ///< by id
  std::vector<ComparedPassage> passages;         ///< in the order of the corpus
  std::vector<ComparedLabel> labels;             ///< by topic and passage
  std::unordered_set<std::string> repeats = {};  ///< docids that another passage replaces
  std::string judging;                           ///< judge, prompts and settings, as far as the manifest says; or empty
  std::string settings;                          ///< of lists, passages and candidates, the same
  bool only_baselines = false;                   ///< the judges weigh words by their number in the corpus
  std::string manifest;                          ///< SHA-256 of manifest.json; empty if there is none
  ComparedHistory history;
  std::uint64_t labels_without_parts = 0;  ///< lines of the qrels whose topic or docid the collection does not have
};

/// Whether an option decides what lists, passages and candidates there are: neither who judges nor how a collection is
/// written.
bool is_corpus_option(std::string_view key);

/// Reads a directory with topics, passages and qrels: an evidence collection or an automatic one (part `test`, all
/// headings), or a directory in the form of BEIR or ir_datasets. Memory: some 200 bytes for each passage, and the
/// labels. Throws StorageError and FormatError with file, line and remedy.
ComparedCollection read_compared_collection(const std::filesystem::path& directory);

}  // namespace touchstone::pipeline::difference
