#pragma once

#include "analysis/audit/decision.hpp"
#include "analysis/votes/majority.hpp"
#include "collection/evidence/audit_records.hpp"
#include "collection/evidence/collection_info.hpp"
#include "common/options.hpp"
#include "common/stop.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

/// Auditing a released evidence collection by people (docs/audit.md).
namespace touchstone {
namespace pipeline::audit {

/// What parts decisions into strata, besides the judge's answer and its probability.
enum class StrataPart : std::uint8_t {
  kSource,      ///< what proposed the passage: own-article, link, mention, page
  kOwnArticle,  ///< whether it is from the member's own article
  kPosition     ///< whether it is the first passage of its page
};

/// How an audit is computed. A collection that was audited keeps its settings, since answers to samples of other strata
/// cannot be counted together.
struct AuditSettings {
  int bins = 5;                   ///< equal ranges of the probability
  std::vector<StrataPart> parts;  ///< ascending
  analysis::votes::TieRule tie =
      analysis::votes::TieRule::kLowest;  ///< people's yes or no, where as many said yes as no

  friend bool operator==(const AuditSettings&, const AuditSettings&) = default;
};

/// Most ranges of the probability.
inline constexpr int kMostBins = 20;

/// Topic, page id of the member, docid: the order of judgments.
using LabelKey = std::tuple<std::string, std::uint64_t, std::string>;
LabelKey key_of(const collection::evidence::JudgmentRecord& judgment);

/// A collection as an audit sees it: the decisions of its judge, as they were without people.
struct JudgedCollection {
  std::filesystem::path directory;
  collection::evidence::CollectionInfo info;
  AuditSettings settings;
  std::vector<analysis::audit::Decision> decisions;                      ///< in the order of judgments
  std::map<LabelKey, collection::evidence::AuditRecord> audited;         ///< of audits before
  std::map<std::pair<std::string, std::string>, std::uint64_t> members;  ///< page ids by topic and title

  /// Index of a decision, if there is such a one.
  std::optional<std::size_t> find(const LabelKey& key) const;
};

/// Reads the collection. An audit that is there gives the settings; `settings` must then say the same, if given.
/// Memory: some 150 bytes a decision.
/// Throws ConfigError if it is an automatic collection, or if the settings contradict, and StorageError and FormatError
/// with file and line.
JudgedCollection read_judged_collection(const std::filesystem::path& directory,
                                        const std::optional<AuditSettings>& settings, const StopFlag& stop);

/// Calls `use` for each judgment of the collection, as it was without people.
void for_each_original_judgment(const JudgedCollection& collection, const StopFlag& stop,
                                const std::function<void(collection::evidence::JudgmentRecord)>& use);

/// Throws FormatError for a line of a collection.
[[noreturn]] void fail_at_line(const std::filesystem::path& file, std::uint64_t line, const std::string& why);

}  // namespace pipeline::audit

template <>
struct Choices<pipeline::audit::StrataPart> {
  using Part = pipeline::audit::StrataPart;
  static constexpr Choice<Part> table[] = {
      {"source", Part::kSource}, {"own-article", Part::kOwnArticle}, {"position", Part::kPosition}};
};

}  // namespace touchstone
