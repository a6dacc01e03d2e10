#pragma once

#include "collection/evidence/records.hpp"

#include <string>

/// Passages as readers other than BEIR's want them.
namespace touchstone::collection::evidence {

/// A line of Anserini's and Pyserini's JsonCollection, `{"id","contents"}`: title, line feed, text.
std::string pyserini_line(const PassageRecord& passage);

/// A line of the TSV that `ir_datasets.create_dataset(docs_tsv=...)` reads: docid, tab, title and text.
std::string docs_tsv_line(const PassageRecord& passage);

}  // namespace touchstone::collection::evidence
