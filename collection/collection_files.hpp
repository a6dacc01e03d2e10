#pragma once

#include <array>
#include <string_view>
#include <vector>

/// The files of a collection directory: one table that the writer, the validator, the dataset card, croissant.json and
/// a test of docs/collection.md read.
namespace touchstone::collection {

struct CollectionFile {
  std::string_view name;
  std::string_view encoding;  ///< media type
  std::string_view summary;   ///< for the dataset card
  bool is_copy = false;       ///< the corpus once more, as one reader wants it; CollectionInfo::copies
  bool is_run = false;        ///< of the baseline run (baseline_run.hpp), which is made of the other files
};

/// What systems, scorers and readers take; listed in manifest.json and croissant.json.
inline constexpr std::array<CollectionFile, 16> kDataFiles{{
    {"topics.tsv", "text/tab-separated-values", "topics in TREC form, `id<TAB>query`"},
    {"qrels.txt", "text/plain", "qrels in TREC form, `topic 0 docid grade`"},
    {"corpus.jsonl.gz", "application/jsonlines", "the passages in BEIR form"},
    {"queries.jsonl", "application/jsonlines", "the topics in BEIR form, with the list and column they come from"},
    {"qrels/test.tsv", "text/tab-separated-values", "the same qrels in BEIR form, with a header line"},
    {"qrels/test.jsonl", "application/jsonlines", "the same qrels for dataset hubs"},
    {"evidence.jsonl", "application/jsonlines",
     "each (topic, member, passage) that is evidence, with query, text and address"},
    {"members.jsonl", "application/jsonlines", "the members of each topic's group, with candidate and evidence counts"},
    {"judgments.jsonl.gz", "application/jsonlines",
     "every judgment of a (topic, member, passage), with probability and reason"},
    {"unjudged.jsonl", "application/jsonlines", "those of them without a grade, and why"},
    {"discarded.tsv", "text/tab-separated-values", "what was left out, and why"},
    {"corpus.jsonl", "application/jsonlines", "the passages for the BEIR reader, which opens no .gz", true},
    {"pyserini/docs-00000.jsonl", "application/jsonlines", "the passages for Anserini and Pyserini", true},
    {"ir_datasets/docs.tsv", "text/tab-separated-values", "the passages for ir_datasets", true},
    {"runs/bm25.run.gz", "text/plain", "a run of a baseline system in TREC form", false, true},
    {"runs/bm25.scores.tsv", "text/tab-separated-values", "its scores", false, true},
}};

/// The folders that hold nothing but copies.
inline constexpr std::array<std::string_view, 2> kCopyFolders{"pyserini", "ir_datasets"};

/// The data files of a collection with or without the copies of its corpus and the baseline run.
inline std::vector<const CollectionFile*> data_files(bool copies, bool run) {
  std::vector<const CollectionFile*> files;
  for (const auto& file : kDataFiles) {
    if ((copies || !file.is_copy) && (run || !file.is_run)) files.push_back(&file);
  }
  return files;
}

inline constexpr CollectionFile kCard{"README.md", "text/markdown", "this card"};
inline constexpr CollectionFile kCroissant{"croissant.json", "application/ld+json", "the same facts for machines"};
inline constexpr CollectionFile kManifest{"manifest.json", "application/json",
                                          "program, configuration, dumps, numbers, digests"};
inline constexpr CollectionFile kDigests{"sha256sums.txt", "text/plain", "for `sha256sum -c sha256sums.txt`"};

}  // namespace touchstone::collection
