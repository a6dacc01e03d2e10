#include "collection/evidence/validation/validator.hpp"

#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>

namespace touchstone::collection::evidence::validation {

std::string quote(std::string_view value) {
  return formats::fields::quote_for_message(value);
}

std::string pair_name(std::string_view topic, std::string_view docid) {
  return "topic " + quote(topic) + ", docid " + quote(docid);
}

release::ValidationReport Validator::run() {
  read_statements();
  counter_ = CollectionCounter(evidence_grade_);
  evidence_ = std::make_unique<EvidenceJoin>(std::filesystem::temp_directory_path(), evidence_grade_);
  check_digests(names());
  check_topics();
  check_corpus();
  check_queries();
  check_qrels();
  check_beir_qrels();
  check_members();
  check_audit();
  check_judgments();
  check_unjudged();
  check_gone();
  check_discarded();
  check_manifest();
  check_card();
  check_croissant();
  check_claims();
  check_derived();
  check_baseline();
  check_audit_numbers();
  check_descriptions();
  return std::move(report_);
}

void Validator::check_id(std::string_view name, std::uint64_t number, const char* what, const std::string& id) {
  const std::string why = formats::fields::why_unsafe_id(id);
  if (!why.empty()) {
    problem(name, number,
            std::string("has the ") + what + " " + quote(id) + ", which " + why +
                "; use letters, digits and - _ . : ~ only");
  }
}

std::string Validator::member_key(const std::string& topic, std::uint64_t page_id) {
  return topic + "\n" + std::to_string(page_id);
}

void Validator::check_follows(std::string_view file, Sha256 expected, std::string_view from) {
  const auto real = present_.find(std::string(file));
  if (real == present_.end() || changed_.contains(real->first)) return;
  if (real->second.sha256 != expected.hex())
    problem(file, 0, "does not hold what follows from " + std::string(from) + "; export the collection again");
}

std::vector<std::string> Validator::names() const {
  std::vector<std::string> names;
  for (const auto* file : data_files(has_)) names.emplace_back(file->name);
  for (const auto& file : {release::kCroissant, release::kCard, release::kManifest, release::kDigests})
    names.emplace_back(file.name);
  return names;
}

bool Validator::is_ours(std::string_view name) const {
  const auto all = names();
  return std::find(all.begin(), all.end(), name) != all.end();
}

}  // namespace touchstone::collection::evidence::validation
