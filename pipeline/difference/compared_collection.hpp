#pragma once

#include "common/digest.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// What changed between two collections, and why.
namespace touchstone::pipeline::difference {

/// An entity of a topic's group. The page id tells it apart where it is known, else the title.
struct ComparedMember {
  std::uint64_t page_id = 0;
  std::string title;
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
};

/// A line of the qrels, and the members of the topic that the passage is evidence for.
struct ComparedLabel {
  std::uint32_t topic = 0, passage = 0;  ///< indices
  int grade = 0;
  std::vector<std::uint64_t> evidence_for{};  ///< page ids, ascending; empty where the collection does not say
};

/// A collection as far as it is compared.
struct ComparedCollection {
  std::filesystem::path directory;
  std::string name;                        ///< of the manifest, or of the directory
  std::string wiki;                        ///< empty if the directory does not say
  std::string dump_date;                   ///< the same
  std::vector<ComparedTopic> topics;       ///< by id
  std::vector<ComparedPassage> passages;   ///< in the order of the corpus
  std::vector<ComparedLabel> labels;       ///< by topic and passage
  std::uint64_t labels_without_parts = 0;  ///< lines of the qrels whose topic or docid the collection does not have
};

/// Reads a directory with topics, passages and qrels: an evidence collection or an automatic one (part `test`, all
/// headings), or a directory in the form of BEIR or ir_datasets. Memory: some 200 bytes for each passage, and the
/// labels. Throws StorageError and FormatError with file, line and remedy.
ComparedCollection read_compared_collection(const std::filesystem::path& directory);

}  // namespace touchstone::pipeline::difference
