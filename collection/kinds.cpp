#include "collection/kinds.hpp"

#include "collection/automatic/automatic_health.hpp"
#include "collection/automatic/manifest.hpp"
#include "collection/automatic/validation/automatic_validation.hpp"
#include "collection/evidence/evidence_health.hpp"
#include "collection/evidence/manifest.hpp"
#include "collection/evidence/validation/validator.hpp"
#include "collection/release/files.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <string>
#include <system_error>

namespace touchstone::collection {
namespace {

bool is_automatic(const std::filesystem::path& directory) {
  return release::kind_of(directory) == release::CollectionKind::kAutomatic;
}

}  // namespace

void require_collection_directory(const std::filesystem::path& directory, std::string_view purpose) {
  namespace fs = std::filesystem;
  const std::string cannot = "cannot " + std::string(purpose) + " " + directory.string() + ": ";
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    const auto meant = error ? did_you_mean_file(directory) : std::string();
    throw StorageError(cannot + (error ? error.message() : "it is no folder") + meant +
                       "; name the directory of a collection");
  }
  if (fs::exists(directory / release::kManifest.name, error)) return;
  for (const auto* folder : {"collection", "automatic"}) {
    if (fs::exists(directory / folder / release::kManifest.name, error))
      throw StorageError(cannot + "it is a work directory; name the collection in it, " +
                         (directory / folder).string());
  }
}

release::ValidationReport validate_collection(const std::filesystem::path& directory, const StopFlag& stop,
                                              const release::BaselineScorer& score,
                                              const evidence::AuditExaminer& audit) {
  require_collection_directory(directory, "validate");
  auto report = is_automatic(directory) ? automatic::validation::validate_automatic(directory, stop, score)
                                        : evidence::validation::Validator(directory, stop, score, audit).run();
  if (!report.ok()) return report;
  for (const auto& check : examine_collection(directory, stop)) {
    if (!check.ok()) report.warnings.push_back(failure_text(check));
  }
  return report;
}

std::vector<health::HealthCheck> examine_collection(const std::filesystem::path& directory, const StopFlag& stop) {
  require_collection_directory(directory, "examine");
  if (is_automatic(directory)) {
    return automatic::examine_automatic(directory, automatic::read_manifest(directory).info, stop);
  }
  return evidence::examine_evidence(directory, evidence::read_manifest(directory).info, stop);
}

}  // namespace touchstone::collection
