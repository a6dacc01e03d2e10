#include "collection/automatic/automatic_files.hpp"

#include "collection/release/files.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

namespace touchstone::collection::automatic {
namespace {

constexpr std::string_view kSplitsEnd = "-splits";

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "train", "test", "fold-2-train", "allButBenchmark"
bool is_part(std::string_view name) {
  if (name == kKnowledgeBase) return true;
  constexpr std::string_view kFold = "fold-";
  if (name.starts_with(kFold)) {
    name.remove_prefix(kFold.size());
    const auto dash = name.find('-');
    if (dash == std::string_view::npos || !is_digits(name.substr(0, dash))) return false;
    name.remove_prefix(dash + 1);
  }
  return name == "train" || name == "test";
}

/// A folder of JSON lines in pieces: "train.pages.jsonl-splits"
bool is_splits_folder(std::string_view name) {
  constexpr std::string_view kPages = ".pages.jsonl-splits";
  if (name == "dedup.articles-paragraphs.jsonl-splits") return true;
  return name.ends_with(kPages) && is_part(name.substr(0, name.size() - kPages.size()));
}

/// A file of the root that belongs to a part.
bool is_part_file(std::string_view name) {
  constexpr std::array<std::string_view, 13> kEnds = {".pages.cbor",
                                                      ".pages.cbor-outlines.cbor",
                                                      ".pages.cbor-paragraphs.cbor",
                                                      ".pages.cbor-article.qrels",
                                                      ".pages.cbor-toplevel.qrels",
                                                      ".pages.cbor-hierarchical.qrels",
                                                      ".pages.cbor-tree.qrels",
                                                      ".pages.cbor-article.entity.qrels",
                                                      ".pages.cbor-toplevel.entity.qrels",
                                                      ".pages.cbor-hierarchical.entity.qrels",
                                                      ".pages.cbor-tree.entitypsg.qrels",
                                                      ".pages.cbor-toplevel.cluster.jsonl.gz",
                                                      ".pages.cbor-entity-linking.jsonl.gz"};
  const auto belongs = [&](std::string_view end) {
    return name.ends_with(end) && is_part(name.substr(0, name.size() - end.size()));
  };
  return std::any_of(kEnds.begin(), kEnds.end(), belongs) || belongs(".faceted.qrels");
}

bool is_automatic_folder(std::string_view name) {
  constexpr std::array<std::string_view, 5> kFolders = {"trec", "beir", "hf", "ir_datasets", "runs"};
  if (std::find(kFolders.begin(), kFolders.end(), name) != kFolders.end()) return true;
  return name == "hf/qrels" || name == "beir/qrels" || name.starts_with("beir/qrels-") || is_splits_folder(name);
}

bool is_automatic_file(std::string_view name) {
  constexpr std::array<std::string_view, 6> kFormatFiles = {".tsv", ".jsonl", ".jsonl.gz", ".qrels", ".txt", ".run.gz"};
  const auto slash = name.rfind('/');
  if (slash != std::string_view::npos) {
    if (name == "hf/README.md") return true;
    const auto end = [&](std::string_view wanted) { return name.ends_with(wanted); };
    return is_automatic_folder(name.substr(0, slash)) && std::any_of(kFormatFiles.begin(), kFormatFiles.end(), end);
  }
  constexpr std::array<std::string_view, 13> kSingle = {kDuplicatesFile,
                                                        kTitlesFile,
                                                        kTopicsFile,
                                                        kQidsFile,
                                                        kIdMapFile,
                                                        kTopicTextFile,
                                                        kCorpusFile,
                                                        kEntityQidsFile,
                                                        release::kCard.name,
                                                        "LICENSE",
                                                        release::kManifest.name,
                                                        release::kDigests.name,
                                                        kLocatorsFile};
  return std::find(kSingle.begin(), kSingle.end(), name) != kSingle.end() || is_part_file(name);
}

}  // namespace

std::string hub_qrels_name(std::string_view level, std::string_view split) {
  return fmt::format("qrels/{}-{}.jsonl", level, split);
}

const release::DirectoryLayout& automatic_layout() {
  static const release::DirectoryLayout layout{
      is_automatic_file, is_automatic_folder, {"trec", "beir", "hf", "ir_datasets"}};
  return layout;
}

}  // namespace touchstone::collection::automatic
