#pragma once

#include <cstdint>
#include <filesystem>

/// All studies of one collection together.
namespace touchstone::analysis::studies::trust {

/// The form in which judgments are written.
enum class QrelsForm : std::uint8_t { kTrec, kBeir };

/// What a place on disk gives to the studies.
struct TrustInputs {
  std::filesystem::path qrels;
  QrelsForm form = QrelsForm::kTrec;
  std::filesystem::path corpus;  ///< JSON lines with texts; empty: none
  bool has_topics = false;       ///< texts and topics are there, so that baseline systems can answer
};

/// Looks what `place` is: a file of qrels; or a directory with `qrels.txt` (evidence collection, ir_datasets),
/// `trec/test.hierarchical.qrels` or `trec/train.hierarchical.qrels` (automatic collection), `qrels/test.tsv` (BEIR),
/// or a single file whose name has the word qrels. Only names are looked at. Throws ConfigError that says what to give.
TrustInputs find_trust_inputs(const std::filesystem::path& place);

/// Writes judgments in BEIR's form as TREC qrels. Throws FormatError with file, line and remedy, and StorageError.
void write_trec_qrels(const std::filesystem::path& beir, const std::filesystem::path& trec);

}  // namespace touchstone::analysis::studies::trust
