#include "pipeline/audit/collection_decisions.hpp"

#include "collection/evidence/collection_lines.hpp"
#include "collection/evidence/manifest.hpp"
#include "collection/kinds.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/named_values.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace touchstone::pipeline::audit {
namespace {

namespace fs = std::filesystem;
namespace evidence = collection::evidence;
using analysis::audit::Decision;
using analysis::audit::Verdict;
using evidence::AuditRecord;
using evidence::CollectionLineReader;
using evidence::JudgmentRecord;

Verdict verdict_of(const JudgmentRecord& judgment, int evidence_grade) {
  if (judgment.grade) return *judgment.grade >= evidence_grade ? Verdict::kYes : Verdict::kNo;
  return judgment.state == JudgmentState::kUnsure ? Verdict::kUnsure : Verdict::kUngraded;
}

/// Text of a stratum's name for what else parts the decisions.
std::string part_of(const JudgmentRecord& judgment, const std::vector<StrataPart>& parts) {
  std::vector<std::string_view> names;
  for (const auto part : parts) {
    switch (part) {
      case StrataPart::kSource:
        names.push_back(judgment.source ? to_string(*judgment.source) : "unknown source");
        break;
      case StrataPart::kOwnArticle:
        names.push_back(judgment.own_article ? "own article" : "other article");
        break;
      case StrataPart::kPosition:
        names.push_back(judgment.docid.ends_with("-0") ? "first passage" : "later passage");
        break;
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Calls `use` for each record of a file of the collection that `read` reads.
template <class Read, class Use>
void for_each_record(const fs::path& file, const StopFlag& stop, const Read& read, const Use& use) {
  for_each_line(
      file,
      [&](std::string_view line, std::uint64_t number) {
        stop.check();
        auto record = read(line);
        if (!record) fail_at_line(file, number, record.error());
        use(std::move(*record));
        return true;
      },
      evidence::kMaxCollectionLineBytes);
}

AuditSettings settings_of(const evidence::AuditSummary& audit, const fs::path& directory) {
  AuditSettings settings{audit.bins, {}, analysis::votes::TieRule::kLowest};
  const auto fail = [&](const std::string& what) {
    throw FormatError((directory / "manifest.json").string() + " says that the audit has " + what +
                      ", which this program does not know; export the collection again and audit it anew");
  };
  if (settings.bins < 1 || settings.bins > kMostBins) fail(fmt::format("{} ranges of the probability", audit.bins));
  for (const auto& name : audit.parts) {
    const auto& table = Choices<StrataPart>::table;
    const auto found =
        std::find_if(std::begin(table), std::end(table), [&](const auto& at) { return at.text == name; });
    if (found == std::end(table)) fail("strata by " + name);
    settings.parts.push_back(found->value);
  }
  const auto& ties = Choices<analysis::votes::TieRule>::table;
  const auto tie = std::find_if(std::begin(ties), std::end(ties), [&](const auto& at) { return at.text == audit.tie; });
  if (tie == std::end(ties)) fail("the tie rule " + audit.tie);
  settings.tie = tie->value;
  return settings;
}

void require_evidence(const fs::path& directory) {
  collection::require_collection_directory(directory, "audit");
  if (collection::release::kind_of(directory) == collection::release::CollectionKind::kAutomatic)
    throw ConfigError(directory.string() +
                      " is an automatic collection: its labels come from the headings of its pages, and no judge gave "
                      "them; touchstone health measures them");
}

}  // namespace

void fail_at_line(const fs::path& file, std::uint64_t line, const std::string& why) {
  throw FormatError(fmt::format("{}:{} {}; touchstone validate lists all that is wrong with the collection",
                                file.string(), line, why));
}

LabelKey key_of(const JudgmentRecord& judgment) {
  return {judgment.topic, judgment.member_page_id, judgment.docid};
}

std::optional<std::size_t> JudgedCollection::find(const LabelKey& key) const {
  const auto key_at = [](const Decision& decision) {
    return std::tie(decision.topic, decision.member, decision.docid);
  };
  const auto at = std::lower_bound(decisions.begin(), decisions.end(), key,
                                   [&](const Decision& decision, const LabelKey& of) { return key_at(decision) < of; });
  if (at == decisions.end() || key_at(*at) != key) return std::nullopt;
  return static_cast<std::size_t>(at - decisions.begin());
}

void for_each_original_judgment(const JudgedCollection& collection, const StopFlag& stop,
                                const std::function<void(JudgmentRecord)>& use) {
  CollectionLineReader reader;
  for_each_record(
      collection.directory / "judgments.jsonl.gz", stop, [&](std::string_view line) { return reader.judgment(line); },
      [&](JudgmentRecord judgment) {
        const auto audited = collection.audited.find(key_of(judgment));
        use(audited == collection.audited.end() ? std::move(judgment) : audited->second.before);
      });
}

JudgedCollection read_judged_collection(const fs::path& directory, const std::optional<AuditSettings>& settings,
                                        const StopFlag& stop) {
  require_evidence(directory);
  JudgedCollection collection;
  collection.directory = directory;
  collection.info = evidence::read_manifest(directory).info;
  if (collection.info.audit) {
    collection.settings = settings_of(*collection.info.audit, directory);
    if (settings && *settings != collection.settings)
      throw ConfigError(directory.string() +
                        " was audited with other strata or another tie rule, and answers to samples of different "
                        "strata cannot be counted together; leave --strata, --bins and --tie out");
  } else if (settings) {
    collection.settings = *settings;
  }
  CollectionLineReader reader;
  if (collection.info.audit) {
    for_each_record(
        directory / "audit.jsonl", stop, [&](std::string_view line) { return reader.audited(line); },
        [&](AuditRecord audited) {
          auto key = key_of(audited.before);
          collection.audited.emplace(std::move(key), std::move(audited));
        });
  }
  for_each_record(
      directory / "members.jsonl", stop, [&](std::string_view line) { return reader.member(line); },
      [&](evidence::MemberRecord member) {
        collection.members.emplace(std::pair(std::move(member.topic), std::move(member.title)), member.page_id);
      });
  for_each_original_judgment(collection, stop, [&](const JudgmentRecord& judgment) {
    collection.decisions.push_back({judgment.topic, judgment.docid, judgment.member_page_id,
                                    verdict_of(judgment, collection.info.evidence_grade), judgment.probability,
                                    part_of(judgment, collection.settings.parts)});
    const auto count = collection.decisions.size();
    if (count > 1) {
      const auto& [topic, docid, member, a, b, c] = collection.decisions[count - 2];
      if (std::tie(topic, member, docid) >= std::tie(judgment.topic, judgment.member_page_id, judgment.docid))
        fail_at_line(directory / "judgments.jsonl.gz", count, "is out of order or a second time there");
    }
  });
  if (collection.decisions.empty())
    throw FormatError(directory.string() + " has no judgments, so there is nothing to audit");
  return collection;
}

}  // namespace touchstone::pipeline::audit
