#pragma once

#include "collection/evidence/collection_numbers.hpp"
#include "pipeline/audit/derivation.hpp"

#include <filesystem>

namespace touchstone::pipeline::audit {

/// Writes the collection again with people's labels in place of the judge's: qrels, judgments, evidence, counts,
/// health, baseline run and card follow from them. All other records are those of the collection. \param out  may be
/// the collection itself, which is then replaced as a whole, or stays as it was Throws StorageError and FormatError.
collection::evidence::CollectionNumbers write_audited_collection(const JudgedCollection& collection,
                                                                 const AuditResult& result,
                                                                 const std::filesystem::path& out, int threads,
                                                                 const StopFlag& stop);

}  // namespace touchstone::pipeline::audit
