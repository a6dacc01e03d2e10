#pragma once

#include "collection/release/files.hpp"
#include "collection/release/staged_directory.hpp"

#include <array>
#include <string_view>
#include <vector>

/// The files of a collection directory: one table that the writer, the validator, the dataset card, croissant.json and
/// a test of docs/collection.md read.
namespace touchstone::collection::evidence {

/// What systems, scorers and readers take; listed in manifest.json and croissant.json.
inline constexpr std::array<release::CollectionFile, 19> kDataFiles{{
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
    {"gone.jsonl", "application/jsonlines", "the labels of the collection before that are not here, and why", false,
     false, true},
    {"audit.jsonl", "application/jsonlines",
     "the decisions that people judged again, with each answer and what was before", false, false, false, true},
    {"calibration.tsv", "text/tab-separated-values",
     "the probabilities of the judge, and what they are after calibration", false, false, false, true},
}};

/// The folders that hold nothing but reading copies.
inline constexpr std::array<std::string_view, 2> kReadingCopyFolders{"pyserini", "ir_datasets"};

/// What a collection has or has not: the reading copies of its corpus, the baseline run, the history, the audit.
struct FileGroups {
  bool reading_copies = true, run = false, history = false, audit = false;
};

/// The data files of a collection with these groups.
inline std::vector<const release::CollectionFile*> data_files(const FileGroups& has) {
  std::vector<const release::CollectionFile*> files;
  for (const auto& file : kDataFiles) {
    if ((has.reading_copies || !file.is_reading_copy) && (has.run || !file.is_run) &&
        (has.history || !file.is_history) && (has.audit || !file.is_audit))
      files.push_back(&file);
  }
  return files;
}

/// What the program writes into the directory of an evidence collection.
const release::DirectoryLayout& evidence_layout();

}  // namespace touchstone::collection::evidence
